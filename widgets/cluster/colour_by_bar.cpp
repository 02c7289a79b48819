#include "widgets/cluster/colour_by_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>

#include "widgets/style/theme.h"

namespace trainyard {

class ColourByBar::Segment : public QAbstractButton {
  public:
    Segment(const QString& text, QWidget* parent) : QAbstractButton(parent) {
        setText(text);
        setCheckable(true);
        setAutoExclusive(true);
        setFocusPolicy(Qt::TabFocus);
        setAttribute(Qt::WA_Hover);
    }
    [[nodiscard]] QSize sizeHint() const override {
        return {QFontMetrics(type::font(type::kSecondary, QFont::Medium)).horizontalAdvance(text()) + 20, 24};
    }

  protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = Theme::current();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
        if (isChecked()) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.accent);
            painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
        }
        if (hasFocus()) {
            painter.setPen(QPen(isChecked() ? theme.onAccent : theme.accent, 1.25));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(box.adjusted(1.5, 1.5, -1.5, -1.5), box.height() / 2 - 1.5, box.height() / 2 - 1.5);
        }
        painter.setFont(type::font(type::kSecondary, isChecked() ? QFont::DemiBold : QFont::Medium));
        painter.setPen(isChecked() ? theme.onAccent : underMouse() ? theme.text : theme.secondaryText);
        painter.drawText(rect(), Qt::AlignCenter, text());
    }
};

ColourByBar::ColourByBar(QWidget* parent) : QWidget(parent) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(4, 3, 4, 3);
    row->setSpacing(1);
    auto* label = new QLabel(tr("Colour by"), this);
    label->setFont(type::font(type::kSecondary));
    label->setContentsMargins(8, 0, 4, 0);
    label->setForegroundRole(QPalette::PlaceholderText);
    label_ = label;
    row->addWidget(label);
    const QStringList names{tr("Stage"), tr("Tensor"), tr("Data"), tr("Context"), tr("Expert"), tr("Load")};
    const QStringList help{tr("Pipeline stage"),
                           tr("Which devices split each layer among them"),
                           tr("Which devices hold the same weights and average gradients"),
                           tr("Which devices split the sequence among them"),
                           tr("Which devices split the experts among them"),
                           tr("Share of the step in which the device computes")};
    for (std::size_t i = 0; i < std::size(kAllColourings); ++i) {
        const auto index = static_cast<qsizetype>(i);
        auto* segment = new Segment(names[index], this);
        segment->setToolTip(help[index]);
        segment->setAccessibleName(tr("Colour by %1").arg(names[index]));
        connect(segment, &QAbstractButton::clicked, this, [this, i] { setValue(kAllColourings[i]); });
        row->addWidget(segment);
        segments_ << segment;
    }
    segments_.first()->setChecked(true);
    setAccessibleName(tr("Colour devices by"));
}

void ColourByBar::setValue(ColourBy by) {
    segments_[static_cast<qsizetype>(by)]->setChecked(true);
    if (by == value_) return;
    value_ = by;
    emit changed(by);
}

void ColourByBar::setCompact(bool compact) { label_->setVisible(!compact); }

void ColourByBar::keyPressEvent(QKeyEvent* event) {
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (step == 0) {
        QWidget::keyPressEvent(event);
        return;
    }
    const auto count = static_cast<int>(segments_.size());
    const int next = (static_cast<int>(value_) + step + count) % count;
    segments_[next]->setFocus(Qt::TabFocusReason);
    setValue(kAllColourings[static_cast<std::size_t>(next)]);
}

void ColourByBar::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.hairline, 1));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), height() / 2.0 - 0.5, height() / 2.0 - 0.5);
}

}  // namespace trainyard
