#pragma once

#include <QTimer>
#include <QWidget>
#include <functional>
#include <vector>

#include "core/comm/collective_steps.h"

class QComboBox;
class QLabel;
class QToolButton;

namespace trainyard {

/// Shows a collective step by step over a drawing: what every device holds, and what travels. Lies over the drawn cluster, does
/// not take the mouse outside its bar of buttons.
class CollectivePlayer : public QWidget {
    Q_OBJECT
  public:
    /// Rectangles of the devices of a group in this widget's coordinates, in group order.
    using Places = std::function<std::vector<QRectF>(CollectivePlay)>;
    CollectivePlayer(Places places, QWidget* parent);

    void start(CollectivePlay kind);
    [[nodiscard]] CollectivePlay kind() const;
    [[nodiscard]] int step() const { return step_; }
    [[nodiscard]] int steps() const { return static_cast<int>(steps_.size()); }
    [[nodiscard]] bool isPlaying() const { return timer_.isActive(); }
    [[nodiscard]] QString sentence() const;

    /// One picture of the state `fraction` (0 to 1) of the way into the next step.
    void paintState(QPainter& painter, int step, double fraction) const;
    /// An SVG that plays by itself (SMIL); `background` below it may be empty.
    [[nodiscard]] QByteArray animatedSvg() const;
    /// Writes BASE-001.png, ... one for each quarter step, drawn over the widget below; the number of files, 0 if one failed.
    int writeFrames(const QString& base);

  public slots:
    void play(bool on);
    void stepForward();
    void stepBack();
    void exportInteractively();

  signals:
    void closed();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;

  private:
    void rebuild();
    void tick();
    void go(int step);

    Places places_;
    std::vector<CollectiveStep> steps_;
    std::vector<QRectF> rects_;
    int step_ = 0;
    double fraction_ = 0;
    QTimer timer_;
    QWidget* bar_;
    QComboBox* kinds_;
    QToolButton* play_;
    QLabel* sentence_;
};

}  // namespace trainyard
