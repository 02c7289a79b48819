#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/io/json/object_reader.h"
#include "core/model/model_spec.h"

namespace trainyard {

/// Reads the spelled-out architecture of a scenario (contract keys). `base` gives the values of absent keys, null: the
/// contract's defaults. What is needed and absent is recorded in the reader's state; the result is then meaningless.
[[nodiscard]] ModelSpec readArchitecture(ObjectReader& reader, const ModelSpec* baseOrNull);

/// The object form of an architecture; keys at their default are left out.
[[nodiscard]] nlohmann::json architectureJson(const ModelSpec& model);

[[nodiscard]] std::string_view name(NormKind norm);
[[nodiscard]] std::optional<NormKind> normKindFromName(std::string_view name);
[[nodiscard]] std::string_view name(PositionEmbedding embedding);
[[nodiscard]] std::optional<PositionEmbedding> positionEmbeddingFromName(std::string_view name);
[[nodiscard]] std::string_view name(MixerKind mixer);
[[nodiscard]] std::optional<MixerKind> mixerKindFromName(std::string_view name);
[[nodiscard]] std::string_view name(FfnKind ffn);
[[nodiscard]] std::optional<FfnKind> ffnKindFromName(std::string_view name);

}  // namespace trainyard
