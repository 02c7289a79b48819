// Anything may be dropped on the window. TRAINYARD_FUZZ_KIND names the importer; without it every importer sees the input.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/io/import/importer.h"
#include "core/io/json/scenario_json.h"
#include "core/io/presets/preset_library.h"

using namespace trainyard;

namespace {

const PresetLibrary& presets() {
    static const PresetLibrary kLibrary;
    return kLibrary;
}

const Scenario& base() {
    static const Scenario kScenario =
        *readScenario(*presets().text(PresetKind::scenarios, "dgx-h100-llama-70b"), {"preset", ""}, presets());
    return kScenario;
}

void tryKind(std::string_view kind, std::string_view text) {
    const auto result = importText(kind, text, {.where = "fuzz", .presets = &presets(), .variables = {}});
    if (!result) {
        if (result.error().message.empty() || result.error().where.empty()) std::abort();
        return;
    }
    if (result->kind.empty()) std::abort();
    static_cast<void>(writeImportResult(*result));
    static_cast<void>(scenarioFromImport(*result, base(), presets()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    static const char* const kKind = std::getenv("TRAINYARD_FUZZ_KIND");
    if (kKind != nullptr) {
        tryKind(kKind, text);
        return 0;
    }
    for (const Importer* importer : allImporters()) {
        const double likeness = importer->likeness(text.substr(0, 65536));
        if (!(likeness >= 0 && likeness <= 1)) std::abort();
        tryKind(importer->id, text);
    }
    static_cast<void>(importText("auto", text, {.where = "fuzz", .presets = &presets(), .variables = {}}));
    return 0;
}
