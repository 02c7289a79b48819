#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "core/base/error.h"
#include "core/io/presets/preset_library.h"
#include "core/plan/framework_rules.h"
#include "core/plan/scenario.h"
#include "widgets/panels/model_panel.h"

namespace trainyard {

/// The scenario a first start shows.
[[nodiscard]] Snapshot defaultScenario();
/// What New opens: one small node and a small model, ready to be drawn over.
[[nodiscard]] Snapshot emptyScenario();

[[nodiscard]] Result<Snapshot> openScenario(const QString& path);
[[nodiscard]] Result<Snapshot> openScenarioPreset(const QString& id);
/// The scenario as one text for chats and mails (core/io/json/scenario_link.h), and back; the text of a scenario file will do, too.
[[nodiscard]] QString scenarioAsText(const Scenario& scenario);
[[nodiscard]] Result<Snapshot> scenarioFromText(const QString& text);
/// Writes in one step: after a failure the old file is as it was.
[[nodiscard]] Result<QString> saveScenario(const Scenario& scenario, const QString& path);

/// "message (file, place)" as one sentence for a notice.
[[nodiscard]] QString errorText(const Error& error);

/// Presets that ship and the user's own.
[[nodiscard]] std::shared_ptr<const PresetLibrary> presetsOfTheUser();
/// Models that ship and the user's own.
[[nodiscard]] ModelPanel::Source modelSource();
/// A Hugging Face config.json as a model, named after its folder if it does not say a name.
[[nodiscard]] Result<ModelSpec> openModelConfig(const QString& path);
/// Adds the model to the personal library; the result is the file.
[[nodiscard]] Result<QString> keepModel(const ModelSpec& model);

/// Adds the drawn node types and their own accelerators to the personal library; the result is the folder.
[[nodiscard]] Result<QString> keepCluster(const ClusterSpec& cluster);
/// True if the file is (or means to be) a scenario: its name or its first lines say so.
[[nodiscard]] bool isScenarioFile(const QString& path);

/// The validity rules that ship and the user's own; what is wrong with the user's files is left for `validate --rules` to say.
[[nodiscard]] std::vector<std::shared_ptr<const FrameworkRules>> frameworkChoices();

struct ScenarioChoice {
    QString id;
    QString name;
    QString description;
};
[[nodiscard]] std::vector<ScenarioChoice> scenarioChoices();

}  // namespace trainyard
