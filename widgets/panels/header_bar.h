#pragma once

#include <QWidget>
#include <map>

class QAction;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QToolButton;

namespace trainyard {

/// First row of the window: name of the program, of the document, and the few commands that are always at hand.
class HeaderBar : public QWidget {
    Q_OBJECT
  public:
    explicit HeaderBar(QWidget* parent = nullptr);

    void setDocument(const QString& name, const QString& state);
    /// An icon button for an action.
    void addIcon(QAction* action);
    /// A labelled button for an action; its text follows the action.
    QPushButton* addButton(QAction* action);
    /// A button that opens a menu.
    QPushButton* addMenuButton(const QString& text, QMenu* menu);

    void setButtonVisible(QAction* action, bool visible);
    /// Turns the name into a field; `renamed` follows unless it is left with Escape.
    void startRename(const QString& name);

  signals:
    void renamed(const QString& name);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void elide();
    void finishRename(bool take);

    QLabel* program_;
    QLineEdit* rename_;
    std::map<QAction*, QPushButton*> buttons_;
    QLabel* document_;
    QHBoxLayout* layout_;
    QString name_;
    QString state_;
};

}  // namespace trainyard
