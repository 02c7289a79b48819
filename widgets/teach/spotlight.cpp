#include "widgets/teach/spotlight.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollArea>

#include "widgets/style/theme.h"

namespace trainyard {

Spotlight::Spotlight(QWidget* window) : QWidget(window) {
    setObjectName(QStringLiteral("spotlight"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void Spotlight::pointAt(QWidget* target) {
    target_ = target;
    if (target == nullptr) return hide();
    for (QWidget* parent = target->parentWidget(); parent != nullptr; parent = parent->parentWidget())
        if (auto* scroll = qobject_cast<QScrollArea*>(parent)) scroll->ensureWidgetVisible(target, 20, 40);
    setGeometry(parentWidget()->rect());
    raise();
    show();
    update();
    qApp->installEventFilter(this);
}

QRect Spotlight::hole() const {
    if (target_.isNull()) return {};
    const QRect whole(target_->mapTo(parentWidget(), QPoint(0, 0)), target_->size());
    return whole.adjusted(-4, -4, 4, 4).intersected(rect().adjusted(2, 2, -2, -2));
}

void Spotlight::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath shade;
    shade.addRect(rect());
    QPainterPath gap;
    gap.addRoundedRect(hole(), 8, 8);
    painter.fillPath(shade.subtracted(gap), QColor(0, 0, 0, 120));
    painter.setPen(QPen(Theme::current().accent, 2.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(hole(), 8, 8);
}

bool Spotlight::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::MouseButtonPress:
        case QEvent::KeyPress:
        case QEvent::Wheel:
            if (isVisible()) {
                hide();
                qApp->removeEventFilter(this);
            }
            return false;
        case QEvent::Resize:
            if (watched == parentWidget()) setGeometry(parentWidget()->rect());
            return false;
        default: return false;
    }
}

}  // namespace trainyard
