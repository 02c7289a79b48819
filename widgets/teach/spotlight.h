#pragma once

#include <QPointer>
#include <QWidget>

namespace trainyard {

/// Dims a window except for one widget (or part of it) and outlines that. Takes no mouse; goes at the first click or key.
class Spotlight : public QWidget {
    Q_OBJECT
  public:
    explicit Spotlight(QWidget* window);
    void pointAt(QWidget* target);
    [[nodiscard]] QWidget* target() const { return target_; }
    /// Hole in this widget's coordinates.
    [[nodiscard]] QRect hole() const;

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QPointer<QWidget> target_;
};

}  // namespace trainyard
