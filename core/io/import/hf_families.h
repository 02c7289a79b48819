#pragma once

#include <string_view>

#include "core/model/model_spec.h"

namespace trainyard {

/// Which linear layers carry a bias when the configuration does not say.
enum class HfBiases : std::uint8_t { none, queryKeyValue, attention, feedForward, all };

/// What a `model_type` implies where `config.json` is silent: the defaults of its configuration class.
struct HfFamily {
    std::string_view type;
    bool gatedMlp;
    bool tiedEmbeddings;
    NormKind norm;
    int normsPerLayer;  ///< 1: attention and feed-forward in parallel after one norm; 4: norms before and after each
    PositionEmbedding position;
    HfBiases biases;
    bool qkNorm = false;
    bool lmHeadBias = false;
};

/// Null for a type that is not in the table. Older names (`RefinedWeb`) are accepted.
[[nodiscard]] const HfFamily* findHfFamilyOrNull(std::string_view modelType);

}  // namespace trainyard
