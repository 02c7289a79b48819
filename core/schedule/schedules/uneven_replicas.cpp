#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/schedule/list_builder.h"

namespace trainyard {
namespace {

constexpr std::string_view kAliases[] = {"hexiscale", "asymmetric"};
constexpr std::string_view kStageKeys[] = {"stages1", "stages2", "stages3", "stages4",
                                           "stages5", "stages6", "stages7", "stages8"};
constexpr std::string_view kShareKeys[] = {"share1", "share2", "share3", "share4", "share5", "share6", "share7", "share8"};
constexpr ScheduleParameter kParameters[] = {
    {"stages1",
     "stages of the first replica; the counts must add up to the ranks (default: two replicas, two thirds and one third)", 1,
     65535, 0},
    {"stages2", "stages of the second replica", 1, 65535, 0},
    {"stages3", "stages of the third replica", 1, 65535, 0},
    {"stages4", "stages of the fourth replica", 1, 65535, 0},
    {"stages5", "stages of the fifth replica", 1, 65535, 0},
    {"stages6", "stages of the sixth replica", 1, 65535, 0},
    {"stages7", "stages of the seventh replica", 1, 65535, 0},
    {"stages8", "stages of the eighth replica", 1, 65535, 0},
    {"share1", "micro-batches of the first replica (default: in proportion to its stages)", 0, 1'000'000, 0},
    {"share2", "micro-batches of the second replica", 0, 1'000'000, 0},
    {"share3", "micro-batches of the third replica", 0, 1'000'000, 0},
    {"share4", "micro-batches of the fourth replica", 0, 1'000'000, 0},
    {"share5", "micro-batches of the fifth replica", 0, 1'000'000, 0},
    {"share6", "micro-batches of the sixth replica", 0, 1'000'000, 0},
    {"share7", "micro-batches of the seventh replica", 0, 1'000'000, 0},
    {"share8", "micro-batches of the eighth replica", 0, 1'000'000, 0},
};

std::vector<int> stagesOf(const ScheduleRequest& r) {
    std::vector<int> stages;
    for (const std::string_view key : kStageKeys)
        if (const auto value = r.parameter(key)) stages.push_back(static_cast<int>(*value));
    if (!stages.empty()) return stages;
    if (r.ranks == 1) return {1};
    const int first = std::min(r.ranks - 1, r.ranks - r.ranks / 3);
    return {first, r.ranks - first};
}

std::vector<int> sharesOf(const ScheduleRequest& r, const std::vector<int>& stages) {
    std::vector<int> shares;
    for (const std::string_view key : kShareKeys)
        if (const auto value = r.parameter(key)) shares.push_back(static_cast<int>(*value));
    if (!shares.empty()) return shares;
    // Largest remainder: a replica with more stages is faster in that proportion.
    int left = r.microBatches;
    std::vector<std::pair<std::int64_t, std::size_t>> remainders;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const std::int64_t scaled = static_cast<std::int64_t>(r.microBatches) * stages[i];
        shares.push_back(static_cast<int>(scaled / r.ranks));
        left -= shares.back();
        remainders.emplace_back(-(scaled % r.ranks), i);
    }
    std::sort(remainders.begin(), remainders.end());
    for (int i = 0; i < left; ++i) ++shares[remainders[static_cast<std::size_t>(i)].second];
    return shares;
}

std::vector<std::string> check(const ScheduleRequest& r) {
    const std::vector<int> stages = stagesOf(r);
    const int total = std::accumulate(stages.begin(), stages.end(), 0);
    if (total != r.ranks) return {fmt::format("the replicas have {} stages in all, but there are {} ranks", total, r.ranks)};
    const std::vector<int> shares = sharesOf(r, stages);
    if (shares.size() != stages.size()) return {fmt::format("{} shares are given for {} replicas", shares.size(), stages.size())};
    const int shared = std::accumulate(shares.begin(), shares.end(), 0);
    if (shared != r.microBatches)
        return {fmt::format("the shares add up to {}, not to {} micro-batches", shared, r.microBatches)};
    return {};
}

/// Replicas of the model side by side, each a 1F1B pipeline of its own length over its own ranks.
ActionLists emit(const ScheduleRequest& request) {
    const std::vector<int> stages = stagesOf(request);
    const std::vector<int> shares = sharesOf(request, stages);
    std::vector<StagePlacement> placements;
    std::vector<std::uint8_t> pipeOf;
    for (int replica = 0, rank = 0; replica < static_cast<int>(stages.size()); ++replica) {
        const std::size_t i = static_cast<std::size_t>(replica);
        StagePlacement placement;
        for (int stage = 0; stage < stages[i]; ++stage) placement.push_back(static_cast<std::uint16_t>(rank++));
        placements.push_back(std::move(placement));
        pipeOf.insert(pipeOf.end(), static_cast<std::size_t>(shares[i]), static_cast<std::uint8_t>(replica));
    }
    ListBuilder out(request, std::move(placements), std::move(pipeOf));
    out.reservePerUnit(2);
    int firstMicroBatch = 0;
    for (std::size_t replica = 0; replica < stages.size(); ++replica) {
        const int m = shares[replica];
        for (int stage = 0; stage < stages[replica]; ++stage) {
            out.beginRank();
            const int warmup = std::min(m, stages[replica] - 1 - stage);
            for (int mb = 0; mb < warmup; ++mb) out.forward(firstMicroBatch + mb, stage);
            for (int i = 0; i < m; ++i) {
                if (warmup + i < m) out.forward(firstMicroBatch + warmup + i, stage);
                out.backward(firstMicroBatch + i, stage);
            }
        }
        firstMicroBatch += m;
    }
    return out.take();
}

constexpr ScheduleDefinition kDefinition{
    .id = "uneven-replicas",
    .title = "Uneven replicas",
    .summary = "Replicas of different pipeline length side by side, each with its share of the micro-batches.",
    .reference = "Yan et al., arXiv 2409.01143, 2024 (HexiScale)",
    .aliases = kAliases,
    .parameters = kParameters,
    .fixedChunks = 1,
    .check = check,
    .emit = emit,
    .idleClosedForm = nullptr,
    .peakClosedForm = nullptr,
};
const ScheduleRegistration kRegistration{370, kDefinition};

}  // namespace
}  // namespace trainyard
