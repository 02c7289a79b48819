#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QIcon>
#include <QLocale>
#include <QTimer>
#include <cstdio>
#include <cstring>

#include "app/app_settings.h"
#include "app/export_image.h"
#include "app/language_files.h"
#include "app/main_window.h"
#include "app/scenario_files.h"
#include "widgets/document/plan_document.h"
#include "widgets/style/theme.h"

namespace {

bool hasArgument(int argc, char** argv, const char* name) {
    for (int i = 1; i < argc; ++i)
        if (std::strncmp(argv[i], name, std::strlen(name)) == 0) return true;
    return false;
}

bool hasDisplay() {
    return !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") || !qEnvironmentVariableIsEmpty("DISPLAY") ||
           !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
}

int usage(const QString& message) {
    std::fprintf(stderr, "trainyard: %s\n", qUtf8Printable(message));
    return 2;
}

/// "1280x800"; nothing if it is no such size or beyond what can be drawn.
std::optional<QSize> parseSize(const QString& text) {
    const QStringList parts = text.split(QLatin1Char('x'));
    bool wide = false;
    bool high = false;
    const QSize size(parts.value(0).toInt(&wide), parts.value(1).toInt(&high));
    constexpr int kLargest = 16384;
    if (parts.size() != 2 || !wide || !high || size.width() < 16 || size.height() < 16 || size.width() > kLargest ||
        size.height() > kLargest)
        return std::nullopt;
    return size;
}

}  // namespace

int main(int argc, char** argv) {
    const bool exports = hasArgument(argc, argv, "--export-image");
    const bool asks = hasArgument(argc, argv, "--help") || hasArgument(argc, argv, "--version") || hasArgument(argc, argv, "-h");
    if (!hasDisplay()) {
        if (!exports && !asks) {
            std::fprintf(stderr,
                         "trainyard: there is no display to open a window on. trainyard-cli evaluates without one, and "
                         "`trainyard FILE --export-image window OUT.png` draws a picture.\n");
            return 2;
        }
        qputenv("QT_QPA_PLATFORM", "offscreen");
    } else if (exports && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");  // a picture needs no window
    }
    QElapsedTimer sinceStart;
    sinceStart.start();

    QApplication application(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("trainyard"));
    QApplication::setApplicationName(QStringLiteral("trainyard"));
    QApplication::setApplicationDisplayName(QStringLiteral("Trainyard"));
    QApplication::setApplicationVersion(QStringLiteral(TRAINYARD_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("trainyard"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/trainyard.svg")));
    QLocale::setDefault(QLocale::c());

    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Planner and visualizer for distributed training."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("file"), QStringLiteral("Scenario to open."), QStringLiteral("[FILE]"));
    const QCommandLineOption exportOption(
        QStringLiteral("export-image"),
        QStringLiteral("Draws one view into OUT (png, svg, pdf) without a window: --export-image VIEW OUT."),
        QStringLiteral("VIEW"));
    const QCommandLineOption sizeOption(QStringLiteral("size"), QStringLiteral("Size of the picture."), QStringLiteral("WxH"));
    const QCommandLineOption scaleOption(QStringLiteral("scale"), QStringLiteral("Pixels per unit of a PNG."),
                                         QStringLiteral("FACTOR"));
    const QCommandLineOption themeOption(QStringLiteral("theme"), QStringLiteral("light or dark."), QStringLiteral("THEME"));
    const QCommandLineOption baselineOption(QStringLiteral("baseline"), QStringLiteral("Shows differences from this scenario."),
                                            QStringLiteral("FILE"));
    const QCommandLineOption quantityOption(QStringLiteral("quantity"), QStringLiteral("Figure to explain."),
                                            QStringLiteral("POINTER"));
    const QCommandLineOption languageOption(QStringLiteral("language"), QStringLiteral("en or de."), QStringLiteral("LANGUAGE"));
    const QCommandLineOption timeOption(QStringLiteral("time-start"),
                                        QStringLiteral("Prints how long the window took and ends."));
    const QCommandLineOption schedulesOption(
        QStringLiteral("schedules"), QStringLiteral("Schedules of the playground: 1f1b,zb-v,own=FILE."), QStringLiteral("NAMES"));
    const QCommandLineOption workOption(QStringLiteral("work"),
                                        QStringLiteral("Work of the playground: devices p, micro-batches m, chunks v, slices k."),
                                        QStringLiteral("p=8,m=32"));
    const QCommandLineOption traceOption(
        QStringLiteral("trace"), QStringLiteral("Lays a profiler's Chrome trace over the timeline."), QStringLiteral("FILE"));
    const QCommandLineOption foldOption(QStringLiteral("fold"), QStringLiteral("Leaves out what repeats in a timeline."));
    const QCommandLineOption idleOption(QStringLiteral("idle"), QStringLiteral("Colours idle time by what it waits for."));
    parser.addOptions({schedulesOption, workOption, traceOption, foldOption, idleOption});
    parser.addOptions({exportOption, sizeOption, scaleOption, themeOption, baselineOption, quantityOption, languageOption, timeOption});
    if (!parser.parse(application.arguments())) return usage(parser.errorText());
    if (parser.isSet(QStringLiteral("help"))) parser.showHelp(0);
    if (parser.isSet(QStringLiteral("version"))) parser.showVersion();

    const QString languageName = parser.value(languageOption);
    if (parser.isSet(languageOption) && languageName != QStringLiteral("en") && languageName != QStringLiteral("de"))
        return usage(QStringLiteral("--language is en or de, not '%1'").arg(languageName));
    trainyard::installLanguage(application, parser.isSet(languageOption) ? languageName : trainyard::AppSettings::load().language,
                               parser.isSet(exportOption) ? trainyard::SystemLanguage::ignored : trainyard::SystemLanguage::used);
    const QString themeName = parser.value(themeOption);
    if (parser.isSet(themeOption) && themeName != QStringLiteral("light") && themeName != QStringLiteral("dark"))
        return usage(QStringLiteral("--theme is light or dark, not '%1'").arg(themeName));
    const QStringList positional = parser.positionalArguments();

    if (parser.isSet(exportOption)) {
        trainyard::ExportRequest request;
        request.view = parser.value(exportOption);
        if (positional.isEmpty() || positional.size() > 2)
            return usage(QStringLiteral("--export-image needs a view and a file: trainyard [FILE] --export-image VIEW OUT"));
        // `FILE --export-image VIEW OUT`: the view is the option's value, so OUT is the last positional argument.
        request.output = positional.last();
        if (positional.size() == 2) request.file = positional.first();
        request.baselineFile = parser.value(baselineOption);
        request.quantity = parser.value(quantityOption);
        request.schedules = parser.value(schedulesOption);
        request.work = parser.value(workOption);
        request.trace = parser.value(traceOption);
        request.folds = parser.isSet(foldOption);
        request.idleByCause = parser.isSet(idleOption);
        if (parser.isSet(sizeOption)) {
            request.size = parseSize(parser.value(sizeOption));
            if (!request.size)
                return usage(QStringLiteral("--size is WIDTHxHEIGHT in pixels, not '%1'").arg(parser.value(sizeOption)));
        }
        if (parser.isSet(scaleOption)) {
            request.scale = parser.value(scaleOption).toDouble();
            if (!(request.scale >= 0.5 && request.scale <= 8)) return usage(QStringLiteral("--scale is a factor from 0.5 to 8"));
        }
        if (themeName == QStringLiteral("light")) request.theme = trainyard::ThemeKind::light;
        return trainyard::exportImage(request);
    }
    if (positional.size() > 1) return usage(QStringLiteral("one scenario at a time"));

    trainyard::AppSettings settings = trainyard::AppSettings::load();
    if (parser.isSet(themeOption))
        settings.theme = themeName == QStringLiteral("light") ? trainyard::ThemeKind::light : trainyard::ThemeKind::dark;
    trainyard::Theme::apply(application, settings.theme);
    trainyard::PlanDocument document(trainyard::defaultScenario());
    trainyard::MainWindow window(&document, settings);
    if (!positional.isEmpty()) window.openPath(positional.first());
    window.offerUnsaved();
    window.show();
    if (parser.isSet(timeOption))
        QTimer::singleShot(0, &window, [&] {
            window.repaint();
            std::printf("window after %lld ms\n", static_cast<long long>(sinceStart.elapsed()));
            QApplication::exit(0);
        });
    return QApplication::exec();
}
