#include <QFile>
#include <QImage>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>

#include "tests/support/test_main.h"

class TestExportImage : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() {
        program_ = qEnvironmentVariable("TRAINYARD_WINDOW");
        if (program_.isEmpty()) QSKIP("TRAINYARD_WINDOW names no program");
        scenario_ = qEnvironmentVariable("TRAINYARD_SOURCE_DIR") + QStringLiteral("/presets/scenarios/default.trainyard.json");
    }
    void everyViewInEveryFormatWithoutADisplay_data() {
        QTest::addColumn<QString>("view");
        for (const char* view : {"window", "cluster", "model", "plan", "timeline", "memory", "traffic", "scaling", "accuracy"})
            QTest::newRow(view) << view;
    }
    void everyViewInEveryFormatWithoutADisplay() {
        QFETCH(QString, view);
        for (const char* ending : {"png", "svg", "pdf"}) {
            const QString out = folder_.filePath(view + QLatin1Char('.') + QLatin1String(ending));
            QCOMPARE(run({scenario_, QStringLiteral("--export-image"), view, out}), 0);
            QVERIFY(QFile(out).size() > 1000);
        }
        QFile svg(folder_.filePath(view + QStringLiteral(".svg")));
        QVERIFY(svg.open(QIODevice::ReadOnly));
        QVERIFY(svg.readAll().contains("<svg"));
    }
    void sizeAndThemeAreObeyed() {
        const auto picture = [this](const char* theme) {
            const QString out = folder_.filePath(QString::fromLatin1(theme) + QStringLiteral(".png"));
            run({scenario_, QStringLiteral("--export-image"), QStringLiteral("window"), out, QStringLiteral("--size"),
                 QStringLiteral("1280x800"), QStringLiteral("--theme"), QString::fromLatin1(theme)});
            return QImage(out);
        };
        const QImage dark = picture("dark");
        const QImage light = picture("light");
        QCOMPARE(dark.size(), QSize(1280, 800));
        QVERIFY(dark.pixelColor(640, 40).lightness() < 60);
        QVERIFY(light.pixelColor(640, 40).lightness() > 200);
    }
    void refusals_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("message");
        const QString out = folder_.filePath(QStringLiteral("x.png"));
        const QString option = QStringLiteral("--export-image");
        QTest::newRow("unknown view") << QStringList{scenario_, option, QStringLiteral("moon"), out} << 2 << "known:";
        QTest::newRow("other ending") << QStringList{scenario_, option, QStringLiteral("plan"), QStringLiteral("x.gif")} << 2
                                      << ".png";
        QTest::newRow("no output") << QStringList{option, QStringLiteral("plan")} << 2 << "OUT";
        QTest::newRow("bad size")
            << QStringList{scenario_, option, QStringLiteral("plan"), out, QStringLiteral("--size"), QStringLiteral("big")} << 2
            << "--size";
        QTest::newRow("bad theme")
            << QStringList{scenario_, option, QStringLiteral("plan"), out, QStringLiteral("--theme"), QStringLiteral("pink")} << 2
            << "--theme";
        QTest::newRow("missing file") << QStringList{QStringLiteral("/no/such.json"), option, QStringLiteral("plan"), out} << 3
                                      << "/no/such.json";
        QTest::newRow("folder that is not there")
            << QStringList{scenario_, option, QStringLiteral("plan"), QStringLiteral("/no/such/folder/x.png")} << 3
            << "/no/such/folder/x.png";
    }
    void refusals() {
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        QFETCH(QString, message);
        QCOMPARE(run(arguments), status);
        QVERIFY2(errors_.contains(message), qPrintable(errors_));
    }
    void withoutADisplayTheWindowSaysSo() {
        QCOMPARE(run({}), 2);
        QVERIFY(errors_.contains(QStringLiteral("no display")));
    }

  private:
    int run(const QStringList& arguments) {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"}) environment.remove(QString::fromLatin1(name));
        process.setProcessEnvironment(environment);
        process.start(program_, arguments);
        if (!process.waitForFinished(60000)) return -1;
        errors_ = QString::fromUtf8(process.readAllStandardError());
        return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
    }
    QString program_;
    QString scenario_;
    QString errors_;
    QTemporaryDir folder_;
};

TRAINYARD_GUI_TEST_MAIN(TestExportImage)
#include "test_export_image.moc"
