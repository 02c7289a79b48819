#pragma once

#include <QStringList>
#include <QWidget>

#include "core/engine/evaluation.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// What a hover says: a line in strong type and quieter lines below it.
struct HoverText {
    QString title;
    QStringList lines;
    bool warns = false;  ///< the last line is a warning
};

/// Of one device: its groups, memory and what it sends per step. `evaluation` may be null.
[[nodiscard]] HoverText describeDevice(const Scenario& scenario, const Evaluation* evaluation, std::int32_t device);
/// Of one link.
[[nodiscard]] HoverText describeLink(const Scenario& scenario, const Evaluation* evaluation, std::size_t link);

/// A card beside the pointer's target; never takes the mouse.
class HoverCard : public QWidget {
    Q_OBJECT
  public:
    explicit HoverCard(QWidget* parent);
    /// Below the target if there is room, else above it; always inside the parent.
    void showAt(const HoverText& text, const QRect& target);
    [[nodiscard]] const HoverText& text() const { return text_; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    HoverText text_;
};

}  // namespace trainyard
