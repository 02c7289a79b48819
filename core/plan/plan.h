#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/plan/replica_plan.h"
#include "core/plan/traffic_plan.h"

namespace trainyard {

/// The dimensions in which work is split. The JSON names are the enumerator names.
enum class Dimension : std::uint8_t { tensor, context, data, pipeline, expert };
[[nodiscard]] std::string_view name(Dimension dimension);
[[nodiscard]] std::optional<Dimension> dimensionFromName(std::string_view name);

enum class RecomputeMode : std::uint8_t { none, selective, full };
[[nodiscard]] std::string_view name(RecomputeMode mode);
[[nodiscard]] std::optional<RecomputeMode> recomputeModeFromName(std::string_view name);

/// What `selective` recomputes; a bit set.
enum class RecomputeModule : std::uint16_t {
    core_attn = 1, layernorm = 2, activation = 4, mlp = 8, moe = 16, moe_act = 32, mla_up_proj = 64, every_second_matmul = 128,
};
[[nodiscard]] std::string_view name(RecomputeModule module);
[[nodiscard]] std::optional<RecomputeModule> recomputeModuleFromName(std::string_view name);
inline constexpr RecomputeModule kAllRecomputeModules[] = {
    RecomputeModule::core_attn, RecomputeModule::layernorm, RecomputeModule::activation, RecomputeModule::mlp,
    RecomputeModule::moe, RecomputeModule::moe_act, RecomputeModule::mla_up_proj, RecomputeModule::every_second_matmul};

struct StageRecompute {
    RecomputeMode mode = RecomputeMode::none;
    std::optional<std::int64_t> layers;  ///< with `full`: how many layers of the stage
    bool operator==(const StageRecompute&) const = default;
};

struct RecomputePlan {
    RecomputeMode mode = RecomputeMode::none;
    std::uint16_t modules = static_cast<std::uint16_t>(RecomputeModule::core_attn);  ///< bits of RecomputeModule
    std::optional<std::int64_t> layers;   ///< with `full`: how many layers of the model
    std::vector<StageRecompute> perStage; ///< one per pipeline stage; empty: `mode` everywhere
    bool operator==(const RecomputePlan&) const = default;

    [[nodiscard]] bool recomputes(RecomputeModule module) const { return (modules & static_cast<std::uint16_t>(module)) != 0; }
};

enum class ContextMethod : std::uint8_t { ring, ulysses, all_gather, usp };
[[nodiscard]] std::string_view name(ContextMethod method);
[[nodiscard]] std::optional<ContextMethod> contextMethodFromName(std::string_view name);

/// A key left out means the framework's default.
struct OverlapPlan {
    std::optional<bool> tensor;
    std::optional<bool> expert;
    std::optional<bool> data;
    bool operator==(const OverlapPlan&) const = default;
};

/// How the work is split. devices = tensor x pipeline x context x data.
struct Plan {
    std::int64_t tensorParallel = 1;
    std::int64_t pipelineParallel = 1;
    std::int64_t contextParallel = 1;
    std::int64_t expertParallel = 1;        ///< no factor of the device count
    std::int64_t expertTensorParallel = 1;
    std::optional<std::int64_t> dataParallel;  ///< absent: "auto", what the device count leaves
    std::int64_t virtualStages = 1;
    std::int64_t microBatchSize = 1;
    bool sequenceParallel = false;
    std::int64_t zeroStage = 0;
    std::optional<std::int64_t> shardGroup; ///< devices over which ZeRO shards; absent: data x context
    std::string schedule = "1f1b";
    std::vector<std::pair<std::string, std::int64_t>> scheduleParameters;  ///< group, pipes, limit, slices, ...
    RecomputePlan recompute;
    ContextMethod contextMethod = ContextMethod::ring;
    std::vector<std::int64_t> layersPerStage;  ///< pipeline or pipeline x virtual entries; empty: even rule
    std::vector<Dimension> placementOrder;     ///< fastest first; empty: tensor, context, data, pipeline
    std::vector<std::int64_t> deviceOfRank;    ///< explicit placement; overrides placementOrder
    OverlapPlan overlap;
    double activationOffloadFraction = 0;      ///< share of saved activations copied to host memory
    double optimizerOffloadFraction = 0;       ///< share of optimizer state kept in host memory
    std::vector<ReplicaPlan> replicas;         ///< not empty: replaces tensor, pipeline, context and data degrees, split, micro-batch, placement
    CompressionPlan compression;
    LocalUpdatePlan localUpdate;

    bool operator==(const Plan&) const = default;
};

}  // namespace trainyard
