#include "widgets/panels/search_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include "core/base/format_quantity.h"
#include "widgets/document/scenario_edits.h"
#include "widgets/panels/partition_bar.h"
#include "widgets/style/byte_units.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

struct ObjectiveName {
    Objective objective;
    const char* label;
};
constexpr ObjectiveName kObjectives[] = {
    {Objective::time, QT_TRANSLATE_NOOP("trainyard::SearchPanel", "Shortest step")},
    {Objective::memory, QT_TRANSLATE_NOOP("trainyard::SearchPanel", "Least memory")},
    {Objective::cost, QT_TRANSLATE_NOOP("trainyard::SearchPanel", "Lowest cost")},
    {Objective::energy, QT_TRANSLATE_NOOP("trainyard::SearchPanel", "Least energy")},
    {Objective::tokens, QT_TRANSLATE_NOOP("trainyard::SearchPanel", "Most tokens per second")}};

}  // namespace

SearchPanel::SearchPanel(PlanDocument* document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      objective_(new QComboBox(this)),
      start_(new QPushButton(tr("Find better plans"), this)),
      progress_(new QProgressBar(this)),
      summary_(new QLabel(this)),
      partition_(new PartitionBar(document, this)),
      table_(new QTableWidget(0, 11, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::kPanelPadding, space::kPanelPadding, space::kPanelPadding, space::kPanelPadding);
    layout->setSpacing(space::kUnit * 2);
    auto* row = new QHBoxLayout;
    row->setSpacing(space::kUnit * 2);
    objective_->setAccessibleName(tr("Objective"));
    for (const ObjectiveName& each : kObjectives) objective_->addItem(tr(each.label));
    progress_->setRange(0, 1000);
    progress_->setTextVisible(false);
    progress_->setFixedWidth(160);
    progress_->setVisible(false);
    row->addWidget(objective_);
    row->addWidget(start_);
    row->addWidget(progress_);
    row->addWidget(summary_, 1);
    layout->addLayout(row);
    layout->addWidget(partition_);
    summary_->setText(
        tr("All degrees, micro-batches, schedules, ZeRO stages and recomputation modes that fit this cluster and model."));
    table_->setHorizontalHeaderLabels({tr("Step"), tr("Peak memory"), tr("MFU"), tr("Tensor"), tr("Pipeline"), tr("Context"),
                                       tr("Expert"), tr("Micro-batch"), tr("Schedule"), tr("Recompute, ZeRO"),
                                       tr("Why not first")});
    table_->setAccessibleName(tr("Plans found"));
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setShowGrid(false);
    table_->setFrameShape(QFrame::NoFrame);
    table_->verticalHeader()->setDefaultSectionSize(28);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setStretchLastSection(true);
    layout->addWidget(table_, 1);
    connect(start_, &QPushButton::clicked, this, [this] { thread_.joinable() ? cancel() : start(); });
    connect(table_, &QTableWidget::cellActivated, this, [this](int at, int) { load(at); });
    connect(table_, &QTableWidget::cellClicked, this, [this](int at, int) { load(at); });
}

SearchPanel::~SearchPanel() = default;

void SearchPanel::start(bool wait) {
    if (thread_.joinable()) return;
    SearchOptions options;
    options.objective = kObjectives[objective_->currentIndex()].objective;
    options.top = 25;
    const Snapshot snapshot = document_->snapshot();
    if (wait) {
        show(searchPlans(*snapshot, options));
        return;
    }
    start_->setText(tr("Cancel"));
    progress_->setValue(0);
    progress_->setVisible(true);
    thread_ = std::jthread([this, snapshot, options](const std::stop_token& stop) {
        auto result = std::make_shared<SearchResult>(searchPlans(
            *snapshot, options,
            [this](double share, double bestStepS) {
                QMetaObject::invokeMethod(
                    this,
                    [this, share, bestStepS] {
                        progress_->setValue(static_cast<int>(share * 1000));
                        if (bestStepS > 0) summary_->setText(tr("best so far: %1").arg(text(secondsText(bestStepS).joined())));
                    },
                    Qt::QueuedConnection);
            },
            stop));
        QMetaObject::invokeMethod(
            this,
            [this, result] {
                if (thread_.joinable()) thread_.join();
                start_->setText(tr("Find better plans"));
                progress_->setVisible(false);
                show(*result);
            },
            Qt::QueuedConnection);
    });
}

void SearchPanel::cancel() { thread_.request_stop(); }

void SearchPanel::show(const SearchResult& result) {
    result_ = result;
    std::int64_t rejected = 0;
    for (const auto& [code, count] : result.rejected) rejected += count;
    summary_->setText(result.plans.empty() ? tr("No plan of this model fits this cluster: %1 were tried.").arg(result.evaluated)
                                           : tr("%1 plans priced, %2 ruled out, in %3. Click a row to load it.")
                                                 .arg(result.evaluated)
                                                 .arg(rejected)
                                                 .arg(text(secondsText(result.seconds).joined())));
    table_->setRowCount(static_cast<int>(result.plans.size()));
    for (std::size_t i = 0; i < result.plans.size(); ++i) {
        const FoundPlan& found = result.plans[i];
        const Plan& plan = found.plan;
        const QString schedule = plan.virtualStages > 1
                                     ? QStringLiteral("%1 × %2").arg(text(plan.schedule)).arg(plan.virtualStages)
                                     : text(plan.schedule);
        const QString cells[] = {text(secondsText(found.stepS).joined()),
                                 text(shownBytes(found.peakBytes).joined()),
                                 text(percentText(found.mfu).joined()),
                                 QString::number(plan.tensorParallel),
                                 QString::number(plan.pipelineParallel),
                                 QString::number(plan.contextParallel),
                                 QString::number(plan.expertParallel),
                                 QString::number(plan.microBatchSize),
                                 schedule,
                                 QStringLiteral("%1, ZeRO %2")
                                     .arg(QString::fromUtf8(name(plan.recompute.mode).data()), QString::number(plan.zeroStage)),
                                 found.reason.empty() ? tr("the best") : text(found.reason)};
        for (int column = 0; column < 11; ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            if (column < 8) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            if (found.pareto && column < 2) item->setForeground(Theme::current().accent);
            table_->setItem(static_cast<int>(i), column, item);
        }
    }
}

void SearchPanel::load(int row) {
    if (row < 0 || static_cast<std::size_t>(row) >= result_.plans.size()) return;
    const Plan plan = result_.plans[static_cast<std::size_t>(row)].plan;
    editScenario(*document_, tr("Load found plan"), [&](Scenario& scenario) { scenario.plan = plan; });
}

}  // namespace trainyard
