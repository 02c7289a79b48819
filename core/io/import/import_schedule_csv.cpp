#include <fmt/format.h>

#include <algorithm>

#include "core/io/import/import_builder.h"
#include "core/io/import/importers.h"
#include "core/schedule/registry.h"
#include "core/schedule/torch_csv.h"
#include "core/schedule/validate_lists.h"

// A pipeline schedule as torch.distributed.pipelining dumps it: one row per rank. The plan takes the schedule of ours that runs
// the same actions in the same order on every rank.

namespace trainyard {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

/// Compute actions in order, rank by rank, written alike for both: kind, stage, micro-batch.
std::vector<std::vector<std::uint64_t>> orderOf(const ActionLists& lists) {
    std::vector<std::vector<std::uint64_t>> ranks(static_cast<std::size_t>(std::max(0, lists.ranks())));
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        for (std::uint32_t i = lists.rankBegin[rank]; i < lists.rankBegin[rank + 1]; ++i) {
            const Action& a = lists.actions[i];
            const bool compute = a.kind == ActionKind::forward || a.kind == ActionKind::backward ||
                                 a.kind == ActionKind::backwardInput || a.kind == ActionKind::backwardWeight;
            if (compute && a.lane == Lane::compute)
                ranks[rank].push_back((static_cast<std::uint64_t>(a.kind) << 56) | (static_cast<std::uint64_t>(a.stage) << 32) |
                                      a.microBatch);
        }
    return ranks;
}

Result<ImportResult> read(std::string_view text, const ImportContext& context) {
    if (text.size() > kMaxBytes)
        return failure(Error::Kind::unreadable, "schedule-csv-too-large", context.where,
                       "is larger than 64 MiB; dump the schedule with fewer micro-batches");
    auto imported = parseTorchCsv(text, context.where);
    if (!imported) return tl::unexpected<Error>(imported.error());
    const ActionLists& lists = imported->lists;
    ImportBuilder builder("schedule-csv", context);
    builder.understand(imported->dialect == TorchDialect::old
                           ? "the older letters: B is the input gradient, BW the whole backward"
                           : "the newer letters: I is the input gradient, B the whole backward");
    for (const auto& note : imported->notes) builder.note("schedule-csv", note, "/plan/schedule");
    for (const Error& problem : validateLists(lists, 1)) builder.error("schedule-order", problem.message, "/plan/schedule");
    const int ranks = lists.ranks();
    const int chunks = ranks > 0 ? std::max(1, lists.stages / ranks) : 1;
    builder.take("/plan/pipeline_parallel", ranks, "rows");
    builder.take("/plan/virtual_stages", chunks, "stages over rows");
    builder.understand(fmt::format("{} micro-batches on {} stages", lists.microBatches, lists.stages));
    ScheduleRequest request;
    request.ranks = ranks;
    request.microBatches = lists.microBatches;
    request.chunks = chunks;
    const auto wanted = orderOf(lists);
    const ScheduleDefinition* same = nullptr;
    for (const ScheduleDefinition* definition : allSchedules()) {
        if (definition->searched || definition->takesSlices || lists.actions.size() > 2'000'000) continue;
        if (effectiveChunks(*definition, request) != chunks || !checkSchedule(*definition, request).empty()) continue;
        const auto built = buildSchedule(definition->id, request);
        if (built && built->stages == lists.stages && built->rankOfStage.size() == 1 && orderOf(*built) == wanted) {
            same = definition;
            break;
        }
    }
    if (same != nullptr)
        builder.take("/plan/schedule", std::string(same->id), "the same actions in the same order");
    else
        builder.warn("schedule-not-built-in",
                     "no schedule here runs these actions in this order on every rank; choose the nearest one", "/plan/schedule");
    return builder.finish();
}

double likeness(std::string_view text) {
    // cells such as 0F0, 3B2, 1W0, 2RECV_F1 and nothing else in the first line that has any
    std::size_t cells = 0, good = 0;
    for (std::size_t at = 0; at < text.size() && cells < 24;) {
        const auto end = std::min(text.find_first_of(",\n", at), text.size());
        std::string_view cell = text.substr(at, end - at);
        at = end + 1;
        while (!cell.empty() && (cell.front() == ' ' || cell.front() == '"')) cell.remove_prefix(1);
        if (cell.empty() || cell == "\r") continue;
        ++cells;
        const auto letter = cell.find_first_not_of("0123456789");
        good += letter != std::string_view::npos && letter > 0 &&
                std::string_view("FBIWSRU").find(cell[letter]) != std::string_view::npos && cell.size() < 24;
    }
    return cells > 1 && good == cells ? 0.9 : 0;
}

}  // namespace

const Importer kScheduleCsvImporter{"schedule-csv", "Pipeline schedule of torch (CSV)", "pipeline part of a plan", read,
                                    likeness};

}  // namespace trainyard
