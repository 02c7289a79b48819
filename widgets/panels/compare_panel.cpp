#include "widgets/panels/compare_panel.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/explain/explanation.h"
#include "widgets/document/plan_document.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

struct Figure {
    QString name;
    double before = 0;
    double after = 0;
    const char* unit = "";
    bool lowerIsBetter = true;
    [[nodiscard]] double change() const { return before != 0 ? after / before - 1 : after != 0 ? 1 : 0; }
};

std::vector<Figure> figures(const Evaluation& a, const Evaluation& b) {
    const auto tr = [](const char* name) { return QCoreApplication::translate("trainyard::ComparePanel", name); };
    std::vector<Figure> all{{tr("Step time"), a.time.stepS, b.time.stepS, "s"},
                            {tr("Compute"), a.time.computeS, b.time.computeS, "s"},
                            {tr("Bubble"), a.time.bubbleS, b.time.bubbleS, "s"},
                            {tr("Exposed tensor traffic"), a.time.exposedTensorS, b.time.exposedTensorS, "s"},
                            {tr("Exposed pipeline traffic"), a.time.exposedPipelineS, b.time.exposedPipelineS, "s"},
                            {tr("Exposed context traffic"), a.time.exposedContextS, b.time.exposedContextS, "s"},
                            {tr("Exposed expert traffic"), a.time.exposedExpertS, b.time.exposedExpertS, "s"},
                            {tr("Exposed data traffic"), a.time.exposedDataS, b.time.exposedDataS, "s"},
                            {tr("Optimizer step"), a.time.optimizerS, b.time.optimizerS, "s"},
                            {tr("Peak memory"), a.memory.peakBytes, b.memory.peakBytes, "B"},
                            {tr("Tokens per second"), a.throughput.tokensPerS, b.throughput.tokensPerS, "", false},
                            {tr("MFU"), a.throughput.mfu, b.throughput.mfu, "1", false},
                            {tr("HFU"), a.throughput.hfu, b.throughput.hfu, "1", false},
                            {tr("Energy per token"), a.joulesPerToken, b.joulesPerToken, "J"}};
    if (a.costPerBillionTokens && b.costPerBillionTokens)
        all.push_back({tr("Cost per billion tokens"), *a.costPerBillionTokens, *b.costPerBillionTokens, "USD"});
    std::erase_if(all, [](const Figure& figure) { return figure.before == 0 && figure.after == 0; });
    std::stable_sort(all.begin(), all.end(),
                     [](const Figure& x, const Figure& y) { return std::abs(x.change()) > std::abs(y.change()); });
    return all;
}

QString changedParts(const Scenario& a, const Scenario& b) {
    QStringList parts;
    const auto add = [&](const QString& name, auto before, auto after) {
        if (before != after) parts << QStringLiteral("%1 %2 → %3").arg(name).arg(before).arg(after);
    };
    add(QStringLiteral("tensor"), a.plan.tensorParallel, b.plan.tensorParallel);
    add(QStringLiteral("pipeline"), a.plan.pipelineParallel, b.plan.pipelineParallel);
    add(QStringLiteral("context"), a.plan.contextParallel, b.plan.contextParallel);
    add(QStringLiteral("expert"), a.plan.expertParallel, b.plan.expertParallel);
    add(QStringLiteral("virtual stages"), a.plan.virtualStages, b.plan.virtualStages);
    add(QStringLiteral("micro-batch"), a.plan.microBatchSize, b.plan.microBatchSize);
    add(QStringLiteral("ZeRO"), a.plan.zeroStage, b.plan.zeroStage);
    add(QStringLiteral("schedule"), text(a.plan.schedule), text(b.plan.schedule));
    add(QStringLiteral("recompute"), QString::fromUtf8(name(a.plan.recompute.mode).data()),
        QString::fromUtf8(name(b.plan.recompute.mode).data()));
    add(QStringLiteral("global batch"), a.workload.globalBatchSize, b.workload.globalBatchSize);
    add(QStringLiteral("sequence"), a.workload.sequenceLength, b.workload.sequenceLength);
    add(QStringLiteral("devices"), a.cluster->devices(), b.cluster->devices());
    add(QStringLiteral("model"), text(a.model->name), text(b.model->name));
    return parts.join(QStringLiteral("  ·  "));
}

}  // namespace

ComparePanel::ComparePanel(PlanDocument* document, QWidget* parent)
    : QWidget(parent), document_(document), changes_(new QLabel(this)), table_(new QTableWidget(0, 4, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::kPanelPadding, space::kPanelPadding, space::kPanelPadding, space::kPanelPadding);
    layout->setSpacing(space::kUnit * 2);
    changes_->setWordWrap(true);
    changes_->setFont(type::font(type::kStrong));
    layout->addWidget(changes_);
    table_->setHorizontalHeaderLabels({tr("Figure"), tr("Baseline"), tr("Now"), tr("Difference")});
    table_->setAccessibleName(tr("Differences from the baseline"));
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setShowGrid(false);
    table_->setFrameShape(QFrame::NoFrame);
    table_->verticalHeader()->setVisible(false);
    table_->verticalHeader()->setDefaultSectionSize(28);
    layout->addWidget(table_, 1);
    connect(document_, &PlanDocument::evaluationChanged, this, &ComparePanel::rebuild);
    connect(document_, &PlanDocument::baselineChanged, this, &ComparePanel::rebuild);
    rebuild();
}

void ComparePanel::rebuild() {
    const auto before = document_->baseline();
    const auto after = document_->evaluation();
    table_->setRowCount(0);
    table_->setVisible(before && after);
    if (!before) {
        changes_->setText(tr("Pin the plan as a baseline, then change it: what differs stands here, largest difference first."));
        return;
    }
    if (!after || !before->computed || !after->computed) {
        changes_->setText(tr("One of the two plans cannot be computed as it stands."));
        return;
    }
    const QString changed =
        document_->baselineSnapshot() ? changedParts(*document_->baselineSnapshot(), *document_->snapshot()) : QString();
    changes_->setText(changed.isEmpty() ? tr("The plan is the pinned baseline.") : changed);
    const Theme& theme = Theme::current();
    for (const Figure& figure : figures(*before, *after)) {
        const int row = table_->rowCount();
        table_->insertRow(row);
        const double change = figure.change();
        const bool same = std::abs(change) < 5e-5;
        const QString sign = same ? tr("same")
                                  : QStringLiteral("%1%2 %")
                                        .arg(change > 0 ? QStringLiteral("+") : QStringLiteral("−"))
                                        .arg(std::abs(change) * 100, 0, 'f', 1);
        const QString cells[] = {figure.name, text(readable(figure.before, figure.unit)),
                                 text(readable(figure.after, figure.unit)), sign};
        for (int column = 0; column < 4; ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            if (column > 0) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            if (column == 3)
                item->setForeground(same                                   ? theme.secondaryText
                                    : (change < 0) == figure.lowerIsBetter ? theme.fits
                                                                           : theme.outOfMemory);
            table_->setItem(row, column, item);
        }
    }
    table_->setColumnWidth(0, 260);
    for (int column = 1; column < 4; ++column) table_->setColumnWidth(column, 140);
}

}  // namespace trainyard
