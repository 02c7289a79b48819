#pragma once

#include <QWidget>
#include <string>
#include <vector>

#include "core/plan/slider_stops.h"

class QLabel;
class QLineEdit;
class QToolButton;

namespace trainyard {

class DegreeSlider;

/// One degree: name, slider, the number to type into, a lock. Owns no truth: it asks and is told.
class DegreeRow : public QWidget {
    Q_OBJECT
  public:
    enum class Lock : std::uint8_t { none, possible };
    /// `pointer`: JSON pointer of the number in the scenario.
    DegreeRow(const QString& name, std::string pointer, Lock lock, QWidget* parent = nullptr);

    [[nodiscard]] const std::string& pointer() const { return pointer_; }
    [[nodiscard]] DegreeSlider* slider() const { return slider_; }
    [[nodiscard]] QLineEdit* field() const { return field_; }
    [[nodiscard]] QToolButton* lockButton() const { return lock_; }
    [[nodiscard]] bool isLocked() const;
    void setLocked(bool locked);
    /// While the slider is dragged only the number moves; the stops stay under the hand.
    void show(std::vector<SliderStop> stops, std::int64_t number);

  signals:
    void gestureBegun(const QString& text);
    void gestureEnded();
    void gestureCancelled();
    void numberRequested(const std::string& pointer, qint64 number);
    /// Typed; may be no legal value.
    void numberTyped(const std::string& pointer, qint64 number);
    void lockChanged();
    /// Why the stop under the mouse is not legal (or uneven); empty: nothing to say.
    void reasonHovered(const QString& reason);

  private:
    void describeLock();

    QString name_;
    std::string pointer_;
    QLabel* label_;
    DegreeSlider* slider_;
    QLineEdit* field_;
    QToolButton* lock_ = nullptr;
};

}  // namespace trainyard
