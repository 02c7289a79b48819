#include "widgets/cluster/part_popover.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QScreen>
#include <QStyledItemDelegate>
#include <QTabBar>
#include <QVBoxLayout>

#include "widgets/cluster/part_palette.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

/// Title and, smaller below it, what the part is.
class PartDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {200, 44}; }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& theme = Theme::current();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const bool current = option.state.testFlag(QStyle::State_Selected);
        if (current || option.state.testFlag(QStyle::State_MouseOver)) {
            QColor wash = current ? theme.accent : theme.text;
            wash.setAlphaF(current ? 0.18F : 0.06F);
            painter->setPen(Qt::NoPen);
            painter->setBrush(wash);
            painter->drawRoundedRect(QRectF(option.rect).adjusted(4, 1, -4, -1), space::kMarkRadius + 1, space::kMarkRadius + 1);
        }
        const QRect box = option.rect.adjusted(14, 5, -12, -5);
        const QFont strong = type::font(type::kBody, QFont::Medium);
        painter->setFont(strong);
        painter->setPen(theme.text);
        painter->drawText(QRect(box.left(), box.top(), box.width(), 18), Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetrics(strong).elidedText(index.data().toString(), Qt::ElideRight, box.width()));
        const QFont caption = type::font(type::kCaption);
        painter->setFont(caption);
        painter->setPen(theme.secondaryText);
        painter->drawText(QRect(box.left(), box.top() + 18, box.width(), 16), Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetrics(caption).elidedText(index.data(PartList::kDetailRole).toString(), Qt::ElideRight, box.width()));
        painter->restore();
    }
};

constexpr Part::Kind kTabKinds[] = {Part::Kind::accelerator, Part::Kind::node, Part::Kind::cable,
                                      Part::Kind::pattern};

}  // namespace

const Part* PartList::partAt(const QListWidgetItem* item) const {
    return item == nullptr ? nullptr : static_cast<const Part*>(item->data(kPartRole).value<const void*>());
}

void PartList::startDrag(Qt::DropActions) {
    const Part* part = partAt(currentItem());
    if (part == nullptr || part->kind == Part::Kind::cable) return;
    QWidget* source = window()->parentWidget();
    emit dragStarting();
    dragPart(source != nullptr ? source : this, *part);
}

PartPopover::PartPopover(const PartCatalogue& parts, QWidget* parent)
    : QFrame(parent, Qt::Popup), parts_(parts), tabs_(new QTabBar(this)), search_(new QLineEdit(this)), list_(new PartList(this)) {
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(tr("All parts"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(6);
    search_->setPlaceholderText(tr("Search by name, maker, memory, link"));
    search_->setAccessibleName(tr("Search parts"));
    search_->setClearButtonEnabled(true);
    search_->setMinimumHeight(32);
    tabs_->setDrawBase(false);
    tabs_->setExpanding(false);
    tabs_->addTab(tr("Accelerators"));
    tabs_->addTab(tr("Nodes"));
    tabs_->addTab(tr("Cables"));
    tabs_->addTab(tr("Patterns"));
    tabs_->setFocusPolicy(Qt::TabFocus);
    list_->setItemDelegate(new PartDelegate(list_));
    list_->setDragEnabled(true);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setMouseTracking(true);
    list_->setUniformItemSizes(true);
    list_->setAccessibleName(tr("Parts found"));
    list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* hint = new QLabel(tr("Drag, or click and then click on the canvas; Enter places at once."), this);
    hint->setFont(type::font(type::kCaption));
    hint->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(search_);
    column->addWidget(tabs_);
    column->addWidget(list_, 1);
    column->addWidget(hint);
    search_->installEventFilter(this);
    list_->installEventFilter(this);
    connect(search_, &QLineEdit::textChanged, this, &PartPopover::refill);
    connect(tabs_, &QTabBar::currentChanged, this, &PartPopover::refill);
    connect(list_, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) { choose(list_->partAt(item)); });
    connect(list_, &PartList::dragStarting, this, &QWidget::hide);
    resize(420, 460);
}

void PartPopover::open(Part::Kind kind, QPoint globalTopLeft) {
    for (int i = 0; i < tabs_->count(); ++i)
        if (kTabKinds[i] == kind) tabs_->setCurrentIndex(i);
    search_->clear();
    refill();
    if (const QScreen* screen = QApplication::screenAt(globalTopLeft)) {
        const QRect area = screen->availableGeometry();
        globalTopLeft.setY(std::clamp(globalTopLeft.y(), area.top(), std::max(area.top(), area.bottom() - height())));
    }
    move(globalTopLeft);
    show();
    search_->setFocus(Qt::PopupFocusReason);
}

void PartPopover::refill() {
    list_->clear();
    const auto index = static_cast<std::size_t>(std::max(0, tabs_->currentIndex()));
    for (const Part* part : parts_.search(kTabKinds[index], search_->text())) {
        auto* item = new QListWidgetItem(part->title, list_);
        item->setData(PartList::kDetailRole, part->detail);
        item->setData(PartList::kPartRole, QVariant::fromValue(static_cast<const void*>(part)));
        item->setToolTip(part->detail);
    }
    for (int i = 0; i < tabs_->count(); ++i) {
        const auto found = parts_.search(kTabKinds[i], search_->text()).size();
        const QStringList names{tr("Accelerators"), tr("Nodes"), tr("Cables"), tr("Patterns")};
        tabs_->setTabText(i, QStringLiteral("%1  %2").arg(names[i]).arg(found));
    }
    if (list_->count() > 0) {
        list_->setCurrentRow(0);
    } else {
        auto* none = new QListWidgetItem(tr("Nothing of this name"), list_);
        none->setData(PartList::kDetailRole, tr("Try another tab, or draw it: every figure can be changed after it is placed"));
        none->setFlags(Qt::NoItemFlags);
    }
}

void PartPopover::choose(const Part* part) {
    if (part == nullptr) return;
    hide();
    emit partChosen(part);
}

bool PartPopover::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            if (const Part* part = list_->partAt(list_->currentItem())) {
                hide();
                emit partPlaced(part);
            }
            return true;
        }
        // Arrows move through the list while the search line keeps the cursor.
        if (watched == search_ && (key->key() == Qt::Key_Down || key->key() == Qt::Key_Up)) {
            const int step = key->key() == Qt::Key_Down ? 1 : -1;
            list_->setCurrentRow(std::clamp(list_->currentRow() + step, 0, std::max(0, list_->count() - 1)));
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

}  // namespace trainyard
