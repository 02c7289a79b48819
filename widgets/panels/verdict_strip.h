#pragma once

#include <QString>
#include <QTimer>
#include <QWidget>
#include <array>

#include "core/base/format_quantity.h"

namespace trainyard {

class PlanDocument;
class Selection;
class VerdictCell;

/// The figures that decide, always visible: memory, step time, throughput, utilisation, bubble, exposed traffic, cost.
class VerdictStrip : public QWidget {
    Q_OBJECT
  public:
    explicit VerdictStrip(PlanDocument* document, QWidget* parent = nullptr);
    void setByteUnits(ByteUnits units);
    [[nodiscard]] VerdictCell* cell(int index) const { return cells_[static_cast<std::size_t>(index)]; }
    static constexpr int kCells = 7;

  signals:
    /// JSON pointer into the evaluation of the figure that was clicked.
    void explainRequested(const QString& pointer);

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void refresh();

    PlanDocument* document_;
    std::array<VerdictCell*, kCells> cells_{};
    ByteUnits units_ = ByteUnits::binary;
    QTimer staleTimer_;
};

}  // namespace trainyard
