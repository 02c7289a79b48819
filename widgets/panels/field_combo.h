#pragma once

#include <QComboBox>

namespace trainyard {

/// A combo box that carries its caption: small name above, value below, one quiet surface.
class FieldCombo : public QComboBox {
    Q_OBJECT
  public:
    explicit FieldCombo(const QString& caption, QWidget* parent = nullptr);

    /// Adds an entry whose data is `key`.
    void addChoice(const QString& text, const QString& key, const QString& toolTip = {});
    [[nodiscard]] QString key() const { return currentData().toString(); }
    /// Selects by key without a signal; an unknown key is shown as it is.
    void showKey(const QString& key);
    /// Greys an entry out and says why; an empty reason makes it a choice again.
    void setChoiceRefused(int index, const QString& reason);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  signals:
    void keyChosen(const QString& key);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

  private:
    QString caption_;
};

}  // namespace trainyard
