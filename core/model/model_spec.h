#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

enum class NormKind : std::uint8_t { rmsnorm, layernorm };
enum class PositionEmbedding : std::uint8_t { rope, learned, none };

/// Mixture-of-experts feed-forward. `sharedExperts` and `denseLayers` may be 0.
struct MoeSpec {
    std::int64_t experts = 0;
    std::int64_t topK = 1;
    std::int64_t expertFfnHiddenSize = 0;
    std::int64_t sharedExperts = 0;         ///< width = sharedExperts x expertFfnHiddenSize unless given
    std::optional<std::int64_t> sharedExpertFfnHiddenSize;  ///< total width of the shared path
    std::int64_t denseLayers = 0;           ///< first layers that keep the dense feed-forward
    bool sharedExpertGate = false;          ///< a [hidden] gate vector on the shared path (Qwen2-MoE)
    bool routerBias = false;
    std::optional<double> capacityFactor;   ///< every expert takes this multiple of its even share, padded or cut; absent: no token is dropped
    bool operator==(const MoeSpec&) const = default;
};

/// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434). `qLoraRank` 0: no query compression.
struct MlaSpec {
    std::int64_t qLoraRank = 0;
    std::int64_t kvLoraRank = 0;
    std::int64_t qkNopeHeadDim = 0;
    std::int64_t qkRopeHeadDim = 0;
    std::int64_t vHeadDim = 0;
    bool operator==(const MlaSpec&) const = default;
};

enum class MixerKind : std::uint8_t {
    attention,  ///< softmax attention: MHA, GQA, MQA, or MLA if the model has `mla`
    linear,     ///< linear-time mixer (Mamba, xLSTM shape): projections plus a state of `linearStateSize` per head
    none,       ///< no mixer (layers pruned by architecture search)
};
enum class FfnKind : std::uint8_t { dense, moe, none };

/// What one layer is, where it differs from the model's own figures. Absent numbers: the model's.
struct LayerKind {
    MixerKind mixer = MixerKind::attention;
    FfnKind ffn = FfnKind::dense;
    std::optional<std::int64_t> slidingWindow;  ///< keys seen by a token; absent: all
    std::optional<std::int64_t> attentionHeads;
    std::optional<std::int64_t> kvHeads;
    std::optional<std::int64_t> headDim;
    std::optional<std::int64_t> ffnHiddenSize;
    bool operator==(const LayerKind&) const = default;
};

/// A decoder-only transformer (or hybrid) as values. Shapes: hidden h, heads a, kv heads, head dim d, feed-forward f.
struct ModelSpec {
    std::string name;
    std::string preset;  ///< id of the preset it was taken from; empty: spelled out
    std::int64_t layers = 0;
    std::int64_t hiddenSize = 0;
    std::int64_t attentionHeads = 0;
    std::int64_t kvHeads = 0;
    std::int64_t headDim = 0;
    std::int64_t ffnHiddenSize = 0;
    bool gatedMlp = false;
    std::int64_t vocabSize = 0;
    bool tiedEmbeddings = false;
    bool biases = false;                  ///< every linear layer has a bias
    std::optional<bool> qkvBias;          ///< absent: as `biases`
    std::optional<bool> attentionOutputBias;  ///< absent: as `biases`
    std::optional<bool> mlpBias;          ///< absent: as `biases`
    bool lmHeadBias = false;
    bool attentionSinks = false;          ///< one learned logit per head (gpt-oss)
    std::optional<bool> dropout;          ///< absent: as the family trains (see usesDropout)
    bool qkNorm = false;                  ///< norms on query and key, one vector of head_dim each
    bool qkNormFull = false;              ///< the vectors span all heads (OLMo 2)
    NormKind norm = NormKind::rmsnorm;
    std::int64_t normsPerLayer = 2;       ///< 4 for Gemma 2 and 3, 1 for parallel blocks
    bool embeddingNorm = false;           ///< norm after the embedding (BLOOM)
    PositionEmbedding positionEmbedding = PositionEmbedding::rope;
    std::int64_t maxPositions = 0;        ///< learned positions; 0: sequence length
    std::optional<MoeSpec> moe;
    std::optional<MlaSpec> mla;
    std::optional<std::int64_t> slidingWindow;  ///< of layers whose kind has none and that are listed as sliding
    std::int64_t linearStateSize = 128;
    std::int64_t linearExpand = 2;
    std::int64_t extraParameters = 0;     ///< parameters outside the ledger (vision tower, ...), counted in the total only
    std::vector<LayerKind> layerKinds;    ///< one per layer, or empty: derived from `moe` (first denseLayers dense)

    bool operator==(const ModelSpec&) const = default;
};

/// The kind of layer `index` (0-based): the entry of `layerKinds`, else derived.
[[nodiscard]] LayerKind layerKind(const ModelSpec& model, std::int64_t index);

/// Layers `begin` to `end` - 1, all of one kind.
struct LayerRun {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    LayerKind kind;
};
/// The model's layers as the longest runs of equal ones, in order.
[[nodiscard]] std::vector<LayerRun> layerRuns(const ModelSpec& model);

struct ParameterCounts {
    std::int64_t total = 0;
    std::int64_t active = 0;     ///< total without the routed experts that a token does not use
    std::int64_t embedding = 0;  ///< input embedding, plus the head where untied
    bool operator==(const ParameterCounts&) const = default;
};

/// Exact parameter counts; a tied head is counted once. `sequenceLength` counts learned positions if maxPositions is 0.
[[nodiscard]] ParameterCounts countParameters(const ModelSpec& model, std::int64_t sequenceLength);

}  // namespace trainyard
