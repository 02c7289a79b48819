#pragma once

#include <QPixmap>
#include <QScrollBar>
#include <QWidget>
#include <memory>
#include <optional>

#include "widgets/style/figure_export.h"
#include "widgets/timeline/span_story.h"
#include "widgets/timeline/timeline_painter.h"
#include "widgets/timeline/timeline_viewport.h"

namespace trainyard {

/// One pipeline step as a Gantt chart: ruler, a row per rank, marks, hover card. Knows nothing of documents; the panel connects
/// it. Keys and mouse follow what people know from trace viewers; see keyHelp().
class TimelineView : public QWidget, public FigureSource {
    Q_OBJECT
  public:
    explicit TimelineView(QWidget* parent = nullptr);
    ~TimelineView() override;

    void setModel(std::shared_ptr<const TimelineModel> model);
    [[nodiscard]] const std::shared_ptr<const TimelineModel>& model() const { return model_; }
    /// Shares the time axis with other pictures; the view starts with one of its own.
    void setViewport(TimelineViewport* viewport);
    [[nodiscard]] TimelineViewport& viewport() { return *viewport_; }

    void setRulerVisible(bool isVisible);
    void setSelectedRow(std::optional<int> row);
    void setHoveredRow(std::optional<int> row);
    /// Emphasises a micro-batch and draws its dependencies.
    void setSelectedMicroBatch(std::optional<int> microBatch);
    void setSelectedSpan(std::optional<std::uint32_t> span);
    void setCriticalPathShown(bool isShown);
    /// Idle stretches in the colour of what they wait for.
    void setIdleByCause(bool isOn);
    [[nodiscard]] bool isIdleByCause() const { return isIdleByCause_; }
    /// Measured actions below the planned ones; null takes them away.
    void setMeasured(std::shared_ptr<const MeasuredOverlay> overlay);
    [[nodiscard]] const std::shared_ptr<const MeasuredOverlay>& measured() const { return measured_; }
    /// Spans found by a search; emphasised. `current`: the one shown, or nothing.
    void setFound(std::vector<std::uint32_t> spans, std::optional<std::uint32_t> current);
    void setRowZoom(double zoom);

    [[nodiscard]] std::optional<std::uint32_t> selectedSpan() const { return selectedSpan_; }
    [[nodiscard]] std::optional<int> selectedMicroBatch() const { return selectedMicroBatch_; }
    [[nodiscard]] bool isCriticalPathShown() const { return isCriticalPathShown_; }
    [[nodiscard]] double rowZoom() const { return rowZoom_; }

    /// Brings a span into view: centres it; a second time makes it fill half the width.
    void revealSpan(std::uint32_t span);
    void scrollToRow(int row);

    [[nodiscard]] TimelineLayout pictureLayout() const;
    [[nodiscard]] TimeScale timeScale() const;
    [[nodiscard]] std::optional<std::uint32_t> spanAt(QPointF point) const;
    [[nodiscard]] SpanStory storyAt(QPointF point) const;

    void paintFigure(QPainter& painter, const QRectF& area) override;
    [[nodiscard]] QSize sizeHint() const override { return {900, 320}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {280, 90}; }

    struct KeyHelp {
        QString keys;
        QString does;
    };
    [[nodiscard]] static std::vector<KeyHelp> keyHelp();

  signals:
    void spanClicked(std::optional<std::uint32_t> span);  ///< empty: background, clears
    void rowClicked(int row);                             ///< its label
    void hovered(std::optional<int> row, std::optional<int> microBatch);
    void searchRequested();
    void playRequested();
    void helpRequested();
    void criticalPathToggled(bool isShown);
    void stepRequested(int direction);  ///< +1 / -1: to the next or previous start of an action

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

  private:
    enum class Drag : std::uint8_t { none, undecided, mark, markBegin, markEnd, pan, scrub };

    [[nodiscard]] TimelineScene scene() const;
    void connectViewport();
    void invalidate();
    void updateScrollBar();
    void refreshEmphasis();
    void moveAlongRow(int direction);
    void moveAlongDependencies(int direction);
    void select(std::optional<std::uint32_t> span);
    void setPointer(std::optional<QPointF> point);
    void paintCard(QPainter& painter, const TimelineScene& scene) const;
    [[nodiscard]] Drag edgeAt(QPointF point) const;

    std::shared_ptr<const TimelineModel> model_;
    TimelineViewport* viewport_;
    TimelinePainter painter_;
    QScrollBar* scrollBar_;
    QPixmap base_;
    bool baseIsValid_ = false;

    bool hasRuler_ = true;
    double rowZoom_ = 1;
    std::optional<int> selectedRow_;
    std::optional<int> hoveredRow_;
    std::optional<int> selectedMicroBatch_;
    std::optional<std::uint32_t> selectedSpan_;
    std::optional<std::uint32_t> hoveredSpan_;
    std::vector<std::uint32_t> found_;
    std::optional<std::uint32_t> foundCurrent_;
    bool isCriticalPathShown_ = false;
    bool isIdleByCause_ = false;
    std::shared_ptr<const MeasuredOverlay> measured_;
    std::optional<std::uint32_t> lastRevealed_;

    std::vector<std::uint32_t> emphasised_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> arrows_;

    std::optional<QPointF> pointer_;
    Drag drag_ = Drag::none;
    QPointF pressed_;
    double pressedTime_ = 0;
    TimeRange pressedRange_;
    int pressedScroll_ = 0;
};

}  // namespace trainyard
