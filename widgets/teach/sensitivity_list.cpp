#include "widgets/teach/sensitivity_list.h"

#include <QHeaderView>
#include <QMouseEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>
#include <cmath>

#include "widgets/style/core_text.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

QString percent(double share) {
    return QStringLiteral("%1%2 %").arg(share > 0 ? QStringLiteral("+") : share < 0 ? QStringLiteral("−") : QString()).arg(
        std::abs(share) * 100, 0, 'f', std::abs(share) < 0.1 ? 2 : 1);
}

/// Bars from the middle: left the figure falls, right it rises; the darker one is the side that makes the input larger.
class BarDelegate : public QStyledItemDelegate {
  public:
    explicit BarDelegate(const SensitivityList* list) : QStyledItemDelegate(nullptr), list_(list) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const auto row = static_cast<std::size_t>(index.row());
        if (row >= list_->rows().size()) return;
        const double largest = list_->rows().front().largest();
        if (largest <= 0) return;
        const Theme& theme = Theme::current();
        const QRectF area = QRectF(option.rect).adjusted(4, 4, -4, -4);
        const double middle = area.center().x();
        painter->save();
        painter->setPen(Qt::NoPen);
        const auto bar = [&](const SensitivityCase& one, double top, bool more) {
            const double width = std::max(1.0, std::abs(one.relative) / largest * area.width() / 2);
            const QRectF rect(one.relative < 0 ? middle - width : middle, top, width, area.height() / 2 - 1);
            painter->fillRect(rect, more ? theme.accent : theme.idle);
            if (more) return;
            // Hatched, so that the two sides differ without colour.
            painter->fillRect(rect, QBrush(theme.panel, Qt::BDiagPattern));
        };
        const Sensitivity& shown = list_->rows()[row];
        if (shown.less) bar(*shown.less, area.top(), false);
        if (shown.more) bar(*shown.more, area.center().y() + 1, true);
        painter->fillRect(QRectF(middle - 0.5, option.rect.top(), 1, option.rect.height()), theme.hairline);
        painter->restore();
    }

  private:
    const SensitivityList* list_;
};

}  // namespace

SensitivityList::SensitivityList(QWidget* parent) : QTreeWidget(parent) {
    setAccessibleName(tr("What would change it most"));
    setObjectName(QStringLiteral("sensitivities"));
    setColumnCount(kColumns);
    setHeaderLabels({tr("Input"), tr("Less"), tr("Change of the figure"), tr("More")});
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(QAbstractItemView::SelectItems);
    setAllColumnsShowFocus(false);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(kInput, QHeaderView::Stretch);
    setColumnWidth(kLess, 128);
    setColumnWidth(kBars, 120);
    setColumnWidth(kMore, 128);
    auto* bars = new BarDelegate(this);
    bars->setParent(this);
    setItemDelegateForColumn(kBars, bars);
    connect(this, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item, int column) {
        apply(indexOfTopLevelItem(item), column == kLess ? Side::less : Side::more);
    });
    connect(this, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item, int column) {
        if (column == kLess || column == kMore) apply(indexOfTopLevelItem(item), column == kLess ? Side::less : Side::more);
    });
    connect(this, &QTreeWidget::currentItemChanged, this, [this] {
        if (hasFocus() && currentItem() != nullptr)
            emit previewed(caseOrNull(indexOfTopLevelItem(currentItem()), currentColumn() == kLess ? Side::less : Side::more));
    });
}

void SensitivityList::setRows(std::vector<Sensitivity> rows) {
    rows_ = std::move(rows);
    clear();
    for (const Sensitivity& row : rows_) {
        auto* item = new QTreeWidgetItem(this);
        const QString name = coreText(row.name);
        item->setText(kInput, name);
        item->setToolTip(kInput, name);
        const auto fill = [&](int column, const std::optional<SensitivityCase>& one) {
            if (!one) return item->setText(column, QStringLiteral("–"));
            const QString change = QString::fromStdString(one->change);
            item->setText(column, QStringLiteral("%1: %2").arg(change, percent(one->relative)));
            item->setToolTip(column, tr("%1, %2: %3. Click to apply.")
                                         .arg(name, change, QString::fromStdString(readable(one->value, row.unit))));
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        };
        fill(kLess, row.less);
        fill(kMore, row.more);
    }
}

const SensitivityCase* SensitivityList::caseOrNull(int row, Side side) const {
    if (row < 0 || row >= static_cast<int>(rows_.size())) return nullptr;
    const auto& one = side == Side::less ? rows_[static_cast<std::size_t>(row)].less : rows_[static_cast<std::size_t>(row)].more;
    return one ? &*one : nullptr;
}

const SensitivityCase* SensitivityList::caseAt(QPoint inViewport) const {
    QTreeWidgetItem* item = itemAt(inViewport);
    if (item == nullptr) return nullptr;
    const int row = indexOfTopLevelItem(item);
    const int column = columnAt(inViewport.x());
    if (column == kLess) return caseOrNull(row, Side::less);
    if (column == kMore) return caseOrNull(row, Side::more);
    return nullptr;
}

void SensitivityList::apply(int row, Side side) {
    const SensitivityCase* one = caseOrNull(row, side);
    if (one == nullptr) return;
    const SensitivityCase copy = *one;  // the list is filled anew by what this starts
    emit chosen(coreText(rows_[static_cast<std::size_t>(row)].name), copy);
}

void SensitivityList::mouseMoveEvent(QMouseEvent* event) {
    QTreeWidget::mouseMoveEvent(event);
    emit previewed(caseAt(event->pos()));
}

void SensitivityList::leaveEvent(QEvent* event) {
    QTreeWidget::leaveEvent(event);
    emit previewed(nullptr);
}

}  // namespace trainyard
