#include "core/model/precision.h"
#include "tests/support/test_main.h"

using namespace trainyard;

class TestPrecision : public QObject {
    Q_OBJECT
  private slots:
    void namesRoundTrip() {
        for (const Precision precision : kAllPrecisions) QVERIFY(precisionFromName(name(precision)) == precision);
        QVERIFY(!precisionFromName("fp17").has_value());
        QVERIFY(!precisionFromName("").has_value());
    }
    void lowPrecisionRecipesStoreHalfWords() {
        QCOMPARE(storageBytes(Precision::fp32), 4);
        QCOMPARE(storageBytes(Precision::bf16), 2);
        QCOMPARE(storageBytes(Precision::fp8), 2);
    }
};

TRAINYARD_CORE_TEST_MAIN(TestPrecision)
#include "test_precision.moc"
