#include <algorithm>

#include "core/plan/edit.h"
#include "core/plan/resolve.h"
#include "core/plan/slider_stops.h"
#include "core/plan/validate.h"
#include "tests/support/scenarios.h"
#include "tests/support/test_main.h"

using namespace trainyard;
using Values = std::vector<std::int64_t>;

namespace {

const Diagnostic* find(const std::vector<Diagnostic>& all, std::string_view code) {
    const auto at = std::find_if(all.begin(), all.end(), [&](const Diagnostic& d) { return d.code == code; });
    return at == all.end() ? nullptr : &*at;
}

}  // namespace

class TestValidate : public QObject {
    Q_OBJECT
  private slots:
    void aGoodPlanHasNoErrors() {
        for (const Diagnostic& diagnostic : validate(test::scenario()))
            QVERIFY2(diagnostic.severity != Severity::error, diagnostic.message.c_str());
    }

    void tensorFiveIsRefusedWithLegalValues() {
        Scenario s = test::scenario();
        s.plan.tensorParallel = 5;
        const auto found = validate(s);
        const Diagnostic* heads = find(found, "tp-divides-heads");
        QVERIFY(heads != nullptr);
        QCOMPARE(heads->severity, Severity::error);
        QCOMPARE(heads->pointer, std::string("/plan/tensor_parallel"));
        QCOMPARE(heads->legalValues, (Values{1, 2, 4, 8, 16, 32, 64}));
        QVERIFY(heads->message.find("64 attention heads") != std::string::npos);
        QVERIFY(find(found, "degrees-divide-devices") != nullptr);  // all findings at once
    }

    void everyErrorAboutANumberOffersOthers_data() {
        QTest::addColumn<int>("which");
        for (int i = 0; i < 12; ++i) QTest::addRow("case %d", i) << i;
    }
    void everyErrorAboutANumberOffersOthers() {
        QFETCH(int, which);
        Scenario s = test::scenario();
        switch (which) {
            case 0: s.plan.tensorParallel = 0; break;
            case 1: s.plan.pipelineParallel = 1'000'000'000; break;
            case 2: s.plan.microBatchSize = -1; break;
            case 3: s.plan.virtualStages = 1'000'000; break;
            case 4: s.plan.dataParallel = 3; break;
            case 5: s.plan.zeroStage = 4; break;
            case 6: s.plan.expertParallel = 2; break;
            case 7: s.workload.globalBatchSize = 255; break;
            case 8: s.plan.microBatchSize = 3; break;
            case 9: s.plan.layersPerStage = {20, 20, 20, 21}; break;
            case 10: s.plan.shardGroup = 3; break;
            case 11: s.plan.pipelineParallel = 3; break;
        }
        bool refused = false;
        for (const Diagnostic& d : validate(s))
            if (d.severity == Severity::error) {
                refused = true;
                QVERIFY2(!d.legalValues.empty(), d.message.c_str());
            }
        QVERIFY(refused);
    }

    void unevenLayersAreANote() {
        Scenario s = test::scenario(24);  // 192 devices
        s.plan.pipelineParallel = 6;
        s.plan.tensorParallel = 8;
        s.workload.globalBatchSize = 256;
        const auto found = validate(s);
        QVERIFY(!hasErrors(found));
        const Diagnostic* note = find(found, "layers-uneven");
        QVERIFY(note != nullptr);
        QCOMPARE(note->severity, Severity::note);
        // 80 = 6 x 13 + 2: the two middle stages get one more.
        QCOMPARE(resolve(s).layersOfStage, (Values{13, 13, 14, 14, 13, 13}));
    }

    void theEndsGetTheirExtraLayersLast() {
        QCOMPARE(evenLayers(11, 4), (Values{2, 3, 3, 3}));
        QCOMPARE(evenLayers(10, 4), (Values{2, 3, 3, 2}));
        QCOMPARE(evenLayers(7, 5), (Values{1, 2, 2, 1, 1}));
        QCOMPARE(evenLayers(3, 4), (Values{0, 1, 1, 1}));
    }

    void absurdPlansNeitherCrashNorHang() {
        for (const std::int64_t value : {std::int64_t{0}, std::int64_t{-7}, std::int64_t{1'000'000'000}, INT64_MAX, INT64_MIN}) {
            Scenario s = test::scenario();
            s.plan.tensorParallel = s.plan.pipelineParallel = s.plan.contextParallel = s.plan.virtualStages = value;
            s.plan.microBatchSize = s.plan.expertParallel = s.plan.expertTensorParallel = value;
            s.plan.dataParallel = value;
            s.plan.shardGroup = value;
            s.workload.globalBatchSize = s.workload.sequenceLength = value;
            QVERIFY(hasErrors(validate(s)));
            QVERIFY(resolve(s).microBatches >= 1);
        }
        Scenario s = test::scenario();
        auto model = *s.model;
        model.layers = 1;
        s.model = std::make_shared<ModelSpec>(model);
        s.plan.tensorParallel = 2;
        s.plan.pipelineParallel = 64;
        const auto found = validate(s);  // stages without a layer can be computed, so this is no error
        QVERIFY(find(found, "stages-exceed-layers") != nullptr);
        QVERIFY(!hasErrors(found));
    }

    void mixtureNeedsExpertsThatDivide() {
        Scenario s = test::scenario();
        auto model = *s.model;
        model.moe.emplace();
        model.moe->experts = 60;
        model.moe->topK = 4;
        model.moe->expertFfnHiddenSize = 1408;
        s.model = std::make_shared<ModelSpec>(model);
        s.plan.expertParallel = 8;
        const auto found = validate(s);
        const Diagnostic* d = find(found, "ep-divides-experts");
        QVERIFY(d != nullptr);
        QCOMPARE(d->legalValues, (Values{1, 2, 4}));  // divisors of 60 that divide 32 devices of a stage
    }

    void draggingADegreeKeepsTheDeviceCount() {
        const Scenario s = test::scenario();  // 8 x 4 x 1 x 4
        const Scenario wider = withDegree(s, Dimension::tensor, 4);
        QCOMPARE(wider.plan.tensorParallel, 4);
        QCOMPARE(wider.plan.pipelineParallel, 4);
        QCOMPARE(resolve(wider).dataParallel, 8);
        const Scenario locked = withDegree(s, Dimension::tensor, 4, {.data = true});
        QCOMPARE(locked.plan.pipelineParallel, 8);
        QCOMPARE(resolve(locked).dataParallel, 4);
        const Scenario moreData = withDegree(s, Dimension::data, 16);
        QCOMPARE(resolve(moreData).dataParallel, 16);
        QCOMPARE(moreData.plan.tensorParallel * moreData.plan.pipelineParallel, 8);
        for (const Scenario& each : {wider, locked, moreData}) QVERIFY(!hasErrors(validate(each)));
    }

    void everyLegalStopIsLegal() {
        const Scenario s = test::scenario();
        const std::pair<const char*, Dimension> sliders[] = {{"/plan/tensor_parallel", Dimension::tensor},
                                                             {"/plan/pipeline_parallel", Dimension::pipeline},
                                                             {"/plan/data_parallel", Dimension::data},
                                                             {"/plan/context_parallel", Dimension::context}};
        for (const auto& [pointer, dimension] : sliders) {
            const auto stops = sliderStops(s, pointer);
            QVERIFY(stops.size() <= kSliderStops);
            int legal = 0;
            for (const SliderStop& stop : stops) {
                legal += stop.legal;
                QCOMPARE(!hasErrors(validate(withDegree(s, dimension, stop.value))), stop.legal);
                QVERIFY(stop.legal || !stop.reason.empty());
            }
            QVERIFY2(legal >= 3, pointer);
        }
    }
};

TRAINYARD_CORE_TEST_MAIN(TestValidate)
#include "test_validate.moc"
