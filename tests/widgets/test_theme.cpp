#include <QDir>
#include <QPainter>
#include <cmath>

#include "tests/support/test_main.h"
#include "widgets/panels/field_number.h"
#include "widgets/style/icons.h"
#include "widgets/style/theme.h"

using namespace trainyard;

namespace {

double luminance(const QColor& c) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}
double contrast(const QColor& a, const QColor& b) {
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

}  // namespace

class TestTheme : public QObject {
    Q_OBJECT
  private slots:
    void textReadsOnEverySurface() {
        for (const ThemeKind kind : {ThemeKind::dark, ThemeKind::light}) {
            const Theme& t = Theme::of(kind);
            for (const QColor& surface : {t.window, t.canvas, t.panel, t.raised}) {
                QVERIFY(contrast(t.text, surface) >= 7);
                QVERIFY(contrast(t.secondaryText, surface) >= 4.5);
                for (const QColor& verdict : {t.fits, t.tight, t.outOfMemory})
                    QVERIFY2(contrast(verdict, surface) >= 4.5, qPrintable(verdict.name() + surface.name()));
            }
            QVERIFY(contrast(t.onAccent, t.accent) >= 4.5);
        }
    }
    void marksHaveAnOutlineThatShows() {
        for (const ThemeKind kind : {ThemeKind::dark, ThemeKind::light}) {
            const Theme& t = Theme::of(kind);
            for (const QColor& data : {t.forward, t.backwardInput, t.backwardWeight, t.communication, t.idle, t.recompute,
                                       t.gradients, t.optimizer, t.logits})
                QVERIFY2(contrast(t.outline(data), t.panel) >= 3, qPrintable(data.name()));
        }
    }
    void neighbouringCategoriesDiffer() {
        const Theme& t = Theme::of(ThemeKind::dark);
        for (const int count : {2, 4, 5, 8, 16, 64})
            for (int i = 0; i + 1 < count; ++i) {
                const QColor a = t.category(i, count);
                const QColor b = t.category(i + 1, count);
                const int distance =
                    std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
                QVERIFY2(distance >= 40, qPrintable(QStringLiteral("%1 of %2: %3 %4").arg(i).arg(count).arg(a.name(), b.name())));
            }
    }
    void applicationTakesTheThemeAndTheFont() {
        Theme::apply(*qApp, ThemeKind::light);
        QCOMPARE(Theme::current().kind, ThemeKind::light);
        Theme::apply(*qApp, ThemeKind::dark);
        QCOMPARE(Theme::current().kind, ThemeKind::dark);
        QVERIFY(QFontInfo(QApplication::font()).family().startsWith(QStringLiteral("Inter")));
        const QFontMetricsF metrics(type::font(type::kHeadline));
        QCOMPARE(metrics.horizontalAdvance(QStringLiteral("1111")), metrics.horizontalAdvance(QStringLiteral("8888")));
    }
    void iconsAreTintedByTheTheme() {
        const auto ink = [](ThemeKind kind) {
            Theme::apply(*qApp, kind);
            const QImage image = icon(QStringLiteral("undo-2")).pixmap(32, 32).toImage();
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (image.pixelColor(x, y).alpha() > 250) return image.pixelColor(x, y);
            return QColor();
        };
        QVERIFY(ink(ThemeKind::dark).lightness() > 180);
        QVERIFY(ink(ThemeKind::light).lightness() < 80);
        Theme::apply(*qApp, ThemeKind::dark);
    }
    void numbersAreUnderstoodAsPeopleWriteThem_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("tokens");
        QTest::addColumn<double>("number");  // negative: none
        QTest::newRow("plain") << "4096" << false << 4096.0;
        QTest::newRow("grouped") << "16 777 216" << false << 16777216.0;
        QTest::newRow("binary k for lengths") << "8k" << false << 8192.0;
        QTest::newRow("trillion") << "15T" << true << 15e12;
        QTest::newRow("with the unit apart") << "1.5 B" << true << 1.5e9;
        QTest::newRow("exponent") << "1e12" << true << 1e12;
        QTest::newRow("half a sequence") << "1.5" << false << -1.0;
        QTest::newRow("negative") << "-4" << false << -1.0;
        QTest::newRow("word") << "many" << false << -1.0;
        QTest::newRow("infinite") << "inf" << true << -1.0;
    }
    void numbersAreUnderstoodAsPeopleWriteThem() {
        QFETCH(QString, text);
        QFETCH(bool, tokens);
        QFETCH(double, number);
        const auto parsed = FieldNumber::parse(text, tokens ? FieldNumber::Kind::tokens : FieldNumber::Kind::count);
        QCOMPARE(parsed.value_or(-1.0), number);
    }
};

TRAINYARD_GUI_TEST_MAIN(TestTheme)
#include "test_theme.moc"
