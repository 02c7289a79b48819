#pragma once

#include <QWidget>

class QTextBrowser;

namespace trainyard {

/// A page of help beside the window; not modal.
class HelpWindow : public QWidget {
    Q_OBJECT
  public:
    explicit HelpWindow(QWidget* parent);
    void showPage(const QString& title, const QString& html);
    [[nodiscard]] QTextBrowser* browser() const { return browser_; }

  private:
    QTextBrowser* browser_;
};

}  // namespace trainyard
