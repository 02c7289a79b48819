#include "widgets/cluster/cluster_actions.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QInputDialog>
#include <QMenu>
#include <QWidget>
#include <algorithm>
#include <set>

#include "widgets/cluster/block_text.h"
#include "widgets/cluster/cluster_editor.h"
#include "widgets/style/icons.h"

namespace trainyard {

QAction* ClusterActions::make(QWidget* host, const QString& iconName, const QString& text, const QKeySequence& keys) {
    auto* action = new QAction(iconName.isEmpty() ? QIcon() : icon(iconName), text, this);
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    host->addAction(action);
    return action;
}

ClusterActions::ClusterActions(ClusterEditor* editor, QWidget* host) : QObject(host), editor_(editor) {
    cut = make(host, QStringLiteral("scissors"), tr("Cut"), QKeySequence::Cut);
    copy = make(host, QStringLiteral("copy"), tr("Copy"), QKeySequence::Copy);
    paste = make(host, QStringLiteral("clipboard-paste"), tr("Paste"), QKeySequence::Paste);
    duplicate = make(host, QStringLiteral("copy"), tr("Duplicate"), QKeySequence(Qt::CTRL | Qt::Key_D));
    remove = make(host, QStringLiteral("trash-2"), tr("Delete"), QKeySequence::Delete);
    pickAll = make(host, {}, tr("Select all"), QKeySequence::SelectAll);
    rename = make(host, {}, tr("Rename"), QKeySequence(Qt::Key_F2));
    inspect = make(host, QStringLiteral("sliders-horizontal"), tr("Edit figures"), QKeySequence(Qt::Key_I));
    connectPicked = make(host, QStringLiteral("cable"), tr("Connect"), QKeySequence(Qt::Key_L));
    alignLeft = make(host, {}, tr("Align left edges"), {});
    alignTop = make(host, {}, tr("Align top edges"), {});
    alignRow = make(host, {}, tr("Place in a row"), {});
    arrange = make(host, QStringLiteral("grid-3x3"), tr("Arrange everything"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A));
    site = make(host, QStringLiteral("globe"), tr("Name the site…"), {});
    unplug = make(host, QStringLiteral("unlink"), tr("Unplug"), QKeySequence(Qt::Key_U));
    plugIn = make(host, QStringLiteral("link"), tr("Plug in again"), {});
    slower = make(host, QStringLiteral("timer"), tr("Slow one node by 20 %"), {});
    fullSpeed = make(host, {}, tr("Full speed again"), {});
    measured = make(host, QStringLiteral("table-2"), tr("Measured bandwidth…"), {});
    forgetMeasured = make(host, {}, tr("Forget measured bandwidth"), {});

    connect(cut, &QAction::triggered, editor_, &ClusterEditor::cutPicked);
    connect(copy, &QAction::triggered, editor_, &ClusterEditor::copyPicked);
    connect(paste, &QAction::triggered, editor_, &ClusterEditor::paste);
    connect(duplicate, &QAction::triggered, editor_, &ClusterEditor::duplicatePicked);
    connect(remove, &QAction::triggered, editor_, &ClusterEditor::removePicked);
    connect(pickAll, &QAction::triggered, editor_, &ClusterEditor::pickAll);
    connect(connectPicked, &QAction::triggered, editor_, &ClusterEditor::connectPicked);
    connect(alignLeft, &QAction::triggered, editor_, [this] { editor_->alignPicked(ClusterEditor::Edge::left); });
    connect(alignTop, &QAction::triggered, editor_, [this] { editor_->alignPicked(ClusterEditor::Edge::top); });
    connect(alignRow, &QAction::triggered, editor_, [this] { editor_->alignPicked(ClusterEditor::Edge::row); });
    connect(arrange, &QAction::triggered, editor_, &ClusterEditor::arrange);
    connect(unplug, &QAction::triggered, editor_, [this] { editor_->setPickedLinksBroken(true); });
    connect(plugIn, &QAction::triggered, editor_, [this] { editor_->setPickedLinksBroken(false); });
    connect(slower, &QAction::triggered, editor_, [this] { editor_->slowPicked(1.2); });
    connect(fullSpeed, &QAction::triggered, editor_, [this] { editor_->slowPicked(1.0); });
    connect(measured, &QAction::triggered, editor_, [this, host] { askForMeasurement(host); });
    connect(forgetMeasured, &QAction::triggered, editor_, [this] { static_cast<void>(editor_->setMeasuredBandwidth({})); });
    connect(editor_, &ClusterEditor::pickedChanged, this, &ClusterActions::update);
    update();
}

/// A table from the clipboard or typed, until it is one for this drawing or the dialog is closed.
void ClusterActions::askForMeasurement(QWidget* host) {
    QString table = QGuiApplication::clipboard()->text();
    if (table.size() > 1'000'000 || !table.contains(QLatin1Char('\n'))) table.clear();
    QString problem;
    for (;;) {
        const auto nodes = editor_->cluster().nodeInstances();
        QString label = tr("One row per node (%1), GB/s from that node to each; commas, tabs or blanks between. Write Gb/s in the first "
                           "line for gigabits.")
                            .arg(nodes);
        if (!problem.isEmpty()) label += QStringLiteral("\n\n") + problem;
        bool accepted = false;
        table = QInputDialog::getMultiLineText(host, tr("Measured bandwidth"), label, table, &accepted);
        if (!accepted) return;
        const bool gigabits = table.section(QLatin1Char('\n'), 0, 0).contains(QLatin1String("Gb/s"));
        problem = editor_->setMeasuredBandwidth(table, gigabits);
        if (problem.isEmpty()) return;
    }
}

void ClusterActions::update() {
    const auto blocks = editor_->pickedBlocks().size();
    const bool links = !editor_->pickedLinks().empty();
    for (auto* action : {cut, copy, duplicate, slower, fullSpeed, site}) action->setEnabled(blocks > 0);
    remove->setEnabled(blocks > 0 || links);
    rename->setEnabled(blocks == 1);
    inspect->setEnabled(blocks > 0 || links);
    for (auto* action : {connectPicked, alignLeft, alignTop, alignRow}) action->setEnabled(blocks > 1);
    for (auto* action : {unplug, plugIn}) action->setEnabled(links);
}

void ClusterActions::fill(QMenu& menu) {
    const auto& cluster = editor_->cluster();
    std::set<std::string> kinds;
    bool nodes = false;
    bool slow = false;
    bool switches = false;
    for (const auto& id : editor_->pickedBlocks()) {
        if (const auto* node = cluster_edit::findNodeOrNull(cluster, id)) {
            nodes = true;
            slow = slow || node->slowdown != 1.0;
            for (const auto& group : node->accelerators)
                if (group.accelerator) kinds.insert(group.accelerator->id);
        } else {
            switches = true;
        }
    }
    const bool links = !editor_->pickedLinks().empty();
    if (editor_->hasPicked()) {
        menu.addAction(inspect);
        if (editor_->pickedBlocks().size() == 1) menu.addAction(rename);
        if (editor_->pickedBlocks().size() > 1) menu.addAction(connectPicked);
        menu.addSeparator();
        if (nodes) {
            menu.addAction(slower);
            if (slow) menu.addAction(fullSpeed);
            for (const auto& kind : kinds) {
                const Part* from = editor_->parts().findOrNull(Part::Kind::accelerator, QString::fromStdString(kind));
                auto* swap = menu.addMenu(tr("Swap every %1 for").arg(from != nullptr ? shortName(*from->accelerator) : QString::fromStdString(kind)));
                for (const Part& part : editor_->parts().accelerators()) {
                    // A swap of generation stays with the maker; the inspector takes any part.
                    if (from != nullptr && part.accelerator->vendor != from->accelerator->vendor) continue;
                    if (part.accelerator->id == kind) continue;
                    swap->addAction(part.title, editor_, [this, kind, spec = part.accelerator] { editor_->swapGeneration(kind, spec); });
                }
            }
            menu.addAction(site);
        }
        if (switches) {
            auto* ratio = menu.addMenu(tr("Oversubscribe"));
            for (const double r : {1.0, 2.0, 3.0, 4.0, 8.0})
                ratio->addAction(r == 1 ? tr("1:1, none") : tr("%1:1").arg(r), editor_, [this, r] { editor_->oversubscribePicked(r); });
        }
        if (switches) {
            auto* neighbour = menu.addMenu(tr("Neighbour job on the fabric"));
            for (const double share : {0.0, 0.1, 0.25, 0.5, 0.75})
                neighbour->addAction(share == 0 ? tr("None") : tr("Takes %1 %").arg(share * 100, 0, 'f', 0), editor_,
                                     [this, share] { editor_->setNeighbourJob(share); });
        }
        if (links) {
            const bool broken = std::ranges::any_of(editor_->pickedLinks(), [&](auto i) { return cluster.links[i].broken; });
            menu.addAction(broken ? plugIn : unplug);
        }
        menu.addSeparator();
        if (!editor_->pickedBlocks().empty()) {
            menu.addAction(cut);
            menu.addAction(copy);
        }
    }
    paste->setEnabled(editor_->canPaste());
    menu.addAction(paste);
    if (!editor_->pickedBlocks().empty()) menu.addAction(duplicate);
    if (editor_->hasPicked()) menu.addAction(remove);
    if (editor_->pickedBlocks().size() > 1) {
        auto* align = menu.addMenu(tr("Align"));
        align->addAction(alignLeft);
        align->addAction(alignTop);
        align->addAction(alignRow);
    }
    menu.addSeparator();
    menu.addAction(pickAll);
    menu.addAction(arrange);
    menu.addSeparator();
    menu.addAction(measured);
    if (!cluster.measured.bytesPerS.empty()) menu.addAction(forgetMeasured);
    connect(&menu, &QMenu::aboutToHide, paste, [this] { paste->setEnabled(true); });
}

}  // namespace trainyard
