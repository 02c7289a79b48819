// A scenario file may hold anything; what is read must come back the same, and must be checked without a crash.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/io/json/scenario_json.h"
#include "core/io/presets/preset_library.h"
#include "core/plan/validate.h"

using namespace trainyard;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const PresetLibrary library;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto scenario = readScenario(text, {"fuzz", ""}, library);
    if (!scenario) {
        if (scenario.error().message.empty()) std::abort();
        return 0;
    }
    static_cast<void>(validate(*scenario));
    const std::string written = writeScenario(*scenario, &library);
    const auto again = readScenario(written, {"again", ""}, library);
    if (!again) std::abort();
    if (writeScenario(*again, &library) != written) std::abort();
    return 0;
}
