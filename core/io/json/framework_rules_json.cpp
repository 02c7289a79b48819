#include "core/io/json/framework_rules_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "core/io/json/json_text.h"
#include "core/io/json/object_reader.h"
#include "core/io/presets/preset_library.h"

namespace trainyard {
namespace {

using nlohmann::json;

constexpr std::int64_t kRulesVersion = 1;
constexpr std::size_t kMostRules = 1'000;
constexpr int kMostExtensions = 4;

std::string required(ObjectReader& reader, const char* key) {
    auto text = reader.text(key);
    if (!text || text->empty()) reader.refuse(key, "missing-key", "is missing; expected a text");
    return text.value_or("");
}

std::vector<std::string> texts(ObjectReader& reader, const char* key) {
    std::vector<std::string> out;
    const json* list = reader.findOrNull(key);
    if (list == nullptr) return out;
    if (!list->is_array() || list->size() > 32) {
        reader.refuse(key, "wrong-type", fmt::format("expected a list of at most 32 texts, found {}", describeJson(*list)));
        return out;
    }
    for (const json& item : *list) {
        if (item.is_string())
            out.push_back(item.get<std::string>());
        else
            reader.refuse(key, "wrong-type", fmt::format("expected a text, found {}", describeJson(item)));
    }
    return out;
}

/// The objects of a list, each with its pointer.
template <class Read>
void eachOf(ObjectReader& reader, const char* key, ReadState& state, Read&& read) {
    const json* list = reader.findOrNull(key);
    if (list == nullptr) return;
    if (!list->is_array() || list->size() > kMostRules) {
        reader.refuse(key, "wrong-type",
                      fmt::format("expected a list of at most {} rules, found {}", kMostRules, describeJson(*list)));
        return;
    }
    for (std::size_t i = 0; i < list->size() && !state.error; ++i) {
        ObjectReader item((*list)[i], fmt::format("/{}/{}", key, i), state);
        if (item.valid()) read(item);
    }
}

std::optional<Severity> severityFromName(std::string_view name) {
    if (name == "error") return Severity::error;
    if (name == "warning") return Severity::warning;
    if (name == "note") return Severity::note;
    return std::nullopt;
}

Result<FrameworkRules::Data> readData(std::string_view text, const std::string& where, const PresetLibrary& presets, int depth) {
    auto document = parseJson(text, where, JsonDialect::strict);
    if (!document) return tl::unexpected<Error>(document.error());
    ReadState state;
    state.where = where;
    FrameworkRules::Data data;
    ObjectReader reader(*document, "", state);
    if (reader.valid()) {
        if (const json* format = reader.findOrNull("format"); format == nullptr || *format != "trainyard.rules")
            reader.refuse("format", "wrong-format", "expected \"trainyard.rules\"; this is not a file of rules");
        const auto version = reader.integer("version", 1, 1'000'000);
        if (!version || *version > kRulesVersion)
            reader.refuse("version", "newer-version", fmt::format("this program reads rules of version {}", kRulesVersion));
    }
    data.id = required(reader, "id");
    data.title = required(reader, "name");
    data.version = required(reader, "framework_version");
    if (const auto base = reader.text("extends")) {
        const auto baseText = presets.text(PresetKind::rules, *base);
        if (!baseText || depth == kMostExtensions) {
            reader.refuse("extends", "unknown-preset",
                          fmt::format("there are no rules called \"{}\", or they extend each other", *base));
        } else {
            auto inherited = readData(*baseText, fmt::format("rules/{}.json", *base), presets, depth + 1);
            if (!inherited) return inherited;
            data.rules = std::move(inherited->rules);
            data.unchecked = std::move(inherited->unchecked);
        }
    }
    const std::string origin = fmt::format("{} {}: ", data.title, data.version);
    eachOf(reader, "rules", state, [&](ObjectReader& item) {
        static constexpr std::string_view kSeverities[] = {"error", "warning", "note"};
        FrameworkRule rule;
        rule.code = required(item, "code");
        rule.severity = item.choice<Severity>("severity", kSeverities, severityFromName).value_or(Severity::error);
        rule.pointers = texts(item, "at");
        rule.condition = required(item, "condition");
        rule.message = required(item, "message");
        rule.source = origin + required(item, "source");
        rule.replaces = texts(item, "replaces");
        data.rules.push_back(std::move(rule));
    });
    eachOf(reader, "unchecked", state, [&](ObjectReader& item) {
        data.unchecked.push_back({required(item, "code"), required(item, "message"), origin + required(item, "source")});
    });
    if (state.error) return tl::unexpected<Error>(std::move(*state.error));
    return data;
}

}  // namespace

Result<FrameworkRules> readFrameworkRules(std::string_view text, const std::string& where, const PresetLibrary& presets) {
    auto data = readData(text, where, presets, 0);
    if (!data) return tl::unexpected<Error>(data.error());
    return FrameworkRules::make(std::move(*data), where);
}

Result<FrameworkRules> frameworkRules(const PresetLibrary& presets, std::string_view id) {
    const auto text = presets.text(PresetKind::rules, id);
    if (!text)
        return failure(
            Error::Kind::commandLine, "framework-unknown", fmt::format("--for {}", id),
            fmt::format("there are no rules for that framework; known: {}", fmt::join(presets.ids(PresetKind::rules), ", ")));
    return readFrameworkRules(*text, fmt::format("rules/{}.json", id), presets);
}

}  // namespace trainyard
