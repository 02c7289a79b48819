#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace trainyard {

/// How a message is made smaller before it is sent.
enum class Codec : std::uint8_t {
    none,
    quantize,     ///< fewer bits per element
    top_k,        ///< the largest elements and where they stand
    low_rank,     ///< product of two thin matrices
    subspace,     ///< coordinates in a fixed subspace that the weights are kept in (Protocol Models)
    sparse,       ///< gradients that are mostly zero, as bitmap and values (Zen)
    unique_rows,  ///< rows of the token embedding that the batch touched
};
[[nodiscard]] std::string_view name(Codec codec);
[[nodiscard]] std::optional<Codec> codecFromName(std::string_view name);

/// What is done to the messages of one boundary.
struct BoundaryCompression {
    Codec codec = Codec::none;
    std::int64_t bits = 8;    ///< quantize
    double keep = 0.01;       ///< top_k: share of elements kept; sparse: share that one worker has touched
    std::int64_t rank = 64;   ///< low_rank, subspace
    bool operator==(const BoundaryCompression&) const = default;
};

/// Boundaries at which messages can be made smaller.
enum class Boundary : std::uint8_t { pipeline, tensor, data };
[[nodiscard]] std::string_view name(Boundary boundary);

struct CompressionPlan {
    BoundaryCompression pipeline;  ///< activations and their gradients between stages
    BoundaryCompression tensor;    ///< activations inside a tensor group
    BoundaryCompression data;      ///< weight gradients between replicas
    bool operator==(const CompressionPlan&) const = default;

    [[nodiscard]] const BoundaryCompression& at(Boundary boundary) const {
        return boundary == Boundary::pipeline ? pipeline : boundary == Boundary::tensor ? tensor : data;
    }
};

/// Between whom training is only loosely synchronous.
enum class LocalUpdateScope : std::uint8_t { replicas, sites };
[[nodiscard]] std::string_view name(LocalUpdateScope scope);
[[nodiscard]] std::optional<LocalUpdateScope> localUpdateScopeFromName(std::string_view name);

/// Replicas (or sites) step on their own and exchange weights every so many steps: local SGD, DiLoCo (arXiv 2311.08105).
struct LocalUpdatePlan {
    std::int64_t every = 1;  ///< steps; 1: synchronous; 0: never (independent islands: c-BTM, arXiv 2303.14177; PaPaformer)
    LocalUpdateScope between = LocalUpdateScope::replicas;
    bool operator==(const LocalUpdatePlan&) const = default;
};

}  // namespace trainyard
