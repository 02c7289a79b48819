#include "widgets/panels/field_combo.h"

#include <QAbstractItemView>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QWheelEvent>

#include "widgets/style/theme.h"

namespace trainyard {
namespace {
constexpr int kHeight = 44;
constexpr int kOwnTipRole = Qt::UserRole + 1;
}

FieldCombo::FieldCombo(const QString& caption, QWidget* parent) : QComboBox(parent), caption_(caption) {
    setAccessibleName(caption);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFixedHeight(kHeight);
    setMaxVisibleItems(24);
    view()->setTextElideMode(Qt::ElideRight);
    connect(this, &QComboBox::activated, this, [this](int) { emit keyChosen(key()); });
}

void FieldCombo::addChoice(const QString& text, const QString& key, const QString& toolTip) {
    addItem(text, key);
    if (!toolTip.isEmpty()) setItemData(count() - 1, toolTip, Qt::ToolTipRole);
    setItemData(count() - 1, toolTip, kOwnTipRole);
    view()->setMinimumWidth(std::max(view()->minimumWidth(), QFontMetrics(font()).horizontalAdvance(text) + 40));
}

void FieldCombo::showKey(const QString& key) {
    int index = findData(key);
    if (index < 0) {
        addItem(key, key);
        index = count() - 1;
    }
    if (index != currentIndex()) setCurrentIndex(index);
}

void FieldCombo::setChoiceRefused(int index, const QString& reason) {
    auto* items = qobject_cast<QStandardItemModel*>(model());
    if (items == nullptr || items->item(index) == nullptr) return;
    items->item(index)->setEnabled(reason.isEmpty());
    items->item(index)->setToolTip(reason.isEmpty() ? itemData(index, kOwnTipRole).toString() : reason);
}

QSize FieldCombo::sizeHint() const { return {150, kHeight}; }
QSize FieldCombo::minimumSizeHint() const { return {90, kHeight}; }

void FieldCombo::wheelEvent(QWheelEvent* event) { event->ignore(); }

void FieldCombo::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    const Theme& theme = Theme::current();
    const QRect text = rect().adjusted(10, 5, -26, -5);
    painter.setFont(type::font(type::kCaption));
    painter.setPen(isEnabled() ? theme.secondaryText : theme.faintText);
    painter.drawText(text, Qt::AlignTop | Qt::AlignLeft, caption_);
    const QFont valueFont = type::font(type::kBody);
    painter.setFont(valueFont);
    painter.setPen(isEnabled() ? theme.text : theme.faintText);
    painter.drawText(text, Qt::AlignBottom | Qt::AlignLeft,
                     QFontMetrics(valueFont).elidedText(currentText(), Qt::ElideRight, text.width()));
}

}  // namespace trainyard
