#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/model/precision.h"

namespace trainyard {

/// State that an optimizer keeps per parameter, as data.
struct OptimizerRecipe {
    std::string_view id;
    std::string_view title;
    double momentBytes = 8;       ///< per parameter: 8 for two fp32 moments
    double factoredBytes = 0;     ///< per row and per column of a matrix (Adafactor-like), instead of a moment
    bool masterCopy = true;       ///< keeps fp32 weights beside 16-bit ones
    double stepReadWrites = 1;    ///< bytes moved per byte of state in a step, relative to one read and one write
    std::string_view source;
};

/// All recipes, in a stable order for menus.
[[nodiscard]] std::span<const OptimizerRecipe> optimizerRecipes();
/// By id; null if unknown.
[[nodiscard]] const OptimizerRecipe* findOptimizerRecipeOrNull(std::string_view id);
/// By id; AdamW if unknown.
[[nodiscard]] const OptimizerRecipe& optimizerRecipe(std::string_view id);

/// Bytes per parameter of the training state, before any sharding.
struct StateBytes {
    double weights = 2;    ///< of the copy that the matrix products read
    double weightCaches = 0;  ///< 8- or 4-bit copies beside it, only of matrices inside layers
    double gradients = 4;
    double master = 4;
    double moments = 8;
    double stepCopy = 0;   ///< fp32 copy of the gradients made for the optimizer step
    [[nodiscard]] double optimizer() const { return master + moments; }
    [[nodiscard]] double total() const { return weights + weightCaches + gradients + master + moments; }
};

/// State of mixed-precision training. bf16 with fp32 gradients: 2 + 4 + 12 (Megatron-LM), bf16 gradients: 2 + 2 + 12 (ZeRO,
/// arXiv 1910.02054); fp32: 4 + 4 + 8. `shardedWeights` with fp32 gradients (FSDP): the fp32 shard is weight and master at
/// once: 4 + 4 + 8; with 16-bit gradients as in ZeRO-3: 2 + 2 + 12.
[[nodiscard]] StateBytes stateBytes(const OptimizerRecipe& recipe, Precision compute, Precision gradients, bool shardedWeights);

}  // namespace trainyard
