// A user's preset file may hold anything.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/io/presets/preset_reader.h"

using namespace trainyard;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto spec = readAcceleratorPreset(text, "fuzz"); spec && !(spec->memoryBytes > 0)) std::abort();
    if (const auto network = readNetworkPreset(text, "fuzz"); network && !(network->bandwidthBytesPerS > 0)) std::abort();
    static const PresetLibrary library;
    if (const auto node = readNodePreset(text, "fuzz", library); node && node->node.devicesPerNode() < 1) std::abort();
    static_cast<void>(readPresetSummary(text, "fuzz"));
    static_cast<void>(readClusterPreset(text, "fuzz", {.id = "fuzz"}, library));
    return 0;
}
