#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "core/schedule/action.h"
#include "core/schedule/timeline.h"

namespace trainyard {

// Passes take the lists of any schedule and return changed ones. The order of the compute actions stays, except where a pass
// says otherwise.

/// Every whole backward becomes an input gradient followed at once by the weight gradient.
[[nodiscard]] ActionLists splitBackward(const ActionLists& lists);
/// An input gradient directly followed by its own weight gradient becomes one whole backward. Others stay split.
[[nodiscard]] ActionLists mergeBackward(const ActionLists& lists);

/// Forwards on the chosen stages keep nothing; a recompute stands directly before their backward.
/// What already recomputes stays as it is.
[[nodiscard]] ActionLists insertRecompute(const ActionLists& lists, const std::function<bool(int stage)>& recomputed);
/// Moves each recompute into the last idle gap of its rank, before its backward, that is long enough with these times; one
/// that fits nowhere stays. No more than `maximumHeld` recomputed activations wait on a rank at once. Precondition: the lists
/// run without a deadlock, else they come back unchanged.
[[nodiscard]] ActionLists hoistRecompute(const ActionLists& lists, const StageTimes& times, int maximumHeld);

enum class GatherRule : std::uint8_t {
    none,
    perPass,    ///< before a stage's first forward and before its first backward in a row (weights sharded, kept while in use)
    perAction,  ///< whenever the rank turns to another stage
};
enum class ReduceRule : std::uint8_t { none, allReduce, reduceScatter };
/// Gathers one action ahead of need, and a reduction after the last gradient of each stage of a rank, on the data lane.
[[nodiscard]] ActionLists insertCollectives(const ActionLists& lists, GatherRule gather, ReduceRule reduce);

/// Gradients in `buckets` reductions per stage on the data lane. They start while the last gradient action of the stage still
/// runs, each when its share of the gradients is there, so all but the last hide behind it. (Bucketed data parallelism as in
/// PyTorch DDP, arXiv 2006.15704.) Takes the place of reductions that stand there.
[[nodiscard]] ActionLists insertReductionBuckets(const ActionLists& lists, ReduceRule reduce, int buckets);

enum class OptimizerRule : std::uint8_t {
    afterNormSync,   ///< all ranks wait for each other first (gradient norm, loss scale)
    postValidation,  ///< each stage is updated after its own reduction, checked later (arXiv 2401.10241)
};
/// Updates of all stages of a rank at the end of its list.
[[nodiscard]] ActionLists insertOptimizer(const ActionLists& lists, OptimizerRule rule);

/// Copies of activations to host memory on the host lane: those whose backward comes at least `minimumDistance` compute
/// actions after their forward leave at once, and come back while the action before that backward runs.
[[nodiscard]] ActionLists insertOffload(const ActionLists& lists, int minimumDistance);

/// No rank holds more than `limit` activations (micro-batch x chunk x slice): before a forward that would, the one used last
/// of all moves to the partner rank p-1-r on the pipeline lane; it comes back while the action before its backward runs.
/// (BPipe, ICML 2023.)
[[nodiscard]] ActionLists insertEviction(const ActionLists& lists, int limit);

}  // namespace trainyard
