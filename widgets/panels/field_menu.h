#pragma once

#include <QPushButton>

class QMenu;

namespace trainyard {

/// A button that looks like FieldCombo and opens a menu of switches: caption above, a summary of what is on below.
class FieldMenu : public QPushButton {
    Q_OBJECT
  public:
    explicit FieldMenu(const QString& caption, QWidget* parent = nullptr);
    [[nodiscard]] QMenu* choices() const { return menu_; }
    void setSummary(const QString& summary);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QString caption_;
    QString summary_;
    QMenu* menu_;
};

}  // namespace trainyard
