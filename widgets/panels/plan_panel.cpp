#include "widgets/panels/plan_panel.h"

#include <QAction>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QIntValidator>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/plan/framework_rules.h"
#include "core/plan/plan_choices.h"
#include "core/plan/resolve.h"
#include "core/plan/validate.h"
#include "core/schedule/registry.h"
#include "widgets/document/scenario_edits.h"
#include "widgets/panels/degree_row.h"
#include "widgets/panels/degree_slider.h"
#include "widgets/panels/field_combo.h"
#include "widgets/panels/field_menu.h"
#include "widgets/panels/field_number.h"
#include "widgets/panels/notice_area.h"
#include "widgets/panels/notice_list.h"
#include "widgets/panels/section_title.h"
#include "widgets/panels/workload_choices.h"
#include "widgets/style/core_text.h"
#include "widgets/style/icons.h"
#include "widgets/style/theme.h"
#include "widgets/teach/term_help.h"

namespace trainyard {
namespace {

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

struct DegreeDefinition {
    const char* name;
    const char* pointer;
    DegreeRow::Lock lock;
};

constexpr DegreeDefinition kDegrees[] = {
    {QT_TRANSLATE_NOOP("trainyard::PlanPanel", "Tensor"), "/plan/tensor_parallel", DegreeRow::Lock::possible},
    {QT_TRANSLATE_NOOP("trainyard::PlanPanel", "Pipeline"), "/plan/pipeline_parallel", DegreeRow::Lock::possible},
    {QT_TRANSLATE_NOOP("trainyard::PlanPanel", "Data"), "/plan/data_parallel", DegreeRow::Lock::possible},
    {QT_TRANSLATE_NOOP("trainyard::PlanPanel", "Context"), "/plan/context_parallel", DegreeRow::Lock::possible},
    {QT_TRANSLATE_NOOP("trainyard::PlanPanel", "Expert"), "/plan/expert_parallel", DegreeRow::Lock::none},
    {QT_TRANSLATE_NOOP("trainyard::PlanPanel", "Virtual stages"), "/plan/virtual_stages", DegreeRow::Lock::none},
    {QT_TRANSLATE_NOOP("trainyard::PlanPanel", "Micro-batch"), "/plan/micro_batch_size", DegreeRow::Lock::none},
};

/// Orders of the dimensions that people use, fastest first.
constexpr const char* kPlacements[] = {"tensor,context,data,pipeline", "tensor,context,pipeline,data",
                                       "tensor,data,context,pipeline", "tensor,pipeline,context,data",
                                       "pipeline,tensor,context,data", "data,tensor,context,pipeline"};

std::vector<Dimension> placementFromKey(const QString& key) {
    std::vector<Dimension> order;
    for (const QString& part : key.split(QLatin1Char(',')))
        if (const auto dimension = dimensionFromName(part.toStdString())) order.push_back(*dimension);
    return order;
}

QString placementKey(const Plan& plan) {
    if (!plan.deviceOfRank.empty()) return QStringLiteral("explicit");
    QStringList parts;
    for (const Dimension dimension : plan.placementOrder) parts << text(name(dimension));
    return parts.isEmpty() ? QString::fromLatin1(kPlacements[0]) : parts.join(QLatin1Char(','));
}

QString idleHint(const FrameworkRules* rulesOrNull) {
    if (rulesOrNull == nullptr)
        return PlanPanel::tr("Struck-out values do not fit this model and cluster. Point at one to see why.");
    return PlanPanel::tr("Struck-out values do not fit this model, cluster or %1. Point at one to see why.")
        .arg(text(rulesOrNull->title()));
}

/// on -> off -> framework default -> on
std::optional<bool> nextSwitch(std::optional<bool> now) {
    if (!now) return true;
    if (*now) return false;
    return std::nullopt;
}

}  // namespace

PlanPanel::PlanPanel(PlanDocument* document, QWidget* parent) : QWidget(parent), document_(document) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* page = new QWidget(scroll);
    noticeArea_ = new NoticeArea(this);
    notices_ = noticeArea_->list();
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(space::kPanelPadding + 2, 10, space::kPanelPadding, space::kPanelPadding);
    layout->setSpacing(0);
    title_ = new SectionTitle(tr("Degrees"), page);
    layout->addWidget(title_);
    layout->addSpacing(4);
    addDegrees(layout);
    addBatchRow(layout);
    layout->addSpacing(4);
    hint_ = new QLabel(page);
    hint_->setFont(type::font(type::kSecondary));
    hint_->setWordWrap(true);
    hint_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    hint_->setForegroundRole(QPalette::PlaceholderText);
    hint_->setFixedHeight(2 * QFontMetrics(hint_->font()).lineSpacing() + 2);  // room for a reason: nothing moves under the hand
    hint_->setText(idleHint(nullptr));
    layout->addWidget(hint_);
    addChoices(layout);
    layout->addStretch(1);
    scroll->setWidget(page);
    outer->addWidget(scroll, 1);
    outer->addWidget(noticeArea_);

    connectChoices();
    connect(notices_, &NoticeList::fixRequested, this, [this](const std::string& pointer, qint64 number) {
        notices_->clearRefusal();
        setNumber(pointer, number);
    });
    connect(document_, &PlanDocument::snapshotChanged, this, [this] {
        notices_->clearRefusal();
        refresh();
    });
    connect(document_, &PlanDocument::evaluationChanged, this, &PlanPanel::refreshNotices);
    refresh();
}

void PlanPanel::addDegrees(QVBoxLayout* layout) {
    for (const DegreeDefinition& definition : kDegrees) {
        auto* row = new DegreeRow(tr(definition.name), definition.pointer, definition.lock, this);
        connect(row, &DegreeRow::gestureBegun, document_, &PlanDocument::beginGesture);
        connect(row, &DegreeRow::gestureEnded, this, [this] {
            document_->endGesture();
            refresh();
        });
        connect(row, &DegreeRow::gestureCancelled, this, [this] {
            document_->cancelGesture();
            refresh();
        });
        connect(row, &DegreeRow::numberRequested, this, &PlanPanel::setNumber);
        connect(row, &DegreeRow::numberTyped, this, &PlanPanel::typeNumber);
        connect(row, &DegreeRow::lockChanged, this, [this] {
            refresh();
            emit locksChanged();
        });
        connect(row, &DegreeRow::reasonHovered, this,
                [this](const QString& reason) { hint_->setText(reason.isEmpty() ? idleHint(rules_.get()) : reason); });
        rows_.push_back(row);
        layout->addWidget(row);
    }
}

void PlanPanel::addBatchRow(QVBoxLayout* layout) {
    auto* row = new QWidget(this);
    row->setFixedHeight(space::kRowHeight);
    setTerm(row, QStringLiteral("/workload/global_batch_size"));
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(4);
    auto* label = new QLabel(tr("Global batch"), row);
    label->setFixedWidth(104);
    microBatches_ = new QLabel(row);
    microBatches_->setForegroundRole(QPalette::PlaceholderText);
    microBatches_->setFont(type::font(type::kSecondary));
    globalBatch_ = new QLineEdit(row);
    globalBatch_->setFrame(false);
    globalBatch_->setFixedWidth(64);
    globalBatch_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    globalBatch_->setFont(type::font(type::kStrong, QFont::DemiBold));
    globalBatch_->setAccessibleName(tr("Global batch, sequences per step"));
    globalBatch_->setValidator(new QIntValidator(0, 1073741824, globalBatch_));
    label->setBuddy(globalBatch_);
    globalBatchLock_ = new QToolButton(row);
    globalBatchLock_->setCheckable(true);
    globalBatchLock_->setChecked(true);
    globalBatchLock_->setAutoRaise(true);
    globalBatchLock_->setProperty("quiet", true);
    globalBatchLock_->setIconSize(QSize(14, 14));
    globalBatchLock_->setFixedSize(24, 24);
    const auto describe = [this] {
        const bool locked = globalBatchLock_->isChecked();
        globalBatchLock_->setIcon(icon(locked ? QStringLiteral("lock") : QStringLiteral("lock-open")));
        globalBatchLock_->setAccessibleName(locked ? tr("Unlock global batch") : tr("Lock global batch"));
        globalBatchLock_->setToolTip(
            locked ? tr("Locked: the number of micro-batches follows the degrees")
                   : tr("Unlocked: the number of micro-batches stays, the global batch follows the degrees"));
    };
    describe();
    connect(globalBatchLock_, &QToolButton::toggled, this, [this, describe] {
        describe();
        emit locksChanged();
    });
    connect(globalBatch_, &QLineEdit::editingFinished, this, [this] {
        const qint64 typed = globalBatch_->text().toLongLong();
        if (typed != document_->snapshot()->workload.globalBatchSize) typeNumber("/workload/global_batch_size", typed);
        globalBatch_->setText(QString::number(document_->snapshot()->workload.globalBatchSize));
    });
    line->addWidget(label);
    line->addWidget(microBatches_, 1);
    line->addWidget(globalBatch_);
    line->addWidget(globalBatchLock_);
    layout->addWidget(row);
}

void PlanPanel::addChoices(QVBoxLayout* layout) {
    auto* grid = new QGridLayout;
    grid->setContentsMargins(0, 4, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(8);
    int cell = 0;
    const auto place = [&](auto* field) {
        grid->addWidget(field, cell / 2, cell % 2);
        ++cell;
        return field;
    };
    framework_ = place(new FieldCombo(tr("Framework"), this));
    framework_->addChoice(tr("Any framework"), QString(), tr("Whatever can be computed is legal"));
    schedule_ = place(new FieldCombo(tr("Schedule"), this));
    for (const ScheduleDefinition* schedule : allSchedules())
        schedule_->addChoice(coreText(schedule->title), text(schedule->id),
                             coreText(schedule->summary) + QStringLiteral("\n") + text(schedule->reference));
    recompute_ = place(new FieldCombo(tr("Recompute"), this));
    recompute_->addChoice(tr("None"), QStringLiteral("none"), tr("Keep every activation"));
    recompute_->addChoice(tr("Selective"), QStringLiteral("selective"), tr("Drop what is cheap to compute again"));
    recompute_->addChoice(tr("Full"), QStringLiteral("full"), tr("Keep the input of each layer only"));
    zero_ = place(new FieldCombo(tr("ZeRO"), this));
    zero_->addChoice(tr("0 · replicated"), QStringLiteral("0"), tr("Every data-parallel device holds all state"));
    zero_->addChoice(tr("1 · optimizer sharded"), QStringLiteral("1"),
                     tr("Optimizer state is split over the data-parallel devices"));
    zero_->addChoice(tr("2 · and gradients"), QStringLiteral("2"), tr("Gradients too"));
    zero_->addChoice(tr("3 · and parameters"), QStringLiteral("3"), tr("Parameters too; they are gathered before use"));
    precision_ = place(makePrecisionField(this));
    optimizer_ = place(makeOptimizerField(this));
    gradientPrecision_ = place(makeGradientPrecisionField(this));
    attention_ = place(makeAttentionField(this));
    sequenceParallel_ = place(new FieldCombo(tr("Sequence parallel"), this));
    sequenceParallel_->addChoice(tr("Off"), QStringLiteral("off"));
    sequenceParallel_->addChoice(tr("On"), QStringLiteral("on"),
                                 tr("Splits norms and residuals over the tensor group along the sequence"));
    contextMethod_ = place(new FieldCombo(tr("Context method"), this));
    contextMethod_->addChoice(tr("Ring"), QStringLiteral("ring"), tr("Keys and values travel around the group"));
    contextMethod_->addChoice(tr("Ulysses"), QStringLiteral("ulysses"), tr("All-to-all: sequence to heads and back"));
    contextMethod_->addChoice(tr("All-gather"), QStringLiteral("all_gather"), tr("Keys and values are gathered once"));
    contextMethod_->addChoice(tr("USP"), QStringLiteral("usp"), tr("Ulysses inside, ring outside"));
    overlap_ = place(new FieldMenu(tr("Overlap"), this));
    recomputeModules_ = place(new FieldMenu(tr("Recomputed modules"), this));
    recomputeLayers_ = place(new FieldNumber(tr("Recomputed layers"), FieldNumber::Kind::count, this));
    placement_ = place(new FieldCombo(tr("Placement, fastest first"), this));
    for (const char* order : kPlacements) {
        QString shown;
        for (const Dimension dimension : placementFromKey(QString::fromLatin1(order))) {
            const QString part = text(name(dimension));
            shown += (shown.isEmpty() ? QString() : QStringLiteral(" · ")) + part.left(1).toUpper() + part.mid(1);
        }
        placement_->addChoice(shown, QString::fromLatin1(order));
    }
    activationOffload_ = place(new FieldCombo(tr("Activations offloaded"), this));
    optimizerOffload_ = place(new FieldCombo(tr("Optimizer offloaded"), this));
    for (FieldCombo* field : {activationOffload_, optimizerOffload_})
        for (const int share : {0, 25, 50, 75, 100})
            field->addChoice(share == 0 ? tr("None") : tr("%1 % to host").arg(share), QString::number(share));

    for (const RecomputeModule module : kAllRecomputeModules) {
        QString shown = text(name(module));
        shown.replace(QLatin1Char('_'), QLatin1Char(' '));
        QAction* action = recomputeModules_->choices()->addAction(shown);
        action->setCheckable(true);
        moduleActions_.push_back(action);
    }
    for (const QString& shown : {tr("Tensor"), tr("Expert"), tr("Data")}) {
        QAction* action = overlap_->choices()->addAction(shown);
        overlapActions_.push_back(action);
    }
    const std::pair<QWidget*, const char*> terms[] = {{schedule_, "/plan/schedule"},
                                                      {recompute_, "/plan/recompute"},
                                                      {zero_, "/plan/zero_stage"},
                                                      {precision_, "/workload/precision"},
                                                      {optimizer_, "/workload/optimizer"},
                                                      {gradientPrecision_, "/workload/gradient_precision"},
                                                      {attention_, "/workload/attention"},
                                                      {sequenceParallel_, "/plan/sequence_parallel"},
                                                      {contextMethod_, "/plan/context_method"},
                                                      {overlap_, "/plan/overlap"},
                                                      {recomputeModules_, "/plan/recompute_modules"},
                                                      {recomputeLayers_, "/plan/recompute_layers"},
                                                      {placement_, "/plan/placement"},
                                                      {activationOffload_, "/plan/activation_offload_fraction"},
                                                      {optimizerOffload_, "/plan/optimizer_offload_fraction"},
                                                      {framework_, "plan:framework"}};
    for (const auto& [field, label] : terms) setTerm(field, QString::fromLatin1(label));
    layout->addLayout(grid);
}

void PlanPanel::connectChoices() {
    connect(framework_, &FieldCombo::keyChosen, this, [this](const QString& id) {
        setFramework(id);
        emit frameworkChosen(id);
    });
    const auto onChoice = [this](FieldCombo* field, const QString& step, auto change) {
        connect(field, &FieldCombo::keyChosen, this, [this, step, change](const QString& key) {
            editScenario(*document_, step, [&](Scenario& s) { change(s, key); });
        });
    };
    onChoice(schedule_, tr("Change schedule"), [](Scenario& s, const QString& key) {
        s.plan.schedule = key.toStdString();
        s.plan.scheduleParameters.clear();
        const ScheduleDefinition* schedule = findScheduleOrNull(s.plan.schedule);
        if (schedule != nullptr && schedule->fixedChunks > 0) s.plan.virtualStages = schedule->fixedChunks;
        if (schedule != nullptr && schedule->needsChunks && s.plan.virtualStages < 2 && s.plan.pipelineParallel > 1)
            s.plan.virtualStages = 2;
        s.plan.layersPerStage.clear();
    });
    onChoice(zero_, tr("Change ZeRO stage"), [](Scenario& s, const QString& key) { s.plan.zeroStage = key.toLongLong(); });
    onChoice(recompute_, tr("Change recomputation"), [](Scenario& s, const QString& key) {
        if (const auto mode = recomputeModeFromName(key.toStdString())) s.plan.recompute.mode = *mode;
        s.plan.recompute.perStage.clear();
    });
    onChoice(precision_, tr("Change precision"), &setPrecision);
    onChoice(gradientPrecision_, tr("Change gradient precision"), &setGradientPrecision);
    onChoice(optimizer_, tr("Change optimizer"), &setOptimizer);
    onChoice(attention_, tr("Change attention"), &setAttention);
    onChoice(sequenceParallel_, tr("Change sequence parallelism"),
             [](Scenario& s, const QString& key) { s.plan.sequenceParallel = key == QStringLiteral("on"); });
    onChoice(contextMethod_, tr("Change context method"), [](Scenario& s, const QString& key) {
        if (const auto method = contextMethodFromName(key.toStdString())) s.plan.contextMethod = *method;
    });
    onChoice(placement_, tr("Change placement"), [](Scenario& s, const QString& key) {
        const auto order = placementFromKey(key);
        if (order.empty()) return;
        s.plan.placementOrder = order;
        s.plan.deviceOfRank.clear();
    });
    onChoice(activationOffload_, tr("Change offloading"),
             [](Scenario& s, const QString& key) { s.plan.activationOffloadFraction = key.toDouble() / 100; });
    onChoice(optimizerOffload_, tr("Change offloading"),
             [](Scenario& s, const QString& key) { s.plan.optimizerOffloadFraction = key.toDouble() / 100; });
    connect(recomputeLayers_, &FieldNumber::numberTyped, this, [this](std::optional<double> number) {
        if (!number) return;
        editScenario(*document_, tr("Change recomputed layers"),
                     [&](Scenario& s) { s.plan.recompute.layers = static_cast<std::int64_t>(*number); });
    });
    for (std::size_t i = 0; i < moduleActions_.size(); ++i)
        connect(moduleActions_[i], &QAction::triggered, this, [this, i](bool on) {
            editScenario(*document_, tr("Change recomputed modules"), [&](Scenario& s) {
                const auto bit = static_cast<unsigned>(kAllRecomputeModules[i]);
                const unsigned modules = s.plan.recompute.modules;
                s.plan.recompute.modules = static_cast<std::uint16_t>(on ? modules | bit : modules & ~bit);
            });
        });
    for (std::size_t i = 0; i < overlapActions_.size(); ++i)
        connect(overlapActions_[i], &QAction::triggered, this, [this, i] {
            editScenario(*document_, tr("Change overlap"), [&](Scenario& s) {
                std::optional<bool>* switches[] = {&s.plan.overlap.tensor, &s.plan.overlap.expert, &s.plan.overlap.data};
                *switches[i] = nextSwitch(*switches[i]);
            });
        });
}

DegreeRow* PlanPanel::row(const std::string& pointer) const {
    for (DegreeRow* row : rows_)
        if (row->pointer() == pointer) return row;
    return nullptr;
}

DegreeLocks PlanPanel::locks() const {
    return {.tensor = row("/plan/tensor_parallel")->isLocked(),
            .context = row("/plan/context_parallel")->isLocked(),
            .data = row("/plan/data_parallel")->isLocked(),
            .pipeline = row("/plan/pipeline_parallel")->isLocked()};
}

bool PlanPanel::isGlobalBatchLocked() const { return globalBatchLock_->isChecked(); }

void PlanPanel::setLocks(const DegreeLocks& locks, bool globalBatch) {
    row("/plan/tensor_parallel")->setLocked(locks.tensor);
    row("/plan/context_parallel")->setLocked(locks.context);
    row("/plan/data_parallel")->setLocked(locks.data);
    row("/plan/pipeline_parallel")->setLocked(locks.pipeline);
    globalBatchLock_->setChecked(globalBatch);
}

void PlanPanel::setFrameworks(std::vector<std::shared_ptr<const FrameworkRules>> frameworks) {
    const QString chosen = framework();
    frameworks_ = std::move(frameworks);
    while (framework_->count() > 1) framework_->removeItem(framework_->count() - 1);
    for (const auto& rules : frameworks_)
        framework_->addChoice(text(rules->title()), text(rules->id()), tr("Rules of version %1").arg(text(rules->version())));
    setFramework(chosen);
}

void PlanPanel::setFramework(const QString& id) {
    rules_.reset();
    for (const auto& rules : frameworks_)
        if (text(rules->id()) == id) rules_ = rules;
    framework_->showKey(framework());
    hint_->setText(idleHint(rules_.get()));
    notices_->clearRefusal();
    refresh();
}

QString PlanPanel::framework() const { return rules_ ? text(rules_->id()) : QString(); }

std::vector<Diagnostic> PlanPanel::planFindings(const Scenario& scenario) const {
    std::vector<Diagnostic> found = validatePlan(scenario);
    return rules_ ? rules_->joined(std::move(found), scenario, FrameworkRules::Detail::sentences) : found;
}

bool PlanPanel::focusOn(const std::string& pointer) {
    if (DegreeRow* found = row(pointer)) {
        found->slider()->setFocus(Qt::OtherFocusReason);
        return true;
    }
    return false;
}

void PlanPanel::setNumber(const std::string& pointer, qint64 number) {
    const Scenario& now = *document_->snapshot();
    auto next = withNumberAt(now, pointer, number, locks(), isGlobalBatchLocked());
    if (next)
        document_->edit(
            std::make_shared<const Scenario>(std::move(*next)),
            tr("Set %1").arg(text(pointer).section(QLatin1Char('/'), -1).replace(QLatin1Char('_'), QLatin1Char(' '))));
}

/// A typed number that would make the plan meaningless is refused with the reason and the nearest legal values; one that
/// is no worse than the plan already is, is taken.
void PlanPanel::typeNumber(const std::string& pointer, qint64 number) {
    const Scenario& now = *document_->snapshot();
    const auto next = withNumberAt(now, pointer, number, locks(), isGlobalBatchLocked());
    if (!next) return;
    if (!hasErrors(planFindings(now))) {
        for (const Diagnostic& diagnostic : planFindings(*next)) {
            if (diagnostic.severity != Severity::error) continue;
            Diagnostic refusal = diagnostic;
            refusal.message = tr("Not set: ").toStdString() + diagnostic.message;
            notices_->setRefusal(refusal);
            noticeArea_->fit();
            return;
        }
    }
    setNumber(pointer, number);
}

void PlanPanel::refresh() {
    const Scenario& s = *document_->snapshot();
    const ResolvedPlan resolved = resolve(s);
    for (DegreeRow* row : rows_)
        row->show(sliderStops(s, row->pointer(), locks(), rules_.get()), numberAt(s, row->pointer()).value_or(1));
    title_->setFact(tr("%1 × %2 × %3 × %4 = %5 devices")
                        .arg(s.plan.tensorParallel)
                        .arg(s.plan.pipelineParallel)
                        .arg(s.plan.contextParallel)
                        .arg(resolved.dataParallel)
                        .arg(s.plan.tensorParallel * s.plan.pipelineParallel * s.plan.contextParallel * resolved.dataParallel));
    if (!globalBatch_->hasFocus() || !globalBatch_->isModified())
        globalBatch_->setText(QString::number(s.workload.globalBatchSize));
    microBatches_->setText(
        tr("%n micro-batches", nullptr, static_cast<int>(std::min<std::int64_t>(resolved.microBatches, 1 << 30))));
    refreshChoices();
    refreshNotices();
}

void PlanPanel::refreshChoices() {
    const Scenario& s = *document_->snapshot();
    const Plan& plan = s.plan;
    const ScheduleDefinition* schedule = findScheduleOrNull(plan.schedule);
    schedule_->showKey(schedule != nullptr ? text(schedule->id) : text(plan.schedule));
    zero_->showKey(QString::number(plan.zeroStage));
    recompute_->showKey(plan.recompute.perStage.empty() ? text(name(plan.recompute.mode)) : tr("Per stage"));
    showWorkload(s, precision_, gradientPrecision_, optimizer_, attention_);
    sequenceParallel_->showKey(plan.sequenceParallel ? QStringLiteral("on") : QStringLiteral("off"));
    contextMethod_->showKey(text(name(plan.contextMethod)));
    contextMethod_->setEnabled(plan.contextParallel > 1);
    placement_->showKey(placementKey(plan));
    activationOffload_->showKey(QString::number(plan.activationOffloadFraction * 100, 'f', 0));
    optimizerOffload_->showKey(QString::number(plan.optimizerOffloadFraction * 100, 'f', 0));

    QStringList modules;
    for (std::size_t i = 0; i < moduleActions_.size(); ++i) {
        const bool on = plan.recompute.recomputes(kAllRecomputeModules[i]);
        moduleActions_[i]->setChecked(on);
        if (on) modules << moduleActions_[i]->text();
    }
    recomputeModules_->setSummary(modules.isEmpty() ? tr("None") : modules.join(QStringLiteral(", ")));
    recomputeModules_->setEnabled(plan.recompute.mode == RecomputeMode::selective);
    recomputeLayers_->setEnabled(plan.recompute.mode == RecomputeMode::full);
    recomputeLayers_->showNumber(static_cast<double>(plan.recompute.layers.value_or(s.model->layers)));

    const std::pair<QString, std::optional<bool>> switches[] = {
        {tr("Tensor"), plan.overlap.tensor}, {tr("Expert"), plan.overlap.expert}, {tr("Data"), plan.overlap.data}};
    QStringList summary;
    for (std::size_t i = 0; i < overlapActions_.size(); ++i) {
        const QString state = !switches[i].second ? tr("default") : *switches[i].second ? tr("on") : tr("off");
        overlapActions_[i]->setText(tr("%1 traffic: %2").arg(switches[i].first, state));
        if (switches[i].second) summary << switches[i].first + QStringLiteral(" ") + state;
    }
    refreshRefusals();
    overlap_->setSummary(summary.isEmpty() ? tr("Framework default") : summary.join(QStringLiteral(", ")));
}

void PlanPanel::refreshRefusals() {
    const Scenario& s = *document_->snapshot();
    const std::pair<FieldCombo*, const char*> fields[] = {
        {schedule_, "/plan/schedule"},           {recompute_, "/plan/recompute"},     {zero_, "/plan/zero_stage"},
        {precision_, "/workload/precision"},     {optimizer_, "/workload/optimizer"}, {attention_, "/workload/attention"},
        {contextMethod_, "/plan/context_method"}};
    for (const auto& [field, pointer] : fields)
        for (int i = 0; i < field->count(); ++i) {
            const QString key = field->itemData(i).toString();
            const ChoiceValue value = std::string_view(pointer) == "/plan/zero_stage" ? ChoiceValue(std::int64_t{key.toInt()})
                                                                                      : ChoiceValue(key.toStdString());
            const std::string reason = rules_ ? rules_->refusal(s, pointer, value) : std::string();
            field->setChoiceRefused(i, text(reason));
        }
}

void PlanPanel::refreshNotices() {
    const auto evaluation = document_->evaluation();
    const Snapshot snapshot = document_->snapshot();
    std::vector<Diagnostic> found = document_->isUpToDate() && evaluation ? evaluation->diagnostics : validate(*snapshot);
    if (rules_) found = rules_->joined(std::move(found), *snapshot, FrameworkRules::Detail::legalValues);
    notices_->setDiagnostics(found);
    noticeArea_->fit();
}

}  // namespace trainyard
