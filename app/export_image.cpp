#include "app/export_image.h"

#include <QApplication>
#include <QFileInfo>
#include <cstdio>

#include "app/app_settings.h"
#include "app/figure_caption.h"
#include "app/main_window.h"
#include "app/scenario_files.h"
#include "app/workbench.h"
#include "core/engine/evaluate.h"
#include "core/explain/explain.h"
#include "core/io/text_file.h"
#include "widgets/document/evaluation_service.h"
#include "widgets/document/plan_document.h"
#include "widgets/panels/explain_panel.h"
#include "widgets/panels/placement_panel.h"
#include "widgets/panels/search_panel.h"
#include "widgets/plots/scaling_panel.h"
#include "widgets/style/figure_export.h"
#include "widgets/timeline/playground_panel.h"
#include "widgets/timeline/timeline_board.h"

namespace trainyard {
namespace {

int complain(int status, const QString& message) {
    std::fprintf(stderr, "trainyard: %s\n", qUtf8Printable(message));
    return status;
}

int statusOf(const Error& error) {
    switch (error.kind) {
        case Error::Kind::unreadable: return 3;
        case Error::Kind::invalid: return 1;
        case Error::Kind::commandLine: return 2;
    }
    return 1;
}

QString knownViews() { return QStringLiteral("window, cluster, model, plan, workload, timeline, playground, memory, traffic, scaling, search, placement, compare, explain, learn, accuracy"); }

/// `p=8,m=32,v=2,k=4` into the setup; the part that is not understood, or nothing.
QString takeWork(const QString& text, PlaygroundSetup& setup) {
    for (const QString& part : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const QStringList sides = part.split(QLatin1Char('='));
        bool isNumber = false;
        const int value = sides.value(1).toInt(&isNumber);
        constexpr int kMost = 65535;
        int* target = sides[0] == QStringLiteral("p")   ? &setup.devices
                      : sides[0] == QStringLiteral("m") ? &setup.microBatches
                      : sides[0] == QStringLiteral("v") ? &setup.chunks
                      : sides[0] == QStringLiteral("k") ? &setup.slices
                                                        : nullptr;
        if (target == nullptr || !isNumber || value < 1 || value > kMost) return part;
        *target = value;
    }
    return {};
}

/// The playground as asked for; 0, or the exit status after a message.
int setUp(PlaygroundPanel& panel, const ExportRequest& request, FigureText& text) {
    PlaygroundSetup setup = panel.setup();
    if (!request.schedules.isEmpty()) {
        setup.schedules.clear();
        for (const QString& name : request.schedules.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
            if (!name.startsWith(QStringLiteral("own="))) {
                setup.schedules.push_back(name.toStdString());
                continue;
            }
            const Result<std::string> own = readTextFile(name.mid(4).toStdString());
            if (!own) return complain(3, QString::fromStdString(own.error().where + ": " + own.error().message));
            setup.schedules.emplace_back(kOwnSchedule);
            setup.ownText = *own;
        }
    }
    if (const QString wrong = takeWork(request.work, setup); !wrong.isEmpty())
        return complain(2, QStringLiteral("--work: '%1' is none of p=, m=, v=, k= with a number from 1 to 65535").arg(wrong));
    const std::vector<PlaygroundResult> results = playTimelines(setup);
    for (const PlaygroundResult& result : results)
        if (!result.model) return complain(1, result.title + QStringLiteral(": ") + result.problem);
    panel.showResults(setup, results);
    text = {.title = panel.board().figureTitle(), .caption = {}};  // it shows schedules of its own, not the scenario
    return 0;
}

/// Trace, fold and colours of the board in this view, if there is one.
int setUp(TimelineBoard& board, const ExportRequest& request) {
    if (!request.trace.isEmpty()) {
        const QString problem = board.showMeasured(request.trace);
        if (!problem.isEmpty()) return complain(3, problem);
    }
    board.setIdleByCause(request.idleByCause);
    board.setFolded(request.folds);
    return 0;
}

}  // namespace

int exportImage(const ExportRequest& request) {
    const QString ending = QFileInfo(request.output).suffix().toLower();
    if (ending != QStringLiteral("png") && ending != QStringLiteral("svg") && ending != QStringLiteral("pdf"))
        return complain(2, QStringLiteral("%1: a picture ends in .png, .svg or .pdf").arg(request.output));

    Snapshot scenario = defaultScenario();
    if (!request.file.isEmpty()) {
        const auto opened = openScenario(request.file);
        if (!opened) return complain(statusOf(opened.error()), errorText(opened.error()));
        scenario = *opened;
    }
    Theme::apply(*qApp, request.theme);
    const auto inLine = [] { return std::make_unique<EvaluationService>(&evaluate, EvaluationService::Executor::inLine); };
    PlanDocument document(scenario, inLine());
    if (!request.baselineFile.isEmpty()) {
        const auto opened = openScenario(request.baselineFile);
        if (!opened) return complain(statusOf(opened.error()), errorText(opened.error()));
        document.replace(*opened);
        document.pinBaseline();
        document.edit(scenario, QString());
    }
    AppSettings settings;
    settings.theme = request.theme;
    MainWindow window(&document, settings);
    if (request.view == QStringLiteral("explain") && !request.quantity.isEmpty()) {
        if (document.evaluation() && !explain(*scenario, request.quantity.toStdString()))
            return complain(1, QStringLiteral("the evaluation has no figure '%1' that can be explained").arg(request.quantity));
        window.workbench()->explain()->setQuantity(request.quantity);
    }
    if (request.view == QStringLiteral("explain")) window.workbench()->explain()->fillSensitivities();
    if (request.view == QStringLiteral("search")) window.workbench()->search()->start(true);
    if (request.view == QStringLiteral("scaling")) qobject_cast<ScalingPanel*>(window.workbench()->viewOrNull(request.view))->start(true);
    if (request.view == QStringLiteral("placement")) window.workbench()->placement()->start(true);
    const bool whole = request.view == QStringLiteral("window");
    QWidget* view = whole ? &window : window.workbench()->viewOrNull(request.view);
    if (view == nullptr) return complain(2, QStringLiteral("there is no view '%1'; known: %2").arg(request.view, knownViews()));
    const QSize size = request.size.value_or(whole ? QSize(1600, 1000) : view->sizeHint().expandedTo(QSize(960, 420)));
    FigureText text;
    if (whole) {
        window.resize(size);
        window.workbench()->arrange(size);
    } else {
        view->setParent(nullptr);
        if (request.view != QStringLiteral("accuracy")) text = figureText(document);  // that page has its own heading
        if (auto* playground = qobject_cast<PlaygroundPanel*>(view))
            if (const int status = setUp(*playground, request, text); status != 0) return status;
        if (auto* board = view->findChild<TimelineBoard*>())
            if (const int status = setUp(*board, request); status != 0) return status;
    }
    QString error;
    const bool written = exportFigure(*view, request.output, size, text, request.scale, &error);
    if (!whole) delete view;  // it left the window's care above
    return written ? 0 : complain(3, QStringLiteral("%1: %2").arg(request.output, error));
}

}  // namespace trainyard
