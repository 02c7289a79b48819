#include "widgets/panels/field_menu.h"

#include <QMenu>
#include <QStyleOptionComboBox>
#include <QStylePainter>

#include "widgets/style/theme.h"

namespace trainyard {
namespace {
constexpr int kHeight = 44;
}

FieldMenu::FieldMenu(const QString& caption, QWidget* parent) : QPushButton(parent), caption_(caption), menu_(new QMenu(this)) {
    setAccessibleName(caption);
    setFixedHeight(kHeight);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    menu_->setToolTipsVisible(true);
    setMenu(menu_);
}

void FieldMenu::setSummary(const QString& summary) {
    summary_ = summary;
    setAccessibleDescription(summary);
    update();
}

QSize FieldMenu::sizeHint() const { return {150, kHeight}; }
QSize FieldMenu::minimumSizeHint() const { return {90, kHeight}; }

void FieldMenu::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    option.initFrom(this);
    if (isDown() || menu_->isVisible()) option.state |= QStyle::State_Sunken;
    option.subControls = QStyle::SC_All;
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    const Theme& theme = Theme::current();
    const QRect text = rect().adjusted(10, 5, -26, -5);
    painter.setFont(type::font(type::kCaption));
    painter.setPen(isEnabled() ? theme.secondaryText : theme.faintText);
    painter.drawText(text, Qt::AlignTop | Qt::AlignLeft, caption_);
    painter.setFont(type::font(type::kBody));
    painter.setPen(isEnabled() ? theme.text : theme.faintText);
    painter.drawText(text, Qt::AlignBottom | Qt::AlignLeft,
                     QFontMetrics(painter.font()).elidedText(summary_, Qt::ElideRight, text.width()));
}

}  // namespace trainyard
