#pragma once

#include <QTimer>
#include <QWidget>
#include <optional>
#include <thread>

#include "core/search/scaling.h"
#include "widgets/style/figure_export.h"

class QCheckBox;
class QCustomPlot;
class QCPAxisRect;
class QLabel;
class QStackedLayout;
class QTabBar;

namespace trainyard {

class EmptyState;
class PlanDocument;

/// Throughput and efficiency of the open plan as the cluster shrinks and grows: strong scaling (same batch) and weak
/// scaling (batch grows along). Computed on a thread of its own; hovering reads a size off both curves.
class ScalingPanel : public QWidget, public FigureSource {
    Q_OBJECT
  public:
    explicit ScalingPanel(PlanDocument* document, QWidget* parent = nullptr);
    ~ScalingPanel() override;

    /// Computes on a thread, or during the call (`wait`: for pictures and tests).
    void start(bool wait = false);
    [[nodiscard]] const ScalingCurves& curves() const { return curves_; }
    enum class Figure : std::uint8_t { throughput, stepTime };
    void setFigure(Figure figure);
    /// Reads off a size (index into the strong curve's sizes); nothing: none.
    void setHovered(std::optional<std::int64_t> devices);
    /// What the readout says of a size, as rich text.
    [[nodiscard]] QString storyOf(std::int64_t devices) const;
    /// Where a size stands on the left plot, in the panel's pixels.
    [[nodiscard]] QPointF placeOf(std::int64_t devices) const;

    void paintFigure(QPainter& painter, const QRectF& area) override;
    [[nodiscard]] QSize sizeHint() const override { return {1280, 800}; }

  protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void take(ScalingCurves curves);
    void rebuild();
    void arrange();
    void addCurves(QCPAxisRect* rect, bool isEfficiency);

    PlanDocument* document_;
    QStackedLayout* stack_;
    EmptyState* empty_;
    QWidget* content_;
    QLabel* title_;
    QTabBar* figures_;
    QCheckBox* best_;
    QLabel* readout_;
    QCustomPlot* plot_;
    QCPAxisRect* left_;
    QCPAxisRect* right_;
    ScalingCurves curves_;
    Figure figure_ = Figure::throughput;
    std::optional<std::int64_t> hovered_;
    quint64 shown_ = ~quint64{0};  ///< revision of the curves
    QTimer delay_;
    std::jthread thread_;  ///< last: stopped and joined first
};

}  // namespace trainyard
