#include "core/schedule/schedules/v_pattern.h"

namespace trainyard {
namespace {

ActionLists emit(const ScheduleRequest& request) {
    const int p = request.ranks;
    const int shift = p % 2 == 0 ? 3 : 0;  // keeps the slots of the pattern apart for an even number of ranks
    std::vector<VPattern> patterns;
    for (int i = 0; i < p; ++i) patterns.push_back({2 * i, 3 * p - 2 - i, 3 * p - 1 + 2 * i + shift, 6 * p - 2 - i + shift});
    return emitVPattern(request, patterns);
}

std::optional<std::int64_t> unitMakespanOf(const ScheduleRequest& r) {
    const int p = r.ranks;
    if (r.microBatches < 2 * p - 1 || p < 3) return std::nullopt;
    return std::int64_t{6} * r.microBatches + 3 * p - (p % 2 == 0 ? 7 : 4);
}

constexpr ScheduleDefinition kDefinition = vPatternDefinition(
    "v-half", "V-Half", "Two chunks per rank in a V at about half the activation memory of 1F1B.", emit, unitMakespanOf);
const ScheduleRegistration kRegistration{190, kDefinition};

}  // namespace
}  // namespace trainyard
