#pragma once

#include <QByteArray>
#include <QFile>
#include <QList>
#include <QLocale>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QStringList>
#include <QTemporaryDir>
#include <QTest>
#include <clocale>
#include <cstdio>

#ifdef QT_WIDGETS_LIB
#include <QApplication>
#include <QFont>
#include <QFontDatabase>
#include <QFontInfo>
#endif

namespace trainyard::test {

/// Warnings that a machine without a display prints by itself.
inline const QRegularExpression& allowedWarnings() {
    static const QRegularExpression expression(
        QStringLiteral("does not support (propagateSizeHints|raise|grabbing|activating)|XDG_RUNTIME_DIR not set|"
                       "QStandardPaths: |libpng warning|Could not (connect to|find) .*(D-Bus|dbus|accessib)"));
    return expression;
}

/// Same results on every machine: platform, locale and scale are fixed, settings go to a folder of their own.
/// Call before the application object exists.
inline void fixEnvironment() {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("LC_ALL", "C.UTF-8");
    qunsetenv("QT_STYLE_OVERRIDE");
    std::setlocale(LC_ALL, "C.UTF-8");
    QLocale::setDefault(QLocale::c());
    QStandardPaths::setTestModeEnabled(true);
}

/// Runs the test object; a warning that was neither announced (QTest::ignoreMessage) nor allowed is a failure.
inline int run(QObject& test, int argc, char** argv) {
    QStringList arguments;
    bool ownOutput = false;
    for (int i = 0; i < argc; ++i) {
        arguments << QString::fromLocal8Bit(argv[i]);
        ownOutput = ownOutput || QByteArray(argv[i]) == "-o" || QByteArray(argv[i]).startsWith("-functions");
    }
    if (ownOutput) return QTest::qExec(&test, arguments);

    QTemporaryDir folder;
    const QString log = folder.filePath(QStringLiteral("log.txt"));
    arguments << QStringLiteral("-o") << QStringLiteral("-,txt") << QStringLiteral("-o") << log + QStringLiteral(",txt");
    int failures = QTest::qExec(&test, arguments);
    QFile file(log);
    if (!file.open(QIODevice::ReadOnly)) return failures > 0 ? failures : 1;
    while (!file.atEnd()) {
        const QString line = QString::fromUtf8(file.readLine()).trimmed();
        if (!line.startsWith(QStringLiteral("QWARN")) && !line.startsWith(QStringLiteral("QCRITICAL"))) continue;
        if (allowedWarnings().match(line).hasMatch()) continue;
        std::printf("FAIL!  : unexpected warning: %s\n", qPrintable(line));
        ++failures;
    }
    return failures;
}

#ifdef QT_WIDGETS_LIB
/// The bundled font for the whole application, so that pictures do not depend on the machine's fonts.
inline bool useBundledFont() {
    for (const char* path : {":/fonts/InterTabular-Regular.otf", ":/fonts/InterTabular-Medium.otf",
                             ":/fonts/InterTabular-SemiBold.otf", ":/fonts/InterTabular-Bold.otf"})
        if (QFile::exists(QString::fromLatin1(path))) QFontDatabase::addApplicationFont(QString::fromLatin1(path));
    QFont font(QStringLiteral("Inter Tabular"));
    font.setPixelSize(13);
    QApplication::setFont(font);
    return QFontInfo(font).family().startsWith(QStringLiteral("Inter Tabular"));
}
#endif

}  // namespace trainyard::test

/// main() of a test of core: no application object.
#define TRAINYARD_CORE_TEST_MAIN(TestClass)            \
    int main(int argc, char** argv) {                  \
        trainyard::test::fixEnvironment();             \
        TestClass test;                                \
        return trainyard::test::run(test, argc, argv); \
    }

/// main() of a test of widgets.
#define TRAINYARD_GUI_TEST_MAIN(TestClass)             \
    int main(int argc, char** argv) {                  \
        trainyard::test::fixEnvironment();             \
        QApplication application(argc, argv);          \
        trainyard::test::useBundledFont();             \
        TestClass test;                                \
        return trainyard::test::run(test, argc, argv); \
    }
