#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/accuracy/validation_run.h"
#include "core/io/presets/preset_library.h"

namespace trainyard {

/// Reads a file of published measurements (`{"source": {"title", "licence", ...}, "rows": [...]}`) as the runs it holds. Of
/// configurations that a source repeats over its releases only the newest stands. `name` is the file's without its ending;
/// what a source did not say is filled in by it.
[[nodiscard]] Result<ValidationSource> readValidationSource(std::string_view text, const std::string& where, const std::string& name, const PresetLibrary& presets);

/// Every `.json` file of the folders except index.json, sorted by name; a name found in an earlier folder is not read again.
/// Sources without a run that can be evaluated are left out.
[[nodiscard]] Result<std::vector<ValidationSource>> readValidationFolders(const std::vector<std::string>& folders, const PresetLibrary& presets);

/// The same file with only what `readValidationSource` needs: rows that can be evaluated, keys that it reads. Empty if the
/// licence does not allow passing the rows on (share-alike or non-commercial) or nothing is left.
[[nodiscard]] Result<std::string> compactValidationSource(std::string_view text, const std::string& where, const std::string& name);

}  // namespace trainyard
