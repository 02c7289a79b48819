#pragma once

#include <QFrame>
#include <QPointer>

class QLabel;

namespace trainyard {

/// Name of the dynamic property that says which glossary label a widget stands for: a JSON pointer, `view:search`, ...
inline constexpr const char* kTermProperty = "glossaryLabel";
enum class TermUse : std::uint8_t {
    tip,      ///< its tooltip offers the entry, and F1 opens it
    keyOnly,  ///< F1 alone: for large areas
};
void setTerm(QWidget* widget, const QString& label, TermUse use = TermUse::tip);
/// The label of the widget or of the nearest parent that has one; empty if none.
[[nodiscard]] QString termOf(const QWidget* widget);

/// A tooltip that stays while the mouse is on it, with the term's first sentence and a link to its entry.
class TermTip : public QFrame {
    Q_OBJECT
  public:
    explicit TermTip(QWidget* parent);
    void present(QWidget* owner, const QString& label, const QString& toolTip, QPoint global);
    [[nodiscard]] QLabel* content() const { return content_; }

  signals:
    void termRequested(const QString& label);

  protected:
    void leaveEvent(QEvent* event) override;

  private:
    QLabel* content_;
    QPointer<QWidget> owner_;
};

/// Watches the application: a tooltip of a widget with a term becomes a TermTip.
class TermHelp : public QObject {
    Q_OBJECT
  public:
    explicit TermHelp(QWidget* window);
    /// The label under the mouse, else that of the widget with the keyboard; empty if none.
    [[nodiscard]] QString labelInUse() const;
    [[nodiscard]] TermTip* tip() const { return tip_; }

  signals:
    void termRequested(const QString& label);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QWidget* window_;
    TermTip* tip_;
};

}  // namespace trainyard
