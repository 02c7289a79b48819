#include <QMouseEvent>
#include <QPainter>
#include <QSet>
#include <QSignalSpy>

#include "core/engine/evaluate.h"
#include "core/io/json/scenario_json.h"
#include "core/io/presets/preset_library.h"
#include "tests/support/test_main.h"
#include "widgets/document/evaluation_service.h"
#include "widgets/document/plan_document.h"
#include "widgets/document/scenario_edits.h"
#include "widgets/plots/scaling_panel.h"
#include "widgets/style/theme.h"

using namespace trainyard;

class TestScalingPanel : public QObject {
    Q_OBJECT
    std::unique_ptr<PlanDocument> document_;
    std::unique_ptr<ScalingPanel> panel_;

  private slots:
    void init() {
        Theme::apply(*qApp, ThemeKind::dark);
        const auto scenario = readScenarioFile(qEnvironmentVariable("TRAINYARD_SOURCE_DIR").toStdString() + "/presets/scenarios/dgx-h100-llama-70b.trainyard.json", presetLibrary());
        QVERIFY(scenario.has_value());
        document_ = std::make_unique<PlanDocument>(std::make_shared<const Scenario>(*scenario), std::make_unique<EvaluationService>(&evaluate, EvaluationService::Executor::inLine));
        panel_ = std::make_unique<ScalingPanel>(document_.get());
        panel_->resize(1100, 420);
    }

    void curvesAreComputedWhenShownAndFollowThePlan() {
        panel_->show();
        QTRY_VERIFY(!panel_->curves().strong.empty());
        const auto first = panel_->curves().strong.front().devices;
        QCOMPARE(first, std::int64_t{32});
        editScenario(*document_, QStringLiteral("tensor"), [](Scenario& s) { s.plan.tensorParallel = 4; });
        QTRY_COMPARE(panel_->curves().strong.front().devices, std::int64_t{16});
    }

    void hoveringReadsOffASize() {
        panel_->show();
        panel_->start(true);
        const QPointF place = panel_->placeOf(256);
        QWidget* plot = panel_->childAt(place.toPoint());
        QVERIFY(plot != nullptr);
        QTest::mouseMove(plot, plot->mapFrom(panel_.get(), place.toPoint()));
        const QString story = panel_->storyOf(256);
        QVERIFY(story.contains(QStringLiteral("256 devices")));
        QVERIFY(story.contains(QStringLiteral("efficiency")) && story.contains(QStringLiteral("data parallel 8")));
        QVERIFY(panel_->storyOf(8).contains(QStringLiteral("too few devices")));
    }

    void picturesOfBothThemesAreFull() {
        for (const ThemeKind kind : {ThemeKind::dark, ThemeKind::light}) {
            Theme::apply(*qApp, kind);
            panel_->start(true);
            for (const auto figure : {ScalingPanel::Figure::throughput, ScalingPanel::Figure::stepTime}) {
                panel_->setFigure(figure);
                QImage image(1280, 800, QImage::Format_ARGB32);
                QPainter painter(&image);
                panel_->paintFigure(painter, QRectF(0, 0, 1280, 800));
                painter.end();
                QSet<QRgb> colours;
                for (int y = 0; y < image.height(); y += 2)
                    for (int x = 0; x < image.width(); x += 2) colours.insert(image.pixel(x, y));
                QVERIFY(colours.size() > 30);
            }
        }
    }
};

TRAINYARD_GUI_TEST_MAIN(TestScalingPanel)
#include "test_scaling_panel.moc"
