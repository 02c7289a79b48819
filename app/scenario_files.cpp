#include "app/scenario_files.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <utility>

#include "core/base/format_quantity.h"
#include "core/io/preset_library.h"
#if __has_include("core/io/scenario_json.h")
#include "core/io/import_hf.h"
#include "core/io/model_preset.h"
#include "core/io/scenario_json.h"
#include "core/io/text_file.h"
#define TRAINYARD_HAS_SCENARIO_JSON 1
#endif

namespace trainyard {
namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }

/// Used only if the shipped preset cannot be read.
Snapshot fallbackScenario() {
    auto scenario = std::make_shared<Scenario>();
    scenario->name = "Llama 3.1 70B on 16 DGX H100";
    ClusterPreset preset;
    preset.id = "dgx-h100";
    preset.nodes = 16;
    auto cluster = expandPreset(preset);
    scenario->cluster = std::make_shared<const ClusterSpec>(cluster ? std::move(*cluster) : ClusterSpec{});
    ModelSpec model;
    model.name = "Llama 3.1 70B";
    model.layers = 80;
    model.hiddenSize = 8192;
    model.attentionHeads = 64;
    model.kvHeads = 8;
    model.headDim = 128;
    model.ffnHiddenSize = 28672;
    model.gatedMlp = true;
    model.vocabSize = 128256;
    scenario->model = std::make_shared<const ModelSpec>(model);
    scenario->workload.sequenceLength = 8192;
    scenario->workload.globalBatchSize = 256;
    scenario->workload.tokensTotal = 15e12;
    scenario->plan.tensorParallel = 8;
    scenario->plan.pipelineParallel = 4;
    scenario->plan.sequenceParallel = true;
    scenario->plan.zeroStage = 1;
    scenario->plan.recompute.mode = RecomputeMode::selective;
    return scenario;
}

tl::unexpected<Error> notYet(const QString& path) {
    return failure(Error::Kind::unreadable, "unsupported", path.toStdString(), "this build reads no files");
}

}  // namespace

Snapshot defaultScenario() {
    auto scenario = openScenarioPreset(QStringLiteral("default"));
    return scenario ? *scenario : fallbackScenario();
}

Snapshot emptyScenario() {
    auto scenario = openScenarioPreset(QStringLiteral("laptop-qwen-0.5b"));
    auto copy = std::make_shared<Scenario>(scenario ? **scenario : *fallbackScenario());
    copy->name = "Untitled";
    return copy;
}

QString errorText(const Error& error) {
    QString message = text(error.message);
    if (!message.isEmpty()) message[0] = message[0].toUpper();
    return error.where.empty() ? message : text(error.where) + QStringLiteral(": ") + message;
}

std::vector<ScenarioChoice> scenarioChoices() {
    std::vector<ScenarioChoice> choices;
    for (const PresetSummary& summary : presetLibrary().summaries(PresetKind::scenarios))
        choices.push_back({text(summary.id), text(summary.name), text(summary.description)});
    return choices;
}

#ifdef TRAINYARD_HAS_SCENARIO_JSON

Result<Snapshot> openScenario(const QString& path) {
    auto scenario = readScenarioFile(QDir::toNativeSeparators(path).toStdString(), presetLibrary());
    if (!scenario) return tl::unexpected<Error>(scenario.error());
    if (scenario->name.empty()) scenario->name = QFileInfo(path).completeBaseName().toStdString();
    return std::make_shared<const Scenario>(std::move(*scenario));
}

Result<Snapshot> openScenarioPreset(const QString& id) {
    const auto json = presetLibrary().text(PresetKind::scenarios, id.toStdString());
    if (!json) return failure(Error::Kind::invalid, "preset-unknown", id.toStdString(), "there is no scenario of this name");
    auto scenario = readScenario(*json, {.where = id.toStdString(), .folder = {}}, presetLibrary());
    if (!scenario) return tl::unexpected<Error>(scenario.error());
    return std::make_shared<const Scenario>(std::move(*scenario));
}

Result<QString> saveScenario(const Scenario& scenario, const QString& path) {
    const auto written = writeFileAtomically(path.toStdString(), writeScenario(scenario, &presetLibrary()));
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

#else

Result<Snapshot> openScenario(const QString& path) { return notYet(path); }
Result<Snapshot> openScenarioPreset(const QString& id) { return notYet(id); }
Result<QString> saveScenario(const Scenario&, const QString& path) { return notYet(path); }
Result<ModelSpec> openModelConfig(const QString& path) { return notYet(path); }

#endif

ModelPanel::Source modelSource() {
    ModelPanel::Source source;
    source.list = [] {
        std::vector<ModelChoice> choices;
        for (const PresetSummary& summary : presetLibrary().summaries(PresetKind::models))
            choices.push_back({text(summary.id), text(summary.name), text(summary.description), summary.origin != "built in"});
        return choices;
    };
    source.load = [](const QString& id) -> Result<ModelSpec> {
#ifdef TRAINYARD_HAS_SCENARIO_JSON
        return failure(Error::Kind::invalid, "todo", id.toStdString(), "not yet");
#else
        return notYet(id);
#endif
    };
    return source;
}

Result<QString> keepModel(const ModelSpec& model) { return notYet(text(model.name)); }
Result<QString> keepCluster(const ClusterSpec& cluster) { return notYet(text(cluster.name)); }

bool isScenarioFile(const QString& path) {
    if (path.endsWith(QStringLiteral(".trainyard.json"))) return true;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return true;  // the reader says what is wrong
    constexpr qint64 kLookedAt = 65536;
    const QByteArray start = file.read(kLookedAt);
    return start.contains("trainyard.scenario") || (start.contains("\"cluster\"") && start.contains("\"plan\""));
}

}  // namespace trainyard
