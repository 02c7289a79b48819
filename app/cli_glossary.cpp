#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli_commands.h"
#include "core/base/formula.h"
#include "core/io/teach/glossary.h"
#include "core/io/json/json_text.h"

namespace trainyard {
namespace {

struct GlossaryOptions {
    std::string term;
    std::string language = "en";
    bool json = false;
};

nlohmann::json entryJson(const GlossaryEntry& entry) {
    const auto both = [](const LocalText& text) { return nlohmann::json{{"en", text.english}, {"de", text.german}}; };
    nlohmann::json out{{"id", entry.id},           {"term", both(entry.term)},       {"text", both(entry.text)},
                       {"formulas", entry.formulas}, {"sources", entry.sources},     {"related", entry.related},
                       {"labels", entry.labels},   {"aliases", entry.aliases}};
    out["latex"] = nlohmann::json::array();
    for (const std::string& formula : entry.formulas)
        if (const auto node = parseFormula(formula)) out["latex"].push_back(formulaLatex(*node));
    out["symbols"] = nlohmann::json::object();
    for (const auto& [symbol, meaning] : entry.symbols) out["symbols"][symbol] = both(meaning);
    if (!entry.systemClass.empty()) out["class"] = entry.systemClass;
    if (!entry.view.empty()) out["view"] = entry.view;
    if (!entry.scenario.empty()) {
        out["scenario"] = {{"preset", entry.scenario}};
        for (const auto& [pointer, value] : entry.settings)
            out["scenario"]["set"][pointer] = nlohmann::json::parse(value, nullptr, false);
    }
    return out;
}

void print(const GlossaryEntry& entry, const std::string& language) {
    fmt::print("{}\n  {}\n", entry.term.in(language), entry.text.in(language));
    for (const std::string& formula : entry.formulas) fmt::print("  {}\n", formula);
    for (const auto& [symbol, meaning] : entry.symbols) fmt::print("    {:<8} {}\n", symbol, meaning.in(language));
    if (!entry.sources.empty()) fmt::print("  source: {}\n", fmt::join(entry.sources, "; "));
    if (!entry.scenario.empty()) {
        fmt::print("  shown by: {}", entry.scenario);
        for (const auto& [pointer, value] : entry.settings) fmt::print(" --set {}={}", pointer, value);
        fmt::print("\n");
    }
    if (!entry.related.empty()) fmt::print("  see also: {}\n", fmt::join(entry.related, ", "));
}

int show(const GlossaryOptions& options) {
    const Glossary& all = glossary();
    for (const Error& error : all.errors()) printError("glossary", error);
    std::vector<const GlossaryEntry*> entries;
    if (const GlossaryEntry* exact = options.term.empty() ? nullptr : all.byTermOrNull(options.term))
        entries = {exact};
    else if (const GlossaryEntry* labelled = options.term.empty() ? nullptr : all.byLabelOrNull(options.term))
        entries = {labelled};
    else
        entries = all.search(options.term, options.language);
    if (options.json) {
        nlohmann::json list = nlohmann::json::array();
        for (const GlossaryEntry* entry : entries) list.push_back(entryJson(*entry));
        fmt::print("{}\n", compactJson(list));
    } else if (entries.size() == 1) {
        print(*entries.front(), options.language);
    } else {
        for (const GlossaryEntry* entry : entries) fmt::print("{:<28} {}\n", entry->id, entry->term.in(options.language));
    }
    if (!entries.empty()) return 0;
    printError("glossary", {Error::Kind::invalid, "no-such-term", options.term,
                            "there is no such term; `trainyard-cli glossary` lists them"});
    return 1;
}

}  // namespace

void addGlossaryCommand(CLI::App& program, int& exitStatus) {
    const auto options = std::make_shared<GlossaryOptions>();
    CLI::App* command =
        program.add_subcommand("glossary", "What a term means: idea, formula, source, a scenario that shows it");
    command->add_option("TERM", options->term, "id, term, JSON pointer, or words to search for; without it: all terms");
    command->add_option("--language", options->language, "en or de")->check(CLI::IsMember({"en", "de"}));
    command->add_flag("--json", options->json, "JSON");
    command->callback([options, &exitStatus] { exitStatus = show(*options); });
}

}  // namespace trainyard
