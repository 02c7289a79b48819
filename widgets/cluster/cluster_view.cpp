#include "widgets/cluster/cluster_view.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <QScrollBar>
#include <QSpinBox>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/plan/limits.h"
#include "widgets/cluster/cluster_editor.h"
#include "widgets/cluster/cluster_layout.h"
#include "widgets/cluster/cluster_scene.h"
#include "widgets/cluster/hover_card.h"
#include "widgets/cluster/node_geometry.h"
#include "widgets/cluster/node_item.h"
#include "widgets/document/plan_document.h"
#include "widgets/document/selection.h"

namespace trainyard {
namespace {

constexpr double kSmallestZoom = 0.02;
constexpr double kLargestZoom = 3;

}  // namespace

ClusterView::ClusterView(ClusterScene* scene, ClusterEditor* editor, PlanDocument* document, Selection* selection, QWidget* parent)
    : QGraphicsView(scene, parent),
      scene_(scene),
      editor_(editor),
      document_(document),
      selection_(selection),
      gestures_(*scene, *editor),
      card_(new HoverCard(viewport())) {
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTransformationAnchor(NoAnchor);
    setViewportUpdateMode(FullViewportUpdate);
    setOptimizationFlags(DontSavePainterState | DontAdjustForAntialiasing);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    setAcceptDrops(true);
    viewport()->setAcceptDrops(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Cluster canvas"));
    viewport()->setAccessibleName(accessibleName());
    setAccessibleDescription(tr("The drawn cluster. The outline shows the same blocks as a tree."));

    connect(document_, &PlanDocument::snapshotChanged, this, &ClusterView::followSnapshot);
    connect(editor_, &ClusterEditor::pickedChanged, this, [this] { scene_->setPicked(editor_->pickedBlocks(), editor_->pickedLinks()); });
    connect(selection_, &Selection::selectionChanged, this, &ClusterView::updateLit);
    connect(selection_, &Selection::hoverChanged, this, &ClusterView::updateLit);
    connect(document_, &PlanDocument::evaluationChanged, this, &ClusterView::updateLit);
    followSnapshot();
}

ClusterView::~ClusterView() = default;

// ---- what is seen

void ClusterView::followSnapshot() {
    std::vector<std::string> ids;
    for (const auto& block : scene_->allBlocks()) ids.push_back(scene_->idOf(block));
    const bool another = std::ranges::none_of(
        ids, [&](const auto& id) { return std::ranges::find(shownIds_, id) != shownIds_.end(); });
    // Another cluster, or the first block of an empty canvas: the former is shown whole, the latter stays where it was put.
    if (another && !shownIds_.empty() && !ids.empty()) autoFit_ = true;
    if (another && autoFit_) fit();
    shownIds_ = std::move(ids);
    scene_->setPicked(editor_->pickedBlocks(), editor_->pickedLinks());
    updateLit();
}

void ClusterView::setOverlayMargins(const QMargins& margins) {
    overlay_ = margins;
    if (autoFit_) fit();
}

void ClusterView::fit() {
    const QRectF content = scene_->contentRect();
    autoFit_ = true;
    fitting_ = true;
    if (content.isEmpty()) {
        setTransform({});
        centerOn(0, 0);
    } else {
        const QSizeF room(std::max(80, viewport()->width() - overlay_.left() - overlay_.right() - 40),
                          std::max(60, viewport()->height() - overlay_.top() - overlay_.bottom() - 32));
        const double zoom = std::clamp(std::min(room.width() / content.width(), room.height() / content.height()), kSmallestZoom,
                                       viewport()->width() > 1500 ? 1.5 : 1.15);
        setTransform(QTransform::fromScale(zoom, zoom));
        const QPointF shift((overlay_.right() - overlay_.left()) / 2.0 / zoom, (overlay_.bottom() - overlay_.top()) / 2.0 / zoom);
        centerOn(content.center() + shift);
    }
    fitting_ = false;
    emit zoomChanged();
}

void ClusterView::zoomTo(double zoom) { zoomBy(zoom / this->zoom()); }

void ClusterView::zoomBy(double factor) {
    const double next = std::clamp(zoom() * factor, kSmallestZoom, kLargestZoom);
    const QPoint centre = viewport()->rect().center();
    const QPointF fixed = mapToScene(centre);
    setTransform(QTransform::fromScale(next, next));
    const QPointF moved = mapToScene(centre) - fixed;
    centerOn(mapToScene(centre) - moved);
    autoFit_ = false;
    emit zoomChanged();
}

void ClusterView::bringIntoView(const std::string& block) {
    const auto ref = scene_->find(block);
    if (ref) ensureVisible(scene_->rectOf(ref), 48, 48);
}

void ClusterView::resizeEvent(QResizeEvent* event) {
    QGraphicsView::resizeEvent(event);
    if (autoFit_) fit();
}

void ClusterView::scrollContentsBy(int dx, int dy) {
    QGraphicsView::scrollContentsBy(dx, dy);
    card_->hide();
    if (countEdit_ != nullptr) countEdit_->hide();
}

void ClusterView::drawBackground(QPainter* painter, const QRectF& rect) {
    const Theme& theme = *scene_->look().theme;
    painter->fillRect(rect, theme.canvas);
    // Dots on the drawing grid, thinned out with the zoom so that they stay about 24 pixels apart.
    double step = kCanvasGrid * 3;
    while (step * zoom() < 18) step *= 2;
    if (step > 3000) return;
    QPen pen(theme.kind == ThemeKind::dark ? theme.gridDot.lighter(125) : theme.gridDot.darker(107), 2);
    pen.setCosmetic(true);
    pen.setCapStyle(Qt::RoundCap);
    painter->setPen(pen);
    QList<QPointF> dots;
    const auto columns = static_cast<int>(rect.width() / step) + 2;
    const auto rows = static_cast<int>(rect.height() / step) + 2;
    dots.reserve(columns * rows);
    const double left = std::floor(rect.left() / step) * step;
    const double top = std::floor(rect.top() / step) * step;
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x) dots.append({left + x * step, top + y * step});
    painter->drawPoints(dots.constData(), static_cast<int>(dots.size()));
}

void ClusterView::drawForeground(QPainter* painter, const QRectF&) { gestures_.paint(*painter, *scene_->look().theme, zoom()); }

// ---- mouse

CanvasGestures::Pointer ClusterView::pointer(QPointF inViewport, Qt::KeyboardModifiers modifiers) const {
    return {viewportTransform().inverted().map(inViewport), zoom(), modifiers};
}

void ClusterView::updateCursor() {
    if (panFrom_) viewport()->setCursor(Qt::ClosedHandCursor);
    else if (spaceHeld_) viewport()->setCursor(Qt::OpenHandCursor);
    else if (gestures_.armed() != nullptr || gestures_.kind() == CanvasGestures::Kind::cable) viewport()->setCursor(Qt::CrossCursor);
    else if (gestures_.kind() == CanvasGestures::Kind::count) viewport()->setCursor(Qt::SizeHorCursor);
    else if (scene_->portAt(lastPointer_, 9 / zoom())) viewport()->setCursor(Qt::CrossCursor);
    else if (scene_->isOnBadge(lastPointer_)) viewport()->setCursor(Qt::SizeHorCursor);
    else viewport()->unsetCursor();
}

void ClusterView::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && spaceHeld_)) {
        panFrom_ = event->pos();
        clearHover();
        updateCursor();
        return;
    }
    if (event->button() != Qt::LeftButton) return;
    // A press may come without a move before it (touch, tests): know what is under it first.
    hoverAt(event->pos());
    card_->hide();
    gestures_.press(pointer(event->position(), event->modifiers()));
    updateCursor();
    viewport()->update();
}

void ClusterView::mouseMoveEvent(QMouseEvent* event) {
    lastPointer_ = pointer(event->position(), event->modifiers()).at;
    if (panFrom_) {
        const QPoint delta = event->pos() - *panFrom_;
        panFrom_ = event->pos();
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() - delta.x());
        verticalScrollBar()->setValue(verticalScrollBar()->value() - delta.y());
        autoFit_ = false;
        return;
    }
    if (gestures_.isActive()) {
        gestures_.move(pointer(event->position(), event->modifiers()));
        if (!gestures_.wasClick()) autoFit_ = false;
        viewport()->update();
        return;
    }
    if (gestures_.armed() != nullptr) {
        gestures_.previewPart(gestures_.armed(), lastPointer_);
        viewport()->update();
        return;
    }
    hoverAt(event->pos());
}

void ClusterView::mouseReleaseEvent(QMouseEvent* event) {
    if (panFrom_) {
        panFrom_.reset();
        updateCursor();
        return;
    }
    if (event->button() != Qt::LeftButton) return;
    const auto at = pointer(event->position(), event->modifiers());
    const bool wasBlock = gestures_.kind() == CanvasGestures::Kind::moveBlocks;
    if (gestures_.armed() != nullptr) autoFit_ = false;
    gestures_.release(at);
    if (wasBlock && gestures_.wasClick() && event->modifiers() == Qt::NoModifier) clickDevice(at.at);
    if (!gestures_.clickedBadge().empty()) editCount(gestures_.clickedBadge());
    updateCursor();
    viewport()->update();
}

void ClusterView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const auto at = pointer(event->position(), event->modifiers());
    if (scene_->isOnBadge(at.at)) return;
    if (scene_->blockAt(at.at) || scene_->linkAt(at.at, 6 / zoom())) emit inspectRequested();
}

void ClusterView::clickDevice(QPointF scenePoint) {
    const auto device = scene_->deviceAt(scenePoint);
    const auto block = scene_->blockAt(scenePoint);
    if (!device || block.kind != BlockRef::Kind::node) return;
    auto* node = scene_->nodeItem(block.index);
    const auto hit = node->geometry().hit(node->mapFromScene(scenePoint), node->front());
    if (hit && hit->inMap) node->setFront(hit->instance);
    SelectionState state;
    state.nodeBlock = block.index;
    state.device = *device;
    selection_->select(state);
}

void ClusterView::hoverAt(QPoint inViewport) {
    lastPointer_ = mapToScene(inViewport);
    const auto block = scene_->blockAt(lastPointer_);
    // The ports stick out of the block: keep it hovered while the pointer is on one of them.
    const auto kept = block ? block : scene_->portAt(lastPointer_, 12 / zoom());
    const auto link = kept ? std::nullopt : scene_->linkAt(lastPointer_, 6 / zoom());
    scene_->setHovered(kept, link);
    SelectionState state;
    const auto device = block ? scene_->deviceAt(lastPointer_) : std::nullopt;
    if (block.kind == BlockRef::Kind::node) state.nodeBlock = block.index;
    if (device) state.device = *device;
    if (link) state.link = static_cast<int>(*link);
    selection_->hover(state);
    const auto& evaluation = document_->evaluation();
    if (device) {
        card_->showAt(describeDevice(*document_->snapshot(), evaluation.get(), *device),
                      mapFromScene(scene_->rectOf(block)).boundingRect());
    } else if (link) {
        const QPoint middle = inViewport;
        card_->showAt(describeLink(*document_->snapshot(), evaluation.get(), *link), QRect(middle - QPoint(4, 4), QSize(8, 8)));
    } else {
        card_->hide();
    }
    updateCursor();
}

void ClusterView::clearHover() {
    card_->hide();
    scene_->setHovered({}, std::nullopt);
    selection_->hover({});
}

void ClusterView::leaveEvent(QEvent* event) {
    if (!gestures_.isActive()) clearHover();
    gestures_.clearPreview();
    viewport()->update();
    QGraphicsView::leaveEvent(event);
}

void ClusterView::updateLit() {
    const auto& paint = scene_->look().paint;
    const auto& hovered = selection_->hovered();
    const auto& selected = selection_->selected();
    if (hovered.device) {
        scene_->setLit(companions(paint, *hovered.device), *hovered.device);
        return;
    }
    const auto stage = hovered.stage ? hovered.stage : selected.stage;
    if (stage && paint.layout) {
        std::vector<bool> mask(paint.group.size(), false);
        for (std::int32_t device = 0; device < static_cast<std::int32_t>(mask.size()); ++device)
            if (paint.groupOf(device) >= 0 && device < paint.layout->ranks() && paint.layout->rankOnDevice(device) >= 0)
                mask[static_cast<std::size_t>(device)] = paint.layout->coordinates(paint.layout->rankOnDevice(device)).pipeline == *stage;
        scene_->setLit(std::move(mask), selected.device.value_or(-1));
        return;
    }
    scene_->setLit({}, selected.device.value_or(-1));
}

void ClusterView::wheelEvent(QWheelEvent* event) {
    const bool touchpad = !event->pixelDelta().isNull() && event->phase() != Qt::NoScrollPhase;
    if (touchpad && !event->modifiers().testFlag(Qt::ControlModifier)) {
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() - event->pixelDelta().x());
        verticalScrollBar()->setValue(verticalScrollBar()->value() - event->pixelDelta().y());
        autoFit_ = false;
        return;
    }
    const double steps = event->angleDelta().y() / 120.0;
    const double next = std::clamp(zoom() * std::pow(1.2, steps), kSmallestZoom, kLargestZoom);
    const QPointF fixed = pointer(event->position(), {}).at;
    setTransform(QTransform::fromScale(next, next));
    // Keep what is under the pointer where it is.
    const QPointF off = pointer(event->position(), {}).at - fixed;
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - static_cast<int>(std::lround(off.x() * next)));
    verticalScrollBar()->setValue(verticalScrollBar()->value() - static_cast<int>(std::lround(off.y() * next)));
    autoFit_ = false;
    emit zoomChanged();
    event->accept();
}

void ClusterView::contextMenuEvent(QContextMenuEvent* event) {
    if (event->reason() == QContextMenuEvent::Mouse) {
        const QPointF at = mapToScene(event->pos());
        if (const auto block = scene_->blockAt(at)) {
            const auto id = scene_->idOf(block);
            if (!editor_->isPicked(id)) editor_->pick({id});
        } else if (const auto link = scene_->linkAt(at, 6 / zoom())) {
            if (std::ranges::find(editor_->pickedLinks(), *link) == editor_->pickedLinks().end()) editor_->pick({}, {*link});
        }
        emit contextMenuRequested(event->globalPos());
        return;
    }
    emit contextMenuRequested(viewport()->mapToGlobal(viewport()->rect().center()));
}

// ---- drag and drop

const Part* ClusterView::partOf(const QDropEvent* event) const {
    return editor_->parts().decodeOrNull(event->mimeData()->data(PartCatalogue::mimeType()));
}

void ClusterView::dragEnterEvent(QDragEnterEvent* event) {
    if (partOf(event) != nullptr) event->acceptProposedAction();
    else event->ignore();  // a file: the window takes it
}

void ClusterView::dragMoveEvent(QDragMoveEvent* event) {
    const Part* part = partOf(event);
    if (part == nullptr) {
        event->ignore();
        return;
    }
    gestures_.previewPart(part, pointer(event->position(), {}).at);
    viewport()->update();
    event->acceptProposedAction();
}

void ClusterView::dragLeaveEvent(QDragLeaveEvent*) {
    gestures_.clearPreview();
    viewport()->update();
}

void ClusterView::dropEvent(QDropEvent* event) {
    const Part* part = partOf(event);
    gestures_.clearPreview();
    if (part == nullptr) {
        event->ignore();
        return;
    }
    autoFit_ = false;
    gestures_.dropPart(*part, pointer(event->position(), {}).at);
    setFocus(Qt::OtherFocusReason);
    event->acceptProposedAction();
    viewport()->update();
}

void ClusterView::arm(const Part* part) {
    gestures_.arm(part);
    updateCursor();
    if (part != nullptr) setFocus(Qt::OtherFocusReason);
}

void ClusterView::placeByKey(const Part& part) {
    if (part.kind == Part::Kind::accelerator && editor_->pickedBlocks().size() == 1 &&
        scene_->find(editor_->pickedBlocks().front()).kind == BlockRef::Kind::node) {
        editor_->addPart(part, {}, editor_->pickedBlocks().front());
        return;
    }
    const bool wasEmpty = scene_->allBlocks().empty();
    QSizeF size = switchSize();
    if (part.kind == Part::Kind::node) size = geometryOf(part.node).size;
    if (part.kind == Part::Kind::pattern) size = editor_->sizeOfPattern(part);
    if (part.kind == Part::Kind::accelerator) size = geometryOf(cluster_edit::hostOf(part.accelerator, 1)).size;
    // The middle of what is seen, or the nearest free place to the right of it, then below.
    const QPointF centre = mapToScene(viewport()->rect().center());
    QRectF place(snapToGrid(centre - QPointF(size.width() / 2, size.height() / 2)), size);
    for (int ring = 0; ring < 400; ++ring) {
        const QRectF tried = place.translated((ring % 20) * 120, (ring / 20) * 96);
        if (!scene_->blocksIn(tried.adjusted(-16, -16, 16, 16)).empty()) continue;
        place = tried;
        break;
    }
    if (wasEmpty) autoFit_ = false;
    editor_->addPart(part, place.topLeft());
    if (!editor_->pickedBlocks().empty()) bringIntoView(editor_->pickedBlocks().front());
}

void ClusterView::editCount(const std::string& node) {
    const auto block = scene_->find(node);
    if (block.kind != BlockRef::Kind::node) return;
    if (countEdit_ == nullptr) {
        countEdit_ = new QSpinBox(viewport());
        countEdit_->setRange(1, static_cast<int>(limits::kDevices));
        countEdit_->setAccessibleName(tr("How many nodes this block stands for"));
        countEdit_->setPrefix(QStringLiteral("×"));
        countEdit_->setKeyboardTracking(false);
        connect(countEdit_, &QSpinBox::editingFinished, this, [this] {
            if (!countEdit_->isVisible()) return;
            countEdit_->hide();
            editor_->setCount(countNode_, countEdit_->value());
            setFocus(Qt::OtherFocusReason);
        });
    }
    countNode_ = node;
    const auto* item = scene_->nodeItem(block.index);
    const QRectF badge = item->geometry().badge.translated(item->pos());
    const QPoint corner = mapFromScene(badge.topLeft());
    countEdit_->setValue(static_cast<int>(item->node().count));
    countEdit_->setGeometry(QRect(corner - QPoint(12, 3), QSize(92, 30)));
    countEdit_->show();
    countEdit_->setFocus(Qt::OtherFocusReason);
    countEdit_->selectAll();
}

// ---- keys

bool ClusterView::moveByKey(QKeyEvent* event) {
    const double step = event->modifiers().testFlag(Qt::ShiftModifier) ? kCanvasGrid * 4 : kCanvasGrid;
    QPointF offset;
    switch (event->key()) {
        case Qt::Key_Left: offset = {-step, 0}; break;
        case Qt::Key_Right: offset = {step, 0}; break;
        case Qt::Key_Up: offset = {0, -step}; break;
        case Qt::Key_Down: offset = {0, step}; break;
        default: return false;
    }
    if (event->modifiers().testFlag(Qt::ControlModifier) && editor_->pickedBlocks().size() == 1) {
        const auto* node = cluster_edit::findNodeOrNull(editor_->cluster(), editor_->pickedBlocks().front());
        if (node == nullptr) return true;
        const bool more = event->key() == Qt::Key_Up || event->key() == Qt::Key_Right;
        const bool doubling = event->modifiers().testFlag(Qt::ShiftModifier);
        const auto count = more ? (doubling ? node->count * 2 : node->count + 1) : (doubling ? node->count / 2 : node->count - 1);
        editor_->setCount(node->id, std::clamp<std::int64_t>(count, 1, limits::kDevices));
        return true;
    }
    if (editor_->pickedBlocks().empty()) {
        const auto all = scene_->allBlocks();
        if (!all.empty()) editor_->pick({scene_->idOf(all.front())});
        return true;
    }
    autoFit_ = false;
    editor_->moveBlocks(editor_->pickedBlocks(), offset);
    return true;
}

void ClusterView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        if (gestures_.isActive() || gestures_.armed() != nullptr) gestures_.cancel();
        else if (editor_->hasPicked()) editor_->pick({});
        else {
            selection_->clear();
            event->ignore();
        }
        updateCursor();
        viewport()->update();
        return;
    }
    if (event->key() == Qt::Key_Space) {
        spaceHeld_ = true;
        updateCursor();
        return;
    }
    if (moveByKey(event)) return;
    if (event->modifiers().testFlag(Qt::ControlModifier) || event->modifiers().testFlag(Qt::AltModifier)) {
        event->ignore();  // the panel's actions
        return;
    }
    switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter: emit inspectRequested(); return;
        case Qt::Key_Plus:
        case Qt::Key_Equal: zoomBy(1.2); return;
        case Qt::Key_Minus: zoomBy(1 / 1.2); return;
        case Qt::Key_0: fit(); return;
        default: event->ignore();
    }
}

void ClusterView::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        spaceHeld_ = false;
        updateCursor();
    }
    QGraphicsView::keyReleaseEvent(event);
}

bool ClusterView::focusNextPrevChild(bool next) {
    // Tab walks through the blocks first, then leaves the canvas.
    const auto all = scene_->allBlocks();
    if (!all.empty() && hasFocus()) {
        std::ptrdiff_t at = next ? -1 : static_cast<std::ptrdiff_t>(all.size());
        for (std::size_t i = 0; i < all.size(); ++i)
            if (editor_->isPicked(scene_->idOf(all[i]))) at = static_cast<std::ptrdiff_t>(i);
        at += next ? 1 : -1;
        if (at >= 0 && at < static_cast<std::ptrdiff_t>(all.size())) {
            const auto id = scene_->idOf(all[static_cast<std::size_t>(at)]);
            editor_->pick({id});
            bringIntoView(id);
            return true;
        }
    }
    return QGraphicsView::focusNextPrevChild(next);
}

}  // namespace trainyard
