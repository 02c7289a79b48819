#include "widgets/cluster/cluster_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include "widgets/cluster/cluster_actions.h"
#include "widgets/cluster/cluster_editor.h"
#include "widgets/cluster/cluster_inspector.h"
#include "widgets/cluster/cluster_outline.h"
#include "widgets/cluster/cluster_scene.h"
#include "widgets/cluster/cluster_view.h"
#include "widgets/cluster/colour_by_bar.h"
#include "widgets/cluster/part_palette.h"
#include "widgets/document/plan_document.h"
#include "widgets/document/selection.h"
#include "widgets/panels/empty_state.h"
#include "widgets/style/icons.h"
#include "widgets/style/theme.h"

namespace trainyard {

ClusterPanel::ClusterPanel(PlanDocument* document, Selection* selection, QWidget* parent)
    : QWidget(parent),
      document_(document),
      editor_(new ClusterEditor(document, selection, this)),
      scene_(new ClusterScene(this)) {
    setAccessibleName(tr("Cluster"));
    // The scene follows the document before the view does, so that the view finds what it shows.
    scene_->showScenario(document_->snapshot());
    scene_->showEvaluation(document_->evaluation());
    connect(document_, &PlanDocument::snapshotChanged, this, &ClusterPanel::followSnapshot);
    connect(document_, &PlanDocument::evaluationChanged, this, [this] { scene_->showEvaluation(document_->evaluation()); });
    view_ = new ClusterView(scene_, editor_, document, selection, this);
    editor_->setPositionSource([this] {
        std::vector<cluster_edit::Placed> all;
        for (const auto& block : scene_->allBlocks()) {
            const auto at = scene_->rectOf(block).topLeft();
            all.push_back({scene_->idOf(block), {at.x(), at.y()}});
        }
        return all;
    });
    parts_ = new PartPalette(editor_->parts(), this);
    actions_ = new ClusterActions(editor_, this);
    colours_ = new ColourByBar(view_);
    outline_ = new ClusterOutline(editor_, document, this);
    outline_->hide();
    outline_->setFixedWidth(300);
    inspector_ = new ClusterInspector(editor_, document, this);
    inspector_->hide();
    zoomBar_ = makeZoomBar();
    empty_ = new EmptyState(QStringLiteral("network"),
                            tr("Drag an accelerator, a node or a switch from the left, or press Enter on one, to draw a cluster."), view_);
    empty_->setAttribute(Qt::WA_TransparentForMouseEvents);

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(parts_);
    row->addWidget(outline_);
    row->addWidget(view_, 1);
    row->addWidget(inspector_);

    connect(colours_, &ColourByBar::changed, this, [this](ColourBy by) { scene_->setColourBy(by); });
    connect(parts_, &PartPalette::partChosen, this, [this](const Part* part) {
        if (part->kind == Part::Kind::cable) editor_->chooseCable(*part);
        else view_->arm(part);
    });
    connect(parts_, &PartPalette::partPlaced, this, [this](const Part* part) {
        if (part->kind == Part::Kind::cable) editor_->chooseCable(*part);
        else view_->placeByKey(*part);
    });
    connect(view_, &ClusterView::contextMenuRequested, this, &ClusterPanel::showMenu);
    connect(outline_, &QWidget::customContextMenuRequested, this,
            [this](QPoint at) { showMenu(outline_->viewport()->mapToGlobal(at)); });
    const auto inspect = [this] {
        showInspector(true);
        inspector_->setFocus(Qt::OtherFocusReason);
    };
    connect(view_, &ClusterView::inspectRequested, this, inspect);
    connect(outline_, &ClusterOutline::inspectRequested, this, inspect);
    connect(actions_->inspect, &QAction::triggered, this, inspect);
    connect(actions_->rename, &QAction::triggered, this, &ClusterPanel::rename);
    connect(actions_->site, &QAction::triggered, this, &ClusterPanel::nameSite);
    connect(inspector_, &ClusterInspector::closeRequested, this, [this] {
        showInspector(false);
        view_->setFocus(Qt::OtherFocusReason);
    });
    followSnapshot();
}

ClusterPanel::~ClusterPanel() = default;

void ClusterPanel::followSnapshot() {
    scene_->showScenario(document_->snapshot());
    const auto& cluster = *document_->snapshot()->cluster;
    const bool nothing = cluster.nodes.empty() && cluster.switches.empty();
    empty_->setVisible(nothing);
    colours_->setVisible(!nothing);
}

QWidget* ClusterPanel::makeZoomBar() {
    auto* bar = new QWidget(view_);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    const auto add = [&](const QString& iconName, const QString& text, auto&& action) {
        auto* button = new QToolButton(bar);
        button->setIcon(icon(iconName));
        button->setIconSize({16, 16});
        button->setToolTip(text);
        button->setAccessibleName(text);
        button->setProperty("quiet", true);
        button->setFixedSize(28, 28);
        connect(button, &QToolButton::clicked, this, action);
        row->addWidget(button);
        return button;
    };
    auto* outlineButton = add(QStringLiteral("list-tree"), tr("Outline of the cluster (Ctrl+Shift+O)"), [this] { showOutline(!outline_->isVisible()); });
    outlineButton->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O));
    add(QStringLiteral("sliders-horizontal"), tr("Figures of the selection (I)"), [this] { showInspector(!inspector_->isVisible()); });
    add(QStringLiteral("minus"), tr("Zoom out (-)"), [this] { view_->zoomBy(1 / 1.25); });
    auto* label = new QLabel(bar);
    label->setFont(type::font(type::kCaption));
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setMinimumWidth(40);
    label->setAlignment(Qt::AlignCenter);
    row->addWidget(label);
    const auto showZoom = [this, label] { label->setText(QStringLiteral("%1 %").arg(qRound(view_->zoom() * 100))); };
    connect(view_, &ClusterView::zoomChanged, this, showZoom);
    showZoom();
    add(QStringLiteral("plus"), tr("Zoom in (+)"), [this] { view_->zoomBy(1.25); });
    add(QStringLiteral("maximize"), tr("Show everything (0)"), [this] { view_->fit(); });
    bar->adjustSize();
    return bar;
}

void ClusterPanel::showOutline(bool shown) {
    outline_->setVisible(shown);
    if (shown) outline_->setFocus(Qt::OtherFocusReason);
    layout()->activate();
    placeOverlays();
}

void ClusterPanel::showInspector(bool shown) {
    inspector_->setVisible(shown);
    layout()->activate();
    placeOverlays();
}

void ClusterPanel::rename() {
    showInspector(true);
    inspector_->focusName();
}

void ClusterPanel::nameSite() { showInspector(true); }

void ClusterPanel::placeOverlays() {
    const QRect area = view_->rect();
    colours_->setCompact(area.width() < 560);
    colours_->adjustSize();
    colours_->move(area.right() - colours_->width() - 12, 12);
    zoomBar_->adjustSize();
    const bool beside = area.width() >= zoomBar_->width() + colours_->width() + 40;
    zoomBar_->move(10, beside ? 14 : area.bottom() - zoomBar_->height() - 8);
    empty_->setGeometry(area);
    view_->setOverlayMargins({0, area.height() > 300 ? 44 : 36, 0, beside ? 0 : 28});
}

void ClusterPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layout()->activate();
    placeOverlays();
}

void ClusterPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::ApplicationPaletteChange) scene_->refreshTheme();
    QWidget::changeEvent(event);
}

void ClusterPanel::showMenu(QPoint global) {
    QMenu menu(this);
    actions_->fill(menu);
    menu.exec(global);
}

}  // namespace trainyard
