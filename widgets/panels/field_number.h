#pragma once

#include <QLineEdit>
#include <optional>

namespace trainyard {

/// A number with its caption above, one quiet surface like FieldCombo. Understands "4096", "4 096", "4k" (= 4096 for
/// lengths), "1e12", "2T".
class FieldNumber : public QLineEdit {
    Q_OBJECT
  public:
    enum class Kind : std::uint8_t {
        count,   ///< whole number, shown grouped
        tokens,  ///< shown as "2 T"; empty is allowed and means: not said
        text,    ///< any text
    };
    FieldNumber(const QString& caption, Kind kind, QWidget* parent = nullptr);

    void showNumber(std::optional<double> number);
    void showText(const QString& text);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

    /// The number a text means; nothing if it is none.
    [[nodiscard]] static std::optional<double> parse(const QString& text, Kind kind);

  signals:
    /// A new number was typed; empty only for Kind::tokens.
    void numberTyped(std::optional<double> number);
    void textTyped(const QString& text);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void finish();

    QString caption_;
    Kind kind_;
    QString shown_;
};

}  // namespace trainyard
