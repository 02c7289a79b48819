#include <fmt/format.h>

#include <algorithm>

#include "core/schedule/list_builder.h"

namespace trainyard {
namespace {

constexpr ScheduleParameter kParameters[] = {
    {"width", "iterations in flight: 1 waits for each all-reduce, 2 hides it behind the next iteration (default 2)", 1, 64, 2}};

std::vector<std::string> check(const ScheduleRequest& r) {
    if (r.ranks > 255) return {fmt::format("pipe-sgd is shown for at most 255 workers, not {}", r.ranks)};
    if (static_cast<std::int64_t>(r.ranks) * r.microBatches > 16'000'000)
        return {fmt::format("{} workers x {} iterations are too many", r.ranks, r.microBatches)};
    return {};
}

/// No layer pipeline: every rank is a data-parallel worker with the whole model and runs all m iterations; iteration t of
/// worker r is micro-batch t * p + r. The update of iteration t - width + 1 follows the backward of iteration t.
ActionLists emit(const ScheduleRequest& request) {
    const int p = request.ranks;
    const int iterations = request.microBatches;
    const int width = static_cast<int>(request.parameter("width").value_or(2));
    ScheduleRequest whole = request;
    whole.microBatches = p * iterations;
    std::vector<StagePlacement> placements;
    std::vector<std::uint8_t> pipeOf;
    for (int rank = 0; rank < p; ++rank) placements.push_back({static_cast<std::uint16_t>(rank)});
    for (int mb = 0; mb < whole.microBatches; ++mb) pipeOf.push_back(static_cast<std::uint8_t>(mb % p));
    ListBuilder out(whole, std::move(placements), std::move(pipeOf));
    out.reserve(static_cast<std::size_t>(whole.microBatches) * 4);
    for (int rank = 0; rank < p; ++rank) {
        out.beginRank();
        const auto microBatch = [&](int iteration) { return iteration * p + rank; };
        const auto update = [&](int iteration) { out.add(ActionKind::optimizer, microBatch(iteration), 0); };
        for (int t = 0; t < iterations; ++t) {
            const std::uint32_t version = static_cast<std::uint32_t>(std::max(0, t - width + 1));
            out.forward(microBatch(t), 0);
            out.last().weightVersion = version;
            out.backward(microBatch(t), 0);
            out.last().weightVersion = version;
            if (width > 1 && t >= width - 1) update(t - width + 1);
            out.add(ActionKind::allReduce, microBatch(t), 0, 0, Lane::data);
            if (width == 1) update(t);
        }
        for (int t = std::max(0, iterations - width + 1); width > 1 && t < iterations; ++t) update(t);
    }
    return out.take();
}

constexpr ScheduleDefinition kDefinition{
    .id = "pipe-sgd",
    .title = "Pipe-SGD",
    .summary =
        "Data parallel with iterations in flight: the all-reduce of one runs beside the compute of the next, which uses weights "
        "one update old.",
    .reference = "Li et al., arXiv 1811.03619, 2018",
    .aliases = {},
    .parameters = kParameters,
    .semantics = ScheduleSemantics::staleWeights,
    .fixedChunks = 1,
    .check = check,
    .emit = emit,
    .idleClosedForm = nullptr,
    .peakClosedForm = [](const ScheduleRequest&, int) { return 1.0; },
    .unitMakespanClosedForm = [](const ScheduleRequest& r) -> std::optional<std::int64_t> {
        return std::int64_t{3} * r.microBatches;  // reductions that take no time
    },
};
const ScheduleRegistration kRegistration{350, kDefinition};

}  // namespace
}  // namespace trainyard
