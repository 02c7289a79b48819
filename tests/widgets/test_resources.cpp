#include <QDir>
#include <QFontMetrics>
#include <QImage>
#include <QPainter>
#include <QSvgRenderer>

#include "tests/support/test_main.h"

class TestResources : public QObject {
    Q_OBJECT
  private slots:
    void bundledFontIsUsed() { QVERIFY(trainyard::test::useBundledFont()); }

    void digitsAreEquallyWide_data() {
        QTest::addColumn<int>("weight");
        for (const int weight : {400, 500, 600, 700}) QTest::addRow("weight %d", weight) << weight;
    }
    void digitsAreEquallyWide() {
        QFETCH(int, weight);
        QFont font(QStringLiteral("Inter Tabular"));
        font.setPixelSize(100);
        font.setWeight(static_cast<QFont::Weight>(weight));
        QCOMPARE(QFontInfo(font).weight(), weight);
        const QFontMetrics metrics(font);
        for (char digit = '1'; digit <= '9'; ++digit)
            QCOMPARE(metrics.horizontalAdvance(QLatin1Char(digit)), metrics.horizontalAdvance(QLatin1Char('0')));
    }

    void everyIconDraws() {
        const QStringList icons = QDir(QStringLiteral(":/icons")).entryList();
        QVERIFY(icons.size() >= 100);
        for (const QString& icon : icons) {
            QSvgRenderer renderer(QStringLiteral(":/icons/") + icon);
            QVERIFY2(renderer.isValid(), qPrintable(icon));
            QImage image(24, 24, QImage::Format_ARGB32_Premultiplied);
            image.fill(Qt::transparent);
            QPainter painter(&image);
            renderer.render(&painter);
            painter.end();
            int inked = 0;
            for (int y = 0; y < 24; ++y)
                for (int x = 0; x < 24; ++x) inked += qAlpha(image.pixel(x, y)) > 60 ? 1 : 0;
            QVERIFY2(inked > 8, qPrintable(icon));
        }
    }
};

TRAINYARD_GUI_TEST_MAIN(TestResources)
#include "test_resources.moc"
