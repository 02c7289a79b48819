#include "widgets/panels/degree_row.h"

#include <QHBoxLayout>
#include <QIntValidator>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "widgets/panels/degree_slider.h"
#include "widgets/style/icons.h"
#include "widgets/style/theme.h"
#include "widgets/teach/term_help.h"

namespace trainyard {

DegreeRow::DegreeRow(const QString& name, std::string pointer, Lock lock, QWidget* parent)
    : QWidget(parent), name_(name), pointer_(std::move(pointer)) {
    setTerm(this, QString::fromStdString(pointer_));
    constexpr int kLabelWidth = 104;
    constexpr int kFieldWidth = 46;
    constexpr int kLockSize = 24;
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    label_ = new QLabel(name, this);
    label_->setFixedWidth(kLabelWidth);
    slider_ = new DegreeSlider(this);
    slider_->setAccessibleName(name);
    label_->setBuddy(slider_);
    field_ = new QLineEdit(this);
    field_->setFrame(false);
    field_->setFixedWidth(kFieldWidth);
    field_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    field_->setFont(type::font(type::kStrong, QFont::DemiBold));
    field_->setAccessibleName(tr("%1, number").arg(name));
    field_->setValidator(new QIntValidator(0, 1000000000, field_));
    layout->addWidget(label_);
    layout->addWidget(slider_, 1);
    layout->addWidget(field_);
    if (lock == Lock::possible) {
        lock_ = new QToolButton(this);
        lock_->setCheckable(true);
        lock_->setAutoRaise(true);
        lock_->setProperty("quiet", true);
        lock_->setIconSize(QSize(14, 14));
        lock_->setFixedSize(kLockSize, kLockSize);
        connect(lock_, &QToolButton::toggled, this, [this] {
            describeLock();
            emit lockChanged();
        });
        describeLock();
        layout->addWidget(lock_);
    } else {
        layout->addSpacing(kLockSize + layout->spacing());
    }

    connect(slider_, &DegreeSlider::gestureBegun, this, [this] { emit gestureBegun(tr("Set %1").arg(name_.toLower())); });
    connect(slider_, &DegreeSlider::gestureEnded, this, &DegreeRow::gestureEnded);
    connect(slider_, &DegreeSlider::gestureCancelled, this, &DegreeRow::gestureCancelled);
    connect(slider_, &DegreeSlider::numberRequested, this, [this](qint64 number) { emit numberRequested(pointer_, number); });
    connect(slider_, &DegreeSlider::stopHovered, this, [this](int index) {
        if (index < 0) return emit reasonHovered(QString());
        emit reasonHovered(QString::fromStdString(slider_->stops()[static_cast<std::size_t>(index)].reason));
    });
    connect(field_, &QLineEdit::editingFinished, this, [this] {
        const qint64 typed = field_->text().toLongLong();
        if (typed != slider_->number()) emit numberTyped(pointer_, typed);
        field_->setText(QString::number(slider_->number()));
    });
}

void DegreeRow::describeLock() {
    lock_->setIcon(icon(lock_->isChecked() ? QStringLiteral("lock") : QStringLiteral("lock-open")));
    lock_->setAccessibleName(lock_->isChecked() ? tr("Unlock %1").arg(name_) : tr("Lock %1").arg(name_));
    lock_->setToolTip(lock_->isChecked() ? tr("Locked: stays as it is while another degree moves")
                                         : tr("Lock: keep it while another degree moves"));
}

bool DegreeRow::isLocked() const { return lock_ != nullptr && lock_->isChecked(); }

void DegreeRow::setLocked(bool locked) {
    if (lock_ != nullptr) lock_->setChecked(locked);
}

void DegreeRow::show(std::vector<SliderStop> stops, std::int64_t number) {
    if (slider_->isDragging()) {
        slider_->showNumber(number);
    } else {
        slider_->setStops(std::move(stops), number);
    }
    field_->setText(QString::number(number));
}

}  // namespace trainyard
