#pragma once

#include <QWidget>
#include <optional>

#include "core/accuracy/accuracy.h"
#include "widgets/plots/accuracy_plot.h"

namespace trainyard {

/// One row a source: its mark, name, number of runs, mean error as a bar and figure, further error figures. Rows can be
/// hovered and chosen by mouse and keys.
class AccuracyTable : public QWidget {
    Q_OBJECT
  public:
    explicit AccuracyTable(QWidget* parent = nullptr);

    /// `report` outlives the table. Only sources that print this figure have a row.
    void setReport(const AccuracyReport* report, AccuracyFigure figure);
    void setSelected(std::optional<int> source);
    void setHovered(std::optional<int> source);
    [[nodiscard]] std::optional<int> selected() const { return selected_; }
    [[nodiscard]] int rowCount() const { return static_cast<int>(rows_.size()); }
    [[nodiscard]] std::optional<int> sourceAt(QPointF place) const;

    /// Draws heading and rows from the top of `area`. @return height used
    double paintTable(QPainter& painter, const QRectF& area) const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 60}; }

  signals:
    void sourceHovered(std::optional<int> source);
    void sourceClicked(int source);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

  private:
    [[nodiscard]] double meanOf(int source) const;

    const AccuracyReport* report_ = nullptr;
    AccuracyFigure figure_ = AccuracyFigure::time;
    std::vector<int> rows_;  ///< sources
    std::optional<int> selected_, hovered_;
};

}  // namespace trainyard
