#include <QAbstractButton>
#include <QClipboard>
#include <QDropEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QSpinBox>
#include <QStandardItemModel>

#include "tests/support/scenarios.h"
#include "tests/support/test_main.h"
#include "widgets/cluster/cluster_actions.h"
#include "widgets/cluster/cluster_editor.h"
#include "widgets/cluster/cluster_inspector.h"
#include "widgets/cluster/cluster_outline.h"
#include "widgets/cluster/cluster_panel.h"
#include "widgets/cluster/cluster_scene.h"
#include "widgets/cluster/cluster_view.h"
#include "widgets/cluster/colour_by_bar.h"
#include "widgets/cluster/hover_card.h"
#include "widgets/cluster/node_item.h"
#include "widgets/cluster/part_palette.h"
#include "widgets/cluster/part_popover.h"
#include "widgets/document/evaluation_service.h"
#include "widgets/document/plan_document.h"
#include "widgets/document/selection.h"
#include "widgets/style/theme.h"

using namespace trainyard;

namespace {

/// A panel on a document, shown, evaluated in line.
struct Desk {
    explicit Desk(ClusterSpec cluster = {}) {
        auto scenario = std::make_shared<Scenario>();
        scenario->cluster = std::make_shared<const ClusterSpec>(std::move(cluster));
        scenario->model = std::make_shared<const ModelSpec>(test::llama70b());
        scenario->plan.tensorParallel = 8;
        scenario->plan.pipelineParallel = 2;
        document = std::make_unique<PlanDocument>(scenario, std::make_unique<EvaluationService>(&evaluate, EvaluationService::Executor::inLine));
        panel = std::make_unique<ClusterPanel>(document.get(), &selection);
        panel->resize(1280, 800);
        panel->show();
        QCoreApplication::processEvents();
    }

    [[nodiscard]] const ClusterSpec& cluster() const { return *document->snapshot()->cluster; }
    [[nodiscard]] int steps() const { return document->undoStack().index(); }
    [[nodiscard]] QWidget* canvas() const { return panel->view().viewport(); }
    [[nodiscard]] QPoint pixel(QPointF scene) const { return panel->view().mapFromScene(scene); }
    [[nodiscard]] QRectF rect(const char* id) const { return panel->scene().rectOf(panel->scene().find(id)); }

    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = Qt::NoModifier) const {
        QTest::mouseMove(canvas(), from);
        QTest::mousePress(canvas(), Qt::LeftButton, modifiers, from);
        const QPoint middle = (from + to) / 2;
        for (const QPoint at : {middle, to}) {
            QMouseEvent move(QEvent::MouseMove, at, canvas()->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, modifiers);
            QCoreApplication::sendEvent(canvas(), &move);
        }
        QTest::mouseRelease(canvas(), Qt::LeftButton, modifiers, to);
    }
    /// A drop as the window system delivers it; a real drag needs one (test_cluster_drag_native).
    void drop(const Part& part, QPoint at) const {
        QMimeData mime;
        mime.setData(PartCatalogue::mimeType(), PartCatalogue::encode(part));
        QDragEnterEvent enter(at, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(canvas(), &enter);
        QVERIFY(enter.isAccepted());
        QDragMoveEvent move(at, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(canvas(), &move);
        QDropEvent drop(at, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(canvas(), &drop);
        QVERIFY(drop.isAccepted());
    }
    [[nodiscard]] const Part& part(const char* id) const {
        const auto& parts = panel->editor().parts();
        for (const auto kind : {Part::Kind::accelerator, Part::Kind::node, Part::Kind::networkSwitch})
            if (const Part* found = parts.findOrNull(kind, QString::fromLatin1(id))) return *found;
        qFatal("no part %s", id);
    }

    Selection selection;
    std::unique_ptr<PlanDocument> document;
    std::unique_ptr<ClusterPanel> panel;
};

}  // namespace

class TestClusterPanel : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { Theme::apply(*qobject_cast<QApplication*>(QCoreApplication::instance()), ThemeKind::dark); }

    void fourOddCardsDrawnByMouse() {
        Desk desk;
        const QPoint centre(500, 400);
        desk.drop(desk.part("rtx-3090"), centre);
        QCOMPARE(desk.cluster().nodes.size(), std::size_t{1});
        const QPoint onHost = desk.pixel(desk.rect("host").center());
        desk.drop(desk.part("rtx-3090"), onHost);
        desk.drop(desk.part("t4"), onHost);
        desk.drop(desk.part("t4"), onHost);
        QCOMPARE(desk.steps(), 4);
        QCOMPARE(desk.cluster().nodes.size(), std::size_t{1});
        const auto& groups = desk.cluster().nodes[0].accelerators;
        QCOMPARE(groups.size(), std::size_t{2});
        QCOMPARE(groups[0].accelerator->id, std::string("rtx-3090"));
        QCOMPARE(groups[0].count, std::int64_t{2});
        QCOMPARE(groups[1].accelerator->id, std::string("t4"));
        QCOMPARE(groups[1].count, std::int64_t{2});
        for (int i = 0; i < 4; ++i) desk.document->undoStack().undo();
        QVERIFY(desk.cluster().nodes.empty());
    }

    void clickInThePaletteThenOnTheCanvas() {
        Desk desk;
        auto* tile = desk.panel->palettePart().tileOf(QStringLiteral("h100-sxm5-80"));
        QVERIFY(tile != nullptr);
        QTest::mouseClick(tile, Qt::LeftButton);
        QVERIFY(desk.cluster().nodes.empty());
        QTest::mouseClick(desk.canvas(), Qt::LeftButton, Qt::NoModifier, {300, 300});
        QCOMPARE(desk.cluster().devices(), std::int64_t{1});
        QTest::mouseClick(desk.canvas(), Qt::LeftButton, Qt::NoModifier, {700, 600});
        QCOMPARE(desk.cluster().devices(), std::int64_t{1});  // one click, one part
        QCOMPARE(desk.steps(), 1);
    }

    void enterOnATilePlacesAndThenJoins() {
        Desk desk;
        auto* tile = desk.panel->palettePart().tileOf(QStringLiteral("rtx-4090"));
        QTest::keyClick(tile, Qt::Key_Return);
        QCOMPARE(desk.cluster().nodes.size(), std::size_t{1});
        QTest::keyClick(tile, Qt::Key_Return);  // the new host is picked: the second card joins it
        QCOMPARE(desk.cluster().nodes.size(), std::size_t{1});
        QCOMPARE(desk.cluster().devices(), std::int64_t{2});
    }

    void searchFindsAPartAndEnterPlacesIt() {
        Desk desk;
        auto* popover = desk.panel->palettePart().popover();
        desk.panel->palettePart().openList(Part::Kind::accelerator);
        QCOMPARE(popover->list()->count(), 47);
        QTest::keyClicks(popover->searchLine(), QStringLiteral("gaudi 3"));
        QVERIFY(popover->list()->count() < 4);
        QTest::keyClick(popover->searchLine(), Qt::Key_Return);
        QCOMPARE(desk.cluster().nodes.size(), std::size_t{1});
        QCOMPARE(desk.cluster().nodes[0].accelerators[0].accelerator->id, std::string("gaudi3"));
    }

    void draggingFromAPortConnects() {
        Desk desk;
        desk.drop(desk.part("dgx-h100"), {400, 500});
        desk.drop(desk.part("switch"), {400, 200});
        const auto node = desk.rect("dgx-h100");
        const auto pill = desk.rect("switch");
        QTest::mouseMove(desk.canvas(), desk.pixel(node.center()));
        desk.drag(desk.pixel({node.center().x(), node.top()}), desk.pixel(pill.center()));
        QCOMPARE(desk.cluster().links.size(), std::size_t{1});
        const auto& link = desk.cluster().links[0];
        QCOMPARE(link.from, std::string("dgx-h100"));
        QCOMPARE(link.to, std::string("switch"));
        QCOMPARE(link.count, std::int64_t{8});                // one cable per port of the node
        QCOMPARE(link.bandwidthBytesPerS, 50e9);              // 400 Gb/s
        QCOMPARE(link.kind, LinkKind::infiniband);
        QCOMPARE(desk.steps(), 3);
    }

    void connectByKey() {
        Desk desk;
        desk.drop(desk.part("dgx-h100"), {300, 500});
        desk.drop(desk.part("dgx-a100"), {700, 500});
        desk.drop(desk.part("switch"), {500, 200});
        desk.panel->editor().pickAll();
        desk.panel->view().setFocus();
        desk.panel->actionSet().connectPicked->trigger();
        QCOMPARE(desk.cluster().links.size(), std::size_t{2});  // both nodes with the switch, not with each other
        QCOMPARE(desk.cluster().links[0].to, std::string("switch"));
        QCOMPARE(desk.cluster().links[1].to, std::string("switch"));
        QCOMPARE(desk.steps(), 4);
    }

    void aPatternIsOneGestureAndOneStep() {
        Desk desk;
        const Part* twoSites = desk.panel->editor().parts().findOrNull(Part::Kind::pattern, QStringLiteral("two-sites"));
        QVERIFY(twoSites != nullptr);
        desk.drop(*twoSites, {500, 400});
        QCOMPARE(desk.cluster().devices(), std::int64_t{128});  // 2 x 8 DGX H100
        QCOMPARE(desk.cluster().links.size(), std::size_t{3});
        QCOMPARE(desk.cluster().links[2].kind, LinkKind::wan);
        QCOMPARE(desk.steps(), 1);
        QCOMPARE(desk.panel->editor().pickedBlocks().size(), std::size_t{4});
        // Of the picked node, if one is picked.
        desk.panel->editor().pick({});
        desk.drop(desk.part("mi300x-8"), {1000, 100});
        desk.drop(*desk.panel->editor().parts().findOrNull(Part::Kind::pattern, QStringLiteral("ring")), {500, 700});
        QCOMPARE(desk.cluster().nodes.back().accelerators[0].accelerator->id, std::string("mi300x"));
        desk.document->undoStack().undo();
        desk.document->undoStack().undo();
        desk.document->undoStack().undo();
        QVERIFY(desk.cluster().nodes.empty());
    }

    void movingIsOneStepOnTheGrid() {
        Desk desk;
        desk.drop(desk.part("dgx-h100"), {400, 400});
        const auto before = desk.rect("dgx-h100");
        const QPoint grip = desk.pixel(before.topLeft() + QPointF(60, 20));
        desk.drag(grip, grip + QPoint(101, 53));
        QCOMPARE(desk.steps(), 2);
        const auto position = *desk.cluster().nodes[0].position;
        QCOMPARE(position.x - before.left(), 104.0);
        QCOMPARE(position.y - before.top(), 56.0);
        desk.document->undoStack().undo();
        QCOMPARE(desk.rect("dgx-h100").topLeft(), before.topLeft());
    }

    void escapeDuringADragLeavesEverything() {
        Desk desk(test::star(4, 8));
        const QPoint grip = desk.pixel(desk.rect("node").topLeft() + QPointF(60, 20));
        QTest::mousePress(desk.canvas(), Qt::LeftButton, Qt::NoModifier, grip);
        QMouseEvent move(QEvent::MouseMove, grip + QPoint(80, 80), desk.canvas()->mapToGlobal(grip + QPoint(80, 80)), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(desk.canvas(), &move);
        QTest::keyClick(&desk.panel->view(), Qt::Key_Escape);
        QTest::mouseRelease(desk.canvas(), Qt::LeftButton, Qt::NoModifier, grip + QPoint(80, 80));
        QCOMPARE(desk.steps(), 0);
        QVERIFY(!desk.cluster().nodes[0].position);
    }

    void draggingTheBadgeMultipliesInOneStep() {
        Desk desk(test::star(4, 8));
        auto* node = desk.panel->scene().nodeItem(0);
        const QPoint badge = desk.pixel(node->geometry().badge.center() + node->pos());
        desk.drag(badge, badge + QPoint(52, 0));  // two doublings
        QCOMPARE(desk.cluster().nodes[0].count, std::int64_t{16});
        QCOMPARE(desk.cluster().devices(), std::int64_t{128});
        QCOMPARE(desk.steps(), 1);
        desk.document->undoStack().undo();
        QCOMPARE(desk.cluster().nodes[0].count, std::int64_t{4});
    }

    void clickingTheBadgeTypesTheCount() {
        Desk desk(test::star(4, 8));
        auto* node = desk.panel->scene().nodeItem(0);
        QTest::mouseClick(desk.canvas(), Qt::LeftButton, Qt::NoModifier, desk.pixel(node->geometry().badge.center() + node->pos()));
        auto* box = desk.canvas()->findChild<QSpinBox*>();
        QVERIFY(box != nullptr && box->isVisible());
        box->selectAll();
        QTest::keyClicks(box, QStringLiteral("256"));
        QTest::keyClick(box, Qt::Key_Return);
        QCOMPARE(desk.cluster().devices(), std::int64_t{2048});
        QCOMPARE(desk.steps(), 1);
    }

    void deleteTakesCablesAlongAndUndoBringsThemBack() {
        Desk desk(test::star(4, 8));
        QTest::mouseClick(desk.canvas(), Qt::LeftButton, Qt::NoModifier, desk.pixel(desk.rect("fabric").center()));
        QCOMPARE(desk.panel->editor().pickedBlocks(), std::vector<std::string>{"fabric"});
        desk.panel->actionSet().remove->trigger();
        QVERIFY(desk.cluster().switches.empty());
        QVERIFY(desk.cluster().links.empty());
        QCOMPARE(desk.steps(), 1);
        desk.document->undoStack().undo();
        QCOMPARE(desk.cluster(), test::star(4, 8));
    }

    void rubberBandCopyPasteDuplicate() {
        Desk desk(test::star(4, 8));
        desk.drag({desk.pixel(desk.panel->scene().contentRect().topLeft()) - QPoint(20, 20)},
                  desk.pixel(desk.panel->scene().contentRect().bottomRight()) + QPoint(20, 20));
        QCOMPARE(desk.panel->editor().pickedBlocks().size(), std::size_t{2});
        desk.panel->actionSet().copy->trigger();
        desk.panel->actionSet().paste->trigger();
        QCOMPARE(desk.cluster().nodes.size(), std::size_t{2});
        QCOMPARE(desk.cluster().links.size(), std::size_t{2});
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("h100")));
        desk.panel->editor().pick({"node"});
        desk.panel->actionSet().duplicate->trigger();
        QCOMPARE(desk.cluster().nodes.size(), std::size_t{3});
        QCOMPARE(desk.cluster().links.size(), std::size_t{3});  // the copy hangs on the same switch
        QCOMPARE(desk.steps(), 2);
    }

    void unplugAndSlowDown() {
        Desk desk(test::star(4, 8));
        const auto middle = desk.panel->scene().linkMiddle(0);
        QTest::mouseClick(desk.canvas(), Qt::LeftButton, Qt::NoModifier, desk.pixel(middle));
        QCOMPARE(desk.panel->editor().pickedLinks(), std::vector<std::size_t>{0});
        QCOMPARE(*desk.selection.selected().link, 0);
        desk.panel->actionSet().unplug->trigger();
        QVERIFY(desk.cluster().links[0].broken);
        desk.panel->actionSet().plugIn->trigger();
        QVERIFY(!desk.cluster().links[0].broken);
        desk.panel->editor().pick({"node"});
        desk.panel->actionSet().slower->trigger();
        QCOMPARE(desk.cluster().nodes.size(), std::size_t{2});
        QCOMPARE(desk.cluster().nodes[1].slowdown, 1.2);
        QCOMPARE(desk.steps(), 3);
    }

    void arrowsMoveAndControlArrowsMultiply() {
        Desk desk(test::star(4, 8));
        auto& view = desk.panel->view();
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_Right);  // nothing picked yet: picks the first block
        QCOMPARE(desk.panel->editor().pickedBlocks(), std::vector<std::string>{"node"});
        const auto before = desk.rect("node").topLeft();
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(desk.rect("node").topLeft() - before, QPointF(8, 0));
        QTest::keyClick(&view, Qt::Key_Up, Qt::ControlModifier);
        QCOMPARE(desk.cluster().nodes[0].count, std::int64_t{5});
        QTest::keyClick(&view, Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(desk.cluster().nodes[0].count, std::int64_t{10});
        QCOMPARE(desk.steps(), 3);
    }

    void tabWalksThroughTheBlocksAndLeaves() {
        Desk desk(test::star(4, 8));
        auto& view = desk.panel->view();
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_Tab);
        QCOMPARE(desk.panel->editor().pickedBlocks(), std::vector<std::string>{"node"});
        QTest::keyClick(&view, Qt::Key_Tab);
        QCOMPARE(desk.panel->editor().pickedBlocks(), std::vector<std::string>{"fabric"});
        QTest::keyClick(&view, Qt::Key_Tab);
        QVERIFY(!view.hasFocus());
    }

    void hoverNamesTheGroupsAndDimsTheOthers() {
        Desk desk(test::star(4, 8));  // tensor 8, pipeline 2, data 2
        QVERIFY(desk.document->evaluation()->computed);
        const auto device = desk.panel->scene().rectOfDevice(3);
        QTest::mouseMove(desk.canvas(), desk.pixel(device.center()));
        QMouseEvent move(QEvent::MouseMove, desk.pixel(device.center()), desk.canvas()->mapToGlobal(desk.pixel(device.center())), Qt::NoButton,
                         Qt::NoButton, Qt::NoModifier);
        QCoreApplication::sendEvent(desk.canvas(), &move);
        QCOMPARE(*desk.selection.hovered().device, 3);
        auto* card = desk.canvas()->findChild<HoverCard*>();
        QVERIFY(card->isVisible());
        QCOMPARE(card->text().title, QStringLiteral("Stage 0 · tensor group of 8 · data group of 2"));
        const auto& look = desk.panel->scene().look();
        QVERIFY(look.isLit(3));
        QVERIFY(look.isLit(0));    // its tensor group
        QVERIFY(look.isLit(11));   // its data group
        QVERIFY(look.isLit(19));   // the next stage
        QVERIFY(!look.isLit(8));   // nothing in common
    }

    void aStageSelectedElsewhereLightsUpItsDevices() {
        Desk desk(test::star(4, 8));
        SelectionState state;
        state.stage = 1;
        desk.selection.select(state);
        const auto& look = desk.panel->scene().look();
        QVERIFY(!look.isLit(0));
        QVERIFY(look.isLit(16));
        desk.selection.clear();
        QVERIFY(look.isLit(0));
    }

    void colouringGroupsDevices() {
        Desk desk(test::star(4, 8));
        const auto& paint = desk.panel->scene().look().paint;
        QCOMPARE(paint.groups, 2);
        QCOMPARE(paint.groupOf(0), paint.groupOf(15));
        QVERIFY(paint.groupOf(0) != paint.groupOf(16));
        desk.panel->colourBar().setValue(ColourBy::tensor);
        QCOMPARE(paint.groups, 4);
        QCOMPARE(paint.groupOf(0), paint.groupOf(7));
        QVERIFY(paint.groupOf(7) != paint.groupOf(8));
        desk.panel->colourBar().setValue(ColourBy::data);
        QCOMPARE(paint.groups, 16);
        QCOMPARE(paint.groupOf(0), paint.groupOf(8));
        QVERIFY(paint.memoryShareOf(0) > 0.0F);
    }

    void inspectorEditsInDatasheetUnits() {
        Desk desk(test::star(4, 8));
        desk.panel->editor().pick({}, {0});
        emit desk.panel->view().inspectRequested();
        QVERIFY(desk.panel->inspector().isVisible());
        QDoubleSpinBox* speed = nullptr;
        for (auto* box : desk.panel->inspector().findChildren<QDoubleSpinBox*>())
            if (box->accessibleName() == QStringLiteral("Speed of one")) speed = box;
        QVERIFY(speed != nullptr);
        QCOMPARE(speed->text(), QStringLiteral("400 Gb/s"));
        speed->selectAll();
        QTest::keyClicks(speed, QStringLiteral("200"));
        QTest::keyClick(speed, Qt::Key_Return);
        QCOMPARE(desk.cluster().links[0].bandwidthBytesPerS, 25e9);
        QCOMPARE(desk.steps(), 1);
    }

    void changedAcceleratorSaysWhatItIsBasedOn() {
        Desk desk(test::star(1, 8));
        desk.panel->editor().pick({"node"});
        desk.panel->showInspector(true);
        QDoubleSpinBox* usable = nullptr;
        for (auto* box : desk.panel->inspector().findChildren<QDoubleSpinBox*>())
            if (box->accessibleName() == QStringLiteral("Usable")) usable = box;
        QVERIFY(usable != nullptr);
        usable->selectAll();
        QTest::keyClicks(usable, QStringLiteral("40"));
        QTest::keyClick(usable, Qt::Key_Return);
        const auto& spec = *desk.cluster().nodes[0].accelerators[0].accelerator;
        QCOMPARE(spec.memoryUsableBytes, 40 * 1073741824.0);
        QCOMPARE(spec.base, std::string("h100"));
    }

    void outlineShowsAndEditsTheSameCluster() {
        Desk desk(test::star(4, 8));
        desk.panel->showOutline(true);
        auto& outline = desk.panel->outline();
        auto* model = qobject_cast<QStandardItemModel*>(outline.model());
        QCOMPARE(model->rowCount(), 2);
        QVERIFY(model->item(0)->data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("4 nodes of 8")));
        desk.panel->editor().pick({"fabric"});
        QCOMPARE(outline.selectionModel()->selectedRows().first().row(), 1);
        outline.setCurrentIndex(model->index(0, 0));
        QCOMPARE(desk.panel->editor().pickedBlocks(), std::vector<std::string>{"node"});
        model->item(0, ClusterOutline::countColumn)->setText(QStringLiteral("32"));
        QCoreApplication::processEvents();
        QCOMPARE(desk.cluster().devices(), std::int64_t{256});
        QCOMPARE(model->item(0, ClusterOutline::countColumn)->text(), QStringLiteral("32"));
        model->item(0, ClusterOutline::nameColumn)->setText(QStringLiteral("Hall 1"));
        QCoreApplication::processEvents();
        QCOMPARE(desk.cluster().nodes[0].name, std::string("Hall 1"));
        QCOMPARE(desk.steps(), 2);
        desk.panel->actionSet().remove->trigger();
        QCoreApplication::processEvents();
        QCOMPARE(model->rowCount(), 1);
    }

    void zoomKeepsWhatIsUnderThePointer() {
        Desk desk(test::star(4, 8));
        auto& view = desk.panel->view();
        const QPoint at = desk.pixel(desk.rect("node").topLeft());
        const auto before = view.mapToScene(at);
        const double zoom = view.zoom();
        QWheelEvent wheel(at, desk.canvas()->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(desk.canvas(), &wheel);
        QVERIFY(view.zoom() > zoom * 1.15);
        const auto after = view.mapToScene(at);
        QVERIFY(QLineF(before, after).length() * view.zoom() < 2.5);
        QTest::keyClick(&view, Qt::Key_0);
        QVERIFY(view.rect().contains(desk.pixel(desk.rect("fabric").topLeft())));
    }

    void everythingFocusableHasAName() {
        Desk desk(test::star(4, 8));
        desk.panel->editor().pick({"node"});
        desk.panel->showInspector(true);
        desk.panel->showOutline(true);
        for (const auto* widget : desk.panel->findChildren<QWidget*>()) {
            if (widget->focusPolicy() == Qt::NoFocus || widget->isHidden() || widget->window() != desk.panel->window()) continue;
            if (widget->inherits("QLineEdit") && widget->parentWidget()->inherits("QAbstractSpinBox")) continue;
            if (widget->inherits("QScrollArea")) continue;
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            const bool named = !widget->accessibleName().isEmpty() || (button != nullptr && !button->text().isEmpty());
            QVERIFY2(named, qPrintable(QString::fromLatin1(widget->metaObject()->className()) + QStringLiteral(" in ") +
                                       QString::fromLatin1(widget->parentWidget()->metaObject()->className())));
        }
    }
};

TRAINYARD_GUI_TEST_MAIN(TestClusterPanel)
#include "test_cluster_panel.moc"
