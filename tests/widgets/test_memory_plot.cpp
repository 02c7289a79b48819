#include <QMouseEvent>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <set>

#include "core/engine/evaluate.h"
#include "core/engine/what_if.h"
#include "tests/support/scenarios.h"
#include "tests/support/test_main.h"
#include "widgets/document/evaluation_service.h"
#include "widgets/document/plan_document.h"
#include "widgets/document/selection.h"
#include "widgets/plots/figure_table.h"
#include "widgets/plots/memory_panel.h"
#include "widgets/plots/memory_plot.h"
#include "widgets/plots/plot_base.h"
#include "widgets/plots/what_if_list.h"
#include "widgets/style/theme.h"

using namespace trainyard;

namespace {

/// `count` stages, the first the fullest, each with every part.
MemorySummary sample(int count, double capacityGib = 80) {
    MemorySummary memory;
    for (int index = 0; index < count; ++index) {
        StageMemory stage;
        stage.stage = index;
        stage.accelerator = "h100-sxm5-80";
        const double scale = 1.0 - 0.5 * index / count;
        stage.parametersBytes = 8 * kGib;
        stage.gradientsBytes = 10 * kGib;
        stage.optimizerBytes = 6 * kGib;
        stage.activationsBytes = 20 * kGib * scale;
        stage.logitsBytes = 4 * kGib;
        stage.temporaryBytes = 3 * kGib;
        stage.communicationBytes = 2 * kGib;
        stage.frameworkBytes = 2.5 * kGib;
        for (int part = 0; part < kMemoryParts; ++part) stage.totalBytes += memoryPartBytes(stage, part);
        stage.capacityBytes = capacityGib * kGib;
        stage.loadPeakBytes = 12 * kGib;
        stage.optimizerPeakBytes = stage.totalBytes + 5 * kGib;
        memory.stages.push_back(stage);
    }
    memory.peakBytes = memory.stages.front().totalBytes;
    memory.capacityBytes = capacityGib * kGib;
    memory.verdict = memory.peakBytes <= 0.8 * memory.capacityBytes ? MemoryVerdict::fits : MemoryVerdict::out_of_memory;
    return memory;
}

int pixelsOf(const QImage& image, const QColor& wanted) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) count += (image.pixel(x, y) & 0xffffff) == (wanted.rgb() & 0xffffff) ? 1 : 0;
    }
    return count;
}

QString svgOf(QWidget& widget, QSize size) {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("memory.svg"));
    if (!exportFigure(widget, path, size)) return {};
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QString::fromUtf8(file.readAll());
}

}  // namespace

class TestMemoryPlot : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { Theme::apply(*qApp, ThemeKind::dark); }

    void everyPartHasItsColour_data() {
        QTest::addColumn<bool>("isDark");
        QTest::newRow("dark") << true;
        QTest::newRow("light") << false;
    }
    void everyPartHasItsColour() {
        QFETCH(bool, isDark);
        Theme::apply(*qApp, isDark ? ThemeKind::dark : ThemeKind::light);
        MemoryPlot plot;
        plot.resize(600, 400);
        plot.setMemory(sample(4));
        const QImage image = plot.grab().toImage();
        std::set<QRgb> colours;
        for (int part = 0; part < kMemoryParts; ++part) {
            // Beyond the swatch of the legend: bars are hundreds of pixels.
            QVERIFY2(pixelsOf(image, memoryPartColor(part)) > 400, qPrintable(memoryPartName(part)));
            colours.insert(memoryPartColor(part).rgb());
        }
        QCOMPARE(colours.size(), std::size_t{kMemoryParts});
        QVERIFY(pixelsOf(image, Theme::current().outOfMemory) > 300);  // the line of what is usable
        QVERIFY(pixelsOf(image, Theme::current().tight) > 40);         // the 80 % line
        Theme::apply(*qApp, ThemeKind::dark);
    }

    void figuresStandOnTheBars() {
        MemoryPlot plot;
        plot.setMemory(sample(4));
        const QString svg = svgOf(plot, QSize(640, 420));
        // 8 + 10 + 6 + 20 + 4 + 3 + 2 + 2.5 GiB = 55.5 GiB on stage 0; 47.9 on the last with 12.5 of activations.
        for (const char* text :
             {"55.5", "53.0", "50.5", "48.0", "stage 0", "stage 3", "GiB", "80\u00a0%", "parameters", "gradients", "optimizer",
              "activations", "logits", "temporary", "communication", "framework", "peak while loading"}) {
            QVERIFY2(svg.contains(QString::fromUtf8(text)), text);
        }
    }

    void barsGrowWithTheirBytes() {
        MemoryPlot plot;
        plot.resize(600, 400);
        MemorySummary memory = sample(2);
        plot.setMemory(memory);
        const int before = pixelsOf(plot.grab().toImage(), memoryPartColor(3));
        for (StageMemory& stage : memory.stages) {
            stage.totalBytes -= stage.activationsBytes / 2;
            stage.optimizerPeakBytes -= stage.activationsBytes / 2;
            stage.activationsBytes /= 2;
        }
        plot.setMemory(memory);
        const int after = pixelsOf(plot.grab().toImage(), memoryPartColor(3));
        QVERIFY(after < 0.6 * before);
        QVERIFY(after > 0.35 * before);
    }

    void manyStagesStayReadable() {
        MemoryPlot plot;
        plot.setMemory(sample(64));
        const QString svg = svgOf(plot, QSize(900, 420));
        QVERIFY(svg.contains(QStringLiteral(">stage<")));  // once, below the axis
        QVERIFY(svg.contains(QStringLiteral(">0<")));
        QVERIFY(svg.contains(QStringLiteral("55.5")));   // the fullest keeps its value
        QVERIFY(!svg.contains(QStringLiteral("54.9")));  // the others do not crowd it
    }

    void barsAnswerToTheMouse() {
        MemoryPlot plot;
        plot.resize(600, 400);
        plot.setMemory(sample(4));
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        plot.grab();
        QVERIFY(!plot.stageAt(QPointF(2, 2)));
        std::optional<int> last;
        std::set<int> seen;
        for (int x = 60; x < 590; x += 5) {
            if (const auto stage = plot.stageAt(QPointF(x, 150))) {
                QVERIFY(!last || *stage >= *last);
                last = stage;
                seen.insert(*stage);
            }
        }
        QCOMPARE(seen.size(), std::size_t{4});
        const QString tip = plot.toolTipOf(0);
        QVERIFY(tip.contains(QStringLiteral("55.5")));
        QVERIFY(tip.contains(QStringLiteral("59.6")));  // the same in GB
        QSignalSpy clicked(&plot, &MemoryPlot::stageClicked);
        QTest::keyClick(&plot, Qt::Key_Right);
        QCOMPARE(clicked.count(), 1);
    }

    void previewAndSelectionChangeThePicture() {
        MemoryPlot plot;
        plot.resize(600, 400);
        plot.setMemory(sample(4));
        const QImage plain = plot.grab().toImage();
        plot.setPreview({30 * kGib, 30 * kGib, 30 * kGib, 30 * kGib});
        QVERIFY(plot.grab().toImage() != plain);
        plot.setPreview({});
        QCOMPARE(plot.grab().toImage(), plain);
        plot.setSelectedStage(2);
        QVERIFY(plot.grab().toImage() != plain);
    }

    void changesThatFreeMemoryDoSo() {
        const Scenario scenario = test::scenario();
        const Evaluation base = evaluate(scenario, Depth::closedForm);
        QVERIFY(base.computed);
        const auto changes = whatWouldFreeMost(scenario, 6);
        QVERIFY(!changes.empty());
        double last = changes.front().savedBytes;
        for (const WhatIf& change : changes) {
            QVERIFY(change.savedBytes > 0);
            QVERIFY(change.savedBytes <= last);
            last = change.savedBytes;
            const Evaluation changed = evaluate(change.scenario, Depth::closedForm);
            QVERIFY(changed.computed);
            QCOMPARE(changed.memory.peakBytes, base.memory.peakBytes - change.savedBytes);
            QCOMPARE(changed.time.stepS, base.time.stepS * change.timeRatio);
        }
    }

    void panelTakesAChangeAsOneUndoStep() {
        const auto snapshot = std::make_shared<const Scenario>(test::scenario());
        PlanDocument document(snapshot, std::make_unique<EvaluationService>(&evaluate, EvaluationService::Executor::inLine));
        Selection selection;
        MemoryPanel panel(&document, &selection);
        panel.resize(1100, 520);
        panel.show();
        QTRY_VERIFY(!panel.whatIf().changes().empty());
        QCOMPARE(panel.table().rowCount(), static_cast<int>(document.evaluation()->memory.stages.size()));
        const double before = document.evaluation()->memory.peakBytes;
        panel.whatIf().row(0).click();
        QCOMPARE(document.undoStack().count(), 1);
        QVERIFY(document.evaluation()->memory.peakBytes < before);
        document.undoStack().undo();
        QCOMPARE(*document.snapshot(), *snapshot);
        // One selection for bars and table.
        SelectionState state;
        state.stage = 1;
        selection.select(state);
        QCOMPARE(panel.table().currentRow(), 1);
    }
};

TRAINYARD_GUI_TEST_MAIN(TestMemoryPlot)
#include "test_memory_plot.moc"
