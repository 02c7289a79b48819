#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace trainyard {

/// Number formats of training. The JSON names are the enumerator names.
enum class Precision : std::uint8_t { fp32, tf32, fp16, bf16, fp8, mxfp8, nvfp4 };

inline constexpr Precision kAllPrecisions[] = {Precision::fp32, Precision::tf32,  Precision::fp16, Precision::bf16,
                                               Precision::fp8,  Precision::mxfp8, Precision::nvfp4};

[[nodiscard]] std::string_view name(Precision precision);
[[nodiscard]] std::optional<Precision> precisionFromName(std::string_view name);

/// Bytes that one activation or weight element occupies where it is stored for this recipe: 4 for fp32 and tf32, else 2
/// (the 8- and 4-bit recipes keep bf16 tensors and cast before the matrix product).
[[nodiscard]] int storageBytes(Precision precision);

}  // namespace trainyard
