#include "widgets/panels/workload_choices.h"

#include <QCoreApplication>

#include "core/memory/optimizer_recipes.h"
#include "widgets/panels/field_combo.h"

namespace trainyard {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("trainyard::WorkloadPanel", text); }
QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }
const QString kDefault = QStringLiteral("default");

}  // namespace

FieldCombo* makePrecisionField(QWidget* parent) {
    auto* field = new FieldCombo(tr("Precision"), parent);
    field->addChoice(tr("FP32"), QStringLiteral("fp32"));
    field->addChoice(tr("TF32"), QStringLiteral("tf32"), tr("FP32 storage, TF32 matrix products"));
    field->addChoice(tr("FP16 mixed"), QStringLiteral("fp16"), tr("FP16 with FP32 master weights and loss scaling"));
    field->addChoice(tr("BF16 mixed"), QStringLiteral("bf16"), tr("BF16 with FP32 master weights"));
    field->addChoice(tr("FP8"), QStringLiteral("fp8"), tr("BF16 storage, FP8 matrix products"));
    field->addChoice(tr("MXFP8"), QStringLiteral("mxfp8"), tr("BF16 storage, block-scaled FP8 matrix products"));
    field->addChoice(tr("NVFP4"), QStringLiteral("nvfp4"), tr("BF16 storage, block-scaled FP4 matrix products"));
    return field;
}

FieldCombo* makeGradientPrecisionField(QWidget* parent) {
    auto* field = new FieldCombo(tr("Gradients in"), parent);
    field->addChoice(tr("Framework default"), kDefault);
    field->addChoice(tr("FP32"), QStringLiteral("fp32"));
    field->addChoice(tr("BF16"), QStringLiteral("bf16"));
    field->addChoice(tr("FP16"), QStringLiteral("fp16"));
    return field;
}

FieldCombo* makeOptimizerField(QWidget* parent) {
    auto* field = new FieldCombo(tr("Optimizer"), parent);
    for (const OptimizerRecipe& recipe : optimizerRecipes())
        field->addChoice(text(recipe.title), text(recipe.id), text(recipe.source));
    return field;
}

FieldCombo* makeAttentionField(QWidget* parent) {
    auto* field = new FieldCombo(tr("Attention kernel"), parent);
    field->addChoice(tr("Unfused"), QStringLiteral("unfused"), tr("Scores are written to memory"));
    field->addChoice(tr("FlashAttention"), QStringLiteral("flash"));
    field->addChoice(tr("FlashAttention 2"), QStringLiteral("flash2"));
    field->addChoice(tr("FlashAttention 3"), QStringLiteral("flash3"), tr("Also cuDNN attention on Hopper and later"));
    return field;
}

void setPrecision(Scenario& scenario, const QString& key) {
    if (const auto precision = precisionFromName(key.toStdString())) scenario.workload.precision = *precision;
}

void setGradientPrecision(Scenario& scenario, const QString& key) {
    scenario.workload.gradientPrecision = key == kDefault ? std::nullopt : precisionFromName(key.toStdString());
}

void setOptimizer(Scenario& scenario, const QString& key) { scenario.workload.optimizer = key.toStdString(); }

void setAttention(Scenario& scenario, const QString& key) {
    if (const auto kernel = attentionKernelFromName(key.toStdString())) scenario.workload.attention = *kernel;
}

void showWorkload(const Scenario& scenario, FieldCombo* precision, FieldCombo* gradientPrecision, FieldCombo* optimizer,
                  FieldCombo* attention) {
    const Workload& workload = scenario.workload;
    precision->showKey(text(name(workload.precision)));
    gradientPrecision->showKey(workload.gradientPrecision ? text(name(*workload.gradientPrecision)) : kDefault);
    optimizer->showKey(QString::fromStdString(workload.optimizer));
    attention->showKey(text(name(workload.attention)));
}

}  // namespace trainyard
