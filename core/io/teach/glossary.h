#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/io/teach/local_text.h"
#include "core/plan/scenario.h"

namespace trainyard {

class PresetLibrary;

/// One term: its idea, its formula, where it comes from, a scenario that shows it, and its neighbours.
struct GlossaryEntry {
    std::string id;
    LocalText term;
    LocalText text;
    std::vector<std::string> aliases;
    std::vector<std::string> formulas;                       ///< grammar of core/base/formula.h
    std::vector<std::pair<std::string, LocalText>> symbols;  ///< meaning of each symbol of the formulas, in their order
    std::vector<std::string> sources;
    std::string scenario;                                       ///< scenario preset; may be empty
    std::vector<std::pair<std::string, std::string>> settings;  ///< pointer -> JSON text, laid over it
    std::string view;                                           ///< where it shows; may be empty
    std::vector<std::string> related;                           ///< ids
    /// What it explains: JSON pointers into scenario and evaluation, where `*` stands for an index, and names with a prefix:
    /// `schedule:zb-h1`, `optimizer:lion`, `collective:all_reduce`, `action:plan.pin`, `view:search`, `cluster:link`.
    std::vector<std::string> labels;
    std::string systemClass;  ///< `core` or `side` for a published system, else empty
};

/// All terms, by English term; immutable.
class Glossary {
  public:
    explicit Glossary(std::vector<GlossaryEntry> entries, std::vector<Error> errors);

    [[nodiscard]] std::span<const GlossaryEntry> entries() const { return entries_; }
    /// Files that could not be read, symbols without a meaning, related terms that are not there.
    [[nodiscard]] const std::vector<Error>& errors() const { return errors_; }
    [[nodiscard]] const GlossaryEntry* byIdOrNull(std::string_view id) const;
    /// By id, term or alias in either language, capitals aside.
    [[nodiscard]] const GlossaryEntry* byTermOrNull(std::string_view term) const;
    /// The entry of a label, `/memory/stages/0/logits_bytes` or `schedule:zb-h1`.
    [[nodiscard]] const GlossaryEntry* byLabelOrNull(std::string_view label) const;
    /// Entries that contain every word of `words`, those with it in the term first; all for an empty text.
    [[nodiscard]] std::vector<const GlossaryEntry*> search(std::string_view words, std::string_view language) const;

  private:
    std::vector<GlossaryEntry> entries_;
    std::vector<Error> errors_;
};

/// Reads `glossary/*.json` of the library: what ships and the user's own.
[[nodiscard]] Glossary readGlossary(const PresetLibrary& presets);
/// Of the library with the user's folders, read once; a constant of the process.
[[nodiscard]] const Glossary& glossary();

/// The scenario that shows a term; an error if it has none or the settings do not fit.
[[nodiscard]] Result<Scenario> glossaryScenario(const GlossaryEntry& entry, const PresetLibrary& presets);

}  // namespace trainyard
