#pragma once

#include <QGraphicsView>
#include <optional>

#include "widgets/cluster/canvas_gestures.h"

class QSpinBox;

namespace trainyard {

class ClusterEditor;
class ClusterScene;
class HoverCard;
class PlanDocument;
class Selection;

/// The canvas: shows the scene, zooms and pans, takes drops, and hands the mouse and the keys to the gestures.
class ClusterView : public QGraphicsView {
    Q_OBJECT
  public:
    ClusterView(ClusterScene* scene, ClusterEditor* editor, PlanDocument* document, Selection* selection, QWidget* parent = nullptr);
    ~ClusterView() override;

    /// Everything in sight; also again after a change of size until the user zooms or pans.
    void fit();
    void zoomBy(double factor);
    void zoomTo(double zoom);
    [[nodiscard]] double zoom() const { return transform().m11(); }
    /// Free space at the edges that overlays cover, in pixels.
    void setOverlayMargins(const QMargins& margins);

    /// The next click puts the part down.
    void arm(const Part* part);
    /// Puts the part down without the mouse: an accelerator joins the picked node, anything else goes to a free place in
    /// the middle of what is seen.
    void placeByKey(const Part& part);
    void editCount(const std::string& node);
    void bringIntoView(const std::string& block);

  signals:
    void inspectRequested();
    void contextMenuRequested(QPoint global);
    void zoomChanged();
    void renameRequested(const QString& id);

  protected:
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    bool focusNextPrevChild(bool next) override;

  private:
    [[nodiscard]] CanvasGestures::Pointer pointer(QPointF inViewport, Qt::KeyboardModifiers modifiers) const;
    void hoverAt(QPoint inViewport);
    void clearHover();
    void clickDevice(QPointF scenePoint);
    void updateLit();
    void followSnapshot();
    void updateCursor();
    [[nodiscard]] bool moveByKey(QKeyEvent* event);
    [[nodiscard]] const Part* partOf(const QDropEvent* event) const;

    ClusterScene* scene_;
    ClusterEditor* editor_;
    PlanDocument* document_;
    Selection* selection_;
    CanvasGestures gestures_;
    HoverCard* card_;
    QSpinBox* countEdit_ = nullptr;
    std::string countNode_;
    QMargins overlay_;
    bool autoFit_ = true;
    bool fitting_ = false;
    bool spaceHeld_ = false;
    std::optional<QPoint> panFrom_;
    QPointF lastPointer_;
    std::vector<std::string> shownIds_;
};

}  // namespace trainyard
