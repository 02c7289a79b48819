#include <fmt/format.h>

#include <algorithm>

#include "core/schedule/list_builder.h"

namespace trainyard {
namespace {

constexpr ScheduleParameter kParameters[] = {
    {"pipes", "opposite pipelines over the same ranks, an even number (default 2)", 2, 254, 2}};

int pipesOf(const ScheduleRequest& r) { return static_cast<int>(r.parameter("pipes").value_or(2)); }

std::vector<std::string> check(const ScheduleRequest& r) {
    const int pipes = pipesOf(r);
    if (r.chunks != 1 && r.chunks != pipes)
        return {fmt::format("chimera has one chunk per rank and pipe; ask for {} pipes by `pipes`, not for {} chunks", pipes,
                            r.chunks)};
    if (r.ranks % 2 != 0) return {fmt::format("chimera needs an even number of ranks, not {}", r.ranks)};
    if (pipes % 2 != 0 || r.ranks % pipes != 0)
        return {fmt::format("{} pipes: chimera needs an even number that divides {} ranks", pipes, r.ranks)};
    return {};
}

/// Time slots of equal length: a pipe takes in a micro-batch every second slot, which then moves one stage per slot, forward
/// and back. Opposite pipes of one unit of p micro-batches fit together without collision; units follow each other.
ActionLists emit(const ScheduleRequest& request) {
    const int p = request.ranks;
    const int pipes = pipesOf(request);
    const int perDirection = pipes / 2;
    std::vector<StagePlacement> placements;
    for (int i = 0; i < perDirection; ++i) placements.push_back(rotatedPlacement(p, i * (p / perDirection)));
    for (int i = 0; i < perDirection; ++i) placements.push_back(mirroredPlacement(p, p - 1 + i * (p / perDirection)));

    struct Injection {
        int pipe;
        int slot;
    };
    std::vector<Injection> injections;
    for (int unit = 0, left = request.microBatches; left > 0; ++unit) {
        const int inUnit = std::min(p, left);
        left -= inUnit;
        for (int pipe = 0; pipe < pipes; ++pipe) {
            const int share = inUnit / pipes + (pipe < inUnit % pipes ? 1 : 0);
            for (int i = 0; i < share; ++i) injections.push_back({pipe, unit * 2 * p + 2 * i});
        }
    }
    std::vector<std::uint8_t> pipeOf;
    for (const Injection& injection : injections) pipeOf.push_back(static_cast<std::uint8_t>(injection.pipe));

    struct Cell {
        int slot;
        int microBatch;
        int stage;
        bool forward;
    };
    std::vector<std::vector<Cell>> cells(static_cast<std::size_t>(p));
    for (std::size_t mb = 0; mb < injections.size(); ++mb)
        for (int stage = 0; stage < p; ++stage) {
            const std::size_t rank = placements[static_cast<std::size_t>(injections[mb].pipe)][static_cast<std::size_t>(stage)];
            cells[rank].push_back({injections[mb].slot + stage, static_cast<int>(mb), stage, true});
            cells[rank].push_back({injections[mb].slot + 2 * p - 1 - stage, static_cast<int>(mb), stage, false});
        }
    ListBuilder out(request, std::move(placements), std::move(pipeOf));
    out.reservePerUnit(2);
    for (std::vector<Cell>& list : cells) {
        std::stable_sort(list.begin(), list.end(), [](const Cell& a, const Cell& b) { return a.slot < b.slot; });
        out.beginRank();
        for (const Cell& cell : list)
            cell.forward ? out.forward(cell.microBatch, cell.stage) : out.backward(cell.microBatch, cell.stage);
    }
    return out.take();
}

constexpr ScheduleDefinition kDefinition{
    .id = "chimera",
    .title = "Chimera",
    .summary =
        "Two (or 2f) opposite pipelines over the same ranks fill each other's bubbles, for as many copies of the parameters.",
    .reference = "Li and Hoefler, arXiv 2107.06925, 2021",
    .aliases = {},
    .parameters = kParameters,
    .check = check,
    .emit = emit,
    .idleClosedForm = nullptr,
    .peakClosedForm = nullptr,
    .unitMakespanClosedForm = [](const ScheduleRequest& r) -> std::optional<std::int64_t> {
        if (r.microBatches != r.ranks || pipesOf(r) != 2) return std::nullopt;
        return std::int64_t{3} * r.ranks + 2 * (r.ranks - 2);
    },
};
const ScheduleRegistration kRegistration{240, kDefinition};

}  // namespace
}  // namespace trainyard
