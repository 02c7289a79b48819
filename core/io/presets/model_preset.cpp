#include "core/io/presets/model_preset.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "core/io/import/import_hf.h"
#include "core/io/json/json_text.h"
#include "core/io/json/model_json.h"

namespace trainyard {

Result<std::shared_ptr<const ModelSpec>> modelPreset(const PresetLibrary& presets, std::string_view id) {
    const auto text = presets.text(PresetKind::models, id);
    if (!text) {
        const auto ids = presets.ids(PresetKind::models);
        const std::vector<std::string_view> names(ids.begin(), ids.end());
        const auto near = nearestNames(id, names);
        return failure(Error::Kind::invalid, "unknown-preset", "",
                       fmt::format("no model preset is called \"{}\"; {}", id,
                                   near.empty() ? "`trainyard-cli presets models` lists them"
                                                : fmt::format("did you mean {}?", fmt::join(near, ", "))));
    }
    ModelSpec model;
    const std::string where = fmt::format("preset {}", id);
    auto document = parseJson(*text, where, JsonDialect::strict);
    if (!document) return tl::unexpected(document.error());
    if (!document->contains("architecture") && document->contains("hf_config")) {
        auto imported = importHfJson((*document)["hf_config"], where);
        if (!imported) return tl::unexpected(imported.error());
        model = std::move(imported->model);
    } else {
        const bool nested = document->contains("architecture");
        ReadState state;
        state.where = where;
        ObjectReader reader(nested ? (*document)["architecture"] : *document, nested ? "/architecture" : "", state);
        model = readArchitecture(reader, nullptr);
        if (state.error) return tl::unexpected(std::move(*state.error));
    }
    if (document->contains("name") && (*document)["name"].is_string()) model.name = (*document)["name"].get<std::string>();
    model.preset = std::string(id);
    return std::make_shared<const ModelSpec>(std::move(model));
}

}  // namespace trainyard
