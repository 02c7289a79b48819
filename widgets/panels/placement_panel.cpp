#include "widgets/panels/placement_panel.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/format_quantity.h"
#include "core/engine/evaluate.h"
#include "core/plan/validate.h"
#include "widgets/document/scenario_edits.h"
#include "widgets/panels/section_title.h"
#include "widgets/plots/figure_table.h"
#include "widgets/plots/traffic_matrix.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

TrafficMatrix::Data trafficOf(const Evaluation& evaluation, const Scenario& scenario) {
    TrafficMatrix::Data data;
    data.bytes = evaluation.trafficMatrix;
    data.blocks = evaluation.trafficBlocks;
    data.areNodes = evaluation.trafficBlocksAreNodes;
    data.stages = static_cast<int>(scenario.plan.pipelineParallel);
    if (!evaluation.layout) return data;
    const RankLayout& layout = *evaluation.layout;
    const auto add = [&](std::int32_t device) {
        const std::int32_t rank = device < layout.ranks() ? layout.rankOnDevice(device) : -1;
        data.stageOfBlock.push_back(rank < 0 ? 0 : layout.coordinates(rank).pipeline);
    };
    if (!data.areNodes) {
        for (std::int32_t device = 0; device < data.blocks; ++device) add(device);
        return data;
    }
    std::int64_t device = 0;
    for (const NodeSpec& node : scenario.cluster->nodes)
        for (std::int64_t copy = 0; copy < node.count; ++copy, device += node.devicesPerNode()) add(static_cast<std::int32_t>(device));
    return data;
}

/// The plan with this placement; the plan's own order if it is the same.
Plan placed(const Scenario& scenario, const Placement& placement) {
    Plan plan = scenario.plan;
    plan.deviceOfRank = placement.deviceOfRank;
    plan.placementOrder.clear();
    return plan;
}

/// Why ranks cannot be placed now; empty if they can.
QString obstacle(const Scenario& scenario) {
    if (!scenario.plan.replicas.empty())
        return PlacementPanel::tr("Replicas of their own shapes name their devices; choose degrees to place ranks.");
    if (hasErrors(validate(scenario))) return PlacementPanel::tr("The plan cannot run as it stands; mend it first.");
    if (scenario.cluster->devices() < 2) return PlacementPanel::tr("One device has one place.");
    return {};
}

QLabel* heading(const QString& words, QWidget* parent) {
    auto* label = new QLabel(words, parent);
    label->setFont(type::font(type::kCaption, QFont::DemiBold));
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

}  // namespace

PlacementPanel::PlacementPanel(PlanDocument* document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      start_(new QPushButton(tr("Place ranks"), this)),
      use_(new QPushButton(tr("Use this placement"), this)),
      seed_(new QSpinBox(this)),
      thousands_(new QSpinBox(this)),
      progress_(new QProgressBar(this)),
      summary_(new QLabel(this)),
      links_(new TrafficMatrix(this)),
      before_(new TrafficMatrix(this)),
      after_(new TrafficMatrix(this)),
      afterTitle_(heading(tr("TRAFFIC, BEST PLACEMENT"), this)),
      table_(new FigureTable(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::kPanelPadding, space::kPanelPadding, space::kPanelPadding, space::kPanelPadding);
    layout->setSpacing(space::kUnit * 2);
    auto* row = new QHBoxLayout;
    row->setSpacing(space::kUnit * 2);
    thousands_->setRange(1, 100'000);
    thousands_->setValue(100);
    thousands_->setSuffix(tr(" thousand tries"));
    thousands_->setAccessibleName(tr("Exchanges that are tried, in thousands"));
    seed_->setRange(0, 1'000'000);
    seed_->setValue(1);
    seed_->setPrefix(tr("seed "));
    seed_->setAccessibleName(tr("Seed of the random exchanges"));
    progress_->setRange(0, 1000);
    progress_->setTextVisible(false);
    progress_->setFixedWidth(160);
    progress_->setVisible(false);
    use_->setEnabled(false);
    summary_->setMinimumWidth(0);
    summary_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    for (QWidget* widget : std::initializer_list<QWidget*>{start_, thousands_, seed_, progress_}) row->addWidget(widget);
    row->addWidget(summary_, 1);
    row->addWidget(use_);
    layout->addLayout(row);

    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(space::kUnit * 4);
    grid->setVerticalSpacing(space::kUnit);
    grid->addWidget(heading(tr("LINKS"), this), 0, 0);
    grid->addWidget(heading(tr("TRAFFIC, ORDER AS IT STANDS"), this), 0, 1);
    grid->addWidget(afterTitle_, 0, 2);
    grid->addWidget(heading(tr("BEST PLACEMENTS"), this), 0, 3);
    grid->addWidget(links_, 1, 0);
    grid->addWidget(before_, 1, 1);
    grid->addWidget(after_, 1, 2);
    grid->addWidget(table_, 1, 3);
    for (int column = 0; column < 4; ++column) grid->setColumnStretch(column, column < 3 ? 10 : 9);
    grid->setRowStretch(1, 1);
    layout->addLayout(grid, 1);
    links_->setAccessibleName(tr("Rates of the links"));
    before_->setAccessibleName(tr("Traffic with the order as it stands"));
    after_->setAccessibleName(tr("Traffic with the best placement"));
    table_->setAccessibleName(tr("Best placements"));

    connect(start_, &QPushButton::clicked, this, [this] { thread_.joinable() ? cancel() : start(); });
    connect(use_, &QPushButton::clicked, this, [this] { load(shownRow_); });
    connect(table_, &FigureTable::rowChosen, this, &PlacementPanel::showAfter);
    connect(document_, &PlanDocument::snapshotChanged, this, &PlacementPanel::refresh);
    connect(document_, &PlanDocument::evaluationChanged, this, &PlacementPanel::refresh);
    refresh();
}

PlacementPanel::~PlacementPanel() = default;

void PlacementPanel::refresh() {
    const Snapshot snapshot = document_->snapshot();
    const LinkMatrix links = linkMatrix(*snapshot);
    links_->setTraffic({.bytes = links.bytesPerS, .blocks = links.blocks, .areNodes = links.areNodes, .stageOfBlock = {}, .stages = 1, .perSecond = true});
    const auto evaluation = document_->evaluation();
    if (evaluation && evaluation->computed && evaluation->trafficBlocks > 0) before_->setTraffic(trafficOf(*evaluation, *snapshot));
    if (!thread_.joinable() && resultOf_ != snapshot) {
        const QString why = obstacle(*snapshot);
        start_->setEnabled(why.isEmpty());
        const bool measured = !snapshot->cluster->measured.bytesPerS.empty();
        summary_->setText(!why.isEmpty() ? why
                          : measured     ? tr("Exchanges devices between ranks over the measured links as long as that helps.")
                                         : tr("Exchanges devices between ranks over the drawn links as long as that helps."));
    }
}

void PlacementPanel::start(bool wait) {
    const Snapshot snapshot = document_->snapshot();
    if (thread_.joinable() || !obstacle(*snapshot).isEmpty()) return;
    PlacementOptions options;
    options.seed = static_cast<std::uint64_t>(seed_->value());
    options.proposals = std::int64_t{1000} * thousands_->value();
    if (wait) {
        show(placeRanks(*snapshot, options), snapshot);
        return;
    }
    start_->setText(tr("Cancel"));
    progress_->setValue(0);
    progress_->setVisible(true);
    thread_ = std::jthread([this, snapshot, options](const std::stop_token& stop) {
        auto result = std::make_shared<PlacementResult>(placeRanks(
            *snapshot, options,
            [this](double share, double) {
                QMetaObject::invokeMethod(this, [this, share] { progress_->setValue(static_cast<int>(share * 1000)); }, Qt::QueuedConnection);
            },
            stop));
        QMetaObject::invokeMethod(
            this,
            [this, result, snapshot] {
                if (thread_.joinable()) thread_.join();
                thread_ = {};
                start_->setText(tr("Place ranks"));
                progress_->setVisible(false);
                show(*result, snapshot);
            },
            Qt::QueuedConnection);
    });
}

void PlacementPanel::cancel() { thread_.request_stop(); }

void PlacementPanel::show(const PlacementResult& result, const Snapshot& of) {
    result_ = result;
    resultOf_ = of;
    const auto seconds = [](double value) { return value > 0 ? text(secondsText(value).joined()) : PlacementPanel::tr("does not fit"); };
    if (result.best.empty()) {
        summary_->setText(tr("No placement fits into memory."));
        table_->setFigures({}, {});
        use_->setEnabled(false);
        return;
    }
    const double best = result.best.front().stepS;
    const QString gain = result.naive.stepS > 0 ? tr("step %1 instead of %2, %3 less")
                                                      .arg(seconds(best), seconds(result.naive.stepS), text(percentText(1 - best / result.naive.stepS).joined()))
                                                : tr("step %1").arg(seconds(best));
    summary_->setText(tr("%1 · %2 of %3 tries kept, in %4").arg(gain).arg(result.accepted).arg(result.proposals).arg(seconds(result.annealingSeconds)));
    std::vector<std::vector<FigureTable::Cell>> rows;
    for (const Placement& placement : result.best) {
        std::int64_t moved = 0;
        for (std::size_t rank = 0; rank < placement.deviceOfRank.size(); ++rank)
            moved += rank < result.naive.deviceOfRank.size() && placement.deviceOfRank[rank] != result.naive.deviceOfRank[rank] ? 1 : 0;
        rows.push_back({{.text = seconds(placement.stepS), .tip = {}, .color = {}, .mark = {}, .isStrong = true},
                        {.text = result.naive.stepS > 0 ? text(percentText(placement.stepS / result.naive.stepS - 1).joined()) : QStringLiteral("-"), .tip = {}, .color = {}, .mark = {}},
                        {.text = seconds(placement.closedFormS), .tip = {}, .color = {}, .mark = {}},
                        {.text = moved == 0 ? tr("none: as it stands") : QString::number(moved), .tip = {}, .color = {}, .mark = {}}});
    }
    table_->setFigures({{.title = tr("Step"), .tip = tr("Simulated")},
                        {.title = tr("Against now"), .tip = {}},
                        {.title = tr("Cost"), .tip = tr("What annealing made small, in closed form")},
                        {.title = tr("Ranks moved"), .tip = {}}},
                       rows);
    showAfter(0);
}

void PlacementPanel::showAfter(int row) {
    if (!resultOf_ || row < 0 || static_cast<std::size_t>(row) >= result_.best.size()) return;
    shownRow_ = row;
    Scenario candidate = *resultOf_;
    candidate.plan = placed(candidate, result_.best[static_cast<std::size_t>(row)]);
    const Evaluation evaluation = evaluate(candidate, Depth::simulated);
    if (evaluation.computed) after_->setTraffic(trafficOf(evaluation, candidate));
    afterTitle_->setText(row == 0 ? tr("TRAFFIC, BEST PLACEMENT") : tr("TRAFFIC, PLACEMENT %1").arg(row + 1));
    use_->setEnabled(result_.best[static_cast<std::size_t>(row)].deviceOfRank != result_.naive.deviceOfRank);
}

void PlacementPanel::load(int row) {
    if (!resultOf_ || row < 0 || static_cast<std::size_t>(row) >= result_.best.size()) return;
    const Placement placement = result_.best[static_cast<std::size_t>(row)];
    editScenario(*document_, tr("Place ranks"), [&](Scenario& scenario) {
        if (scenario.cluster->devices() == resultOf_->cluster->devices()) scenario.plan = placed(scenario, placement);
    });
}

}  // namespace trainyard
