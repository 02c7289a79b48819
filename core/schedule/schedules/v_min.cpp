#include "core/schedule/schedules/v_pattern.h"

namespace trainyard {
namespace {

ActionLists emit(const ScheduleRequest& request) {
    const int p = request.ranks;
    const int shift = p % 3 == 0 ? 2 : 0;  // keeps the slots of the pattern apart where 3 divides the ranks
    std::vector<VPattern> patterns;
    for (int i = 0; i < p; ++i) patterns.push_back({i, 2 * p - 1 - i, 2 * p + i + shift, 4 * p - 1 - i + shift});
    return emitVPattern(request, patterns);
}

std::optional<std::int64_t> unitMakespanOf(const ScheduleRequest& r) {
    const int p = r.ranks;
    if (r.microBatches < 2 * p - 1 || p < 2) return std::nullopt;
    return std::int64_t{6} * r.microBatches + 4 * p - (p % 3 == 0 ? 7 : 5);
}

constexpr ScheduleDefinition kDefinition = vPatternDefinition(
    "v-min", "V-Min", "Two chunks per rank in a V at about a third of the activation memory of 1F1B.", emit, unitMakespanOf);
const ScheduleRegistration kRegistration{200, kDefinition};

}  // namespace
}  // namespace trainyard
