#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/io/import/import_report.h"
#include "core/io/presets/preset_library.h"
#include "core/model/model_spec.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// What an importer made of its input.
struct ImportResult {
    std::string kind;                           ///< id of the importer
    std::string scenario = "{}";                ///< the parts of a scenario that the input describes, as JSON text
    std::optional<ParameterCounts> parameters;  ///< where a model is described
    ImportReport report;
};

/// What an importer may look at besides the text.
struct ImportContext {
    std::string where;                             ///< the input's name, for messages
    const PresetLibrary* presets = nullptr;        ///< never null
    std::map<std::string, std::string> variables;  ///< the user's answers: NAME -> value
};

/// One kind of input. Each importer is one file.
struct Importer {
    std::string_view id;     ///< as in `trainyard-cli import KIND`
    std::string_view title;  ///< e.g. `Hugging Face config.json`
    std::string_view fills;  ///< e.g. `model`
    Result<ImportResult> (*read)(std::string_view text, const ImportContext& context);
    /// How sure it is that the text is of its kind: 0 no, 1 certain. Cheap: looks at the first 64 KiB at most.
    double (*likeness)(std::string_view text);
};

/// All importers, in a stable order for menus.
[[nodiscard]] std::span<const Importer* const> allImporters();
[[nodiscard]] const Importer* findImporterOrNull(std::string_view id);
/// The importer whose content the text most likely is; null if it is nobody's.
[[nodiscard]] const Importer* likeliestImporterOrNull(std::string_view text);
/// Reads the text with the importer of this id; `auto` takes the likeliest by content. An unknown id is a `commandLine` error.
[[nodiscard]] Result<ImportResult> importText(std::string_view id, std::string_view text, const ImportContext& context);

/// A whole scenario out of an import: its parts laid over `base`. What the import describes replaces model and cluster
/// wholly and the stated keys of workload and plan.
[[nodiscard]] Result<Scenario> scenarioFromImport(const ImportResult& result, const Scenario& base, const PresetLibrary& presets);

/// The contract's JSON of `import --json`, one line.
[[nodiscard]] std::string writeImportResult(const ImportResult& result);

/// True if the report holds an error: the input was read but describes no consistent plan.
[[nodiscard]] bool hasErrors(const ImportReport& report);

}  // namespace trainyard
