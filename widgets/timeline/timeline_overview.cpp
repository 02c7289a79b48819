#include "widgets/timeline/timeline_overview.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "widgets/style/figure_export.h"
#include "widgets/style/theme.h"
#include "widgets/timeline/span_geometry.h"

namespace trainyard {
namespace {

constexpr double kHandleWidth = 7;
constexpr double kHandleReach = 9;  ///< pixels from the border in which a handle is caught
constexpr double kTop = 6;
constexpr double kBottom = 6;
constexpr double kRight = 12;

}  // namespace

TimelineOverview::TimelineOverview(TimelineViewport* viewport, QWidget* parent) : QWidget(parent), viewport_(viewport) {
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Overview of the step"));
    connect(viewport_, &TimelineViewport::visibleChanged, this, qOverload<>(&QWidget::update));
    connect(viewport_, &TimelineViewport::markedChanged, this, qOverload<>(&QWidget::update));
    connect(viewport_, &TimelineViewport::scrubberChanged, this, qOverload<>(&QWidget::update));
}

void TimelineOverview::setModel(std::shared_ptr<const TimelineModel> model) {
    model_ = std::move(model);
    pictureIsValid_ = false;
    update();
}

void TimelineOverview::setMarks(std::vector<double> times) {
    marks_ = std::move(times);
    update();
}

void TimelineOverview::setLeftMargin(double pixels) {
    leftMargin_ = pixels;
    pictureIsValid_ = false;
    update();
}

QRectF TimelineOverview::strip() const {
    return {leftMargin_ + kHandleWidth / 2, kTop, std::max(20.0, width() - leftMargin_ - kRight - kHandleWidth / 2),
            height() - kTop - kBottom};
}

TimeScale TimelineOverview::timeScale() const {
    const QRectF area = strip();
    return {wholeRange(viewport_->limits().whole), area.left(), area.width()};
}

void TimelineOverview::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        pictureIsValid_ = false;
        update();
    }
    QWidget::changeEvent(event);
}

void TimelineOverview::paintStrip(QPainter& painter, const QRectF& area) const {
    const Theme& theme = Theme::current();
    painter.fillRect(area, theme.kind == ThemeKind::dark ? theme.raised : theme.window);
    const int rows = model_->rows();
    const double pitch = (area.height() - 4) / rows;
    const TimeScale scale{wholeRange(model_->makespan()), area.left(), area.width()};
    LaneGeometry geometry;
    // Where there are more rows than pixels, some rows stand for their neighbours.
    const int step = std::max(1, static_cast<int>(std::ceil(2.0 / pitch)));
    for (int row = 0; row < rows; row += step) {
        laneGeometry(*model_, row, Lane::compute, scale, geometry);
        const double top = area.top() + 2 + row * pitch;
        const double height = std::max(1.0, pitch * step - (pitch * step >= 3 ? 1 : 0));
        if (!geometry.isColumns) {
            for (const SpanRect& rect : geometry.rects) {
                painter.fillRect(QRectF(rect.x0, top, std::max(0.5, rect.x1 - rect.x0), height),
                                 theme.fill(spanColor(theme, rect.style)));
            }
            continue;
        }
        for (std::size_t column = 0; column < geometry.columns.size(); ++column) {
            // The mixture of the colours at the strength of the busy share: too low for a picture in the picture.
            double red = 0, green = 0, blue = 0, busy = 0;
            for (const SpanStyle style : kAllSpanStyles) {
                const auto share = static_cast<double>(geometry.columns[column][static_cast<std::size_t>(style)]);
                const QColor color = spanColor(theme, style);
                red += share * color.redF();
                green += share * color.greenF();
                blue += share * color.blueF();
                busy += share;
            }
            if (busy <= 0.005) continue;
            const auto part = [&](double sum) { return static_cast<float>(std::clamp(sum / busy, 0.0, 1.0)); };
            painter.fillRect(QRectF(area.left() + static_cast<double>(column), top, 1, height),
                             QColor::fromRgbF(part(red), part(green), part(blue), static_cast<float>(std::min(1.0, busy))));
        }
    }
}

void TimelineOverview::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::current();
    painter.fillRect(rect(), theme.panel);
    if (!model_ || model_->rows() == 0) return;
    const QRectF area = strip();
    if (isVectorPainter(painter)) {
        paintStrip(painter, area);
    } else {
        const qreal ratio = devicePixelRatioF();
        const QSize size = (QSizeF(this->size()) * ratio).toSize();
        if (!pictureIsValid_ || picture_.size() != size || picture_.devicePixelRatio() != ratio) {
            picture_ = QPixmap(size);
            picture_.setDevicePixelRatio(ratio);
            picture_.fill(Qt::transparent);
            QPainter strip(&picture_);
            paintStrip(strip, area);
            pictureIsValid_ = true;
        }
        painter.drawPixmap(0, 0, picture_);
    }

    const TimeScale scale = timeScale();
    const double x0 = std::clamp(scale.toX(viewport_->visible().begin), area.left(), area.right());
    const double x1 = std::clamp(scale.toX(viewport_->visible().end), area.left(), area.right());
    QColor veil = theme.panel;
    veil.setAlphaF(0.66F);
    painter.fillRect(QRectF(area.left(), area.top(), x0 - area.left(), area.height()), veil);
    painter.fillRect(QRectF(x1, area.top(), area.right() - x1, area.height()), veil);
    if (const auto& marked = viewport_->marked()) {
        QColor tint = theme.accent;
        tint.setAlphaF(0.25F);
        const double m0 = std::clamp(scale.toX(marked->begin), area.left(), area.right());
        const double m1 = std::clamp(scale.toX(marked->end), area.left(), area.right());
        painter.fillRect(QRectF(m0, area.top(), std::max(1.0, m1 - m0), area.height()), tint);
    }
    for (const double time : marks_) painter.fillRect(QRectF(scale.toX(time) - 0.5, area.top() - 4, 1.5, 4), theme.accent);
    if (const auto& scrubber = viewport_->scrubber()) {
        painter.fillRect(QRectF(scale.toX(*scrubber) - 0.5, area.top() - 2, 1.5, area.height() + 4), theme.accent);
    }

    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(theme.accent, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(x0, area.top(), x1 - x0, area.height()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accent);
    const double handleHeight = std::min(18.0, area.height() - 6);
    for (const double x : {x0, x1}) {
        const QRectF handle(x - kHandleWidth / 2, area.center().y() - handleHeight / 2, kHandleWidth, handleHeight);
        painter.setBrush(theme.accent);
        painter.drawRoundedRect(handle, 3, 3);
        painter.setBrush(theme.onAccent);
        painter.drawRect(QRectF(x - 0.5, handle.top() + 5, 1, handle.height() - 10));
    }
}

TimelineOverview::Grip TimelineOverview::gripAt(double x) const {
    const TimeScale scale = timeScale();
    const double x0 = scale.toX(viewport_->visible().begin);
    const double x1 = scale.toX(viewport_->visible().end);
    const double toBegin = std::abs(x - std::max(x0, strip().left()));
    const double toEnd = std::abs(x - std::min(x1, strip().right()));
    if (std::min(toBegin, toEnd) <= kHandleReach) return toBegin < toEnd ? Grip::begin : Grip::end;
    return x > x0 && x < x1 ? Grip::body : Grip::none;
}

void TimelineOverview::mousePressEvent(QMouseEvent* event) {
    if (!model_ || event->button() != Qt::LeftButton) return;
    const double time = timeScale().toTime(event->position().x());
    grip_ = gripAt(event->position().x());
    if (grip_ == Grip::none) {
        const double half = viewport_->visible().length() / 2;
        viewport_->setVisible({time - half, time + half});
        grip_ = Grip::body;
    }
    pressedTime_ = time;
    pressedRange_ = viewport_->visible();
}

void TimelineOverview::mouseMoveEvent(QMouseEvent* event) {
    const double x = event->position().x();
    if (grip_ == Grip::none) {
        const Grip under = gripAt(x);
        setCursor(under == Grip::body ? Qt::OpenHandCursor : (under == Grip::none ? Qt::PointingHandCursor : Qt::SizeHorCursor));
        return;
    }
    const double time = timeScale().toTime(x);
    const double least = viewport_->limits().shortest;
    const double moved = time - pressedTime_;
    switch (grip_) {
        case Grip::begin:
            viewport_->setVisible({std::min(pressedRange_.begin + moved, pressedRange_.end - least), pressedRange_.end});
            break;
        case Grip::end:
            viewport_->setVisible({pressedRange_.begin, std::max(pressedRange_.end + moved, pressedRange_.begin + least)});
            break;
        case Grip::body: viewport_->setVisible({pressedRange_.begin + moved, pressedRange_.end + moved}); break;
        case Grip::none: break;
    }
}

void TimelineOverview::mouseReleaseEvent(QMouseEvent*) { grip_ = Grip::none; }

void TimelineOverview::mouseDoubleClickEvent(QMouseEvent*) { viewport_->showAll(); }

void TimelineOverview::wheelEvent(QWheelEvent* event) {
    const double anchor = timeScale().toTime(event->position().x());
    viewport_->zoom(anchor, std::pow(1.25, event->angleDelta().y() / 120.0));
    event->accept();
}

}  // namespace trainyard
