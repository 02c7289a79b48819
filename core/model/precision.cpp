#include "core/model/precision.h"

namespace trainyard {

std::string_view name(Precision precision) {
    switch (precision) {
        case Precision::fp32: return "fp32";
        case Precision::tf32: return "tf32";
        case Precision::fp16: return "fp16";
        case Precision::bf16: return "bf16";
        case Precision::fp8: return "fp8";
        case Precision::mxfp8: return "mxfp8";
        case Precision::nvfp4: return "nvfp4";
    }
    return "bf16";
}

std::optional<Precision> precisionFromName(std::string_view text) {
    for (const Precision precision : kAllPrecisions)
        if (name(precision) == text) return precision;
    return std::nullopt;
}

int storageBytes(Precision precision) {
    return precision == Precision::fp32 || precision == Precision::tf32 ? 4 : 2;
}

}  // namespace trainyard
