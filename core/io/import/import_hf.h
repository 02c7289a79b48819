#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/io/import/import_report.h"
#include "core/model/model_spec.h"

namespace trainyard {

/// A model and what was made of its source.
struct ImportedModel {
    ModelSpec model;
    ImportReport report;
};

/// Reads a Hugging Face `config.json` (also nested text models, renamed keys, Meta's `params.json`). Unknown architectures
/// are taken by their shape with a warning. Error: no transformer can be made of it; the message says what the file is.
[[nodiscard]] Result<ImportedModel> importHfConfig(std::string_view text, const std::string& where);
[[nodiscard]] Result<ImportedModel> importHfJson(const nlohmann::json& config, const std::string& where);

}  // namespace trainyard
