#include "core/io/teach/glossary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/formula.h"
#include "core/io/json/json_text.h"
#include "core/io/presets/preset_library.h"
#include "core/io/json/scenario_json.h"

namespace trainyard {
namespace {

using nlohmann::json;
constexpr std::size_t kMostEntries = 5000;

tl::unexpected<Error> wrong(const std::string& where, std::string_view pointer, std::string message) {
    return failure(Error::Kind::invalid, "glossary", fmt::format("{}#{}", where, pointer), std::move(message));
}

std::string word(const json& object, const char* key) {
    return object.contains(key) && object.at(key).is_string() ? object.at(key).get<std::string>() : std::string();
}

std::vector<std::string> words(const json& object, const char* key) {
    std::vector<std::string> out;
    if (object.contains(key) && object.at(key).is_array())
        for (const json& item : object.at(key))
            if (item.is_string()) out.push_back(item.get<std::string>());
    return out;
}

using Symbols = std::map<std::string, LocalText>;

Result<Symbols> readSymbols(const json& object, const std::string& where, const std::string& pointer) {
    Symbols symbols;
    if (!object.contains("symbols")) return symbols;
    const json& table = object.at("symbols");
    if (!table.is_object()) return wrong(where, pointer + "/symbols", "expected an object of symbols and their meanings");
    for (const auto& [symbol, meaning] : table.items()) {
        auto text = readLocalText(table, symbol.c_str(), Presence::required, where, pointer + "/symbols");
        if (!text) return tl::unexpected<Error>(text.error());
        symbols[symbol] = std::move(*text);
    }
    return symbols;
}

Result<GlossaryEntry> readEntry(const json& object, const std::string& where, const std::string& pointer, Symbols& own) {
    if (!object.is_object()) return wrong(where, pointer, "expected an entry as an object");
    GlossaryEntry entry;
    entry.id = word(object, "id");
    if (entry.id.empty()) return wrong(where, pointer + "/id", "an entry needs an id");
    auto term = readLocalText(object, "term", Presence::required, where, pointer);
    if (!term) return tl::unexpected<Error>(term.error());
    entry.term = std::move(*term);
    auto text = readLocalText(object, "text", Presence::required, where, pointer);
    if (!text) return tl::unexpected<Error>(text.error());
    entry.text = std::move(*text);
    entry.aliases = words(object, "aliases");
    entry.formulas = words(object, "formulas");
    entry.sources = words(object, "sources");
    entry.related = words(object, "related");
    entry.labels = words(object, "labels");
    entry.view = word(object, "view");
    entry.systemClass = word(object, "class");
    if (object.contains("scenario") && object.at("scenario").is_object()) {
        const json& scenario = object.at("scenario");
        entry.scenario = word(scenario, "preset");
        if (scenario.contains("set") && scenario.at("set").is_object())
            for (const auto& [place, value] : scenario.at("set").items()) entry.settings.emplace_back(place, compactJson(value));
    }
    for (const std::string& formula : entry.formulas)
        if (const auto parsed = parseFormula(formula); !parsed)
            return wrong(where, pointer + "/formulas", fmt::format("{}: {}", formula, parsed.error().message));
    auto symbols = readSymbols(object, where, pointer);
    if (!symbols) return tl::unexpected<Error>(symbols.error());
    own = std::move(*symbols);
    return entry;
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return out;
}

/// `/memory/stages/0/x` as `/memory/stages/*/x`.
std::string withoutIndices(std::string_view pointer) {
    std::string out;
    for (std::size_t at = 0; at < pointer.size();) {
        const std::size_t end = std::min(pointer.find('/', at + 1), pointer.size());
        const std::string_view part = pointer.substr(at, end - at);
        const bool index = part.size() > 1 && part.front() == '/' &&
                           std::all_of(part.begin() + 1, part.end(), [](char c) { return c >= '0' && c <= '9'; });
        out += index ? "/*" : std::string(part);
        at = end;
    }
    return out;
}

struct Read {
    std::vector<GlossaryEntry> entries;
    std::vector<Symbols> own;
    Symbols common;
    std::vector<Error> errors;
};

void readFile(std::string_view text, const std::string& where, Read& read) {
    const auto document = parseJson(text, where, JsonDialect::strict);
    if (!document) return read.errors.push_back(document.error());
    if (!document->is_object() || word(*document, "format") != "trainyard.glossary" || !document->contains("version") ||
        document->at("version") != 1)
        return read.errors.push_back(wrong(where, "/format", "expected \"trainyard.glossary\", version 1").value());
    auto common = readSymbols(*document, where, "");
    if (!common) return read.errors.push_back(common.error());
    read.common.merge(*common);
    if (!document->contains("entries")) return;
    const json& entries = document->at("entries");
    if (!entries.is_array() || entries.size() > kMostEntries)
        return read.errors.push_back(wrong(where, "/entries", "expected a list of at most 5000 entries").value());
    for (std::size_t i = 0; i < entries.size(); ++i) {
        Symbols own;
        auto entry = readEntry(entries[i], where, fmt::format("/entries/{}", i), own);
        if (!entry) {
            read.errors.push_back(entry.error());
            continue;
        }
        read.entries.push_back(std::move(*entry));
        read.own.push_back(std::move(own));
    }
}

/// Gives each formula's symbols their meaning: the entry's own, else the common one.
void resolveSymbols(Read& read) {
    for (std::size_t i = 0; i < read.entries.size(); ++i) {
        GlossaryEntry& entry = read.entries[i];
        for (const std::string& formula : entry.formulas)
            for (const std::string& symbol : formulaSymbols(*parseFormula(formula))) {
                if (std::any_of(entry.symbols.begin(), entry.symbols.end(), [&](const auto& s) { return s.first == symbol; }))
                    continue;
                const auto own = read.own[i].find(symbol);
                const auto common = read.common.find(symbol);
                if (own == read.own[i].end() && common == read.common.end()) {
                    read.errors.push_back(
                        wrong("glossary", entry.id, fmt::format("the symbol {} of its formula has no meaning", symbol)).value());
                    continue;
                }
                entry.symbols.emplace_back(symbol, own != read.own[i].end() ? own->second : common->second);
            }
    }
}

}  // namespace

Glossary::Glossary(std::vector<GlossaryEntry> entries, std::vector<Error> errors)
    : entries_(std::move(entries)), errors_(std::move(errors)) {
    std::stable_sort(entries_.begin(), entries_.end(), [](const GlossaryEntry& a, const GlossaryEntry& b) {
        return lower(a.term.english) < lower(b.term.english);
    });
    for (const GlossaryEntry& entry : entries_)
        for (const std::string& id : entry.related)
            if (byIdOrNull(id) == nullptr)
                errors_.push_back(wrong("glossary", entry.id, fmt::format("there is no related term '{}'", id)).value());
}

const GlossaryEntry* Glossary::byIdOrNull(std::string_view id) const {
    // From the back: a user's entry of the same id comes later and wins.
    for (auto it = entries_.rbegin(); it != entries_.rend(); ++it)
        if (it->id == id) return &*it;
    return nullptr;
}

const GlossaryEntry* Glossary::byTermOrNull(std::string_view term) const {
    if (const GlossaryEntry* entry = byIdOrNull(term)) return entry;
    const std::string wanted = lower(term);
    for (const GlossaryEntry& entry : entries_) {
        if (lower(entry.id) == wanted || lower(entry.term.english) == wanted || lower(entry.term.german) == wanted) return &entry;
        for (const std::string& alias : entry.aliases)
            if (lower(alias) == wanted) return &entry;
    }
    return nullptr;
}

const GlossaryEntry* Glossary::byLabelOrNull(std::string_view label) const {
    const std::string wanted = label.starts_with('/') ? withoutIndices(label) : std::string(label);
    for (const GlossaryEntry& entry : entries_)
        if (std::find(entry.labels.begin(), entry.labels.end(), wanted) != entry.labels.end()) return &entry;
    return nullptr;
}

std::vector<const GlossaryEntry*> Glossary::search(std::string_view text, std::string_view language) const {
    std::vector<std::string> wanted;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        if (end > at) wanted.push_back(lower(text.substr(at, end - at)));
        at = end + 1;
    }
    std::vector<std::pair<int, const GlossaryEntry*>> found;
    for (const GlossaryEntry& entry : entries_) {
        std::string head = lower(entry.term.in(language)) + ' ' + lower(entry.term.english) + ' ' + entry.id;
        for (const std::string& alias : entry.aliases) head += ' ' + lower(alias);
        std::string body = lower(entry.text.in(language));
        for (const std::string& source : entry.sources) body += ' ' + lower(source);
        for (const std::string& label : entry.labels) body += ' ' + lower(label);
        int rank = 0;
        bool all = true;
        for (const std::string& each : wanted) {
            if (head.starts_with(each))
                rank += 0;
            else if (head.find(each) != std::string::npos)
                rank += 1;
            else if (body.find(each) != std::string::npos)
                rank += 3;
            else
                all = false;
        }
        if (all) found.emplace_back(rank, &entry);
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<const GlossaryEntry*> out;
    for (const auto& [rank, entry] : found) out.push_back(entry);
    return out;
}

Glossary readGlossary(const PresetLibrary& presets) {
    Read read;
    for (const std::string& id : presets.ids(PresetKind::glossary))
        if (const auto text = presets.text(PresetKind::glossary, id)) readFile(*text, fmt::format("glossary/{}.json", id), read);
    resolveSymbols(read);
    return Glossary(std::move(read.entries), std::move(read.errors));
}

const Glossary& glossary() {
    static const Glossary constant = readGlossary(presetLibrary());
    return constant;
}

Result<Scenario> glossaryScenario(const GlossaryEntry& entry, const PresetLibrary& presets) {
    const auto text = presets.text(PresetKind::scenarios, entry.scenario);
    if (!text)
        return failure(Error::Kind::invalid, "glossary", entry.id, fmt::format("there is no scenario preset '{}'", entry.scenario));
    auto document = parseJson(*text, entry.scenario, JsonDialect::strict);
    if (!document) return tl::unexpected<Error>(document.error());
    // Another number of stages or chunks makes the split of the preset meaningless.
    if (!entry.settings.empty() && document->contains("plan")) (*document)["plan"].erase("layers_per_stage");
    for (const auto& [pointer, value] : entry.settings)
        if (const auto set = setValue(*document, pointer, value); !set) return tl::unexpected<Error>(set.error());
    return readScenarioJson(*document, {.where = entry.scenario, .folder = {}}, presets);
}

}  // namespace trainyard
