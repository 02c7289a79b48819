#include "core/memory/optimizer_recipes.h"

#include <algorithm>
#include <array>

namespace trainyard {

namespace {

constexpr std::array kRecipes = {
    OptimizerRecipe{"adamw", "AdamW", 8, 0, true, 1, "two fp32 moments and an fp32 master copy, arXiv 1710.03740, 1910.02054"},
    OptimizerRecipe{"adam", "Adam", 8, 0, true, 1, "arXiv 1412.6980"},
    OptimizerRecipe{"adamw-bf16-moments", "AdamW, bf16 moments", 4, 0, true, 1, "Megatron-LM precision-aware optimizer; DeepSeek-V3, arXiv 2412.19437"},
    OptimizerRecipe{"adamw-fp8-moments", "AdamW, fp8 moments", 2, 0, true, 1, "Megatron-LM precision-aware optimizer"},
    OptimizerRecipe{"adamw-8bit", "8-bit AdamW", 2.0 + 8.0 / 2048, 0, true, 1, "block-wise quantised moments, 2048 a block, arXiv 2110.02861"},
    OptimizerRecipe{"adamw-bf16", "AdamW, all in bf16", 4, 0, false, 1, "no master copy"},
    OptimizerRecipe{"sgd", "SGD", 0, 0, true, 1, "no moment"},
    OptimizerRecipe{"sgd-momentum", "SGD with momentum", 4, 0, true, 1, "one fp32 moment"},
    OptimizerRecipe{"lion", "Lion", 4, 0, true, 1, "one moment, arXiv 2302.06675"},
    OptimizerRecipe{"adafactor", "Adafactor", 0, 4, true, 1, "row and column statistics, arXiv 1804.04235"},
    OptimizerRecipe{"muon", "Muon", 4, 0, true, 1, "one momentum for matrices, github.com/KellerJordan/Muon"},
    OptimizerRecipe{"shampoo", "Shampoo", 12, 0, true, 1, "two factors and their roots near the size of a square matrix, plus momentum, arXiv 1802.09568"},
};

}  // namespace

std::span<const OptimizerRecipe> optimizerRecipes() { return kRecipes; }

const OptimizerRecipe* findOptimizerRecipeOrNull(std::string_view id) {
    const auto found = std::ranges::find(kRecipes, id, &OptimizerRecipe::id);
    return found == kRecipes.end() ? nullptr : &*found;
}

const OptimizerRecipe& optimizerRecipe(std::string_view id) {
    const OptimizerRecipe* found = findOptimizerRecipeOrNull(id);
    return found != nullptr ? *found : kRecipes.front();
}

StateBytes stateBytes(const OptimizerRecipe& recipe, Precision compute, Precision gradients, bool shardedWeights) {
    StateBytes state;
    const bool fullPrecision = compute == Precision::fp32 || compute == Precision::tf32;
    state.moments = recipe.momentBytes;
    state.gradients = storageBytes(gradients);
    if (fullPrecision) {
        state.weights = 4;
        state.gradients = 4;
        state.master = 0;
    } else if (!recipe.masterCopy) {
        state.weights = 2;
        state.gradients = std::min(state.gradients, 2.0);
        state.master = 0;
    } else if (shardedWeights && state.gradients > 2) {
        state.weights = 4;
        state.gradients = 4;
        state.master = 0;
    } else {
        state.weights = 2;
        state.master = 4;
        state.stepCopy = state.gradients < 4 ? 4 : 0;
    }
    return state;
}

}  // namespace trainyard
