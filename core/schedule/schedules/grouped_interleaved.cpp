#include <fmt/format.h>

#include "core/schedule/schedules/grouped_order.h"
#include "core/schedule/schedules/simulated_figures.h"

namespace trainyard {
namespace {

constexpr std::string_view kAliases[] = {"grouped-interleaved-gis", "gis"};
constexpr ScheduleParameter kParameters[] = {
    {"group", "micro-batches one chunk works on before the next chunk, half the ranks to all (default: half)", 1, 1'000'000, 0}};

int groupOf(const ScheduleRequest& r) { return static_cast<int>(r.parameter("group").value_or((r.ranks + 1) / 2)); }

std::vector<std::string> check(const ScheduleRequest& r) {
    const int group = groupOf(r);
    if (group < (r.ranks + 1) / 2 || group > r.ranks)
        return {fmt::format("group {} is not between {} (half the ranks) and {}", group, (r.ranks + 1) / 2, r.ranks)};
    return {};
}

constexpr ScheduleDefinition kDefinition{
    .id = "grouped-interleaved",
    .title = "Grouped interleaved",
    .summary = "Interleaved pipelining in smaller groups of micro-batches, for less activation memory at almost the same bubble.",
    .reference = "Wan et al., arXiv 2503.01328, 2025 (PipeOffload)",
    .aliases = kAliases,
    .parameters = kParameters,
    .splitsBackward = true,
    .needsChunks = true,
    .check = check,
    .emit = [](const ScheduleRequest& request) { return emitGroupedInterleaved(request, groupOf(request), 0); },
    .idleClosedForm = nullptr,
    .peakClosedForm =
        [](const ScheduleRequest& r, int rank) {
            if (r.microBatches < r.ranks) return listedPeak(emitGroupedInterleaved(r, groupOf(r), 0), r.chunks, rank);
            return ((r.chunks - 1.0) * groupOf(r) + r.ranks - rank) / r.chunks;
        },
    .unitMakespanClosedForm = [](const ScheduleRequest& r) -> std::optional<std::int64_t> {
        if (groupOf(r) != r.ranks || r.microBatches % r.ranks != 0) return std::nullopt;
        return std::int64_t{3} * r.microBatches * r.chunks + 2 * (r.ranks - 1);
    },
};
const ScheduleRegistration kRegistration{70, kDefinition};

}  // namespace
}  // namespace trainyard
