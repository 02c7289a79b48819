#include "widgets/panels/degree_slider.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <cmath>

#include "widgets/style/theme.h"

namespace trainyard {
namespace {
constexpr int kHandleRadius = 6;
constexpr int kTrackY = 11;
constexpr int kLabelTop = 19;
constexpr int kHeight = 34;
constexpr int kSideMargin = 10;
}  // namespace

DegreeSlider::DegreeSlider(QWidget* parent) : QAbstractSlider(parent) {
    setOrientation(Qt::Horizontal);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
}

QSize DegreeSlider::sizeHint() const { return {190, kHeight}; }
QSize DegreeSlider::minimumSizeHint() const { return {120, kHeight}; }

void DegreeSlider::setStops(std::vector<SliderStop> stops, std::int64_t current) {
    stops_ = std::move(stops);
    setRange(0, std::max(0, static_cast<int>(stops_.size()) - 1));
    showNumber(current);
    update();
}

void DegreeSlider::showNumber(std::int64_t number) {
    for (std::size_t i = 0; i < stops_.size(); ++i)
        if (stops_[i].value == number) setValue(static_cast<int>(i));
    describe();
    update();
}

std::int64_t DegreeSlider::number() const {
    return stops_.empty() ? 1 : stops_[std::min(static_cast<std::size_t>(value()), stops_.size() - 1)].value;
}

/// The accessible value is the stop's index, so the number itself and what is legal stand in the description.
void DegreeSlider::describe() {
    if (stops_.empty()) return;
    QStringList legal;
    for (const SliderStop& stop : stops_)
        if (stop.legal) legal << QString::number(stop.value);
    setAccessibleDescription(tr("%1; legal values: %2").arg(number()).arg(legal.join(QStringLiteral(", "))));
}

double DegreeSlider::stopX(int index) const {
    const double span = width() - 2.0 * kSideMargin;
    const int gaps = std::max(1, static_cast<int>(stops_.size()) - 1);
    return kSideMargin + span * index / gaps;
}

QPoint DegreeSlider::stopPosition(int index) const { return {static_cast<int>(std::lround(stopX(index))), kTrackY}; }

int DegreeSlider::nearest(double x, bool legalOnly) const {
    int best = -1;
    for (int i = 0; i < static_cast<int>(stops_.size()); ++i) {
        if (legalOnly && !stops_[static_cast<std::size_t>(i)].legal) continue;
        if (best < 0 || std::abs(stopX(i) - x) < std::abs(stopX(best) - x)) best = i;
    }
    return best;
}

void DegreeSlider::ask(int index) {
    if (index < 0 || index == value()) return;
    setValue(index);
    describe();
    update();
    emit numberRequested(stops_[static_cast<std::size_t>(index)].value);
}

void DegreeSlider::step(int direction) {
    for (int i = value() + direction; i >= 0 && i < static_cast<int>(stops_.size()); i += direction)
        if (stops_[static_cast<std::size_t>(i)].legal) return ask(i);
}

void DegreeSlider::hover(int index) {
    if (index == hovered_) return;
    hovered_ = index;
    emit stopHovered(index);
    update();
}

void DegreeSlider::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || stops_.empty()) return;
    dragging_ = true;
    setSliderDown(true);
    emit gestureBegun();
    hover(nearest(event->position().x(), false));
    ask(nearest(event->position().x(), true));
}

void DegreeSlider::mouseMoveEvent(QMouseEvent* event) {
    const int under = nearest(event->position().x(), false);
    const double reach = 0.5 * (width() - 2.0 * kSideMargin) / std::max(1, static_cast<int>(stops_.size()) - 1);
    hover(under >= 0 && std::abs(stopX(under) - event->position().x()) <= std::max(reach, 6.0) ? under : -1);
    if (dragging_) ask(nearest(event->position().x(), true));
}

void DegreeSlider::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !dragging_) return;
    dragging_ = false;
    setSliderDown(false);
    emit gestureEnded();
    update();
}

void DegreeSlider::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Escape:
            if (!dragging_) break;
            dragging_ = false;
            setSliderDown(false);
            emit gestureCancelled();
            return;
        case Qt::Key_Left:
        case Qt::Key_Down: return step(-1);
        case Qt::Key_Right:
        case Qt::Key_Up: return step(1);
        case Qt::Key_Home: return ask(nearest(-1e9, true));
        case Qt::Key_End: return ask(nearest(1e9, true));
        default: break;
    }
    event->ignore();
}

/// The wheel scrolls the panel; a degree that changes because a page scrolled past would be a lost plan.
void DegreeSlider::wheelEvent(QWheelEvent* event) { event->ignore(); }

void DegreeSlider::leaveEvent(QEvent*) { hover(-1); }

bool DegreeSlider::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int index = nearest(help->pos().x(), false);
        if (index >= 0) {
            const SliderStop& stop = stops_[static_cast<std::size_t>(index)];
            const QString reason = QString::fromStdString(stop.reason);
            if (!reason.isEmpty())
                QToolTip::showText(help->globalPos(), QStringLiteral("<p>%1</p>").arg(reason.toHtmlEscaped()), this);
        }
        return true;
    }
    return QAbstractSlider::event(event);
}

void DegreeSlider::paintEvent(QPaintEvent*) {
    if (stops_.empty()) return;
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int count = static_cast<int>(stops_.size());
    const auto colour = [this](const QColor& c) { return isEnabled() ? c : Theme::current().faintText; };

    // Track, filled up to the handle.
    const double left = stopX(0);
    const double right = count > 1 ? stopX(count - 1) : width() - double{kSideMargin};
    const double handle = stopX(value());
    painter.setPen(QPen(theme.hairline, 3, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(QPointF(left, kTrackY), QPointF(right, kTrackY));
    if (handle > left) {
        painter.setPen(QPen(colour(theme.accent), 3, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(QPointF(left, kTrackY), QPointF(handle, kTrackY));
    }

    // Stops.
    for (int i = 0; i < count; ++i) {
        const SliderStop& stop = stops_[static_cast<std::size_t>(i)];
        const QPointF at(stopX(i), kTrackY);
        painter.setPen(Qt::NoPen);
        if (!stop.legal) {
            painter.setBrush(theme.faintText);
            painter.drawEllipse(at, 1.75, 1.75);
        } else if (stop.uneven) {
            painter.setPen(QPen(i <= value() ? colour(theme.accent) : theme.secondaryText, 1.5));
            painter.setBrush(theme.panel);
            painter.drawEllipse(at, 2.75, 2.75);
        } else {
            painter.setBrush(i <= value() ? colour(theme.accent) : theme.secondaryText);
            painter.drawEllipse(at, 3, 3);
        }
    }

    // Labels: the current one first, then the ends, then the rest where there is room.
    const QFont font = type::font(type::kCaption);
    const QFont strong = type::font(type::kCaption, QFont::DemiBold);
    const QFontMetricsF metrics(font);
    std::vector<int> order{value(), 0, count - 1};
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 1; i + 1 < count; ++i)
            if (stops_[static_cast<std::size_t>(i)].legal == (pass == 0)) order.push_back(i);
    if (hovered_ >= 0 && hovered_ < count) order.insert(order.begin() + 1, hovered_);
    std::vector<QRectF> taken;
    for (const int i : order) {
        const SliderStop& stop = stops_[static_cast<std::size_t>(i)];
        const QString text = QString::number(stop.value);
        const double width = metrics.horizontalAdvance(text);
        QRectF box(stopX(i) - width / 2, kLabelTop, width, metrics.height());
        if (box.left() < 0) box.moveLeft(0);
        if (box.right() > this->width()) box.moveRight(this->width());
        const QRectF room = box.adjusted(-3, 0, 3, 0);
        if (std::any_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(room); })) continue;
        taken.push_back(box);
        const bool current = i == value();
        QFont used = current ? strong : font;
        used.setStrikeOut(!stop.legal);
        painter.setFont(used);
        painter.setPen(current ? theme.text : !stop.legal ? theme.faintText : theme.secondaryText);
        if (!isEnabled()) painter.setPen(theme.faintText);
        painter.drawText(box.adjusted(-4, 0, 4, 0), Qt::AlignCenter, text);
    }

    // Handle.
    const bool legal = stops_[static_cast<std::size_t>(value())].legal;
    const QColor fill = !isEnabled() ? theme.faintText : legal ? theme.accent : theme.outOfMemory;
    if (hasFocus()) {
        QColor halo = theme.accent;
        halo.setAlphaF(0.28F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(halo);
        painter.drawEllipse(QPointF(handle, kTrackY), kHandleRadius + 4, kHandleRadius + 4);
    }
    painter.setPen(QPen(theme.panel, 2));
    painter.setBrush(fill);
    painter.drawEllipse(QPointF(handle, kTrackY), kHandleRadius + 0.5, kHandleRadius + 0.5);
}

}  // namespace trainyard
