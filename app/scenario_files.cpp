#include "app/scenario_files.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/format_quantity.h"
#include "core/io/import/import_hf.h"
#include "core/io/json/framework_rules_json.h"
#include "core/io/json/scenario_json.h"
#include "core/io/json/scenario_link.h"
#include "core/io/presets/model_preset.h"
#include "core/io/presets/personal_library.h"
#include "core/io/presets/preset_library.h"
#include "core/io/text_file.h"
#include "widgets/style/figure_export.h"

namespace trainyard {
namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }

/// What ships and the user's own, as they are on disk now: a part kept a moment ago is there.
PresetLibrary library() { return PresetLibrary(PresetLibrary::userFolders()); }

Result<std::string> ownFolder() {
    const auto folders = PresetLibrary::userFolders();
    if (folders.empty())
        return failure(Error::Kind::unreadable, "no-home", "",
                       "there is no home folder to keep a library in; set HOME or XDG_CONFIG_HOME");
    return folders.front();
}

/// A scenario that ships, or the user's own of that name; the user's is passed over if it cannot be read.
Snapshot presetScenario(const char* id) {
    if (auto scenario = openScenarioPreset(QString::fromLatin1(id))) return *scenario;
    const PresetLibrary shipped;
    auto scenario = readScenario(shipped.text(PresetKind::scenarios, id).value(), {.where = id, .folder = {}}, shipped);
    return std::make_shared<const Scenario>(std::move(scenario).value());  // what ships is readable: a test reads it all
}

/// One line of facts for the list of models.
QString modelFacts(const ModelSpec& model) {
    const ParameterCounts counts = countParameters(model, model.maxPositions > 0 ? model.maxPositions : 4096);
    QStringList facts{text(countText(static_cast<double>(counts.total)).joined())};
    if (model.moe)
        facts << QCoreApplication::translate("trainyard::ModelPanel", "experts");
    else if (model.mla)
        facts << QStringLiteral("MLA");
    return facts.join(QStringLiteral(" · "));
}

/// The network preset nearest to what the node's cables are.
std::string nearestNetwork(const PresetLibrary& presets, LinkKind kind, double bandwidthBytesPerS) {
    std::string best;
    double bestDistance = 0;
    for (const std::string& id : presets.ids(PresetKind::networks)) {
        const auto network = presets.network(id);
        if (!network || network->bandwidthBytesPerS <= 0) continue;
        const double distance =
            std::abs(std::log(network->bandwidthBytesPerS / bandwidthBytesPerS)) + (network->kind == kind ? 0 : 10);
        if (best.empty() || distance < bestDistance) {
            best = id;
            bestDistance = distance;
        }
    }
    return best;
}

}  // namespace

Snapshot defaultScenario() { return presetScenario("default"); }

Snapshot emptyScenario() {
    auto copy = std::make_shared<Scenario>(*presetScenario("laptop-qwen-0.5b"));
    copy->name = "Untitled";
    return copy;
}

QString errorText(const Error& error) {
    QString message = text(error.message);
    if (!message.isEmpty()) message[0] = message[0].toUpper();
    return error.where.empty() ? message : text(error.where) + QStringLiteral(": ") + message;
}

std::vector<std::shared_ptr<const FrameworkRules>> frameworkChoices() {
    const PresetLibrary presets = library();
    std::vector<std::shared_ptr<const FrameworkRules>> choices;
    for (const std::string& id : presets.ids(PresetKind::rules))
        if (auto rules = frameworkRules(presets, id)) choices.push_back(std::make_shared<const FrameworkRules>(std::move(*rules)));
    std::ranges::sort(choices, {}, [](const auto& rules) { return rules->title(); });
    return choices;
}

std::vector<ScenarioChoice> scenarioChoices() {
    std::vector<ScenarioChoice> choices;
    for (const PresetSummary& summary : library().summaries(PresetKind::scenarios))
        choices.push_back({text(summary.id), text(summary.name), text(summary.description)});
    return choices;
}

Result<Snapshot> openScenario(const QString& path) {
    // A picture that was exported here holds the scenario that made it.
    if (const QByteArray inside = scenarioOfFigure(path); !inside.isEmpty()) {
        auto kept = readScenario(inside.toStdString(), {.where = path.toStdString(), .folder = {}}, library());
        if (!kept) return tl::unexpected<Error>(kept.error());
        return std::make_shared<const Scenario>(std::move(*kept));
    }
    auto scenario = readScenarioFile(QDir::toNativeSeparators(path).toStdString(), library());
    if (!scenario) return tl::unexpected<Error>(scenario.error());
    if (scenario->name.empty()) scenario->name = QFileInfo(path).completeBaseName().toStdString();
    return std::make_shared<const Scenario>(std::move(*scenario));
}

Result<Snapshot> openScenarioPreset(const QString& id) {
    const PresetLibrary presets = library();
    const auto json = presets.text(PresetKind::scenarios, id.toStdString());
    if (!json) return failure(Error::Kind::invalid, "preset-unknown", id.toStdString(), "there is no scenario of this name");
    auto scenario = readScenario(*json, {.where = id.toStdString(), .folder = {}}, presets);
    if (!scenario) return tl::unexpected<Error>(scenario.error());
    return std::make_shared<const Scenario>(std::move(*scenario));
}

QString scenarioAsText(const Scenario& scenario) { return text(scenarioLink(scenario)); }

Result<Snapshot> scenarioFromText(const QString& pasted) {
    const std::string utf8 = pasted.trimmed().toStdString();
    const std::string where = QCoreApplication::translate("trainyard::MainWindow", "Clipboard").toStdString();
    if (!utf8.starts_with('{') && !holdsScenarioLink(utf8))
        return failure(Error::Kind::unreadable, "not-a-scenario", where, "there is no scenario in it; copy one as text first");
    auto scenario = readScenario(utf8, {.where = where, .folder = {}}, library());
    if (!scenario) return tl::unexpected<Error>(scenario.error());
    return std::make_shared<const Scenario>(std::move(*scenario));
}

Result<QString> saveScenario(const Scenario& scenario, const QString& path) {
    const PresetLibrary presets = library();
    const auto written = writeFileAtomically(path.toStdString(), writeScenario(scenario, &presets));
    if (!written) return tl::unexpected<Error>(written.error());
    return path;
}

Result<ModelSpec> openModelConfig(const QString& path) {
    const auto json = readTextFile(path.toStdString());
    if (!json) return tl::unexpected<Error>(json.error());
    auto imported = importHfConfig(*json, path.toStdString());
    if (!imported) return tl::unexpected<Error>(imported.error());
    if (imported->model.name.empty()) imported->model.name = QFileInfo(path).dir().dirName().toStdString();
    return std::move(imported->model);
}

std::shared_ptr<const PresetLibrary> presetsOfTheUser() { return std::make_shared<const PresetLibrary>(library()); }

ModelPanel::Source modelSource() {
    ModelPanel::Source source;
    auto presets = std::make_shared<const PresetLibrary>(library());
    auto choices = std::make_shared<std::vector<ModelChoice>>();  // parsed when first asked for: the list is long
    source.list = [presets, choices] {
        if (choices->empty())
            for (const PresetSummary& summary : presets->summaries(PresetKind::models)) {
                const auto model = modelPreset(*presets, summary.id);
                choices->push_back({text(summary.id), text(summary.name), model ? modelFacts(**model) : QString(),
                                    summary.origin != "built in"});
            }
        return *choices;
    };
    source.load = [presets](const QString& id) -> Result<ModelSpec> {
        const auto model = modelPreset(*presets, id.toStdString());
        if (!model) return tl::unexpected<Error>(model.error());
        return **model;
    };
    return source;
}

Result<QString> keepModel(const ModelSpec& model) {
    const auto folder = ownFolder();
    if (!folder) return tl::unexpected<Error>(folder.error());
    const auto path = keepModel(model, *folder);
    if (!path) return tl::unexpected<Error>(path.error());
    return text(*path);
}

Result<QString> keepCluster(const ClusterSpec& cluster) {
    const auto folder = ownFolder();
    if (!folder) return tl::unexpected<Error>(folder.error());
    const PresetLibrary presets = library();
    for (const NodeSpec& drawn : cluster.nodes) {
        NodeSpec node = drawn;
        LinkKind kind = LinkKind::infiniband;
        for (const LinkSpec& link : cluster.links)
            if (link.from == node.id || link.to == node.id) {
                kind = link.kind;
                if (node.nics.count < 1)
                    node.nics = {.count = link.count, .bandwidthBytesPerS = link.bandwidthBytesPerS, .latencyS = 0};
            }
        const bool connected = node.nics.count > 0 && node.nics.bandwidthBytesPerS > 0;
        const auto kept =
            keepNode(node, connected ? nearestNetwork(presets, kind, node.nics.bandwidthBytesPerS) : std::string(), *folder);
        if (!kept) return tl::unexpected<Error>(kept.error());
    }
    return text(*folder);
}

bool isScenarioFile(const QString& path) {
    if (path.endsWith(QStringLiteral(".trainyard.json"))) return true;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return true;  // the reader says what is wrong
    constexpr qint64 kLookedAt = 65536;
    const QByteArray start = file.read(kLookedAt);
    return start.contains("trainyard.scenario") || (start.contains("\"cluster\"") && start.contains("\"plan\""));
}

}  // namespace trainyard
