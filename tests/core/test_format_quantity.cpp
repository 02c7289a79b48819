#include "core/base/format_quantity.h"
#include "tests/support/test_main.h"

using namespace trainyard;

class TestFormatQuantity : public QObject {
    Q_OBJECT
  private slots:
    void threeDigitsNeverScientific_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << 0.0 << "0";
        QTest::newRow("below one") << 0.03124 << "0.0312";
        QTest::newRow("one digit before the point") << 4.816 << "4.82";
        QTest::newRow("two digits") << 59.84 << "59.8";
        QTest::newRow("rounds up into the next form") << 99.97 << "100";
        QTest::newRow("large") << 12800.4 << "12800";
        QTest::newRow("negative") << -2.345 << "-2.35";
    }
    void threeDigitsNeverScientific() {
        QFETCH(double, value);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(threeDigits(value)), text);
    }
    void bytesInBothUnits() {
        QCOMPARE(bytesText(64.2e9).number, std::string("59.8"));
        QCOMPARE(bytesText(64.2e9).unit, std::string("GiB"));
        QCOMPARE(bytesText(64.2e9, ByteUnits::decimal).joined(), std::string("64.2\u00a0GB"));
        QCOMPARE(bytesText(1023.9).unit, std::string("KiB"));
    }
    void secondsChooseTheirUnit() {
        QCOMPARE(secondsText(0.00031).joined(), std::string("310\u00a0µs"));
        QCOMPARE(secondsText(4.82).joined(), std::string("4.82\u00a0s"));
        QCOMPARE(secondsText(3 * 86400.0).joined(), std::string("3.00\u00a0days"));
    }
    void countsMoneyShares() {
        QCOMPARE(countText(435300).joined(), std::string("435\u00a0k"));
        QCOMPARE(countText(70.55e9).joined(), std::string("70.5\u00a0B"));
        QCOMPARE(percentText(0.468).joined(), std::string("46.8\u00a0%"));
        QCOMPARE(percentText(0.0001).number, std::string("< 0.1"));
        QCOMPARE(dollarsText(204.3).joined(), std::string("$\u00a0204"));
        QCOMPARE(energyText(57 * 3.6e6).joined(), std::string("57.0\u00a0kWh"));
        QCOMPARE(grouped(16777216), std::string("16\u202f777\u202f216"));
        QCOMPARE(grouped(-1000), std::string("-1\u202f000"));
    }
};

TRAINYARD_CORE_TEST_MAIN(TestFormatQuantity)
#include "test_format_quantity.moc"
