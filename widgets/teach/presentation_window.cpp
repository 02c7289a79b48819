#include "widgets/teach/presentation_window.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "widgets/style/theme.h"

namespace trainyard {
namespace {
constexpr double kLeastZoom = 1;
constexpr double kMostZoom = 3.2;
constexpr double kZoomStep = 0.2;
}  // namespace

PresentationWindow::PresentationWindow(QWidget* parent) : QWidget(parent, Qt::Window) {
    setWindowTitle(tr("Presentation"));
    setAccessibleName(tr("Presentation"));
    setFocusPolicy(Qt::StrongFocus);
    soon_.setSingleShot(true);
    soon_.setInterval(0);
    connect(&soon_, &QTimer::timeout, this, &PresentationWindow::draw);
}

void PresentationWindow::setPages(std::vector<Page> pages, std::function<FigureText()> text) {
    pages_ = std::move(pages);
    std::erase_if(pages_, [](const Page& page) { return page.view == nullptr; });
    text_ = std::move(text);
    index_ = 0;
}

void PresentationWindow::showPage(const QString& name) {
    for (std::size_t i = 0; i < pages_.size(); ++i)
        if (pages_[i].name == name) index_ = i;
    refresh();
}

QString PresentationWindow::page() const { return index_ < pages_.size() ? pages_[index_].name : QString(); }

void PresentationWindow::refresh() {
    if (isVisible() || image_.isNull()) soon_.start();
}

void PresentationWindow::draw() {
    if (index_ >= pages_.size() || size().isEmpty()) return;
    FigureText text = text_();
    text.scenario.clear();
    setAccessibleDescription(page() + QStringLiteral(". ") + text.title + QStringLiteral(". ") + text.caption);
    const QSize logical(static_cast<int>(width() / zoom_), static_cast<int>(height() / zoom_));
    image_ = figureImage(*pages_[index_].view, logical, text, zoom_ * devicePixelRatioF());
    image_.setDevicePixelRatio(devicePixelRatioF());
    update();
}

void PresentationWindow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), Theme::current().panel);
    painter.drawImage(QPointF(0, 0), image_);
}

void PresentationWindow::go(int by) {
    if (pages_.empty()) return;
    const int count = static_cast<int>(pages_.size());
    index_ = static_cast<std::size_t>((static_cast<int>(index_) + by + count) % count);
    soon_.start();
}

void PresentationWindow::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Right:
        case Qt::Key_PageDown:
        case Qt::Key_Space: return go(1);
        case Qt::Key_Left:
        case Qt::Key_PageUp: return go(-1);
        case Qt::Key_Plus:
        case Qt::Key_Equal: zoom_ = std::min(kMostZoom, zoom_ + kZoomStep); return soon_.start();
        case Qt::Key_Minus: zoom_ = std::max(kLeastZoom, zoom_ - kZoomStep); return soon_.start();
        case Qt::Key_Escape:
        case Qt::Key_F11: close(); return;
        default: QWidget::keyPressEvent(event);
    }
}

void PresentationWindow::mousePressEvent(QMouseEvent* event) { go(event->button() == Qt::RightButton ? -1 : 1); }

void PresentationWindow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    soon_.start();
}

}  // namespace trainyard
