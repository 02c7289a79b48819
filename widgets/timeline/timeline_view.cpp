#include "widgets/timeline/timeline_view.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPainter>
#include <QPainterPath>
#include <QStyleOptionFocusRect>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "widgets/style/theme.h"

namespace trainyard {
namespace {

constexpr double kDragThreshold = 4;
constexpr double kEdgeSlack = 4;
constexpr double kHitSlack = 3;
constexpr double kZoomStep = 1.25;
constexpr double kPanShare = 0.10;
constexpr double kWheelNotch = 120;

}  // namespace

TimelineView::TimelineView(QWidget* parent)
    : QWidget(parent), viewport_(new TimelineViewport(this)), scrollBar_(new QScrollBar(Qt::Vertical, this)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(tr("Pipeline schedule, one row per stage. Press question mark for the keys."));
    scrollBar_->hide();
    scrollBar_->setFocusPolicy(Qt::NoFocus);
    scrollBar_->setAccessibleName(tr("Rows"));
    connect(scrollBar_, &QScrollBar::valueChanged, this, &TimelineView::invalidate);
    connectViewport();
}

TimelineView::~TimelineView() = default;

void TimelineView::connectViewport() {
    connect(viewport_, &TimelineViewport::visibleChanged, this, &TimelineView::invalidate);
    connect(viewport_, &TimelineViewport::markedChanged, this, qOverload<>(&QWidget::update));
    connect(viewport_, &TimelineViewport::scrubberChanged, this, qOverload<>(&QWidget::update));
}

void TimelineView::setViewport(TimelineViewport* viewport) {
    disconnect(viewport_, nullptr, this, nullptr);
    if (viewport_->parent() == this) delete viewport_;
    viewport_ = viewport;
    connectViewport();
    invalidate();
}

void TimelineView::setModel(std::shared_ptr<const TimelineModel> model) {
    model_ = std::move(model);
    // Numbers of spans belong to the old timeline.
    selectedSpan_.reset();
    hoveredSpan_.reset();
    lastRevealed_.reset();
    found_.clear();
    foundCurrent_.reset();
    if (model_ && viewport_->parent() == this) viewport_->setLimits(model_->limits());
    updateScrollBar();
    refreshEmphasis();
    if (pointer_) setPointer(pointer_);
    invalidate();
}

void TimelineView::setRulerVisible(bool isVisible) {
    hasRuler_ = isVisible;
    updateScrollBar();
    invalidate();
}

void TimelineView::setSelectedRow(std::optional<int> row) {
    if (selectedRow_ == row) return;
    selectedRow_ = row;
    update();
}

void TimelineView::setHoveredRow(std::optional<int> row) {
    if (hoveredRow_ == row) return;
    hoveredRow_ = row;
    update();
}

void TimelineView::setSelectedMicroBatch(std::optional<int> microBatch) {
    if (selectedMicroBatch_ == microBatch) return;
    selectedMicroBatch_ = microBatch;
    refreshEmphasis();
}

void TimelineView::setSelectedSpan(std::optional<std::uint32_t> span) {
    if (selectedSpan_ == span) return;
    selectedSpan_ = span;
    if (span && model_) setAccessibleDescription(model_->describe(*span));
    update();
}

void TimelineView::setCriticalPathShown(bool isShown) {
    if (isCriticalPathShown_ == isShown) return;
    isCriticalPathShown_ = isShown;
    refreshEmphasis();
}

void TimelineView::setIdleByCause(bool isOn) {
    if (isIdleByCause_ == isOn) return;
    isIdleByCause_ = isOn;
    invalidate();
}

void TimelineView::setMeasured(std::shared_ptr<const MeasuredOverlay> overlay) {
    if (measured_ == overlay) return;
    measured_ = std::move(overlay);
    invalidate();
}

void TimelineView::setFound(std::vector<std::uint32_t> spans, std::optional<std::uint32_t> current) {
    found_ = std::move(spans);
    foundCurrent_ = current;
    refreshEmphasis();
}

void TimelineView::setRowZoom(double zoom) {
    rowZoom_ = std::clamp(zoom, 0.5, 6.0);
    updateScrollBar();
    invalidate();
}

void TimelineView::refreshEmphasis() {
    emphasised_.clear();
    arrows_.clear();
    if (model_) {
        if (!found_.empty()) {
            emphasised_ = found_;
        } else if (selectedMicroBatch_) {
            emphasised_ = model_->spansOfMicroBatch(*selectedMicroBatch_);
            arrows_ = model_->dependencies(*selectedMicroBatch_);
        } else if (isCriticalPathShown_) {
            emphasised_ = model_->criticalPath();
            for (std::size_t index = 1; index < emphasised_.size(); ++index)
                arrows_.emplace_back(emphasised_[index - 1], emphasised_[index]);
        }
    }
    update();
}

TimelineLayout TimelineView::pictureLayout() const {
    const int rows = model_ ? model_->rows() : 0;
    static const std::vector<Lane> kNone;
    QRectF area(rect());
    if (!scrollBar_->isHidden()) area.setRight(area.right() - scrollBar_->width());
    return timelineLayout(area, rows, model_ ? model_->thinLanes() : kNone, rowZoom_, scrollBar_->value(), hasRuler_);
}

TimeScale TimelineView::timeScale() const {
    const TimelineLayout layout = pictureLayout();
    return {viewport_->visible(), layout.rows.left(), layout.rows.width()};
}

TimelineScene TimelineView::scene() const {
    TimelineScene scene;
    scene.model = model_.get();
    scene.layout = pictureLayout();
    scene.visible = viewport_->visible();
    scene.selectedRow = selectedRow_;
    scene.hoveredRow = hoveredRow_;
    scene.emphasised = emphasised_;
    scene.veilOthers = !emphasised_.empty();
    scene.arrows = arrows_;
    scene.arrowsAreCritical = isCriticalPathShown_ && !selectedMicroBatch_ && found_.empty();
    scene.selectedSpan = foundCurrent_ ? foundCurrent_ : selectedSpan_;
    scene.hoveredSpan = hoveredSpan_;
    scene.idleByCause = isIdleByCause_;
    scene.measured = measured_.get();
    scene.marked = viewport_->marked();
    scene.scrubber = viewport_->scrubber();
    if (pointer_ && scene.layout.rows.contains(*pointer_)) scene.pointer = scene.scale().toTime(pointer_->x());
    return scene;
}

void TimelineView::invalidate() {
    baseIsValid_ = false;
    update();
}

void TimelineView::updateScrollBar() {
    const bool wasHidden = scrollBar_->isHidden();
    const TimelineLayout layout = pictureLayout();
    const int hidden = static_cast<int>(std::ceil(layout.contentHeight() - layout.rows.height() - 0.5));
    scrollBar_->setVisible(hidden > 0);
    scrollBar_->setRange(0, std::max(0, hidden));
    scrollBar_->setPageStep(std::max(1, static_cast<int>(layout.rows.height())));
    scrollBar_->setSingleStep(std::max(8, static_cast<int>(layout.anatomy.pitch)));
    const int width = scrollBar_->sizeHint().width();
    const int top = hasRuler_ ? static_cast<int>(kRulerHeight) : 0;
    scrollBar_->setGeometry(this->width() - width, top, width, height() - top);
    if (wasHidden != scrollBar_->isHidden()) baseIsValid_ = false;
}

void TimelineView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    updateScrollBar();
    invalidate();
}

void TimelineView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) invalidate();
    QWidget::changeEvent(event);
}

void TimelineView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::current();
    if (!model_ || model_->rows() == 0) {
        painter.fillRect(rect(), theme.panel);
        return;
    }
    const TimelineScene current = scene();
    if (isVectorPainter(painter)) {
        painter_.paintBase(painter, current, theme);
    } else {
        const qreal ratio = devicePixelRatioF();
        const QSize size = (QSizeF(this->size()) * ratio).toSize();
        if (!baseIsValid_ || base_.size() != size || base_.devicePixelRatio() != ratio) {
            if (base_.size() != size) base_ = QPixmap(size);
            base_.setDevicePixelRatio(ratio);
            base_.fill(theme.panel);
            QPainter base(&base_);
            painter_.paintBase(base, current, theme);
            baseIsValid_ = true;
        }
        painter.drawPixmap(0, 0, base_);
    }
    painter_.paintLabels(painter, current, theme);
    painter_.paintMarks(painter, current, theme);
    if (pointer_ && drag_ == Drag::none) paintCard(painter, current);
    if (hasFocus() && window()->property("keyboardFocusVisible").toBool()) {
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void TimelineView::paintFigure(QPainter& painter, const QRectF& area) {
    const Theme& theme = Theme::current();
    if (!model_ || model_->rows() == 0) {
        painter.fillRect(area, theme.panel);
        return;
    }
    TimelineScene figure = scene();
    constexpr double kLeastFigurePitch = 5;  // a figure never scrolls
    figure.layout = timelineLayout(area, model_->rows(), model_->thinLanes(), 1.0, 0, hasRuler_, kLeastFigurePitch);
    figure.hoveredSpan.reset();
    figure.pointer.reset();
    TimelinePainter painterOfFigure;
    painterOfFigure.paintBase(painter, figure, theme);
    painterOfFigure.paintLabels(painter, figure, theme);
    painterOfFigure.paintMarks(painter, figure, theme);
}

void TimelineView::paintCard(QPainter& painter, const TimelineScene& current) const {
    const SpanStory story = storyAt(*pointer_);
    if (story.title.isEmpty()) return;
    const Theme& theme = Theme::current();
    const QFont titleFont = type::font(type::kSecondary, QFont::DemiBold);
    const QFont lineFont = type::font(type::kSecondary);
    const QFontMetricsF titleMetrics(titleFont);
    const QFontMetricsF lineMetrics(lineFont);
    constexpr double kPadding = 10;
    constexpr double kMostWidth = 420;
    double width = titleMetrics.horizontalAdvance(story.title);
    std::vector<double> heights;
    for (const QString& line : story.lines) width = std::max(width, std::min(kMostWidth, lineMetrics.horizontalAdvance(line)));
    width = std::ceil(width) + 1;
    double height = titleMetrics.height() + 2;
    for (const QString& line : story.lines) {
        heights.push_back(std::ceil(lineMetrics.boundingRect(QRectF(0, 0, width, 1000), Qt::TextWordWrap, line).height()) + 1);
        height += heights.back();
    }
    QRectF card(0, 0, width + 2 * kPadding, height + 2 * kPadding - 4);
    // Beside the pointer, on the side where there is room; never over the pointer itself.
    double x = pointer_->x() + 14;
    if (x + card.width() > rect().right() - 4) x = pointer_->x() - 14 - card.width();
    double y = pointer_->y() + 18;
    if (y + card.height() > rect().bottom() - 4) y = pointer_->y() - 14 - card.height();
    card.moveTo(std::clamp(x, 4.0, std::max(4.0, rect().right() - 4.0 - card.width())), std::max(4.0, y));
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    for (int spread = 4; spread > 0; --spread) {
        painter.setBrush(QColor(0, 0, 0, theme.kind == ThemeKind::dark ? 26 : 10));
        painter.drawRoundedRect(card.adjusted(-spread, -spread + 2, spread, spread + 2), 8 + spread, 8 + spread);
    }
    painter.setPen(QPen(theme.hairline, 1));
    painter.setBrush(theme.raised);
    painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 7, 7);
    if (hoveredSpan_) {
        const Action& action = current.model->timeline().action[*hoveredSpan_];
        painter.setPen(Qt::NoPen);
        painter.setBrush(spanColor(theme, styleOf(action.kind)));
        painter.drawRoundedRect(QRectF(card.left(), card.top() + 7, 3, card.height() - 14), 1.5, 1.5);
    }
    QPointF at(card.left() + kPadding, card.top() + kPadding - 2);
    painter.setFont(titleFont);
    painter.setPen(theme.text);
    painter.drawText(QRectF(at, QSizeF(width, titleMetrics.height())), Qt::AlignLeft | Qt::AlignVCenter, story.title);
    at.ry() += titleMetrics.height() + 2;
    painter.setFont(lineFont);
    painter.setPen(theme.secondaryText);
    for (qsizetype index = 0; index < story.lines.size(); ++index) {
        const double lineHeight = heights[static_cast<std::size_t>(index)];
        painter.drawText(QRectF(at, QSizeF(width, lineHeight)), Qt::TextWordWrap, story.lines[index]);
        at.ry() += lineHeight;
    }
}

std::optional<std::uint32_t> TimelineView::spanAt(QPointF point) const {
    if (!model_) return std::nullopt;
    const auto place = pictureLayout().placeAt(point);
    if (!place || !place->lane) return std::nullopt;
    if (measured_ && place->lane == Lane::compute && scene().measuredLane(place->row).contains(point)) return std::nullopt;
    return hitSpan(*model_, place->row, *place->lane, timeScale(), point.x(), kHitSlack);
}

SpanStory TimelineView::storyAt(QPointF point) const {
    if (!model_) return {};
    const TimelineLayout layout = pictureLayout();
    const auto place = layout.placeAt(point);
    if (!place) return {};
    const TimeScale scale = timeScale();
    if (measured_ && place->lane == Lane::compute && scene().measuredLane(place->row).contains(point)) {
        const int row = measured_->rowOf(place->row);
        if (row < 0) return {};
        const auto span = hitSpan(*measured_->model, row, Lane::compute, scale, point.x(), kHitSlack);
        if (!span) return idleStory(*measured_->model, row, scale.toTime(point.x()));
        SpanStory story = spanStory(*measured_->model, *span, 1);
        story.title = tr("Measured: %1").arg(story.title);
        story.lines = story.lines.mid(0, 2);  // why it waited, a trace does not say
        const auto planned = model_->spanOf(measured_->model->timeline().action[*span]);
        if (planned) story.lines << measuredLine(*model_, *planned, *measured_);
        return story;
    }
    if (place->lane) {
        if (const auto span = hitSpan(*model_, place->row, *place->lane, scale, point.x(), kHitSlack)) {
            const double pixel = 0.5 / scale.pixelsPerTick();
            const double time = scale.toTime(point.x());
            const TimeRange own = model_->rangeOf(*span);
            const bool isNarrow = own.length() * scale.pixelsPerTick() < 1;
            SpanStory story = spanStory(
                *model_, *span, isNarrow ? visibleSpans(*model_, place->row, *place->lane, {time - pixel, time + pixel}) : 1);
            if (measured_ && *place->lane == Lane::compute) story.lines << measuredLine(*model_, *span, *measured_);
            return story;
        }
        if (*place->lane == Lane::compute) return idleStory(*model_, place->row, scale.toTime(point.x()));
        return {};
    }
    const QRectF curve = layout.curve(place->row);
    if (layout.anatomy.curveHeight > 0 && point.y() >= curve.top() && point.y() <= curve.bottom()) {
        const double time = scale.toTime(point.x());
        if (time < 0 || time > model_->makespan()) return {};
        const auto held = static_cast<double>(model_->inFlight(place->row).at(time));
        SpanStory story;
        story.title = held == 1.0 ? tr("1 micro-batch in flight") : tr("%1 micro-batches in flight").arg(amountText(held));
        story.lines << model_->rowTitle(place->row) + tr(" at %1").arg(durationText(time, model_->context().unit));
        story.lines << tr("Peak of this row: %1").arg(amountText(static_cast<double>(model_->inFlight(place->row).peak())));
        return story;
    }
    return {};
}

void TimelineView::setPointer(std::optional<QPointF> point) {
    pointer_ = point;
    std::optional<std::uint32_t> span;
    std::optional<int> row;
    if (point && model_) {
        span = spanAt(*point);
        if (const auto place = pictureLayout().placeAt(*point)) row = place->row;
        const TimelineLayout layout = pictureLayout();
        if (!row && layout.labels.contains(*point)) {
            const int under = static_cast<int>((point->y() - layout.rowTop(0)) / layout.anatomy.pitch);
            if (under >= 0 && under < model_->rows()) row = under;
        }
    }
    const bool isChanged = span != hoveredSpan_ || row != hoveredRow_;
    hoveredSpan_ = span;
    hoveredRow_ = row;
    if (isChanged) {
        std::optional<int> microBatch;
        if (span && model_->laneOf(*span) == Lane::compute)
            microBatch = static_cast<int>(model_->timeline().action[*span].microBatch);
        emit hovered(row, microBatch);
    }
    update();
}

TimelineView::Drag TimelineView::edgeAt(QPointF point) const {
    const TimelineLayout layout = pictureLayout();
    if (point.x() < layout.rows.left()) return Drag::none;
    const TimeScale scale = timeScale();
    if (viewport_->scrubber() && layout.ruler.contains(point) && std::abs(scale.toX(*viewport_->scrubber()) - point.x()) <= 8)
        return Drag::scrub;
    if (const auto& marked = viewport_->marked()) {
        if (std::abs(scale.toX(marked->begin) - point.x()) <= kEdgeSlack) return Drag::markBegin;
        if (std::abs(scale.toX(marked->end) - point.x()) <= kEdgeSlack) return Drag::markEnd;
    }
    return Drag::none;
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
    if (!model_) return;
    pressed_ = event->position();
    pressedTime_ = timeScale().toTime(pressed_.x());
    pressedRange_ = viewport_->visible();
    pressedScroll_ = scrollBar_->value();
    const TimelineLayout layout = pictureLayout();
    const bool isPan =
        event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && (event->modifiers() & Qt::ShiftModifier));
    if (isPan) {
        drag_ = Drag::pan;
        setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton) {
        if (layout.ruler.contains(pressed_)) {
            drag_ = Drag::scrub;
            viewport_->setScrubber(pressedTime_);
        } else if (const Drag edge = edgeAt(pressed_); edge != Drag::none) {
            drag_ = edge;
        } else if (layout.rows.contains(pressed_)) {
            drag_ = Drag::undecided;
        } else if (layout.labels.contains(pressed_)) {
            const int row = static_cast<int>(std::floor((pressed_.y() - layout.rowTop(0)) / layout.anatomy.pitch));
            if (row >= 0 && row < model_->rows()) emit rowClicked(row);
        }
    }
    event->accept();
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    if (!model_) return;
    const QPointF point = event->position();
    const double time = timeScale().toTime(point.x());
    switch (drag_) {
        case Drag::none: {
            const Drag edge = edgeAt(point);
            const bool isEdge = edge == Drag::markBegin || edge == Drag::markEnd;
            setCursor(isEdge ? Qt::SizeHorCursor : (edge == Drag::scrub ? Qt::SplitHCursor : Qt::ArrowCursor));
            setPointer(point);
            return;
        }
        case Drag::undecided:
            if (std::abs(point.x() - pressed_.x()) < kDragThreshold) return;
            drag_ = Drag::mark;
            [[fallthrough]];
        case Drag::mark: viewport_->setMarked(TimeRange{pressedTime_, time}); break;
        case Drag::markBegin:
        case Drag::markEnd: {
            const TimeRange before = *viewport_->marked();
            const double fixed = drag_ == Drag::markBegin ? before.end : before.begin;
            if ((time > fixed) == (drag_ == Drag::markBegin)) drag_ = drag_ == Drag::markBegin ? Drag::markEnd : Drag::markBegin;
            viewport_->setMarked(TimeRange{fixed, time});
            break;
        }
        case Drag::pan: {
            const double ticks = (pressed_.x() - point.x()) / timeScale().width * pressedRange_.length();
            viewport_->setVisible({pressedRange_.begin + ticks, pressedRange_.end + ticks});
            scrollBar_->setValue(pressedScroll_ + static_cast<int>(pressed_.y() - point.y()));
            break;
        }
        case Drag::scrub: viewport_->setScrubber(time); break;
    }
    setPointer(point);
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    const Drag drag = drag_;
    drag_ = Drag::none;
    unsetCursor();
    if (!model_ || drag != Drag::undecided) {
        update();
        return;
    }
    const auto span = spanAt(event->position());
    if (!span) viewport_->setMarked(std::nullopt);
    select(span);
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (!model_ || event->button() != Qt::LeftButton) return;
    if (pictureLayout().ruler.contains(event->position())) {
        viewport_->setScrubber(std::nullopt);
        return;
    }
    if (const auto span = spanAt(event->position())) {
        const TimeRange own = model_->rangeOf(*span);
        viewport_->setVisible({own.begin - 0.5 * own.length(), own.end + 0.5 * own.length()});
    }
}

void TimelineView::leaveEvent(QEvent*) { setPointer(std::nullopt); }

void TimelineView::select(std::optional<std::uint32_t> span) {
    setSelectedSpan(span);
    emit spanClicked(span);
}

bool TimelineView::event(QEvent* event) {
    if (event->type() == QEvent::NativeGesture) {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            viewport_->zoom(timeScale().toTime(gesture->position().x()), 1 + gesture->value());
            return true;
        }
    }
    return QWidget::event(event);
}

void TimelineView::wheelEvent(QWheelEvent* event) {
    if (!model_) return;
    const QPoint angle = event->angleDelta();
    const double notches = (angle.y() != 0 ? angle.y() : angle.x()) / kWheelNotch;
    const TimeScale scale = timeScale();
    const double anchor = scale.toTime(std::clamp(event->position().x(), scale.left, scale.left + scale.width));
    if (event->modifiers() & Qt::ControlModifier) {
        viewport_->zoom(anchor, std::pow(kZoomStep, notches));
    } else if (event->modifiers() & Qt::AltModifier) {
        setRowZoom(rowZoom_ * std::pow(1.15, notches));
    } else if ((event->modifiers() & Qt::ShiftModifier) || std::abs(angle.x()) > std::abs(angle.y())) {
        viewport_->pan(-notches * kPanShare * viewport_->visible().length());
    } else if (!scrollBar_->isHidden()) {
        scrollBar_->setValue(scrollBar_->value() - static_cast<int>(notches * 3 * scrollBar_->singleStep()));
    } else {
        viewport_->zoom(anchor, std::pow(kZoomStep, notches));  // nothing to scroll: the wheel zooms
    }
    event->accept();
}

void TimelineView::revealSpan(std::uint32_t span) {
    const TimeRange own = model_->rangeOf(span);
    if (lastRevealed_ == span) {
        viewport_->setVisible({own.begin - 0.5 * own.length(), own.end + 0.5 * own.length()});
    } else {
        const double half = std::max(0.5 * viewport_->visible().length(), 2 * own.length());
        if (!(viewport_->visible().contains(own.begin) && viewport_->visible().contains(own.end))) {
            viewport_->setVisible({own.middle() - half, own.middle() + half});
        }
    }
    lastRevealed_ = span;
    scrollToRow(model_->rowOf(span));
}

void TimelineView::scrollToRow(int row) {
    const TimelineLayout layout = pictureLayout();
    const double top = row * layout.anatomy.pitch;
    if (top < scrollBar_->value()) scrollBar_->setValue(static_cast<int>(top));
    if (top + layout.anatomy.pitch > scrollBar_->value() + layout.rows.height()) {
        scrollBar_->setValue(static_cast<int>(std::ceil(top + layout.anatomy.pitch - layout.rows.height())));
    }
}

void TimelineView::moveAlongRow(int direction) {
    if (!selectedSpan_) {
        const int row = selectedRow_.value_or(0);
        const BusyIndex& index = model_->lane(row, Lane::compute);
        const std::uint32_t span = index.firstEndingAfter(viewport_->visible().begin);
        if (span < index.last()) select(span);
        return;
    }
    const BusyIndex& index = model_->lane(model_->rowOf(*selectedSpan_), model_->laneOf(*selectedSpan_));
    const std::int64_t next = static_cast<std::int64_t>(*selectedSpan_) + direction;
    if (next < index.first() || next >= index.last()) return;
    select(static_cast<std::uint32_t>(next));
    if (selectedSpan_) revealSpan(*selectedSpan_);
}

void TimelineView::moveAlongDependencies(int direction) {
    if (!selectedSpan_) return;
    const int microBatch = static_cast<int>(model_->timeline().action[*selectedSpan_].microBatch);
    for (const auto& [from, to] : model_->dependencies(microBatch)) {
        const std::uint32_t here = direction > 0 ? from : to;
        const std::uint32_t there = direction > 0 ? to : from;
        if (here != *selectedSpan_) continue;
        select(there);
        revealSpan(there);
        return;
    }
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    if (!model_ || (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))) {
        if (model_ && event->matches(QKeySequence::Find)) {
            emit searchRequested();
            return;
        }
        QWidget::keyPressEvent(event);
        return;
    }
    const TimeScale scale = timeScale();
    const bool hasPointer = pointer_ && pictureLayout().rows.contains(*pointer_);
    const double anchor = hasPointer ? scale.toTime(pointer_->x()) : viewport_->visible().middle();
    const double length = viewport_->visible().length();
    switch (event->key()) {
        case Qt::Key_W:
        case Qt::Key_Plus:
        case Qt::Key_Equal: viewport_->zoom(anchor, kZoomStep); return;
        case Qt::Key_S:
        case Qt::Key_Minus: viewport_->zoom(anchor, 1 / kZoomStep); return;
        case Qt::Key_A:
        case Qt::Key_Left: viewport_->pan(-kPanShare * length); return;
        case Qt::Key_D:
        case Qt::Key_Right: viewport_->pan(kPanShare * length); return;
        case Qt::Key_Up: scrollBar_->setValue(scrollBar_->value() - scrollBar_->singleStep()); return;
        case Qt::Key_Down: scrollBar_->setValue(scrollBar_->value() + scrollBar_->singleStep()); return;
        case Qt::Key_PageUp: scrollBar_->setValue(scrollBar_->value() - scrollBar_->pageStep()); return;
        case Qt::Key_PageDown: scrollBar_->setValue(scrollBar_->value() + scrollBar_->pageStep()); return;
        case Qt::Key_Home: viewport_->showAll(); return;
        case Qt::Key_F:
            if (selectedSpan_) revealSpan(*selectedSpan_);
            return;
        case Qt::Key_R:
            if (selectedSpan_) viewport_->setMarked(model_->rangeOf(*selectedSpan_));
            return;
        case Qt::Key_C:
            setCriticalPathShown(!isCriticalPathShown_);
            emit criticalPathToggled(isCriticalPathShown_);
            return;
        case Qt::Key_Question: emit helpRequested(); return;
        case Qt::Key_Period: moveAlongRow(1); return;
        case Qt::Key_Comma: moveAlongRow(-1); return;
        case Qt::Key_BracketRight: moveAlongDependencies(1); return;
        case Qt::Key_BracketLeft: moveAlongDependencies(-1); return;
        case Qt::Key_Greater: emit stepRequested(1); return;
        case Qt::Key_Less: emit stepRequested(-1); return;
        case Qt::Key_Space: emit playRequested(); return;
        case Qt::Key_Slash: emit searchRequested(); return;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (hoveredSpan_) {
                select(hoveredSpan_);
            } else if (!selectedSpan_) {
                moveAlongRow(0);
            }
            return;
        case Qt::Key_Escape:
            viewport_->setMarked(std::nullopt);
            viewport_->setScrubber(std::nullopt);
            setFound({}, std::nullopt);
            setCriticalPathShown(false);
            select(std::nullopt);
            return;
        default: QWidget::keyPressEvent(event);
    }
}

std::vector<TimelineView::KeyHelp> TimelineView::keyHelp() {
    return {{tr("W, S, Ctrl+wheel"), tr("zoom in, zoom out at the pointer")},
            {tr("A, D, arrows, Shift+drag, middle drag"), tr("move in time")},
            {tr("Wheel, Up, Down"), tr("scroll rows; zoom where all rows fit")},
            {tr("Alt+wheel"), tr("taller or lower rows")},
            {tr("Home"), tr("whole step")},
            {tr("Click, Enter"), tr("select an action and its micro-batch")},
            {tr("Double click, F F"), tr("fit the action")},
            {tr("Drag"), tr("mark a stretch: busy, idle, share per kind")},
            {tr("R"), tr("mark the stretch of the selected action")},
            {tr(", and ."), tr("previous, next action of the row")},
            {tr("[ and ]"), tr("previous, next action along the arrows")},
            {tr("C"), tr("critical path")},
            {tr("?"), tr("these keys")},
            {tr("Space"), tr("play, pause")},
            {tr("< and >"), tr("step to the previous, next start of an action")},
            {tr("/, Ctrl+F"), tr("search")},
            {tr("Esc"), tr("clear")}};
}

}  // namespace trainyard
