#include <fmt/format.h>

#include <algorithm>

#include "core/schedule/passes.h"
#include "core/schedule/schedules/one_f_one_b_order.h"

namespace trainyard {
namespace {

constexpr ScheduleParameter kParameters[] = {
    {"limit", "micro-batches a rank holds before it evicts to its partner (default: half the ranks + 1)", 1, 1'000'000, 0}};

int limitOf(const ScheduleRequest& r) { return static_cast<int>(r.parameter("limit").value_or((r.ranks + 2) / 2)); }

std::vector<std::string> check(const ScheduleRequest& r) {
    if (r.ranks % 2 != 0)
        return {fmt::format("bpipe pairs rank r with rank p-1-r and needs an even number of ranks, not {}", r.ranks)};
    if (2 * limitOf(r) < r.ranks + 1 || limitOf(r) < 2)
        return {fmt::format("limit {} is too low: a pair of ranks holds {} micro-batches, so at least {}", limitOf(r),
                            r.ranks + 1, std::max(2, r.ranks / 2 + 1))};
    return {};
}

ActionLists emit(const ScheduleRequest& request) {
    return insertEviction(
        emitOneForwardOneBackward(
            request, [](const ScheduleRequest& r, int rank) { return r.ranks - 1 - rank; }, SteadyOrder::forwardFirst),
        limitOf(request));
}

constexpr ScheduleDefinition kDefinition{
    .id = "bpipe",
    .title = "BPipe",
    .summary = "1F1B where the first ranks lend activations to the last ones, so that all hold about the same number.",
    .reference = "Kim et al., ICML 2023; review in arXiv 2401.02088",
    .aliases = {},
    .parameters = kParameters,
    .fixedChunks = 1,
    .check = check,
    .emit = emit,
    .idleClosedForm = [](const ScheduleRequest& r, double f, double i, double w) { return (r.ranks - 1) * (f + i + w); },
    .peakClosedForm =
        [](const ScheduleRequest& r, int rank) {
            return static_cast<double>(std::min({r.microBatches, r.ranks - rank, limitOf(r)}));
        },
};
const ScheduleRegistration kRegistration{270, kDefinition};

}  // namespace
}  // namespace trainyard
