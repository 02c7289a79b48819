#pragma once

#include <QLineF>
#include <QPointF>
#include <QRectF>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "widgets/cluster/cluster_scene.h"

class QPainter;

namespace trainyard {

class ClusterEditor;
struct Part;

/// What the hand is doing on the canvas: rubber band, moving blocks, drawing a cable, dragging a count, placing a part.
/// Knows positions in scene units only; the view feeds it events and paints what it says.
class CanvasGestures {
  public:
    CanvasGestures(ClusterScene& scene, ClusterEditor& editor) : scene_(scene), editor_(editor) {}

    struct Pointer {
        QPointF at;          ///< scene units
        double zoom = 1;     ///< pixels per scene unit
        Qt::KeyboardModifiers modifiers;
    };
    enum class Kind : std::uint8_t { none, rubberBand, moveBlocks, cable, count };

    void press(const Pointer& pointer);
    void move(const Pointer& pointer);
    void release(const Pointer& pointer);
    void cancel();
    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] bool isActive() const { return kind_ != Kind::none; }
    /// The press ended where it began.
    [[nodiscard]] bool wasClick() const { return !travelled_; }
    /// Node whose badge was clicked (not dragged) by the gesture that just ended.
    [[nodiscard]] std::string clickedBadge() const { return clickedBadge_; }

    /// The next click puts this part down. Null: nothing.
    void arm(const Part* part) { armed_ = part; }
    [[nodiscard]] const Part* armed() const { return armed_; }

    /// Where a part would land if dropped now (drag and drop, or armed).
    void previewPart(const Part* part, QPointF at);
    void dropPart(const Part& part, QPointF at);
    void clearPreview() { preview_.reset(); }

    void paint(QPainter& painter, const Theme& theme, double zoom) const;

  private:
    struct Preview {
        QRectF rect;
        bool onNode = false;
        bool pill = false;
    };
    [[nodiscard]] QRectF landing(const Part& part, QPointF at, std::string& onto) const;
    void moveBlocksTo(const Pointer& pointer);
    void dragCount(const Pointer& pointer);

    ClusterScene& scene_;
    ClusterEditor& editor_;
    Kind kind_ = Kind::none;
    QPointF start_;
    QPointF now_;
    bool travelled_ = false;
    std::vector<std::string> before_;     ///< picked when a rubber band began
    std::string grabbed_;                 ///< block under the press
    QPointF offset_;                      ///< of the blocks being moved
    std::vector<QLineF> guides_;
    std::int64_t startCount_ = 1;
    std::string clickedBadge_;
    const Part* armed_ = nullptr;
    std::optional<Preview> preview_;
};

}  // namespace trainyard
