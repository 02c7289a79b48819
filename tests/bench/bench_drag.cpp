// Time from a slider event to repainted views, and of opening the window. Run offscreen or on a display.
#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <algorithm>
#include <cstdio>
#include <vector>

#include "app/main_window.h"
#include "app/scenario_files.h"
#include "app/workbench.h"
#include "widgets/document/plan_document.h"
#include "widgets/panels/degree_row.h"
#include "widgets/panels/degree_slider.h"
#include "widgets/panels/plan_panel.h"
#include "widgets/style/theme.h"

using namespace trainyard;

namespace {

void report(const char* what, std::vector<double> ms) {
    std::sort(ms.begin(), ms.end());
    std::printf("%-44s typical %6.1f ms   95 %% %6.1f ms   worst %6.1f ms   (%zu)\n", what, ms[ms.size() / 2],
                ms[ms.size() * 95 / 100], ms.back(), ms.size());
}

/// One event of a drag: the mouse moves to another stop, the figures follow, every view is painted.
double oneMove(MainWindow& window, PlanDocument& document, DegreeSlider& slider, int stop, bool wait) {
    QElapsedTimer timer;
    timer.start();
    const QPointF at = slider.stopPosition(stop);
    QMouseEvent move(QEvent::MouseMove, at, slider.mapToGlobal(at), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&slider, &move);
    while (wait && !document.isUpToDate()) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    QApplication::processEvents();
    window.repaint();
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

}  // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") && qEnvironmentVariableIsEmpty("DISPLAY"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QElapsedTimer start;
    start.start();
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-bench"));
    Theme::apply(application, ThemeKind::dark);
    Snapshot scenario = defaultScenario();
    if (argc > 1)
        if (auto opened = openScenario(QString::fromLocal8Bit(argv[1]))) scenario = *opened;
    PlanDocument document(scenario);
    MainWindow window(&document, AppSettings{});
    window.resize(1600, 1000);
    window.workbench()->arrange(window.size());
    window.show();
    while (!document.isUpToDate()) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    window.repaint();
    std::printf("window up with figures after %lld ms\n", static_cast<long long>(start.elapsed()));

    for (const char* pointer :
         {"/plan/tensor_parallel", "/plan/pipeline_parallel", "/plan/data_parallel", "/plan/micro_batch_size"}) {
        DegreeSlider& slider = *window.workbench()->plan()->row(pointer)->slider();
        const QPointF at = slider.stopPosition(slider.value());
        QMouseEvent press(QEvent::MouseButtonPress, at, slider.mapToGlobal(at), Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&slider, &press);
        std::vector<int> legal;
        for (int i = 0; i < static_cast<int>(slider.stops().size()); ++i)
            if (slider.stops()[static_cast<std::size_t>(i)].legal) legal.push_back(i);
        std::vector<double> times;
        for (std::size_t i = 0; i < 40; ++i) times.push_back(oneMove(window, document, slider, legal[i % legal.size()], true));
        QMouseEvent release(QEvent::MouseButtonRelease, at, slider.mapToGlobal(at), Qt::LeftButton, Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(&slider, &release);
        report(pointer, times);
    }
    document.undoStack().setClean();
    return 0;
}
