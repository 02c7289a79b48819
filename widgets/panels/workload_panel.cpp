#include "widgets/panels/workload_panel.h"

#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>
#include <cmath>

#include "core/base/format_quantity.h"
#include "widgets/document/scenario_edits.h"
#include "widgets/panels/field_combo.h"
#include "widgets/panels/field_number.h"
#include "widgets/panels/section_title.h"
#include "widgets/panels/workload_choices.h"
#include "widgets/style/theme.h"
#include "widgets/teach/term_help.h"

namespace trainyard {
namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }

QString tableRow(const QString& label, const QString& value) {
    return QStringLiteral("<tr><td style=\"color:%3;padding-right:16px\">%1</td><td align=\"right\"><b>%2</b></td></tr>")
        .arg(label, value, Theme::current().secondaryText.name());
}

}  // namespace

WorkloadPanel::WorkloadPanel(PlanDocument* document, QWidget* parent) : QWidget(parent), document_(document) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* page = new QWidget(scroll);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(space::kPanelPadding + 2, 10, space::kPanelPadding, space::kPanelPadding);
    layout->setSpacing(8);
    auto* title = new SectionTitle(tr("One step"), page);
    layout->addWidget(title);
    step_ = new QLabel(page);
    step_->setFont(type::font(type::kSecondary));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(8);
    sequence_ = new FieldNumber(tr("Sequence length, tokens"), FieldNumber::Kind::count, page);
    batch_ = new FieldNumber(tr("Global batch, sequences"), FieldNumber::Kind::count, page);
    precision_ = makePrecisionField(page);
    gradientPrecision_ = makeGradientPrecisionField(page);
    optimizer_ = makeOptimizerField(page);
    attention_ = makeAttentionField(page);
    norm_ = new FieldCombo(tr("Norm kernel"), page);
    norm_->addChoice(tr("Fused"), QStringLiteral("fused"));
    norm_->addChoice(tr("Unfused"), QStringLiteral("unfused"));
    flops_ = new FieldCombo(tr("Attention in MFU"), page);
    flops_->addChoice(tr("Counted in full"), QStringLiteral("full"), tr("As Megatron-LM does"));
    flops_->addChoice(tr("Causal half"), QStringLiteral("half"), tr("Only the scores that are not masked"));
    QWidget* const fields[] = {sequence_, batch_, precision_, gradientPrecision_, optimizer_, attention_, norm_, flops_};
    for (int i = 0; i < static_cast<int>(std::size(fields)); ++i) grid->addWidget(fields[i], i / 2, i % 2);
    const char* const terms[] = {"/workload/sequence_length", "/workload/global_batch_size", "/workload/precision",
                                 "/workload/gradient_precision", "/workload/optimizer", "/workload/attention",
                                 "/workload/fused_norm", "/workload/causal_flops_halved"};
    for (std::size_t i = 0; i < std::size(terms); ++i) setTerm(fields[i], QString::fromLatin1(terms[i]));
    layout->addLayout(grid);
    layout->addWidget(step_);
    layout->addSpacing(8);
    runTitle_ = new SectionTitle(tr("Whole run"), page);
    layout->addWidget(runTitle_);
    tokens_ = new FieldNumber(tr("Tokens to train on, for example 15T"), FieldNumber::Kind::tokens, page);
    setTerm(tokens_, QStringLiteral("/workload/tokens_total"));
    layout->addWidget(tokens_);
    run_ = new QLabel(page);
    run_->setTextFormat(Qt::RichText);
    run_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(run_);
    layout->addStretch(1);
    scroll->setWidget(page);
    outer->addWidget(scroll);

    const auto onNumber = [this](FieldNumber* field, const QString& step, std::int64_t Workload::*member) {
        connect(field, &FieldNumber::numberTyped, this, [this, step, member](std::optional<double> number) {
            if (!number) return;
            editScenario(*document_, step,
                         [&](Scenario& s) { s.workload.*member = static_cast<std::int64_t>(std::llround(*number)); });
        });
    };
    onNumber(sequence_, tr("Set sequence length"), &Workload::sequenceLength);
    onNumber(batch_, tr("Set global batch"), &Workload::globalBatchSize);
    connect(tokens_, &FieldNumber::numberTyped, this, [this](std::optional<double> number) {
        editScenario(*document_, tr("Set tokens"),
                     [&](Scenario& s) { s.workload.tokensTotal = number && *number > 0 ? number : std::nullopt; });
    });
    const auto onChoice = [this](FieldCombo* field, const QString& step, auto change) {
        connect(field, &FieldCombo::keyChosen, this, [this, step, change](const QString& key) {
            editScenario(*document_, step, [&](Scenario& s) { change(s, key); });
        });
    };
    onChoice(precision_, tr("Change precision"), &setPrecision);
    onChoice(gradientPrecision_, tr("Change gradient precision"), &setGradientPrecision);
    onChoice(optimizer_, tr("Change optimizer"), &setOptimizer);
    onChoice(attention_, tr("Change attention"), &setAttention);
    onChoice(norm_, tr("Change norm kernel"),
             [](Scenario& s, const QString& key) { s.workload.fusedNorm = key == QStringLiteral("fused"); });
    onChoice(flops_, tr("Change MFU convention"),
             [](Scenario& s, const QString& key) { s.workload.causalFlopsHalved = key == QStringLiteral("half"); });
    connect(document_, &PlanDocument::snapshotChanged, this, &WorkloadPanel::refresh);
    connect(document_, &PlanDocument::evaluationChanged, this, &WorkloadPanel::refreshRun);
    refresh();
}

void WorkloadPanel::refresh() {
    const Workload& w = document_->snapshot()->workload;
    sequence_->showNumber(static_cast<double>(w.sequenceLength));
    batch_->showNumber(static_cast<double>(w.globalBatchSize));
    tokens_->showNumber(w.tokensTotal);
    norm_->showKey(w.fusedNorm ? QStringLiteral("fused") : QStringLiteral("unfused"));
    flops_->showKey(w.causalFlopsHalved ? QStringLiteral("half") : QStringLiteral("full"));
    showWorkload(*document_->snapshot(), precision_, gradientPrecision_, optimizer_, attention_);
    const double tokens = static_cast<double>(w.sequenceLength) * static_cast<double>(w.globalBatchSize);
    step_->setText(tr("%1 tokens per step").arg(text(countText(tokens).joined())));
    refreshRun();
}

void WorkloadPanel::refreshRun() {
    const auto evaluation = document_->evaluation();
    if (!evaluation || !evaluation->computed) return run_->setText(QString());
    if (!evaluation->training) return run_->setText(tr("Say how many tokens, and days, cost and energy stand here."));
    const Evaluation::Training& t = *evaluation->training;
    QString html = QStringLiteral("<table cellspacing=\"0\" cellpadding=\"3\" width=\"100%\">");
    html += tableRow(tr("Steps"), text(grouped(std::llround(t.steps))));
    html += tableRow(tr("Time"), text(secondsText(t.seconds).joined()));
    html += tableRow(tr("Device hours"), text(countText(t.seconds / 3600 * static_cast<double>(evaluation->devices)).joined()));
    if (t.cost) html += tableRow(tr("Cost"), text(dollarsText(*t.cost).joined()));
    html += tableRow(tr("Energy"), text(energyText(t.energyJ).joined()));
    run_->setText(html + QStringLiteral("</table>"));
}

}  // namespace trainyard
