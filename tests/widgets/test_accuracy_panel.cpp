#include <QLabel>
#include <QPainter>
#include <QSet>
#include <QSignalSpy>
#include <QTabBar>

#include "core/engine/evaluate.h"
#include "core/io/json/accuracy_json.h"
#include "tests/support/scenario_samples.h"
#include "tests/support/test_main.h"
#include "widgets/document/evaluation_service.h"
#include "widgets/document/plan_document.h"
#include "widgets/document/scenario_edits.h"
#include "widgets/plots/accuracy_panel.h"
#include "widgets/plots/accuracy_table.h"
#include "widgets/style/theme.h"

using namespace trainyard;

class TestAccuracyPanel : public QObject {
    Q_OBJECT
    std::unique_ptr<PlanDocument> document_;
    std::unique_ptr<AccuracyPanel> panel_;

    /// Index of the source and of its first timed run.
    static AccuracyPlot::Hit first(const char* source) {
        const AccuracyReport& report = shippedAccuracy();
        for (std::size_t s = 0; s < report.sources.size(); ++s)
            for (std::size_t r = 0; r < report.sources[s].runs.size(); ++r)
                if (report.sources[s].name == source && report.sources[s].runs[r].publishedStepS) return {static_cast<int>(s), static_cast<int>(r)};
        qFatal("no such source");
    }
    static QColor panelColour(const QImage& image) { return image.pixelColor(image.width() - 3, image.height() - 3); }

  private slots:
    void init() {
        Theme::apply(*qApp, ThemeKind::dark);
        document_ = std::make_unique<PlanDocument>(test::sampleScenario(), std::make_unique<EvaluationService>(&evaluate, EvaluationService::Executor::inLine));
        panel_ = std::make_unique<AccuracyPanel>(document_.get());
        panel_->resize(1100, 640);
        panel_->show();
    }

    void everyPublishedRunIsAPoint() {
        int timed = 0, weighed = 0, sources = 0;
        for (const SourceAccuracy& source : shippedAccuracy().sources) {
            sources += source.time.has_value();
            for (const AccuracyRun& run : source.runs) {
                timed += run.publishedStepS.has_value();
                weighed += run.publishedBytes.has_value();
            }
        }
        QVERIFY(timed > 500);
        QCOMPARE(panel_->plot()->pointCount(), timed);
        QCOMPARE(panel_->table()->rowCount(), sources);
        panel_->findChild<QTabBar*>()->setCurrentIndex(1);
        QCOMPARE(panel_->plot()->pointCount(), weighed);
        QVERIFY(panel_->table()->rowCount() < sources);
    }

    void hoveringAPointNamesTheRunAndBothFigures() {
        const auto hit = first("megatron_sc21");
        const AccuracyRun& run = shippedAccuracy().sources[static_cast<std::size_t>(hit.source)].runs[static_cast<std::size_t>(hit.run)];
        panel_->toggleSource(hit.source);  // alone, so that no other point lies above
        const auto found = panel_->plot()->hitAt(panel_->plot()->placeOf(hit));
        QVERIFY(found.has_value());
        QCOMPARE(found->source, hit.source);
        const QString story = panel_->plot()->storyOf(hit);
        for (const QString& part : {QString::fromStdString(run.model), QString::fromStdString(run.id), QStringLiteral("published"), QStringLiteral("predicted"), QStringLiteral("error")})
            QVERIFY2(story.contains(part), qPrintable(story));
        QVERIFY(!panel_->plot()->hitAt({3, 3}).has_value());
    }

    void aLargerPredictionIsDrawnHigherAndALongerRunFurtherRight() {
        const auto a = first("vtrain"), b = first("bigscience_176b");
        const auto run = [](AccuracyPlot::Hit hit) { return shippedAccuracy().sources[static_cast<std::size_t>(hit.source)].runs[static_cast<std::size_t>(hit.run)]; };
        QVERIFY(*run(b).publishedStepS > *run(a).publishedStepS && *run(b).predictedStepS > *run(a).predictedStepS);
        const QPointF low = panel_->plot()->placeOf(a), high = panel_->plot()->placeOf(b);
        QVERIFY(high.x() > low.x() + 100 && high.y() < low.y() - 100);
        QVERIFY(panel_->plot()->rect().contains(low.toPoint()) && panel_->plot()->rect().contains(high.toPoint()));
    }

    void aSourceIsChosenByKeysAndSaysItsLargestError() {
        QVERIFY(panel_->reason().contains(QStringLiteral("Largest error of")));
        QSignalSpy clicked(panel_->table(), &AccuracyTable::sourceClicked);
        QTest::keyClick(panel_->table(), Qt::Key_Down);
        QTest::keyClick(panel_->table(), Qt::Key_Down);
        QCOMPARE(clicked.size(), 2);
        const int chosen = *panel_->table()->selected();
        QVERIFY(panel_->reason().contains(QString::fromStdString(shippedAccuracy().sources[static_cast<std::size_t>(chosen)].worstTime).toHtmlEscaped()));
        QTest::keyClick(panel_->table(), Qt::Key_Escape);
        QVERIFY(!panel_->table()->selected().has_value());
    }

    void theOpenScenarioIsJudged() {
        QVERIFY(!panel_->validity().isEmpty());
        editScenario(*document_, QStringLiteral("longer"), [](Scenario& s) { s.workload.sequenceLength = 262144; });
        QVERIFY(document_->evaluation()->computed);
        QVERIFY(panel_->validity().contains(QStringLiteral("outside")));
        QVERIFY(panel_->validity().contains(QStringLiteral("262144")));
    }

    void picturesOfBothThemesAndSizesAreFull() {
        for (const ThemeKind kind : {ThemeKind::dark, ThemeKind::light})
            for (const QSize size : {QSize(1280, 800), QSize(2560, 1440), QSize(560, 700)}) {
                Theme::apply(*qApp, kind);
                QImage image(size, QImage::Format_ARGB32);
                QPainter painter(&image);
                panel_->paintFigure(painter, QRectF(QPointF(), QSizeF(size)));
                painter.end();
                QSet<QRgb> colours;
                for (int y = 0; y < image.height(); y += 2)
                    for (int x = 0; x < image.width(); x += 2) colours.insert(image.pixel(x, y));
                QVERIFY(colours.size() > 200);
                QCOMPARE(panelColour(image).rgb(), Theme::of(kind).panel.rgb());
            }
    }
};

TRAINYARD_GUI_TEST_MAIN(TestAccuracyPanel)
#include "test_accuracy_panel.moc"
