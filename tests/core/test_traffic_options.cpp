#include <cmath>

#include "core/comm/compression.h"
#include "core/engine/evaluate.h"
#include "core/engine/evaluation_detail.h"
#include "core/engine/traffic_options.h"
#include "core/explain/explain.h"
#include "core/io/json/scenario_json.h"
#include "core/io/presets/preset_library.h"
#include "tests/support/preset_scenarios.h"
#include "tests/support/scenarios.h"
#include "tests/support/test_main.h"

using namespace trainyard;

namespace {

Scenario slowPipeline(double bytesPerS) {
    Scenario s = test::scenario(8);
    s.workload.globalBatchSize = 32;
    auto cluster = std::make_shared<ClusterSpec>(*s.cluster);
    cluster->links[0].bandwidthBytesPerS = bytesPerS;
    cluster->nodes[0].nics.bandwidthBytesPerS = bytesPerS;
    s.cluster = cluster;
    s.plan.zeroStage = 0;
    return s;
}

double stepOf(const Scenario& s) { return evaluate(s, Depth::simulated).time.stepS; }

PricedDevice h100() {
    const Scenario s = test::scenario(4);
    return evaluateInDetail(s).costs.devices.front();
}

}  // namespace

class TestTrafficOptions : public QObject {
    Q_OBJECT
  private slots:
    void ratiosAreThoseOfThePapers() {
        const PricedDevice device = h100();
        const MessageShape activations{.rows = 4096, .columns = 4096, .elementBytes = 2, .workers = 1, .touchedRows = 0};
        const auto ratio = [&](BoundaryCompression how, MessageShape shape) { return compressedMessage(how, shape, device).ratio; };
        // q/16 and a scale of 16 bits per 128 elements.
        QCOMPARE(ratio({.codec = Codec::quantize, .bits = 8}, activations), (8 + 0.125) / 16);
        QCOMPARE(ratio({.codec = Codec::quantize, .bits = 4}, activations), (4 + 0.125) / 16);
        // Values of 2 bytes and places of 4.
        QCOMPARE(ratio({.codec = Codec::top_k, .bits = 8, .keep = 0.01}, activations), 0.03);
        QCOMPARE(ratio({.codec = Codec::low_rank, .bits = 8, .keep = 0, .rank = 64}, activations), 64 * 8192.0 / (4096.0 * 4096.0));
        // Protocol Models: r of h, about 1 %.
        QVERIFY(std::abs(ratio({.codec = Codec::subspace, .bits = 8, .keep = 0, .rank = 41}, activations) - 0.01) < 1e-4);
        // Zen gains where (d + d_n) kappa < 2.
        MessageShape gradient = activations;
        gradient.elementBytes = 4;
        gradient.workers = 16;
        const double d = 0.05;
        const double all = 1 - std::pow(1 - d, 16);
        QVERIFY(std::abs(ratio({.codec = Codec::sparse, .bits = 8, .keep = d}, gradient) - (d + all) / 2 * (1 + 1 / (32 * d))) < 1e-12);
        QCOMPARE(ratio({.codec = Codec::sparse, .bits = 8, .keep = 0.99}, gradient), 1.0);  // sent as it is
        // Patwary: U D instead of G K D, U = (G K)^0.64.
        MessageShape embedding{.rows = 128000, .columns = 4096, .elementBytes = 4, .workers = 8, .touchedRows = 16384};
        const double words = 8.0 * 16384;
        QVERIFY(std::abs(ratio({.codec = Codec::unique_rows}, embedding) - (words * 4 + std::pow(words, 0.64) * 4096 * 4) / embedding.bytes()) < 1e-9);
        // Sums of sparse gradients from many workers are gathered: top-k stops paying.
        gradient.workers = 1024;
        QCOMPARE(compressedMessage({.codec = Codec::top_k, .bits = 8, .keep = 0.01}, gradient, device).applies, false);
    }

    // The step is shorter with the codec below the bandwidth it is said to pay at, and longer above.
    void aCodecPaysBelowItsBandwidth_data() {
        QTest::addColumn<int>("codec");
        for (const Codec codec : {Codec::quantize, Codec::top_k, Codec::subspace, Codec::low_rank})
            QTest::newRow(std::string(name(codec)).c_str()) << static_cast<int>(codec);
    }
    void aCodecPaysBelowItsBandwidth() {
        QFETCH(int, codec);
        const BoundaryCompression how{.codec = static_cast<Codec>(codec), .bits = 8, .keep = 0.01, .rank = 64};
        const Scenario at = slowPipeline(1e9);
        const EvaluationDetail detail = evaluateInDetail(at);
        const CompressedMessage message =
            compressedMessage(how, messageShape(Boundary::pipeline, at, detail.evaluation.plan, detail.costs, 0), detail.costs.devices.front());
        const double pays = message.paysBelowBytesPerS();
        QVERIFY(pays > 0 && pays < 1e20);
        for (const double factor : {0.2, 20.0}) {
            Scenario plain = slowPipeline(pays * factor);
            Scenario packed = plain;
            packed.plan.compression.pipeline = how;
            if (factor < 1) QVERIFY(stepOf(packed) < stepOf(plain));
            else QVERIFY(stepOf(packed) > stepOf(plain));
        }
    }

    void everyBoundaryCanBeCompressed() {
        Scenario s = slowPipeline(0.05e9);
        const Evaluation plain = evaluate(s, Depth::simulated);
        s.plan.compression.data = {.codec = Codec::quantize, .bits = 4};
        const Evaluation data = evaluate(s, Depth::simulated);
        QVERIFY(data.time.exposedDataS < 0.5 * plain.time.exposedDataS);
        s.plan.compression.data = {};
        s.plan.compression.pipeline = {.codec = Codec::subspace, .bits = 8, .keep = 0, .rank = 80};
        const Evaluation pipeline = evaluate(s, Depth::simulated);
        QVERIFY(pipeline.time.exposedPipelineS < 0.1 * plain.time.exposedPipelineS);
        // Inside a node the codec takes longer than the wire (Bian et al.: NVLink makes codec time dominate).
        s.plan.compression = {};
        s.plan.compression.tensor = {.codec = Codec::top_k, .bits = 8, .keep = 0.01};
        QVERIFY(stepOf(s) > plain.time.stepS);
        bool said = false;
        for (const std::string& note : evaluate(s, Depth::simulated).validityNotes)
            said = said || (note.find("tensor messages: top_k") != std::string::npos && note.find("published runs lose some") != std::string::npos);
        QVERIFY(said);
    }

    void localUpdatesExchangeEveryHSteps() {
        Scenario s = test::presetScenario("two-sites-llama-70b");
        s.plan.pipelineParallel = 4;
        const double synchronous = evaluate(s, Depth::simulated).time.exposedDataS;
        s.plan.localUpdate = {.every = 100, .between = LocalUpdateScope::replicas};
        const double loose = evaluate(s, Depth::simulated).time.exposedDataS;
        s.plan.localUpdate.every = 0;
        const double never = evaluate(s, Depth::simulated).time.exposedDataS;
        qInfo("exposed between replicas: %.4f s, every 100 steps %.4f s, never %.4f s", synchronous, loose, never);
        QVERIFY(synchronous > 0);
        QVERIFY(loose < synchronous);
        QVERIFY(never <= loose);
    }

    void explanationsFollowFromTheirTerms() {
        Scenario s = slowPipeline(1e9);
        for (const Codec codec : {Codec::quantize, Codec::top_k, Codec::low_rank, Codec::subspace, Codec::sparse, Codec::unique_rows}) {
            s.plan.compression.pipeline = s.plan.compression.data = s.plan.compression.tensor = {.codec = codec, .bits = 4, .keep = 0.01, .rank = 32};
            for (const char* boundary : {"pipeline", "tensor", "data"})
                for (const char* key : {"ratio", "bytes", "codec_s", "pays_below_bytes_per_s"}) {
                    const auto tree = explain(s, std::string("/compression/") + boundary + "/" + key);
                    QVERIFY2(tree.has_value(), key);
                    const auto checked = checkExplanation(*tree);
                    QVERIFY2(checked.has_value(), checked ? "" : checked.error().message.c_str());
                    QVERIFY(!tree->source.empty());
                }
        }
        QVERIFY(!explain(s, "/compression/pipeline/colour").has_value());
    }

    void optionsComeBackFromAFile() {
        Scenario s = test::presetScenario("two-sites-llama-70b");
        s.plan.compression.pipeline = {.codec = Codec::quantize, .bits = 4};
        s.plan.compression.data = {.codec = Codec::sparse, .bits = 8, .keep = 0.02};
        s.plan.localUpdate = {.every = 50, .between = LocalUpdateScope::sites};
        const PresetLibrary library;
        const auto again = readScenario(writeScenario(s, &library), {"again", ""}, library);
        QVERIFY2(again.has_value(), again ? "" : again.error().message.c_str());
        QVERIFY(again->plan == s.plan);
    }
};

TRAINYARD_CORE_TEST_MAIN(TestTrafficOptions)
#include "test_traffic_options.moc"
