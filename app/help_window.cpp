#include "app/help_window.h"

#include <QShortcut>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace trainyard {

HelpWindow::HelpWindow(QWidget* parent) : QWidget(parent, Qt::Window), browser_(new QTextBrowser(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    browser_->setFrameShape(QFrame::NoFrame);
    browser_->setOpenExternalLinks(true);
    browser_->document()->setDocumentMargin(20);
    browser_->setAccessibleName(tr("Help"));
    layout->addWidget(browser_);
    resize(760, 680);
    connect(new QShortcut(Qt::Key_Escape, this), &QShortcut::activated, this, &QWidget::close);
}

void HelpWindow::showPage(const QString& title, const QString& html) {
    setWindowTitle(title);
    browser_->setHtml(html);
    show();
    raise();
    activateWindow();
}

}  // namespace trainyard
