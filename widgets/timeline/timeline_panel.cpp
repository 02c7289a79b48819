#include "widgets/timeline/timeline_panel.h"

#include <QCoreApplication>
#include <QPainter>
#include <QStackedLayout>

#include "core/engine/evaluation.h"
#include "core/schedule/registry.h"
#include "widgets/document/plan_document.h"
#include "widgets/document/selection.h"
#include "widgets/panels/empty_state.h"
#include "widgets/style/core_text.h"
#include "widgets/style/theme.h"
#include "widgets/timeline/timeline_board.h"
#include "widgets/timeline/timeline_view.h"

namespace trainyard {
namespace {

constexpr double kShortestVisibleS = 1e-6;

std::shared_ptr<const TimelineModel> modelOf(const Evaluation& evaluation) {
    TimelineContext context;
    context.unit = {evaluation.timeline->secondsPerTick, true};
    context.rowName = QCoreApplication::translate("Timeline", "Stage %1");
    context.chunks = static_cast<int>(std::max<std::int64_t>(1, evaluation.plan.virtualStages));
    context.slices = 0;
    context.shortestVisibleTicks = kShortestVisibleS / std::max(1e-15, evaluation.timeline->secondsPerTick);
    for (const StageMemory& stage : evaluation.memory.stages)
        context.activationBytes.push_back(stage.activationBytesPerMicrobatch);
    if (static_cast<int>(context.activationBytes.size()) != evaluation.timeline->ranks) context.activationBytes.clear();
    return std::make_shared<const TimelineModel>(evaluation.timeline, std::move(context));
}

}  // namespace

TimelinePanel::TimelinePanel(PlanDocument* document, Selection* selection, QWidget* parent)
    : QWidget(parent), document_(document), selection_(selection), stack_(new QStackedLayout(this)) {
    setAccessibleName(tr("Timeline"));
    board_ = new TimelineBoard(this);
    empty_ = new EmptyState(QStringLiteral("chart-gantt"),
                            tr("The pipeline schedule appears here once the plan can be evaluated."), this);
    stack_->setContentsMargins(0, 0, 0, 0);
    stack_->addWidget(empty_);
    stack_->addWidget(board_);

    connect(document_, &PlanDocument::evaluationChanged, this, &TimelinePanel::refresh);
    connect(selection_, &Selection::selectionChanged, this, &TimelinePanel::takeSelection);
    connect(selection_, &Selection::hoverChanged, this, [this] { board_->view(0).setHoveredRow(selection_->hovered().stage); });
    connect(board_, &TimelineBoard::spanClicked, this, [this](int, std::optional<std::uint32_t> span) {
        if (!span) {
            selection_->clear();
            return;
        }
        const TimelineModel& model = *board_->entry(0).model;
        SelectionState state;
        state.stage = model.rowOf(*span);
        if (model.laneOf(*span) == Lane::compute) state.microBatch = static_cast<int>(model.timeline().action[*span].microBatch);
        selection_->select(state);
    });
    connect(board_, &TimelineBoard::rowClicked, this, [this](int, int row) {
        SelectionState state;
        if (selection_->selected().stage != row) state.stage = row;  // a second click takes it back
        selection_->select(state);
    });
    connect(board_, &TimelineBoard::hovered, this, [this](int, std::optional<int> row, std::optional<int> microBatch) {
        SelectionState state;
        state.stage = row;
        state.microBatch = microBatch;
        selection_->hover(state);
    });
    refresh();
}

void TimelinePanel::refresh() {
    const auto evaluation = document_->evaluation();
    const bool hasTimeline = evaluation && evaluation->computed && evaluation->timeline && evaluation->timeline->spans() > 0;
    if (!hasTimeline) {
        // A closed-form evaluation during a drag keeps the last picture; a plan that cannot run says why.
        if (evaluation && evaluation->computed && board_->count() > 0) return;
        QString why = tr("The pipeline schedule appears here once the plan can be evaluated.");
        if (evaluation) {
            for (const Diagnostic& diagnostic : evaluation->diagnostics) {
                if (diagnostic.severity != Severity::error) continue;
                why = QString::fromStdString(diagnostic.message);
                break;
            }
        }
        empty_->setSentence(why);
        stack_->setCurrentWidget(empty_);
        return;
    }
    if (shown_ == evaluation.get()) return;
    shown_ = evaluation.get();
    const auto snapshot = document_->snapshot();
    const auto model = modelOf(*evaluation);
    const ScheduleDefinition* schedule = findScheduleOrNull(snapshot->plan.schedule);
    const QString name = schedule != nullptr
                             ? coreText(schedule->title)
                             : QString::fromStdString(snapshot->plan.schedule);
    board_->setFigureTitle(tr("%1, %2 stages, %3 micro-batches").arg(name).arg(model->rows()).arg(evaluation->plan.microBatches));
    board_->setEntries({{name, model}});
    stack_->setCurrentWidget(board_);
    takeSelection();
}

void TimelinePanel::takeSelection() {
    const SelectionState& state = selection_->selected();
    TimelineView& view = board_->view(0);
    view.setSelectedRow(state.stage);
    view.setSelectedMicroBatch(state.microBatch);
    if (!state.microBatch) view.setSelectedSpan(std::nullopt);
}

void TimelinePanel::paintFigure(QPainter& painter, const QRectF& area) {
    if (board_->count() > 0) {
        board_->paintFigure(painter, area);
    } else {
        painter.fillRect(area, Theme::current().panel);
    }
}

}  // namespace trainyard
