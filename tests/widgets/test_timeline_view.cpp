#include <QLineEdit>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QToolButton>
#include <QWheelEvent>
#include <cmath>
#include <set>

#include "core/schedule/trace_form.h"
#include "tests/support/test_main.h"
#include "tests/support/timelines.h"
#include "widgets/style/figure_export.h"
#include "widgets/style/theme.h"
#include "widgets/timeline/timeline_board.h"
#include "widgets/timeline/timeline_overview.h"
#include "widgets/timeline/timeline_view.h"

using namespace trainyard;

namespace {

QPoint pointOf(TimelineView& view, int row, double time) {
    return QPointF(view.timeScale().toX(time), view.pictureLayout().computeLane(row).center().y()).toPoint();
}

void wheel(QWidget& widget, QPointF at, int notches, Qt::KeyboardModifiers modifiers) {
    QWheelEvent event(at, widget.mapToGlobal(at), {}, QPoint(0, 120 * notches), Qt::NoButton, modifiers, Qt::NoScrollPhase,
                      false);
    QCoreApplication::sendEvent(&widget, &event);
}

void drag(QWidget& widget, QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = Qt::NoModifier,
          Qt::MouseButton button = Qt::LeftButton) {
    QTest::mousePress(&widget, button, modifiers, from);
    // QTest::mouseMove carries no buttons; a drag needs them.
    for (int step = 1; step <= 8; ++step) {
        const QPointF at = QPointF(from) + QPointF(to - from) * step / 8;
        QMouseEvent move(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, button, modifiers);
        QCoreApplication::sendEvent(&widget, &move);
    }
    QTest::mouseRelease(&widget, button, modifiers, to);
}

std::size_t colorsOf(const QImage& image) {
    std::set<QRgb> colors;
    for (int y = 0; y < image.height(); y += 2) {
        for (int x = 0; x < image.width(); x += 2) colors.insert(image.pixel(x, y));
    }
    return colors.size();
}

bool hasColor(const QImage& image, const QColor& wanted) {
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if ((image.pixel(x, y) & 0xffffff) == (wanted.rgb() & 0xffffff)) return true;
        }
    }
    return false;
}

}  // namespace

class TestTimelineView : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { Theme::apply(*qApp, ThemeKind::dark); }

    void init() {
        board_ = std::make_unique<TimelineBoard>();
        board_->resize(1000, 420);
        board_->setEntries({{QStringLiteral("1F1B"), test::scheduleModel("1f1b", 4, 8, 1, 100)}});
        board_->show();
        QVERIFY(QTest::qWaitForWindowExposed(board_.get()));
        view_ = &board_->view(0);
    }
    void cleanup() { board_.reset(); }

    void showsTheWholeStepFirst() {
        QVERIFY(view_->viewport().visible().begin <= 0);
        QVERIFY(view_->viewport().visible().end >= view_->model()->makespan());
    }

    void wheelZoomsAtThePointer() {
        const QPoint at = pointOf(*view_, 1, 12000);
        const double before = view_->timeScale().toTime(at.x());
        const double length = view_->viewport().visible().length();
        wheel(*view_, at, 3, Qt::ControlModifier);
        QVERIFY(view_->viewport().visible().length() < length / 1.5);
        QVERIFY(std::abs(view_->timeScale().toTime(at.x()) - before) < 1);
        wheel(*view_, at, 2, Qt::ShiftModifier);
        QVERIFY(view_->timeScale().toTime(at.x()) < before);  // up is back in time
    }

    void keysZoomAndPan() {
        view_->setFocus();
        const double length = view_->viewport().visible().length();
        QTest::keyClick(view_, Qt::Key_W);
        QTest::keyClick(view_, Qt::Key_W);
        const TimeRange closer = view_->viewport().visible();
        QVERIFY(closer.length() < length);
        QTest::keyClick(view_, Qt::Key_D);
        QVERIFY(view_->viewport().visible().begin > closer.begin);
        QTest::keyClick(view_, Qt::Key_A);
        QVERIFY(std::abs(view_->viewport().visible().begin - closer.begin) < 1);
        QTest::keyClick(view_, Qt::Key_S);
        QTest::keyClick(view_, Qt::Key_Home);
        QCOMPARE(view_->viewport().visible(), wholeRange(view_->model()->makespan()));
    }

    void shiftDragAndMiddleDragPan() {
        wheel(*view_, pointOf(*view_, 1, 12000), 5, Qt::ControlModifier);
        const double begin = view_->viewport().visible().begin;
        drag(*view_, QPoint(600, 100), QPoint(500, 100), Qt::ShiftModifier);
        QVERIFY(view_->viewport().visible().begin > begin);
        drag(*view_, QPoint(500, 100), QPoint(600, 100), Qt::NoModifier, Qt::MiddleButton);
        QVERIFY(std::abs(view_->viewport().visible().begin - begin) < 5);
    }

    void clickSelectsAndEscapeClears() {
        QSignalSpy clicked(board_.get(), &TimelineBoard::spanClicked);
        QTest::mouseClick(view_, Qt::LeftButton, {}, pointOf(*view_, 0, 1500));
        QCOMPARE(clicked.count(), 1);
        QVERIFY(view_->selectedSpan().has_value());
        QCOMPARE(view_->model()->timeline().action[*view_->selectedSpan()].microBatch, 1U);
        QTest::keyClick(view_, Qt::Key_Period);
        QCOMPARE(view_->model()->timeline().action[*view_->selectedSpan()].microBatch, 2U);
        QTest::keyClick(view_, Qt::Key_Comma);
        QCOMPARE(view_->model()->timeline().action[*view_->selectedSpan()].microBatch, 1U);
        QTest::keyClick(view_, Qt::Key_BracketRight);
        QCOMPARE(view_->model()->rowOf(*view_->selectedSpan()), 1);  // along the arrow to stage 1
        QTest::keyClick(view_, Qt::Key_BracketLeft);
        QCOMPARE(view_->model()->rowOf(*view_->selectedSpan()), 0);
        QTest::keyClick(view_, Qt::Key_Escape);
        QVERIFY(!view_->selectedSpan().has_value());
    }

    void doubleClickFitsTheSpan() {
        const QPoint at = pointOf(*view_, 0, 1500);
        QTest::mouseDClick(view_, Qt::LeftButton, {}, at);
        QCOMPARE(view_->viewport().visible().length(), 2000.0);
        QVERIFY(view_->viewport().visible().contains(1500));
    }

    void dragMarksAndSumsUp() {
        drag(*view_, pointOf(*view_, 0, 4200), pointOf(*view_, 0, 9000));
        QVERIFY(view_->viewport().marked().has_value());
        QVERIFY(std::abs(view_->viewport().marked()->length() - 4800) < 80);
        // Of a stretch in which everybody works all the time, and of the whole step.
        board_->viewport().setMarked(TimeRange{12000, 15000});
        QVERIFY2(board_->sumsText().startsWith(durationText(3000, view_->model()->context().unit) + QStringLiteral(" marked")),
                 qPrintable(board_->sumsText()));
        board_->viewport().setMarked(TimeRange{0, view_->model()->makespan()});
        const double busy = 8 * 3000 / view_->model()->makespan();
        QVERIFY2(board_->sumsText().contains(QStringLiteral("busy ") + shareText(busy)), qPrintable(board_->sumsText()));
        QVERIFY(board_->sumsText().contains(QStringLiteral("64 actions")));
        board_->viewport().setMarked(TimeRange{4200, 9000});
        board_->grab();
        // Its edges can be moved.
        const double end = view_->viewport().marked()->end;
        const int edge = static_cast<int>(std::lround(view_->timeScale().toX(end)));
        drag(*view_, QPoint(edge, 60), QPoint(edge + 60, 60));
        QVERIFY(view_->viewport().marked()->end > end);
        QTest::keyClick(view_, Qt::Key_Escape);
        QVERIFY(!view_->viewport().marked().has_value());
        // R marks the selected action.
        QTest::mouseClick(view_, Qt::LeftButton, {}, pointOf(*view_, 0, 1500));
        QTest::keyClick(view_, Qt::Key_R);
        QCOMPARE(view_->viewport().marked()->length(), 1000.0);
    }

    void hoverTellsTheStory() {
        const SpanStory story = view_->storyAt(pointOf(*view_, 1, 1600));
        QCOMPARE(story.title, QStringLiteral("Forward \u00b7 micro-batch 0"));
        QVERIFY(story.lines.join(QLatin1Char(' ')).contains(QStringLiteral("forward 0 on stage 0")));
        QVERIFY(view_->storyAt(pointOf(*view_, 0, 6000)).title.startsWith(QStringLiteral("Idle for")));
        QVERIFY(view_->storyAt(QPointF(5, 5)).title.isEmpty());
        QSignalSpy hovered(board_.get(), &TimelineBoard::hovered);
        QTest::mouseMove(view_, pointOf(*view_, 2, 2600));
        QTRY_VERIFY(hovered.count() > 0);
        QCOMPARE(hovered.last().at(1).value<std::optional<int>>(), std::optional<int>(2));
    }

    void stepsFromActionToAction() {
        view_->setFocus();
        board_->step(1);
        QCOMPARE(board_->viewport().scrubber(), std::optional<double>(0.0));
        board_->step(1);
        QCOMPARE(board_->viewport().scrubber(), std::optional<double>(1000.0));
        board_->step(1);
        QCOMPARE(board_->viewport().scrubber(), std::optional<double>(1100.0));  // stage 1 starts after the transfer
        board_->step(-1);
        QCOMPARE(board_->viewport().scrubber(), std::optional<double>(1000.0));
        QTest::keyClick(view_, Qt::Key_Space);
        QVERIFY(board_->isPlaying());
        QTRY_VERIFY(*board_->viewport().scrubber() > 1500);
        QTest::keyClick(view_, Qt::Key_Space);
        QVERIFY(!board_->isPlaying());
        // To the last start and no further.
        for (int i = 0; i < 200; ++i) board_->step(1);
        QCOMPARE(board_->viewport().scrubber(), std::optional<double>(view_->model()->makespan()));
    }

    void namesAllThreeBubbles() {
        board_->setEntries({{QStringLiteral("1F1B"), test::scheduleModel("1f1b", 4, 8)}});
        // (p-1)/(m+p-1) = 27.3 %, (p-1)/m = 37.5 % (catalogue, section 1).
        QVERIFY2(board_->statusText().contains(QStringLiteral("27.3")), qPrintable(board_->statusText()));
        QVERIFY(board_->statusText().contains(QStringLiteral("37.5")));
        QVERIFY(board_->statusText().contains(QStringLiteral("in span")));
    }

    void overviewBrushMovesTheView() {
        TimelineOverview& overview = board_->overview();
        wheel(*view_, pointOf(*view_, 1, 12000), 6, Qt::ControlModifier);
        const TimeScale scale = overview.timeScale();
        const TimeRange before = view_->viewport().visible();
        const int middle = static_cast<int>(scale.toX(before.middle()));
        drag(overview, QPoint(middle, 20), QPoint(middle + 80, 20));
        QVERIFY(view_->viewport().visible().begin > before.begin);
        QVERIFY(std::abs(view_->viewport().visible().length() - before.length()) < 1);
        // The right handle widens.
        const TimeRange moved = view_->viewport().visible();
        const int handle = static_cast<int>(std::lround(scale.toX(moved.end)));
        drag(overview, QPoint(handle, 20), QPoint(handle + 40, 20));
        QVERIFY(view_->viewport().visible().end > moved.end);
        QVERIFY(std::abs(view_->viewport().visible().begin - moved.begin) < 1);
        // A click elsewhere jumps there.
        QTest::mouseClick(&overview, Qt::LeftButton, {}, QPoint(static_cast<int>(scale.toX(1000)), 20));
        QVERIFY(view_->viewport().visible().contains(1000));
    }

    void newDataKeepsThePlace() {
        wheel(*view_, pointOf(*view_, 1, 12000), 6, Qt::ControlModifier);
        const double share = view_->viewport().visible().begin / view_->model()->makespan();
        board_->setEntries({{QStringLiteral("1F1B"), test::scheduleModel("1f1b", 4, 16)}});
        QVERIFY(std::abs(view_->viewport().visible().begin / view_->model()->makespan() - share) < 0.01);
    }

    void picturesShowEveryKindOfWork_data() {
        QTest::addColumn<bool>("isDark");
        QTest::newRow("dark") << true;
        QTest::newRow("light") << false;
    }
    void picturesShowEveryKindOfWork() {
        QFETCH(bool, isDark);
        Theme::apply(*qApp, isDark ? ThemeKind::dark : ThemeKind::light);
        const Theme& theme = Theme::current();
        board_->setEntries({{QStringLiteral("ZB-H1"), test::scheduleModel("zb-h1", 4, 8)}});
        const QImage image = view_->grab().toImage();
        for (const QColor& color : {theme.forward, theme.backwardInput, theme.backwardWeight})
            QVERIFY(hasColor(image, theme.fill(color)));
        QVERIFY(colorsOf(image) > 20);
        view_->setSelectedMicroBatch(3);
        QVERIFY(view_->grab().toImage() != image);
        view_->setSelectedMicroBatch({});
        QCOMPARE(view_->grab().toImage(), image);
        Theme::apply(*qApp, ThemeKind::dark);
    }

    void svgIsCutAtTheBordersAndKeepsText() {
        // Zoomed in, so that spans reach beyond both borders.
        board_->viewport().setVisible({3300, 14700});
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("timeline.svg"));
        QString error;
        QVERIFY2(
            exportFigure(*board_, path, QSize(900, 400), {QStringLiteral("A title"), QStringLiteral("A caption")}, 1, &error),
            qPrintable(error));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString svg = QString::fromUtf8(file.readAll());
        for (const char* text : {"A title", "A caption", "Stage 0", "Stage 3", "peak 4 in flight", "forward", "backward"}) {
            QVERIFY2(svg.contains(QLatin1String(text)), text);
        }
        QVERIFY(svg.contains(QStringLiteral("viewBox=\"0 0 900 400\"")));
        // No rectangle of the picture leaves it.
        static const QRegularExpression rect(
            QStringLiteral("<rect x=\"(-?[0-9.]+)\" y=\"(-?[0-9.]+)\" width=\"([0-9.]+)\" height=\"([0-9.]+)\""));
        int count = 0;
        auto matches = rect.globalMatch(svg);
        while (matches.hasNext()) {
            const auto match = matches.next();
            ++count;
            QVERIFY(match.captured(1).toDouble() >= -0.5);
            QVERIFY(match.captured(1).toDouble() + match.captured(3).toDouble() <= 900.5);
        }
        // Nor does a rounded action or a curve: those are paths and polygons.
        static const QRegularExpression shape(QStringLiteral("(?: d|points)=\"([^\"]+)\""));
        static const QRegularExpression point(QStringLiteral("(-?[0-9.]+),(-?[0-9.]+)"));
        auto shapes = shape.globalMatch(svg);
        while (shapes.hasNext()) {
            ++count;
            auto points = point.globalMatch(shapes.next().captured(1));
            while (points.hasNext()) {
                const double x = points.next().captured(1).toDouble();
                QVERIFY2(x >= -0.5 && x <= 900.5, qPrintable(QString::number(x)));
            }
        }
        QVERIFY(count > 20);
        QVERIFY(QSvgRenderer(path).isValid());
        QVERIFY(!svg.contains(QStringLiteral("<image")));
    }

    void comparesSchedulesOnOneScale() {
        board_->setEntries({{QStringLiteral("GPipe"), test::scheduleModel("gpipe", 4, 8)},
                            {QStringLiteral("ZB-H1"), test::scheduleModel("zb-h1", 4, 8)}});
        QCOMPARE(board_->count(), 2);
        QCOMPARE(board_->view(0).timeScale().pixelsPerTick(), board_->view(1).timeScale().pixelsPerTick());
        wheel(board_->view(1), QPointF(500, 60), 3, Qt::ControlModifier);
        QCOMPARE(board_->view(0).viewport().visible(), board_->view(1).viewport().visible());
        board_->setEntries({{QStringLiteral("1F1B"), test::scheduleModel("1f1b", 4, 8)}});
        QVERIFY(board_->view(1).isHidden());
    }

    void searchFindsAndMarks() {
        board_->search(QStringLiteral("F3"));
        QCOMPARE(board_->searchText(), QStringLiteral("4 found"));  // one on each stage
        auto* field = board_->findChild<QLineEdit*>();
        QVERIFY(field != nullptr);
        field->setText(QStringLiteral("F3"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(board_->searchText(), QStringLiteral("1 of 4"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(board_->searchText(), QStringLiteral("2 of 4"));
        const QImage found = view_->grab().toImage();
        board_->search(QString());
        QVERIFY(view_->grab().toImage() != found);
    }

    void foldLeavesOutWhatRepeats() {
        board_->setEntries({{QStringLiteral("1F1B"), test::scheduleModel("1f1b", 4, 64)}});
        const QString whole = board_->statusText();
        auto* fold = board_->findChild<QToolButton*>(QStringLiteral("fold"));
        QVERIFY(fold != nullptr);
        QTest::mouseClick(fold, Qt::LeftButton);
        QVERIFY(board_->isFolded());
        const TimelineModel& folded = *view_->model();
        QVERIFY(folded.context().fold.has_value());
        QCOMPARE(folded.context().fold->microBatches, 1);
        QCOMPARE(folded.realMakespan(), 3000.0 * (64 + 3));
        QVERIFY(folded.makespan() < 0.25 * folded.realMakespan());
        QCOMPARE(board_->statusText(), whole);  // figures are those of the whole step
        QCOMPARE(view_->viewport().visible(), wholeRange(folded.makespan()));
        // The last action tells its real time.
        const std::uint32_t last = folded.timeline().finish(0, Lane::compute) - 1;
        const SpanStory story = spanStory(folded, last, 1);
        QVERIFY2(story.lines.join(QLatin1Char(' ')).contains(QStringLiteral("to ") + durationText(201000, folded.context().unit)),
                 qPrintable(story.lines.join(QLatin1Char('|'))));
        QVERIFY(view_->grab().toImage().width() > 0);
        QTest::mouseClick(fold, Qt::LeftButton);
        QCOMPARE(view_->model()->makespan(), 3000.0 * (64 + 3));
    }

    void idleTimeIsColouredByCause() {
        auto* idle = board_->findChild<QToolButton*>(QStringLiteral("idle"));
        QVERIFY(idle != nullptr);
        const QImage plain = view_->grab().toImage();
        QTest::mouseClick(idle, Qt::LeftButton);
        QVERIFY(view_->isIdleByCause());
        QVERIFY(view_->grab().toImage() != plain);
        // Stage 3 fills until the first micro-batch arrives; stage 0 waits for gradients, then for their transfer of 100 ticks.
        const auto fill = view_->model()->idlePieces(3, wholeRange(view_->model()->makespan()));
        QVERIFY(fill.front().cause == IdleCause::fill);
        QCOMPARE(fill.front().range.end, 3300.0);
        double transfer = 0;
        double idleTime = 0;
        for (const IdlePiece& piece : view_->model()->idlePieces(0, wholeRange(view_->model()->makespan()))) {
            idleTime += piece.range.length();
            if (piece.cause == IdleCause::transfer) transfer += piece.range.length();
        }
        QCOMPARE(idleTime, view_->model()->makespan() - 8 * 3000);
        QVERIFY(transfer >= 100 && std::fmod(transfer, 100) == 0);
        QTest::mouseClick(idle, Qt::LeftButton);
        QCOMPARE(view_->grab().toImage(), plain);
    }

    /// A profile of the same step, 10 % slower on every action, on the same rows and lanes.
    void measuredTraceIsLaidOver() {
        auto slower = std::make_shared<Timeline>(view_->model()->timeline());
        for (auto* column : {&slower->start, &slower->end})
            for (Ticks& ticks : *column) ticks = ticks * 11 / 10;
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("profile.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        const auto text = traceForm(*slower, {.title = "measured", .microsecondsPerTick = 1000});
        file.write(text.data(), static_cast<qint64>(text.size()));
        file.close();
        const QImage plain = view_->grab().toImage();
        QCOMPARE(board_->showMeasured(path), QString());
        QVERIFY(view_->measured() != nullptr);
        QVERIFY2(board_->statusText().contains(
                     QRegularExpression(QStringLiteral("10\\.0.%.longer than planned, 64 of 64 actions matched"))),
                 qPrintable(board_->statusText()));
        QVERIFY(view_->grab().toImage() != plain);
        QVERIFY(view_->viewport().limits().whole >= 1.09 * view_->model()->makespan());  // all of it can be seen
        // Hovering the planned action says how the measured one compares, and the other way round.
        const QRectF lane = view_->pictureLayout().computeLane(1);
        const double x = view_->timeScale().toX(1600);
        const SpanStory planned = view_->storyAt(QPointF(x, lane.top() + 3));
        QVERIFY2(planned.lines.join(QLatin1Char('|'))
                     .contains(QRegularExpression(QStringLiteral("Measured 1\\.10.s from 1\\.21.s: 10\\.0.%.longer"))),
                 qPrintable(planned.lines.join(QLatin1Char('|'))));
        const SpanStory measured = view_->storyAt(QPointF(x, lane.bottom() - 3));
        QCOMPARE(measured.title, QStringLiteral("Measured: Forward \u00b7 micro-batch 0"));
        board_->clearMeasured();
        QCOMPARE(view_->grab().toImage(), plain);
        // What is no trace is refused with a reason and changes nothing.
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write("{\"traceEvents\": []}");
        file.close();
        QVERIFY(board_->showMeasured(path).contains(QStringLiteral("has no slices")));
        QVERIFY(board_->showMeasured(folder.filePath(QStringLiteral("missing.json"))).contains(QStringLiteral("missing.json")));
        QVERIFY(!board_->hasMeasured());
    }

    void traceIsExported() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("trace.json"));
        QCOMPARE(board_->exportTrace(0, path), QString());
        // Read back over itself it fits exactly.
        QCOMPARE(board_->showMeasured(path), QString());
        QVERIFY2(board_->statusText().contains(QStringLiteral("as planned, 64 of 64 actions matched")),
                 qPrintable(board_->statusText()));
        QVERIFY(!board_->exportTrace(0, QStringLiteral("/nowhere/trace.json")).isEmpty());
    }

    /// At the scrubber every row shows what it holds, on its curve and beside its name.
    void scrubberShowsWhatIsHeld() {
        board_->viewport().setScrubber(3500.0);
        QCOMPARE(static_cast<int>(view_->model()->inFlight(0).at(3500)), 4);
        QCOMPARE(static_cast<int>(view_->model()->inFlight(3).at(3500)), 1);
        const QImage image = view_->grab().toImage();
        const QRectF curve = view_->pictureLayout().curve(0);
        QVERIFY(curve.height() > 8);
        // Four of at most four: the mark sits at the top of the curve.
        const QPoint mark(static_cast<int>(view_->timeScale().toX(3500)), static_cast<int>(curve.top() + 1));
        QCOMPARE(image.pixelColor(mark).rgb(), Theme::current().accent.rgb());
    }

    void keysThatToggleAreSeenOnTheButtons() {
        auto* critical = board_->findChild<QToolButton*>(QStringLiteral("critical"));
        QVERIFY(critical != nullptr && !critical->isChecked());
        view_->setFocus();
        QTest::keyClick(view_, Qt::Key_C);
        QVERIFY(critical->isChecked());
        QTest::keyClick(view_, Qt::Key_C);
        QVERIFY(!critical->isChecked());
    }

    void nothingToShowIsNoCrash() {
        board_->setEntries({});
        board_->play();
        board_->step(1);
        board_->search(QStringLiteral("6"));
        QVERIFY(!board_->isPlaying());
        QVERIFY(board_->grab().toImage().width() > 0);
    }

  private:
    std::unique_ptr<TimelineBoard> board_;
    TimelineView* view_ = nullptr;
};

TRAINYARD_GUI_TEST_MAIN(TestTimelineView)
#include "test_timeline_view.moc"
