#pragma once

#include <QColor>
#include <QString>
#include <QWidget>
#include <vector>

#include "widgets/timeline/timeline_model.h"

namespace trainyard {

struct LegendEntry {
    QString name;
    QString shortName;  ///< where room is scarce
    QColor color;
    bool isHatched = false;
    bool isArea = false;  ///< a curve, not a block
    bool operator==(const LegendEntry&) const = default;
};

/// Entries for the kinds of work that occur.
[[nodiscard]] std::vector<LegendEntry> timelineLegend(const TimelineModel& model);

/// Paints entries in one line from the right (or left) border of `area`; long names where they fit, else short ones.
/// @return the width used
double paintLegend(QPainter& painter, const QRectF& area, const std::vector<LegendEntry>& entries, Qt::Alignment alignment);

/// A legend as a widget; tells its names to screen readers.
class LegendStrip : public QWidget {
    Q_OBJECT
  public:
    using QWidget::QWidget;
    void setEntries(std::vector<LegendEntry> entries);
    [[nodiscard]] const std::vector<LegendEntry>& entries() const { return entries_; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {40, 20}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    std::vector<LegendEntry> entries_;
};

}  // namespace trainyard
