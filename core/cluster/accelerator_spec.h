#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/model/precision.h"

namespace trainyard {

/// One accelerator as drawn: memory, dense peaks, bandwidths. Rates are decimal SI, one direction.
struct AcceleratorSpec {
    std::string id;      ///< preset id, or the user's own name
    std::string base;    ///< preset whose values it changes; empty for a preset itself
    std::string name;
    std::string vendor;
    std::string architecture;
    double memoryBytes = 0;        ///< on the label
    double memoryUsableBytes = 0;  ///< what the driver shows
    double memoryBandwidthBytesPerS = 0;
    std::array<double, 7> peakFlopsPerS{};  ///< dense, indexed by Precision; 0: not supported
    std::string scaleUpType;       ///< "NVLink 4", "PCIe 4 x16", "xGMI", ...
    double scaleUpBytesPerS = 0;
    double hostLinkBytesPerS = 0;
    double tdpW = 0;
    std::optional<double> pricePerHour;  ///< USD
    int streamingMultiprocessors = 0;
    int year = 0;
    std::vector<std::string> aliases;    ///< names that drivers print

    [[nodiscard]] double peak(Precision precision) const { return peakFlopsPerS[static_cast<std::size_t>(precision)]; }
    bool operator==(const AcceleratorSpec&) const = default;
};

}  // namespace trainyard
