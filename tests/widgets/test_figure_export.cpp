#include <QClipboard>
#include <QLabel>
#include <QMimeData>
#include <QSvgRenderer>

#include "tests/support/test_main.h"
#include "widgets/style/figure_export.h"
#include "widgets/style/theme.h"

using namespace trainyard;

class TestFigureExport : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { Theme::apply(*qApp, ThemeKind::light); }

    void writesWhatTheSuffixSays_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("magic");
        QTest::newRow("png") << QStringLiteral("a.png") << QByteArray("\x89PNG");
        QTest::newRow("svg") << QStringLiteral("a.SVG") << QByteArray("<?xml");
        QTest::newRow("pdf") << QStringLiteral("a.pdf") << QByteArray("%PDF");
    }
    void writesWhatTheSuffixSays() {
        QFETCH(QString, name);
        QFETCH(QByteArray, magic);
        QTemporaryDir folder;
        QLabel label(QStringLiteral("Hello"));
        QString error;
        QVERIFY2(exportFigure(label, folder.filePath(name), QSize(300, 120), {QStringLiteral("Title"), QStringLiteral("Caption")},
                              1, &error),
                 qPrintable(error));
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().startsWith(magic));
    }

    void pngHasTheSizeAskedForAndIsNotBlank() {
        QTemporaryDir folder;
        QLabel label(QStringLiteral("Hello"));
        const QString path = folder.filePath(QStringLiteral("a.png"));
        QVERIFY(exportFigure(label, path, QSize(320, 200), {}, 2));
        const QImage image(path);
        QCOMPARE(image.size(), QSize(640, 400));
        int ink = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) ink += qGray(image.pixel(x, y)) < 128 ? 1 : 0;
        }
        QVERIFY(ink > 50);
    }

    void svgTextIsTextOfItsSize() {
        QTemporaryDir folder;
        QLabel label(QStringLiteral("Hello"));
        const QString path = folder.filePath(QStringLiteral("a.svg"));
        QVERIFY(exportFigure(label, path, QSize(320, 200), {QStringLiteral("A < B & C"), {}}));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString svg = QString::fromUtf8(file.readAll());
        QVERIFY(svg.contains(QStringLiteral("viewBox=\"0 0 320 200\"")));
        QVERIFY(svg.contains(QStringLiteral("Hello")));
        QVERIFY(svg.contains(QStringLiteral("A &lt; B &amp; C")));
        QVERIFY(svg.contains(QStringLiteral("font-size=\"14\"")) || svg.contains(QStringLiteral("font-size=\"14px\"")));
        QVERIFY(QSvgRenderer(path).isValid());
    }

    void refusesWithASentence() {
        QTemporaryDir folder;
        QLabel label(QStringLiteral("Hello"));
        QString error;
        QVERIFY(!exportFigure(label, folder.filePath(QStringLiteral("a.bmp")), QSize(100, 100), {}, 1, &error));
        QVERIFY(error.contains(QStringLiteral(".svg")));
        QVERIFY(!exportFigure(label, folder.filePath(QStringLiteral("no/such/folder/a.png")), QSize(100, 100), {}, 1, &error));
        QVERIFY(error.contains(QStringLiteral("no/such/folder")));
        QVERIFY(!exportFigure(label, folder.filePath(QStringLiteral("a.png")), QSize(100000, 100), {}, 1, &error));
        QVERIFY(error.contains(QStringLiteral("16384")));
    }

    void clipboardHoldsImageAndSvg() {
        QLabel label(QStringLiteral("Hello"));
        label.resize(200, 80);
        copyFigure(label);
        const QMimeData* data = QApplication::clipboard()->mimeData();
        QVERIFY(data->hasImage());
        QVERIFY(data->data(QStringLiteral("image/svg+xml")).contains("Hello"));
    }
};

TRAINYARD_GUI_TEST_MAIN(TestFigureExport)
#include "test_figure_export.moc"
