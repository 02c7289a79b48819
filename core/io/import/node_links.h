#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/io/import/import_builder.h"

namespace trainyard {

/// One node as a topology dump describes it.
struct NodeDump {
    std::size_t gpus = 0;
    std::string acceleratorName;   ///< as the dump writes it; may be empty
    std::string acceleratorGuess;  ///< preset id that follows from the dump, and why
    std::string guessReason;
    double switchedBytesPerS = 0;         ///< one direction of one GPU into an NVSwitch; 0: none
    std::vector<double> matrixBytesPerS;  ///< direct links, gpus x gpus; empty: none
    double pcieBytesPerS = 0;             ///< of a GPU's own link to its switch or host; 0: not said
    std::size_t nics = 0;
    double nicBytesPerS = 0;  ///< of one
    std::int64_t nodes = 1;
};

/// Puts the node into the import as a drawn cluster and says what was understood and assumed.
void takeNodeDump(ImportBuilder& builder, const NodeDump& dump);

/// One direction of one NVLink in bytes per second by compute capability times ten (70, 80, 90, 100).
[[nodiscard]] double nvlinkBytesPerS(int computeCapability);

}  // namespace trainyard
