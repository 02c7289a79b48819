#pragma once

#include <QTreeWidget>
#include <optional>
#include <vector>

#include "core/explain/sensitivity.h"

namespace trainyard {

/// What would change a figure most, one input a row: less, bars, more. Pointing at a side previews it, a click (or Return on
/// the side's cell) applies it.
class SensitivityList : public QTreeWidget {
    Q_OBJECT
  public:
    enum class Side : std::uint8_t { less, more };
    enum Column { kInput, kLess, kBars, kMore, kColumns };
    explicit SensitivityList(QWidget* parent = nullptr);

    void setRows(std::vector<Sensitivity> rows);
    [[nodiscard]] const std::vector<Sensitivity>& rows() const { return rows_; }
    /// The case of a row's side; null if the input cannot move that way.
    [[nodiscard]] const SensitivityCase* caseOrNull(int row, Side side) const;

  signals:
    void previewed(const trainyard::SensitivityCase* caseOrNull);
    void chosen(const QString& name, const trainyard::SensitivityCase& one);

  protected:
    void leaveEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

  private:
    [[nodiscard]] const SensitivityCase* caseAt(QPoint inViewport) const;
    void apply(int row, Side side);

    std::vector<Sensitivity> rows_;
};

}  // namespace trainyard
