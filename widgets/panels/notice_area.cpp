#include "widgets/panels/notice_area.h"

#include <QLayout>
#include <QPainter>
#include <QScrollBar>

#include "widgets/panels/notice_list.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {
constexpr int kHighest = 104;
}

NoticeArea::NoticeArea(QWidget* parent) : QScrollArea(parent), list_(new NoticeList(this)) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setViewportMargins(0, 1, 0, 0);
    list_->layout()->setContentsMargins(space::kPanelPadding + 2, 8, space::kPanelPadding, 8);
    setWidget(list_);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    fit();
}

void NoticeArea::fit() {
    setVisible(list_->count() > 0);
    updateGeometry();
}

QSize NoticeArea::sizeHint() const { return {300, heightForWidth(width())}; }
QSize NoticeArea::minimumSizeHint() const { return {120, std::min(kHighest, 40)}; }

int NoticeArea::heightForWidth(int width) const {
    const int needed = list_->layout()->heightForWidth(std::max(120, width - verticalScrollBar()->sizeHint().width()));
    return std::min(kHighest, std::max(needed, 0) + 1);
}

void NoticeArea::paintEvent(QPaintEvent* event) {
    QScrollArea::paintEvent(event);
    QPainter painter(viewport());
    painter.fillRect(QRect(0, 0, viewport()->width(), 1), Theme::current().hairline);
}

}  // namespace trainyard
