#pragma once

#include <QWidget>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/accuracy/accuracy.h"
#include "widgets/style/figure_export.h"

class QCustomPlot;

namespace trainyard {

enum class AccuracyFigure : std::uint8_t { time, memory };

/// Predicted against published, both logarithmic: one point a run, one colour and shape a source, the line of equality and
/// the band of 20 % around it. Hovering names the run and both figures.
class AccuracyPlot : public QWidget, public FigureSource {
    Q_OBJECT
  public:
    explicit AccuracyPlot(QWidget* parent = nullptr);
    ~AccuracyPlot() override;

    /// `report` outlives the plot.
    void setReport(const AccuracyReport* report, AccuracyFigure figure);
    /// Source whose points stand out; others fade.
    void setSelected(std::optional<int> source);

    /// The run under a place of this widget, as indices of source and run.
    struct Hit {
        int source = 0;
        int run = 0;
        bool operator==(const Hit&) const = default;
    };
    [[nodiscard]] std::optional<Hit> hitAt(QPointF place) const;
    /// Where a run is drawn; outside the widget if it is not.
    [[nodiscard]] QPointF placeOf(const Hit& hit) const;
    [[nodiscard]] QString storyOf(const Hit& hit) const;
    [[nodiscard]] int pointCount() const { return points_; }

    void paintFigure(QPainter& painter, const QRectF& area) override;
    /// Draws the mark of a source around `centre`.
    static void paintMark(QPainter& painter, QPointF centre, int source, int count, double size);

  signals:
    void sourceHovered(std::optional<int> source);
    void sourceClicked(int source);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct Parts;
    void rebuild();
    void fitAxes(QSizeF size);

    QCustomPlot* plot_;
    std::unique_ptr<Parts> parts_;
    const AccuracyReport* report_ = nullptr;
    AccuracyFigure figure_ = AccuracyFigure::time;
    std::optional<int> selected_;
    int points_ = 0;
    double lowest_ = 0.1, highest_ = 100;
};

}  // namespace trainyard
