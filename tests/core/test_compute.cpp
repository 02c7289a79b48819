#include <QTest>

#include <cmath>

#include "core/compute/device_efficiency.h"
#include "core/compute/kernel_time.h"
#include "core/engine/layer_cost.h"
#include "core/io/presets/preset_library.h"
#include "core/memory/memory_model.h"
#include "tests/support/scenarios.h"

using namespace trainyard;

namespace {

std::shared_ptr<const AcceleratorSpec> preset(const char* id) {
    auto spec = PresetLibrary().accelerator(id);
    return spec ? *spec : nullptr;
}

PricedDevice priced(const AcceleratorSpec& spec, Precision precision = Precision::bf16) {
    PricedDevice d;
    d.accelerator = &spec;
    d.efficiency = deviceEfficiency(spec, {});
    d.peakFlopsPerS = effectivePeak(spec, precision);
    d.peak16FlopsPerS = effectivePeak(spec, Precision::bf16);
    d.memoryBytesPerS = spec.memoryBandwidthBytesPerS;
    return d;
}

}  // namespace

class TestCompute : public QObject {
    Q_OBJECT
  private slots:
    void burstOfMeasuredProducts_data();
    void burstOfMeasuredProducts();
    void longRunsAreSlowerThanBursts();
    void waveQuantization();
    void misalignedColumnsAreSlow();
    void flashForwardAsMeasured_data();
    void flashForwardAsMeasured();
    void maskedHalfIsSkipped();
    void memoryBoundByHand();
    void lessPowerIsSlower();
    void calibrationScales();
    void smallLayersRunAtTheHostsPace();
};

void TestCompute::burstOfMeasuredProducts_data() {
    QTest::addColumn<QString>("device");
    QTest::addColumn<double>("m");
    QTest::addColumn<double>("n");
    QTest::addColumn<double>("k");
    QTest::addColumn<double>("measured");  // of dense peak, short burst: aiconfigurator GEMM grid (Apache-2.0)
    const auto row = [](const char* device, double m, double n, double k, double measured) {
        QTest::addRow("%s %g x %g x %g", device, m, n, k) << device << m << n << k << measured;
    };
    row("a100-sxm4-80", 4096, 4096, 4096, 0.803);
    row("a100-sxm4-80", 8192, 12288, 4096, 0.799);
    row("a100-sxm4-80", 2048, 4096, 12288, 0.786);
    row("a100-sxm4-80", 8192, 8192, 1024, 0.783);
    row("a100-sxm4-80", 4096, 2048, 2048, 0.676);
    row("h100-sxm5-80", 4096, 4096, 4096, 0.837);
    row("h100-sxm5-80", 4096, 12288, 4096, 0.802);
    row("h100-sxm5-80", 8192, 1024, 8192, 0.823);
    row("h100-sxm5-80", 4096, 8192, 1024, 0.723);
}

void TestCompute::burstOfMeasuredProducts() {
    QFETCH(QString, device);
    QFETCH(double, m);
    QFETCH(double, n);
    QFETCH(double, k);
    QFETCH(double, measured);
    const auto spec = preset(device.toUtf8().constData());
    QVERIFY(spec);
    const GemmTime t = gemmTime(priced(*spec), Precision::bf16, m, n, k, 1);
    const double burst = 2 * m * n * k / ((t.burstS + t.overheadS) * effectivePeak(*spec, Precision::bf16));
    QVERIFY2(std::abs(burst / measured - 1) < 0.15, qPrintable(QString("%1, measured %2").arg(burst).arg(measured)));
}

void TestCompute::longRunsAreSlowerThanBursts() {
    for (const char* id : {"a100-sxm4-80", "h100-sxm5-80", "b200-sxm-180"}) {
        const auto spec = preset(id);
        const GemmTime t = gemmTime(priced(*spec), Precision::bf16, 8192, 8192, 8192, 1);
        QVERIFY(t.mathS >= t.burstS);
        QVERIFY2(t.efficiency > 0.4 && t.efficiency < 0.8, qPrintable(QString("%1 %2").arg(id).arg(t.efficiency)));
    }
}

void TestCompute::waveQuantization() {
    const auto spec = preset("h100-sxm5-80");
    const PricedDevice d = priced(*spec);
    // 132 tiles fill one wave of 132 multiprocessors; one more tile starts another.
    const double full = gemmTime(d, Precision::bf16, 256 * 12, 128 * 11, 4096, 1).burstS;
    const double more = gemmTime(d, Precision::bf16, 256 * 12, 128 * 12, 4096, 1).burstS;
    QVERIFY(more > 1.09 * full * 12 / 11 * 0.99);
    QVERIFY(more < 2 * full);
}

void TestCompute::misalignedColumnsAreSlow() {
    const auto spec = preset("h100-sxm5-80");
    const PricedDevice d = priced(*spec);
    // Feed-forward width 10922 against 10944 at hidden 4096: 273 against 398 TFLOPS (ml-engineering book).
    const double good = gemmTime(d, Precision::bf16, 8192, 10944, 4096, 1).burstS;
    const double bad = gemmTime(d, Precision::bf16, 8192, 10922, 4096, 1).burstS;
    QVERIFY(bad / good > 1.3 && bad / good < 1.6);
}

void TestCompute::flashForwardAsMeasured_data() {
    QTest::addColumn<QString>("device");
    QTest::addColumn<int>("kernel");
    QTest::addColumn<double>("headDim");
    QTest::addColumn<double>("length");
    QTest::addColumn<double>("measured");  // TFLOPS, causal, median over batch and heads: aiconfigurator (Apache-2.0)
    const auto row = [](const char* device, AttentionKernel kernel, double dim, double length, double measured) {
        QTest::addRow("%s d%g s%g", device, dim, length) << device << static_cast<int>(kernel) << dim << length << measured;
    };
    row("a100-sxm4-80", AttentionKernel::flash2, 128, 2048, 143);
    row("a100-sxm4-80", AttentionKernel::flash2, 128, 8192, 172);
    row("h100-sxm5-80", AttentionKernel::flash3, 128, 4096, 528);
    row("h100-sxm5-80", AttentionKernel::flash3, 128, 16384, 607);
    row("h100-sxm5-80", AttentionKernel::flash3, 64, 8192, 462);
    row("b200-sxm-180", AttentionKernel::flash3, 128, 8192, 1137);
    row("b200-sxm-180", AttentionKernel::flash3, 64, 8192, 694);
}

void TestCompute::flashForwardAsMeasured() {
    QFETCH(QString, device);
    QFETCH(int, kernel);
    QFETCH(double, headDim);
    QFETCH(double, length);
    QFETCH(double, measured);
    const auto spec = preset(device.toUtf8().constData());
    const AttentionTime t = attentionForwardTime(priced(*spec), static_cast<AttentionKernel>(kernel), {1, length, length, 32, headDim, headDim, true});
    const double rate = t.flops / t.totalS() / 1e12;
    QVERIFY2(std::abs(rate / measured - 1) < 0.2, qPrintable(QString("%1, measured %2").arg(rate).arg(measured)));
}

void TestCompute::maskedHalfIsSkipped() {
    const auto spec = preset("h100-sxm5-80");
    const PricedDevice d = priced(*spec);
    const AttentionShape causal{1, 8192, 8192, 32, 128, 128, true};
    AttentionShape full = causal;
    full.causal = false;
    QCOMPARE(attentionForwardTime(d, AttentionKernel::flash2, causal).flops * 2, attentionForwardTime(d, AttentionKernel::flash2, full).flops);
    QCOMPARE(attentionForwardTime(d, AttentionKernel::flash2, full).flops, 4.0 * 32 * 8192 * 8192 * 128);
    // Five products instead of two.
    QCOMPARE(attentionBackwardTime(d, AttentionKernel::flash2, causal).flops, 2.5 * attentionForwardTime(d, AttentionKernel::flash2, causal).flops);
    // Kernels that write the scores compute the masked half too.
    QCOMPARE(attentionForwardTime(d, AttentionKernel::unfused, causal).flops, attentionForwardTime(d, AttentionKernel::unfused, full).flops);
    QVERIFY(attentionForwardTime(d, AttentionKernel::unfused, causal).totalS() > 2 * attentionForwardTime(d, AttentionKernel::flash2, causal).totalS());
}

void TestCompute::memoryBoundByHand() {
    const auto spec = preset("a100-sxm4-80");
    const PricedDevice d = priced(*spec);
    QCOMPARE(memoryBoundTime(d, 0, 1), 0.0);
    QCOMPARE(memoryBoundTime(d, 2e9, 1), 2e9 / (0.8 * 2039e9) + 3e-6);
}

void TestCompute::lessPowerIsSlower() {
    AcceleratorSpec spec = *preset("h100-sxm5-80");
    const double full = deviceEfficiency(spec, {}).gemm16.sustainedShare;
    spec.tdpW = 500;
    const double starved = deviceEfficiency(spec, {}).gemm16.sustainedShare;
    QVERIFY(starved < 0.95 * full && starved > 0.75 * full);
    spec.tdpW = 2000;
    QCOMPARE(deviceEfficiency(spec, {}).gemm16.sustainedShare, full);
}

void TestCompute::calibrationScales() {
    const auto spec = preset("a100-sxm4-80");
    const double plain = deviceEfficiency(*spec, {}).gemm16.sustainedShare;
    QCOMPARE(deviceEfficiency(*spec, {{"compute.gemm_rate", 0.9}}).gemm16.sustainedShare, 0.9 * plain);
}

void TestCompute::smallLayersRunAtTheHostsPace() {
    // A layer of hidden 1024 at one short sequence is over before the host has issued its kernels: 3.4 ms per layer for
    // forward, recomputation and backward on DGX A100 (vTrain, single node, hidden 1024, micro-batch 1, MIT).
    const auto spec = preset("a100-sxm4-80");
    ModelSpec model;
    model.layers = 24;
    model.hiddenSize = 1024;
    model.attentionHeads = model.kvHeads = 16;
    model.headDim = 64;
    model.ffnHiddenSize = 4096;
    model.vocabSize = 51200;
    model.biases = true;
    model.norm = NormKind::layernorm;
    model.positionEmbedding = PositionEmbedding::learned;
    Workload workload;
    workload.sequenceLength = 1024;
    workload.precision = Precision::fp16;
    workload.attention = AttentionKernel::unfused;
    const PricedDevice d = priced(*spec);
    const StageGroups groups;
    const CommunicationConstants constants;
    PricingContext context;
    context.device = &d;
    context.groups = &groups;
    context.constants = &constants;
    context.precision = Precision::fp16;
    context.attention = AttentionKernel::unfused;
    const auto operators = layerOperators(model, LayerKind{}, workload, Sharding{});
    const LayerCost cost = layerCost(operators, context);
    QVERIFY(cost.forward.launchS > 0);
    const double all = cost.forward.totalS() + cost.fullRecompute.totalS() + cost.backwardInput.totalS() + cost.backwardWeight.totalS();
    QVERIFY2(std::abs(all / 3.4e-3 - 1) < 0.2, qPrintable(QString::number(all)));
}

QTEST_APPLESS_MAIN(TestCompute)
#include "test_compute.moc"
