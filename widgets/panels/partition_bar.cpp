#include "widgets/panels/partition_bar.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include "core/base/format_quantity.h"
#include "core/plan/validate.h"
#include "widgets/document/scenario_edits.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

struct Freedom {
    const char* label;
    const char* tip;
};
constexpr Freedom kFreedoms[] = {
    {QT_TRANSLATE_NOOP("trainyard::PartitionBar", "stage order"), QT_TRANSLATE_NOOP("trainyard::PartitionBar", "Stages may swap their devices")},
    {QT_TRANSLATE_NOOP("trainyard::PartitionBar", "tensor per stage"),
     QT_TRANSLATE_NOOP("trainyard::PartitionBar", "Every stage may have a tensor degree of its own")},
    {QT_TRANSLATE_NOOP("trainyard::PartitionBar", "replicas"),
     QT_TRANSLATE_NOOP("trainyard::PartitionBar", "Every replica may have its own stages, split and share of the batch")},
    {QT_TRANSLATE_NOOP("trainyard::PartitionBar", "shares"),
     QT_TRANSLATE_NOOP("trainyard::PartitionBar", "With ZeRO 3 every device may have its own micro-batch and share of the states")}};

}  // namespace

PartitionBar::PartitionBar(PlanDocument* document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      start_(new QPushButton(tr("Partition"), this)),
      progress_(new QProgressBar(this)),
      summary_(new QLabel(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::kUnit * 2);
    start_->setToolTip(tr("Splits the layers over the devices so that a step is shortest, under every device's memory"));
    row->addWidget(start_);
    for (std::size_t i = 0; i < free_.size(); ++i) {
        free_[i] = new QCheckBox(tr(kFreedoms[i].label), this);
        free_[i]->setToolTip(tr(kFreedoms[i].tip));
        row->addWidget(free_[i]);
    }
    progress_->setRange(0, 0);
    progress_->setTextVisible(false);
    progress_->setFixedWidth(120);
    progress_->setVisible(false);
    row->addWidget(progress_);
    summary_->setMinimumWidth(0);
    summary_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    summary_->setText(tr("Layers per stage for these devices; ticks let it change more."));
    row->addWidget(summary_, 1);
    connect(start_, &QPushButton::clicked, this, [this] { thread_.joinable() ? cancel() : start(); });
}

PartitionBar::~PartitionBar() = default;

void PartitionBar::setFreedom(const PartitionFreedom& freedom) {
    const bool ticks[] = {freedom.order, freedom.tensor, freedom.replicas, freedom.shares};
    for (std::size_t i = 0; i < free_.size(); ++i) free_[i]->setChecked(ticks[i]);
}

PartitionFreedom PartitionBar::freedom() const {
    return {.order = free_[0]->isChecked(), .tensor = free_[1]->isChecked(), .replicas = free_[2]->isChecked(), .shares = free_[3]->isChecked()};
}

void PartitionBar::start(bool wait) {
    if (thread_.joinable()) return;
    const Snapshot snapshot = document_->snapshot();
    if (hasErrors(validate(*snapshot))) {
        summary_->setText(tr("The plan cannot run as it stands; mend it first."));
        return;
    }
    const PartitionFreedom wanted = freedom();
    if (wait) {
        apply(partitionPlan(*snapshot, wanted), snapshot, false);
        return;
    }
    start_->setText(tr("Cancel"));
    progress_->setVisible(true);
    thread_ = std::jthread([this, snapshot, wanted](const std::stop_token& stop) {
        auto found = std::make_shared<PlanPartition>(partitionPlan(*snapshot, wanted, {}, stop, [this](double bestStepS, std::int64_t tried) {
            if (tried % 8 != 0) return;
            QMetaObject::invokeMethod(
                this,
                [this, bestStepS, tried] {
                    summary_->setText(bestStepS > 0 ? tr("%1 tried, best %2").arg(tried).arg(text(secondsText(bestStepS).joined()))
                                                    : tr("%1 tried, none fits yet").arg(tried));
                },
                Qt::QueuedConnection);
        }));
        const bool cancelled = stop.stop_requested();
        QMetaObject::invokeMethod(
            this,
            [this, found, snapshot, cancelled] {
                if (thread_.joinable()) thread_.join();
                thread_ = {};
                start_->setText(tr("Partition"));
                progress_->setVisible(false);
                apply(*found, snapshot, cancelled);
            },
            Qt::QueuedConnection);
    });
}

void PartitionBar::cancel() { thread_.request_stop(); }

void PartitionBar::apply(const PlanPartition& found, const Snapshot& of, bool cancelled) {
    if (cancelled) {
        summary_->setText(tr("Cancelled; the plan is as it was."));
    } else if (!found.found) {
        summary_->setText(tr("Nothing fits; %1 too much on the fullest device.").arg(text(bytesText(found.overflowBytes).joined())));
    } else if (document_->snapshot() != of) {
        summary_->setText(tr("The scenario changed meanwhile; partition it again."));
    } else {
        const QString sure = found.optimal ? tr("no other split is faster")
                                           : tr("at most %1 above the bound").arg(text(percentText(found.gap).joined()));
        const QString step = text(secondsText(found.stepS).joined());
        summary_->setText(found.plan == of->plan      ? tr("Nothing faster than the plan as it stands (%1; %2).").arg(step, sure)
                          : found.nowStepS > 0 ? tr("%1 instead of %2, by %3; %4.").arg(step, text(secondsText(found.nowStepS).joined()), text(found.how), sure)
                                               : tr("%1, by %2; %3.").arg(step, text(found.how), sure));
        const Plan plan = found.plan;
        editScenario(*document_, tr("Partition"), [&](Scenario& scenario) { scenario.plan = plan; });
    }
    emit finished();
}

}  // namespace trainyard
