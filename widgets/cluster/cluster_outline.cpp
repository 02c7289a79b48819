#include "widgets/cluster/cluster_outline.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QStandardItemModel>
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/plan/limits.h"
#include "widgets/cluster/block_text.h"
#include "widgets/cluster/cluster_editor.h"
#include "widgets/document/plan_document.h"
#include "widgets/style/byte_units.h"
#include "widgets/style/icons.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

constexpr int kBlockRole = Qt::UserRole + 1;  ///< id of the block (QString) on every row of a block
constexpr int kLinkRole = Qt::UserRole + 2;   ///< index of the link on a link's row
constexpr int kGroupRole = Qt::UserRole + 3;  ///< accelerator group of a device row

}  // namespace

ClusterOutline::ClusterOutline(ClusterEditor* editor, PlanDocument* document, QWidget* parent)
    : QTreeView(parent), editor_(editor), document_(document), model_(new QStandardItemModel(this)) {
    setAccessibleName(tr("Cluster outline"));
    setModel(model_);
    setSelectionMode(ExtendedSelection);
    setSelectionBehavior(SelectRows);
    setEditTriggers(EditKeyPressed | SelectedClicked);
    setUniformRowHeights(true);
    setFrameShape(QFrame::NoFrame);
    setIndentation(14);
    setAllColumnsShowFocus(true);
    setContextMenuPolicy(Qt::CustomContextMenu);
    header()->setStretchLastSection(true);
    connect(document_, &PlanDocument::snapshotChanged, this, &ClusterOutline::rebuild);
    connect(editor_, &ClusterEditor::pickedChanged, this, &ClusterOutline::followPicked);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &ClusterOutline::publishPicked);
    connect(model_, &QStandardItemModel::itemChanged, this, &ClusterOutline::commit);
    rebuild();
}

QStandardItem* ClusterOutline::addRow(QStandardItem* parent, const QString& name, const QString& count, const QString& figures,
                                      const QString& spoken) {
    auto* first = new QStandardItem(name);
    auto* second = new QStandardItem(count);
    auto* third = new QStandardItem(figures);
    first->setData(spoken, Qt::AccessibleTextRole);
    second->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    for (auto* item : {first, second, third}) item->setEditable(false);
    third->setToolTip(figures);
    parent->appendRow({first, second, third});
    return first;
}

void ClusterOutline::rebuild() {
    // Hidden, or in the middle of one of its own edits: later.
    if (committing_ || !isVisible() || shown_ == document_->snapshot()->cluster) return;
    shown_ = document_->snapshot()->cluster;
    const auto& cluster = *shown_;
    std::set<QString> expanded;
    for (int row = 0; row < model_->rowCount(); ++row)
        if (isExpanded(model_->index(row, 0))) expanded.insert(model_->item(row)->data(kBlockRole).toString());
    following_ = true;
    model_->clear();
    model_->setHorizontalHeaderLabels({tr("Block"), tr("Count"), tr("Figures")});
    header()->setSectionResizeMode(nameColumn, QHeaderView::Interactive);
    header()->resizeSection(nameColumn, 150);
    header()->resizeSection(countColumn, 56);
    auto* root = model_->invisibleRootItem();

    std::map<std::string_view, std::vector<std::size_t>> linksOf;
    for (std::size_t i = 0; i < cluster.links.size(); ++i) {
        linksOf[cluster.links[i].from].push_back(i);
        if (cluster.links[i].to != cluster.links[i].from) linksOf[cluster.links[i].to].push_back(i);
    }
    const auto addLinks = [&](QStandardItem* row, const std::string& id) {
        for (const auto i : linksOf[id]) {
            const auto& link = cluster.links[i];
            const auto other = QString::fromStdString(link.from == id ? link.to : link.from);
            auto* item = addRow(row, tr("to %1").arg(other), QString::number(link.count), linkKindName(link.kind) + QLatin1Char(' ') + cablesText(link),
                                tr("Cable to %1, %2 %3%4").arg(other, linkKindName(link.kind), cablesText(link), link.broken ? tr(", unplugged") : QString()));
            item->setData(static_cast<qulonglong>(i), kLinkRole);
            item->setIcon(icon(link.broken ? QStringLiteral("unlink") : QStringLiteral("link")));
            row->child(item->row(), countColumn)->setEditable(true);
        }
    };
    for (const auto& node : cluster.nodes) {
        const auto id = QString::fromStdString(node.id);
        auto* row = addRow(root, titleOf(node), QString::number(node.count), deviceLine(node),
                           tr("%1, %2 nodes of %3").arg(titleOf(node)).arg(node.count).arg(deviceLine(node)));
        row->setData(id, kBlockRole);
        row->setIcon(icon(QStringLiteral("server")));
        row->setEditable(true);
        model_->item(row->row(), countColumn)->setEditable(true);
        for (std::size_t g = 0; g < node.accelerators.size(); ++g) {
            const auto& group = node.accelerators[g];
            const QString name = group.accelerator ? shortName(*group.accelerator) : tr("device");
            auto* device = addRow(row, name, QString::number(group.count),
                                  group.accelerator ? shown(shownBytes(group.accelerator->memoryUsableBytes)) : QString(),
                                  tr("%1 of %2").arg(group.count).arg(name));
            device->setIcon(icon(QStringLiteral("cpu")));
            device->setData(static_cast<qulonglong>(g), kGroupRole);
            device->setData(id, kBlockRole);
            row->child(device->row(), countColumn)->setEditable(true);
        }
        if (node.devicesPerNode() > 1) {
            const auto intra = effectiveIntra(node);
            addRow(row, tr("inside"), {}, innerLinkName(node) + QLatin1Char(' ') + rateText(intra.kind, intra.bandwidthBytesPerS),
                   tr("Inside: %1 %2").arg(innerLinkName(node), rateText(intra.kind, intra.bandwidthBytesPerS)))
                ->setData(id, kBlockRole);
        }
        addLinks(row, node.id);
        if (expanded.contains(id) || cluster.nodes.size() <= 4) setExpanded(row->index(), expanded.contains(id) || expanded.empty());
    }
    for (const auto& item : cluster.switches) {
        const auto id = QString::fromStdString(item.id);
        QStringList figures;
        if (item.oversubscription > 1) figures << QStringLiteral("%1:1").arg(item.oversubscription, 0, 'g', 3);
        if (item.inNetworkReduction) figures << tr("in-network sum");
        auto* row = addRow(root, titleOf(item), {}, figures.join(QStringLiteral(" · ")), tr("Switch %1").arg(titleOf(item)));
        row->setData(id, kBlockRole);
        row->setIcon(icon(QStringLiteral("router")));
        row->setEditable(true);
        addLinks(row, item.id);
        if (expanded.contains(id)) setExpanded(row->index(), true);
    }
    following_ = false;
    followPicked();
}

void ClusterOutline::followPicked() {
    if (following_ || committing_ || !isVisible()) return;
    following_ = true;
    QItemSelection selection;
    QModelIndex first;
    const auto select = [&](const QModelIndex& index) {
        selection.select(index, index.siblingAtColumn(figuresColumn));
        if (!first.isValid()) first = index;
    };
    std::set<std::size_t> links(editor_->pickedLinks().begin(), editor_->pickedLinks().end());
    const std::set<std::string> blocks(editor_->pickedBlocks().begin(), editor_->pickedBlocks().end());
    for (int row = 0; row < model_->rowCount(); ++row) {
        auto* item = model_->item(row);
        if (blocks.contains(item->data(kBlockRole).toString().toStdString())) select(item->index());
        for (int child = 0; !links.empty() && child < item->rowCount(); ++child) {
            const auto link = item->child(child)->data(kLinkRole);
            if (link.isValid() && links.erase(static_cast<std::size_t>(link.toULongLong())) > 0) select(item->child(child)->index());
        }
    }
    // A device row of a picked block may stay current: its block is what is picked.
    const auto current = currentIndex();
    const bool inside = current.parent().isValid() && selection.contains(current.parent().siblingAtColumn(0));
    if (!inside || selection.indexes().size() != 3) {
        selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
        if (first.isValid()) {
            selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
            scrollTo(first);
        }
    }
    following_ = false;
}

void ClusterOutline::publishPicked() {
    if (following_ || committing_) return;
    std::vector<std::string> blocks;
    std::vector<std::size_t> links;
    for (const auto& index : selectionModel()->selectedRows()) {
        const auto* item = model_->itemFromIndex(index);
        if (const auto link = item->data(kLinkRole); link.isValid()) {
            links.push_back(static_cast<std::size_t>(link.toULongLong()));
        } else {
            auto id = item->data(kBlockRole).toString().toStdString();
            if (!id.empty() && std::ranges::find(blocks, id) == blocks.end()) blocks.push_back(std::move(id));
        }
    }
    following_ = true;
    editor_->pick(std::move(blocks), std::move(links));
    following_ = false;
}

void ClusterOutline::commit(QStandardItem* item) {
    if (following_ || committing_) return;
    committing_ = true;
    const auto* row = item->parent() == nullptr ? model_->item(item->row()) : item->parent()->child(item->row());
    const auto id = row->data(kBlockRole).toString().toStdString();
    if (item->column() == nameColumn) {
        editor_->rename(id, item->text());
    } else if (item->column() == countColumn) {
        QString digits = item->text();
        digits.remove(QLatin1Char(' '));
        bool isNumber = false;
        const auto count = std::clamp<qlonglong>(digits.toLongLong(&isNumber), 0, limits::kDevices);
        if (isNumber && row->data(kLinkRole).isValid() && count > 0) {
            const auto link = static_cast<std::size_t>(row->data(kLinkRole).toULongLong());
            LinkSpec value = editor_->cluster().links[link];
            value.count = count;
            editor_->setLink(link, std::move(value), tr("Change the number of cables"));
        } else if (isNumber && row->data(kGroupRole).isValid()) {
            editor_->setAcceleratorCount(id, static_cast<std::size_t>(row->data(kGroupRole).toULongLong()), count);
        } else if (isNumber && count > 0) {
            editor_->setCount(id, count);
        }
    }
    // What was refused shows its old figure again.
    QMetaObject::invokeMethod(
        this,
        [this] {
            committing_ = false;
            shown_.reset();
            rebuild();
        },
        Qt::QueuedConnection);
}

void ClusterOutline::showEvent(QShowEvent* event) {
    QTreeView::showEvent(event);
    rebuild();
}

void ClusterOutline::keyPressEvent(QKeyEvent* event) {
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && state() != EditingState) {
        emit inspectRequested();
        return;
    }
    QTreeView::keyPressEvent(event);
}

}  // namespace trainyard
