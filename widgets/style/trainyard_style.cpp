#include "widgets/style/trainyard_style.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTabBar>

#include "widgets/style/icons.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

QRectF halfPixel(const QRect& rect) { return QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5); }

QColor withAlpha(QColor colour, double alpha) {
    colour.setAlphaF(static_cast<float>(alpha));
    return colour;
}

void drawSurface(QPainter* painter, const QRect& rect, const QColor& fill, const QColor& line, double radius) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(line.isValid() ? QPen(line, 1) : QPen(Qt::NoPen));
    painter->setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    painter->drawRoundedRect(halfPixel(rect), radius, radius);
    painter->restore();
}

/// Raised surface of a control in its state; `line` is the focus colour when focused.
void drawControlSurface(QPainter* painter, const QStyleOption* option, const QRect& rect) {
    const Theme& theme = Theme::current();
    const bool enabled = option->state & QStyle::State_Enabled;
    const bool hover = enabled && (option->state & QStyle::State_MouseOver);
    const bool down = option->state & (QStyle::State_Sunken | QStyle::State_On);
    QColor fill = theme.raised;
    if (hover) fill = theme.kind == ThemeKind::dark ? fill.lighter(115) : fill.darker(103);
    if (down) fill = theme.kind == ThemeKind::dark ? fill.darker(112) : fill.darker(107);
    const bool focus = (option->state & QStyle::State_HasFocus) && (option->state & QStyle::State_KeyboardFocusChange);
    drawSurface(painter, rect, fill, focus ? theme.accent : theme.hairline, space::kControlRadius);
}

void drawChevron(QPainter* painter, const QRect& rect, const QColor& colour, int quarterTurns) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->translate(QRectF(rect).center());
    painter->rotate(90.0 * quarterTurns);
    painter->setPen(QPen(colour, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->drawPolyline(QPolygonF{QPointF(-3.5, -1.75), QPointF(0, 1.75), QPointF(3.5, -1.75)});
    painter->restore();
}

void drawCheck(QPainter* painter, const QRect& rect, const QColor& colour) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->translate(QRectF(rect).center());
    painter->setPen(QPen(colour, 1.75, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->drawPolyline(QPolygonF{QPointF(-3.5, 0.2), QPointF(-1, 2.8), QPointF(3.7, -2.6)});
    painter->restore();
}

bool hasFlag(const QWidget* widget, const char* name) { return widget != nullptr && widget->property(name).toBool(); }

}  // namespace

TrainyardStyle::TrainyardStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void TrainyardStyle::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    if (qobject_cast<QAbstractButton*>(widget) != nullptr || qobject_cast<QComboBox*>(widget) != nullptr ||
        qobject_cast<QAbstractSpinBox*>(widget) != nullptr || qobject_cast<QTabBar*>(widget) != nullptr ||
        qobject_cast<QScrollBar*>(widget) != nullptr)
        widget->setAttribute(Qt::WA_Hover);
}

void TrainyardStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                   const QWidget* widget) const {
    const Theme& theme = Theme::current();
    const bool enabled = option->state & State_Enabled;
    const bool hover = enabled && (option->state & State_MouseOver);
    switch (element) {
        case PE_PanelButtonCommand:
        case PE_PanelButtonTool: {
            if (hasFlag(widget, "primary")) {
                QColor fill = enabled ? theme.accent : theme.hairline;
                if (hover) fill = fill.lighter(108);
                if (option->state & State_Sunken) fill = fill.darker(110);
                drawSurface(painter, option->rect, fill, {}, space::kControlRadius);
                return;
            }
            const bool quiet = hasFlag(widget, "quiet");
            if (quiet && !hover && !(option->state & (State_Sunken | State_On))) {
                if ((option->state & State_HasFocus) && (option->state & State_KeyboardFocusChange))
                    drawSurface(painter, option->rect, {}, theme.accent, space::kControlRadius);
                return;
            }
            drawControlSurface(painter, option, option->rect);
            return;
        }
        case PE_FrameDefaultButton: return;
        case PE_FrameFocusRect:
            if (qobject_cast<const QAbstractButton*>(widget) != nullptr && hasFlag(widget, "quiet")) return;
            if (option->state & State_KeyboardFocusChange)
                drawSurface(painter, option->rect, {}, theme.accent, space::kMarkRadius);
            return;
        case PE_PanelLineEdit:
            if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
                frame != nullptr && frame->lineWidth <= 0)
                return;
            [[fallthrough]];
        case PE_FrameLineEdit: {
            const bool focus = option->state & State_HasFocus;
            drawSurface(painter, option->rect, theme.raised, focus ? theme.accent : theme.hairline, space::kControlRadius);
            return;
        }
        case PE_Frame:
        case PE_FrameMenu:
        case PE_FrameWindow:
        case PE_FrameDockWidget:
            painter->save();
            painter->setPen(theme.hairline);
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
            painter->restore();
            return;
        case PE_PanelMenu: painter->fillRect(option->rect, theme.raised); return;
        case PE_PanelTipLabel:
            painter->save();
            painter->setPen(theme.hairline);
            painter->setBrush(theme.raised);
            painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
            painter->restore();
            return;
        case PE_FrameTabBarBase:
        case PE_FrameStatusBarItem: return;
        case PE_IndicatorCheckBox:
        case PE_IndicatorItemViewItemCheck: {
            const bool on = option->state & State_On;
            const bool focus = (option->state & State_HasFocus) && (option->state & State_KeyboardFocusChange);
            QColor fill = on ? (enabled ? theme.accent : theme.faintText) : theme.raised;
            drawSurface(painter, option->rect, fill, on ? QColor() : (focus || hover ? theme.accent : theme.hairline),
                        space::kMarkRadius);
            if (on) drawCheck(painter, option->rect, theme.onAccent);
            if (option->state & State_NoChange) {
                painter->fillRect(option->rect.adjusted(4, option->rect.height() / 2 - 1, -4, -(option->rect.height() / 2 - 1)),
                                  theme.secondaryText);
            }
            return;
        }
        case PE_IndicatorRadioButton: {
            const bool on = option->state & State_On;
            drawSurface(painter, option->rect, on ? theme.accent : theme.raised, on ? QColor() : theme.hairline,
                        option->rect.height() / 2.0);
            if (on) drawSurface(painter, option->rect.adjusted(4, 4, -4, -4), theme.onAccent, {}, 4);
            return;
        }
        case PE_IndicatorArrowDown:
            drawChevron(painter, option->rect, enabled ? theme.secondaryText : theme.faintText, 0);
            return;
        case PE_IndicatorArrowLeft:
            drawChevron(painter, option->rect, enabled ? theme.secondaryText : theme.faintText, 1);
            return;
        case PE_IndicatorArrowUp: drawChevron(painter, option->rect, enabled ? theme.secondaryText : theme.faintText, 2); return;
        case PE_IndicatorArrowRight:
            drawChevron(painter, option->rect, enabled ? theme.secondaryText : theme.faintText, 3);
            return;
        case PE_IndicatorBranch:
            if (option->state & State_Children)
                drawChevron(painter, option->rect, theme.secondaryText, option->state & State_Open ? 0 : 3);
            return;
        case PE_PanelItemViewRow: return;
        case PE_PanelItemViewItem: {
            if (option->state & State_Selected)
                painter->fillRect(option->rect, withAlpha(theme.accent, theme.kind == ThemeKind::dark ? 0.24 : 0.16));
            else if (hover)
                painter->fillRect(option->rect, withAlpha(theme.text, 0.05));
            return;
        }
        default: QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void TrainyardStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                                 const QWidget* widget) const {
    const Theme& theme = Theme::current();
    switch (element) {
        case CE_PushButtonLabel: {
            const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
            if (button == nullptr) break;
            QStyleOptionButton copy = *button;
            if (hasFlag(widget, "primary")) copy.palette.setColor(QPalette::ButtonText, theme.onAccent);
            const bool menu = copy.features & QStyleOptionButton::HasMenu;
            if (menu) {  // our own chevron instead of Fusion's arrow
                copy.features &= ~QStyleOptionButton::ButtonFeatures(QStyleOptionButton::HasMenu);
                const QRect arrow(copy.rect.right() - 22, copy.rect.top(), 16, copy.rect.height());
                drawChevron(painter, arrow, hasFlag(widget, "primary") ? theme.onAccent : theme.secondaryText, 0);
                copy.rect.adjust(0, 0, -14, 0);
            }
            QProxyStyle::drawControl(element, &copy, painter, widget);
            return;
        }
        case CE_ItemViewItem: {
            const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option);
            if (item == nullptr) break;
            QStyleOptionViewItem copy = *item;  // the selection is a tint, so the text keeps its colour
            copy.palette.setColor(QPalette::HighlightedText, copy.palette.color(QPalette::Text));
            copy.state &= ~State(State_HasFocus);
            QProxyStyle::drawControl(element, &copy, painter, widget);
            return;
        }
        case CE_PushButtonBevel: {
            const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
            if (button == nullptr) break;
            QStyleOptionButton copy = *button;  // the label draws our own chevron
            copy.features &= ~QStyleOptionButton::ButtonFeatures(QStyleOptionButton::HasMenu);
            QProxyStyle::drawControl(element, &copy, painter, widget);
            return;
        }
        case CE_MenuBarEmptyArea: painter->fillRect(option->rect, theme.window); return;
        case CE_MenuBarItem: {
            const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
            if (item == nullptr) break;
            painter->fillRect(option->rect, theme.window);
            if (option->state & (State_Selected | State_Sunken))
                drawSurface(painter, option->rect.adjusted(1, 2, -1, -2), theme.raised, {}, space::kMarkRadius);
            painter->setFont(type::font(type::kSecondary));
            painter->setPen(option->state & State_Enabled ? theme.secondaryText : theme.faintText);
            painter->drawText(option->rect, Qt::AlignCenter | Qt::TextHideMnemonic | Qt::TextSingleLine, item->text);
            return;
        }
        case CE_MenuItem: {
            const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
            if (item == nullptr) break;
            if (item->menuItemType == QStyleOptionMenuItem::Separator) {
                const int y = option->rect.center().y();
                if (item->text.isEmpty()) {
                    painter->fillRect(QRect(option->rect.left() + 8, y, option->rect.width() - 16, 1), theme.hairline);
                } else {
                    painter->setFont(type::font(type::kCaption, QFont::DemiBold));
                    painter->setPen(theme.secondaryText);
                    painter->drawText(option->rect.adjusted(12, 0, -12, 0), Qt::AlignVCenter | Qt::AlignLeft, item->text);
                }
                return;
            }
            const bool enabled = option->state & State_Enabled;
            if ((option->state & State_Selected) && enabled)
                drawSurface(painter, option->rect.adjusted(4, 0, -4, 0), withAlpha(theme.accent, 0.22), {}, space::kMarkRadius);
            const QRect mark(option->rect.left() + 10, option->rect.top(), 18, option->rect.height());
            if (item->checkType != QStyleOptionMenuItem::NotCheckable && item->checked) {
                drawCheck(painter, mark, enabled ? theme.accent : theme.faintText);
            } else if (!item->icon.isNull()) {
                item->icon.paint(painter, QRect(mark.left() + 1, mark.center().y() - 7, 15, 15), Qt::AlignCenter,
                                 enabled ? QIcon::Normal : QIcon::Disabled);
            }
            const QRect text = option->rect.adjusted(36, 0, -14, 0);
            const QStringList parts = item->text.split(QLatin1Char('\t'));
            painter->setFont(type::font(type::kBody));
            painter->setPen(enabled ? theme.text : theme.faintText);
            painter->drawText(text, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextHideMnemonic | Qt::TextSingleLine, parts.value(0));
            if (parts.size() > 1) {
                painter->setFont(type::font(type::kSecondary));
                painter->setPen(enabled ? theme.secondaryText : theme.faintText);
                painter->drawText(text, Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine, parts.value(1));
            }
            if (item->menuItemType == QStyleOptionMenuItem::SubMenu)
                drawChevron(painter, QRect(option->rect.right() - 20, option->rect.top(), 12, option->rect.height()),
                            theme.secondaryText, 3);
            return;
        }
        case CE_TabBarTabShape: {
            const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
            if (tab == nullptr) break;
            const QRect line(option->rect.left(), option->rect.bottom() - 1, option->rect.width(), 2);
            if (option->state & State_Selected) {
                painter->fillRect(line, theme.accent);
            } else if ((option->state & State_MouseOver) && (option->state & State_Enabled)) {
                painter->fillRect(line, theme.hairline);
            }
            return;
        }
        case CE_TabBarTabLabel: {
            const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
            if (tab == nullptr) break;
            const bool selected = option->state & State_Selected;
            painter->setFont(type::font(type::kBody, selected ? QFont::DemiBold : QFont::Normal));
            QColor colour = selected ? theme.text : theme.secondaryText;
            if (!(option->state & State_Enabled)) colour = theme.faintText;
            painter->setPen(colour);
            painter->drawText(option->rect, Qt::AlignCenter | Qt::TextSingleLine | Qt::TextHideMnemonic, tab->text);
            if ((option->state & State_HasFocus) && (option->state & State_KeyboardFocusChange))
                drawSurface(painter, option->rect.adjusted(4, 6, -4, -6), {}, theme.accent, space::kMarkRadius);
            return;
        }
        case CE_HeaderSection:
            painter->fillRect(option->rect, theme.panel);
            painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), theme.hairline);
            return;
        case CE_HeaderEmptyArea:
            painter->fillRect(option->rect, theme.panel);
            painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), theme.hairline);
            return;
        case CE_HeaderLabel: {
            const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
            if (header == nullptr) break;
            QStyleOptionHeader copy = *header;
            copy.palette.setColor(QPalette::ButtonText, theme.secondaryText);
            copy.palette.setColor(QPalette::WindowText, theme.secondaryText);
            painter->save();
            painter->setFont(type::font(type::kCaption, QFont::DemiBold));
            QProxyStyle::drawControl(element, &copy, painter, widget);
            painter->restore();
            return;
        }
        case CE_Splitter: {
            const bool horizontal = option->state & State_Horizontal;
            const QPoint middle = option->rect.center();
            const QRect line = horizontal ? QRect(middle.x(), option->rect.top(), 1, option->rect.height())
                                          : QRect(option->rect.left(), middle.y(), option->rect.width(), 1);
            painter->fillRect(line, option->state & State_MouseOver ? theme.accent : theme.hairline);
            return;
        }
        case CE_ToolBar:
        case CE_ShapedFrame:
            if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
                frame != nullptr && frame->frameShape == QFrame::NoFrame)
                return;
            break;
        case CE_ProgressBarGroove:
            drawSurface(painter, option->rect, theme.raised, theme.hairline, option->rect.height() / 2.0);
            return;
        case CE_ProgressBarContents: {
            const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option);
            if (bar == nullptr) break;
            const double span = std::max(1, bar->maximum - bar->minimum);
            QRect filled = option->rect;
            filled.setWidth(static_cast<int>(filled.width() * (bar->progress - bar->minimum) / span));
            if (filled.width() > 2) drawSurface(painter, filled, theme.accent, {}, option->rect.height() / 2.0);
            return;
        }
        case CE_ComboBoxLabel: {
            const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option);
            if (combo == nullptr || combo->editable) break;
            const QRect text = subControlRect(CC_ComboBox, combo, SC_ComboBoxEditField, widget);
            painter->setPen(option->state & State_Enabled ? theme.text : theme.faintText);
            painter->drawText(text, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                              option->fontMetrics.elidedText(combo->currentText, Qt::ElideRight, text.width()));
            return;
        }
        default: break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void TrainyardStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                        const QWidget* widget) const {
    const Theme& theme = Theme::current();
    switch (control) {
        case CC_ComboBox: {
            drawControlSurface(painter, option, option->rect);
            drawChevron(painter, subControlRect(control, option, SC_ComboBoxArrow, widget),
                        option->state & State_Enabled ? theme.secondaryText : theme.faintText, 0);
            return;
        }
        case CC_SpinBox: {
            const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
            if (spin == nullptr) break;
            const bool focus = option->state & State_HasFocus;
            if (spin->frame)
                drawSurface(painter, option->rect, theme.raised, focus ? theme.accent : theme.hairline, space::kControlRadius);
            if (spin->buttonSymbols != QAbstractSpinBox::NoButtons) {
                const bool up = spin->stepEnabled & QAbstractSpinBox::StepUpEnabled;
                const bool down = spin->stepEnabled & QAbstractSpinBox::StepDownEnabled;
                drawChevron(painter, subControlRect(control, option, SC_SpinBoxUp, widget).translated(0, 1),
                            up ? theme.secondaryText : theme.hairline, 2);
                drawChevron(painter, subControlRect(control, option, SC_SpinBoxDown, widget).translated(0, -1),
                            down ? theme.secondaryText : theme.hairline, 0);
            }
            return;
        }
        case CC_ScrollBar: {
            const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
            if (bar == nullptr) break;
            const QRect handle = subControlRect(control, option, SC_ScrollBarSlider, widget);
            if (bar->maximum == bar->minimum) return;
            const bool active = option->activeSubControls & SC_ScrollBarSlider;
            const bool horizontal = bar->orientation == Qt::Horizontal;
            const QRect thin = horizontal ? handle.adjusted(2, 3, -2, -3) : handle.adjusted(3, 2, -3, -2);
            const double alpha = active || (option->state & State_Sunken) ? 0.8 : 0.45;
            drawSurface(painter, thin, withAlpha(theme.faintText, alpha), {}, 3);
            return;
        }
        case CC_GroupBox:
        default: break;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

QRect TrainyardStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl subControl,
                                     const QWidget* widget) const {
    const QRect rect = option->rect;
    if (control == CC_ComboBox) {
        if (subControl == SC_ComboBoxArrow) return {rect.right() - 24, rect.top(), 18, rect.height()};
        if (subControl == SC_ComboBoxEditField) return rect.adjusted(10, 1, -26, -1);
    }
    if (control == CC_ScrollBar) {
        const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
        if (bar != nullptr) {  // no arrow buttons: the whole length is groove
            const bool horizontal = bar->orientation == Qt::Horizontal;
            const int length = horizontal ? rect.width() : rect.height();
            const qint64 range = qint64{bar->maximum} - bar->minimum;
            int handle = length;
            if (range > 0)
                handle = std::clamp(static_cast<int>(qint64{length} * bar->pageStep / (range + bar->pageStep)),
                                    std::min(28, length), length);
            const int start =
                sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, length - handle, bar->upsideDown);
            const auto along = [&](int from, int size) {
                return horizontal ? QRect(rect.left() + from, rect.top(), size, rect.height())
                                  : QRect(rect.left(), rect.top() + from, rect.width(), size);
            };
            switch (subControl) {
                case SC_ScrollBarGroove: return rect;
                case SC_ScrollBarSlider: return along(start, handle);
                case SC_ScrollBarSubPage: return along(0, start);
                case SC_ScrollBarAddPage: return along(start + handle, length - start - handle);
                default: return {};
            }
        }
    }
    return QProxyStyle::subControlRect(control, option, subControl, widget);
}

int TrainyardStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
        case PM_ScrollBarExtent: return 12;
        case PM_ScrollBarSliderMin: return 28;
        case PM_SplitterWidth: return 5;
        case PM_MenuPanelWidth: return 1;
        case PM_MenuVMargin: return 5;
        case PM_MenuHMargin: return 0;
        case PM_MenuBarPanelWidth: return 0;
        case PM_MenuBarItemSpacing: return 2;
        case PM_MenuBarHMargin: return 8;
        case PM_MenuBarVMargin: return 2;
        case PM_IndicatorWidth:
        case PM_IndicatorHeight: return 16;
        case PM_ExclusiveIndicatorWidth:
        case PM_ExclusiveIndicatorHeight: return 16;
        case PM_CheckBoxLabelSpacing: return 8;
        case PM_ButtonShiftHorizontal:
        case PM_ButtonShiftVertical: return 0;
        case PM_TabBarTabHSpace: return 28;
        case PM_TabBarTabVSpace: return 18;
        case PM_TabBarTabShiftVertical:
        case PM_TabBarTabShiftHorizontal:
        case PM_TabBarBaseOverlap: return 0;
        case PM_SmallIconSize:
        case PM_ButtonIconSize: return 16;
        case PM_ToolBarIconSize: return 18;
        case PM_FocusFrameHMargin:
        case PM_FocusFrameVMargin: return 2;
        case PM_ToolTipLabelFrameWidth: return 6;
        default: return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

QSize TrainyardStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                       const QWidget* widget) const {
    switch (type) {
        case CT_PushButton: {
            const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
            int width = size.width() + 24;
            if (button != nullptr && (button->features & QStyleOptionButton::HasMenu)) width += 12;
            return {std::max(width, 30), std::max(size.height() + 10, 30)};
        }
        case CT_ToolButton: return {std::max(size.width() + 10, 28), std::max(size.height() + 10, 28)};
        case CT_ComboBox: return {size.width() + 40, std::max(size.height() + 10, 30)};
        case CT_LineEdit: return {size.width(), std::max(size.height() + 8, 30)};
        case CT_SpinBox: {
            const QSize base = QProxyStyle::sizeFromContents(type, option, size, widget);
            return {base.width(), std::max(base.height(), 30)};
        }
        case CT_MenuBarItem: return {size.width() + 18, 26};
        case CT_MenuItem: {
            const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
            if (item == nullptr) break;
            if (item->menuItemType == QStyleOptionMenuItem::Separator) return {size.width(), item->text.isEmpty() ? 9 : 24};
            const QStringList parts = item->text.split(QLatin1Char('\t'));
            const QFontMetrics body(trainyard::type::font(trainyard::type::kBody));
            const QFontMetrics keys(trainyard::type::font(trainyard::type::kSecondary));
            int width = 36 + body.horizontalAdvance(parts.value(0)) + 24;
            if (parts.size() > 1) width += 24 + keys.horizontalAdvance(parts.value(1));
            if (item->menuItemType == QStyleOptionMenuItem::SubMenu) width += 14;
            return {std::max(width, 180), 28};
        }
        case CT_TabBarTab: return {size.width(), 38};
        case CT_ItemViewItem: {
            const QSize base = QProxyStyle::sizeFromContents(type, option, size, widget);
            return {base.width(), std::max(base.height(), 26)};
        }
        case CT_HeaderSection: return {QProxyStyle::sizeFromContents(type, option, size, widget).width(), 28};
        default: break;
    }
    return QProxyStyle::sizeFromContents(type, option, size, widget);
}

int TrainyardStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                              QStyleHintReturn* returnData) const {
    switch (hint) {
        case SH_ComboBox_Popup: return 0;
        case SH_EtchDisabledText:
        case SH_DitherDisabledText: return 0;
        case SH_Menu_MouseTracking:
        case SH_MenuBar_MouseTracking: return 1;
        case SH_ToolTip_WakeUpDelay: return 350;
        case SH_UnderlineShortcut: return 0;
        case SH_ScrollBar_LeftClickAbsolutePosition: return 1;
        case SH_ItemView_ActivateItemOnSingleClick: return 0;
        default: return QProxyStyle::styleHint(hint, option, widget, returnData);
    }
}

}  // namespace trainyard
