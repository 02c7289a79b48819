#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/import/import_builder.h"
#include "core/io/import/launch_flags.h"

namespace trainyard {

/// Reads Megatron-LM arguments (core 0.20, with the older and the underscore spellings) into model, workload and plan.
/// Defaults of Megatron that differ from ours are stated. `devices`: what the launch starts, if known.
void readMegatronArguments(const FlagSet& flags, const Launch& launch, ImportBuilder& builder);

/// The number of transformer layers per stage, in model order, of a `--pipeline-model-parallel-layout` text such as
/// `Ettt|(tt|)*29,m|L`; nothing if it does not follow the grammar or comes to more than `maxStages` stages.
[[nodiscard]] std::optional<std::vector<std::int64_t>> layersOfLayout(std::string_view layout, std::size_t maxStages);

}  // namespace trainyard
