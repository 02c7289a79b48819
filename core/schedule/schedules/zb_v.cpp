#include <algorithm>

#include "core/schedule/list_builder.h"

namespace trainyard {
namespace {

constexpr std::string_view kAliases[] = {"zbv", "zbv-greedy"};

/// Written for max(m, 2p-1) micro-batches; what lies beyond m is left out.
ActionLists emit(const ScheduleRequest& request) {
    const int p = request.ranks;
    const int m = request.microBatches;
    const int n = std::max(m, 2 * p - 1);
    ListBuilder out(request, wavePlacement(p, 2));
    out.reservePerUnit(3);
    for (int rank = 0; rank < p; ++rank) {
        out.beginRank();
        const int stageOf[2] = {rank, 2 * p - 1 - rank};
        int forwards[2] = {0, 0};
        int inputs[2] = {0, 0};
        int weights[2] = {0, 0};
        const auto put = [&](ActionKind kind, int(&counter)[2], int chunk) {
            const int mb = counter[chunk]++;
            if (mb < m) out.add(kind, mb, stageOf[chunk]);
        };
        const auto forward = [&](int chunk) { put(ActionKind::forward, forwards, chunk); };
        const auto input = [&](int chunk) { put(ActionKind::backwardInput, inputs, chunk); };
        const auto weight = [&](int chunk) { put(ActionKind::backwardWeight, weights, chunk); };

        for (int i = 0; i < 2 * (p - rank) - 1; ++i) forward(0);
        for (int i = 0; i < rank; ++i) {
            forward(1);
            forward(0);
        }
        for (int i = 0; i < p - rank; ++i) {
            forward(1);
            input(1);
            weight(1);
        }
        while (forwards[0] < n || forwards[1] < n) {
            if (forwards[0] < n) forward(0);
            input(0);
            weight(0);
            forward(1);
            input(1);
            weight(1);
        }
        for (int i = 0; i < rank; ++i) {
            input(0);
            input(1);
        }
        for (int i = 0; i < p - rank; ++i) {
            input(0);
            weight(0);
        }
        while (weights[1] < inputs[1]) weight(1);
        while (weights[0] < inputs[0]) weight(0);
    }
    return out.take();
}

constexpr ScheduleDefinition kDefinition{
    .id = "zb-v",
    .title = "ZB-V",
    .summary = "Two chunks per rank in a V: zero bubble at the activation memory of 1F1B, the same on every rank.",
    .reference = "Qi et al., arXiv 2401.10241, 2023",
    .aliases = kAliases,
    .parameters = {},
    .fixedChunks = 2,
    .splitsBackward = true,
    .check = [](const ScheduleRequest&) { return std::vector<std::string>{}; },
    .emit = emit,
    .idleClosedForm = nullptr,
    .peakClosedForm = nullptr,
    .unitMakespanClosedForm = [](const ScheduleRequest& r) -> std::optional<std::int64_t> {
        if (r.microBatches < 2 * r.ranks - 1) return std::nullopt;
        return std::int64_t{6} * r.microBatches + r.ranks - 1;
    },
};
const ScheduleRegistration kRegistration{180, kDefinition};

}  // namespace
}  // namespace trainyard
