#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <random>

#include "core/io/export/exporter.h"
#include "core/io/import/importer.h"
#include "core/io/json/scenario_json.h"
#include "core/io/presets/preset_library.h"
#include "core/plan/resolve.h"
#include "core/plan/validate.h"
#include "tests/support/test_main.h"

using namespace trainyard;

// What an exporter writes, the importer of the same format reads back: 300 random valid plans per format come back equal in
// everything that the format can hold.

namespace {

using Int = std::int64_t;

const PresetLibrary& presets() {
    static const PresetLibrary kLibrary;
    return kLibrary;
}

/// What a format cannot hold; those parts are not compared.
struct Limits {
    bool pipeline = true;  ///< degree, schedule, split
    bool split = true;     ///< layers per stage
    bool micro = true;     ///< micro-batch and batch
    bool sequence = true;  ///< length
    bool sequenceParallel = true;
    bool recompute = true;  ///< modules too
    bool gradients = true;  ///< precision of gradients
    bool shardGroup = true;
    bool dataOverlap = true;
    bool model = true;
    bool experts = true;
};

class Generator {
  public:
    Generator(std::string format, unsigned seed) : format_(std::move(format)), random_(seed) {}

    std::optional<Scenario> next() {
        static const char* const kModels[] = {"llama-3.1-8b", "llama-3.1-70b", "gpt-2-xl",   "qwen2.5-14b",
                                              "mixtral-8x7b", "qwen3-30b-a3b", "deepseek-v3"};
        const Int nodes = pick<Int>({1, 2, 4, 8, 16, 3});
        const nlohmann::json document = {
            {"format", "trainyard.scenario"},
            {"version", 1},
            {"name", "plan"},
            {"cluster", {{"preset", "dgx-h100"}, {"nodes", nodes}}},
            {"model", {{"preset", kModels[below(7)]}}},
            {"workload", {{"sequence_length", pick<Int>({2048, 4096, 8192})}, {"optimizer", "adamw"}}},
            {"plan", nlohmann::json::object()}};
        auto read = readScenario(document.dump(), {"generated", ""}, presets());
        if (!read) return std::nullopt;
        Scenario s = *read;
        if (s.model->positionEmbedding == PositionEmbedding::learned) s.workload.sequenceLength = s.model->maxPositions;
        Plan& plan = s.plan;
        plan.tensorParallel = pick<Int>({1, 1, 2, 4, 8});
        plan.pipelineParallel = pick<Int>({1, 1, 2, 4, 8});
        plan.contextParallel = pick<Int>({1, 1, 1, 2, 4});
        const Int devices = nodes * 8, model = plan.tensorParallel * plan.pipelineParallel * plan.contextParallel;
        if (devices % model != 0) return std::nullopt;
        const Int data = devices / model;
        if (chance(2)) plan.dataParallel = data;
        plan.sequenceParallel = plan.tensorParallel > 1 && chance(2);
        plan.microBatchSize = pick<Int>({1, 1, 2, 4});
        s.workload.globalBatchSize = plan.microBatchSize * data * pick<Int>({8, 16, 32});
        plan.zeroStage = pick<Int>({0, 1, 2, 3});
        if (plan.zeroStage > 0 && data > 1 && chance(4)) plan.shardGroup = data * plan.contextParallel / 2;
        plan.contextMethod = pick<ContextMethod>({ContextMethod::ring, ContextMethod::ulysses, ContextMethod::all_gather});
        if (plan.pipelineParallel > 1) {
            plan.schedule = pick<std::string>({"1f1b", "1f1b", "gpipe", "interleaved-1f1b", "zb-v", "looped-bfs"});
            if (plan.schedule == "interleaved-1f1b" || plan.schedule == "looped-bfs" || plan.schedule == "zb-v")
                plan.virtualStages = 2;
            if (chance(2)) splitLayers(s);
        }
        if (s.model->moe) {
            plan.expertParallel = pick<Int>({1, 2, 4, 8});
            plan.expertTensorParallel = chance(2) ? 1 : plan.tensorParallel;
        }
        switch (below(4)) {
            case 0: plan.recompute.mode = RecomputeMode::full; break;
            case 1:
                plan.recompute.mode = RecomputeMode::selective;
                plan.recompute.modules =
                    static_cast<std::uint16_t>(chance(2) ? static_cast<unsigned>(RecomputeModule::core_attn) |
                                                               static_cast<unsigned>(RecomputeModule::layernorm)
                                                         : static_cast<unsigned>(RecomputeModule::every_second_matmul));
                break;
            default: break;
        }
        s.workload.precision =
            pick<Precision>({Precision::bf16, Precision::bf16, Precision::fp16, Precision::fp8, Precision::mxfp8});
        s.workload.gradientPrecision = s.workload.precision != Precision::fp16 && chance(3) ? Precision::bf16 : Precision::fp32;
        if (chance(3)) plan.overlap.data = chance(2);
        if (plan.sequenceParallel && chance(4)) plan.overlap.tensor = true;
        if (chance(6)) plan.placementOrder = {Dimension::tensor, Dimension::context, Dimension::pipeline, Dimension::data};
        shapeForFormat(s);
        if (hasErrors(validate(s))) return std::nullopt;
        return s;
    }

  private:
    std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
    bool chance(std::size_t oneIn) { return below(oneIn) == 0; }
    template <class T>
    T pick(std::initializer_list<T> values) {
        return *(values.begin() + static_cast<std::ptrdiff_t>(below(values.size())));
    }

    /// The even split with one layer moved to a neighbour, a few times.
    void splitLayers(Scenario& s) {
        auto split = evenLayers(s.model->layers, s.plan.pipelineParallel * s.plan.virtualStages);
        for (std::size_t times = below(4); times > 0; --times) {
            const std::size_t from = below(split.size()), to = below(split.size());
            if (split[from] < 2) continue;
            --split[from];
            ++split[to];
        }
        s.plan.layersPerStage = split;
    }

    /// Most of what a format refuses is not asked of it, so that 300 accepted plans are found soon.
    void shapeForFormat(Scenario& s) {
        Plan& plan = s.plan;
        if (format_ == "nanotron" || format_ == "deepspeed") {
            plan.expertTensorParallel = 1;
            if (s.workload.precision == Precision::fp8 || s.workload.precision == Precision::mxfp8)
                s.workload.precision = Precision::bf16;
        }
        if (format_ == "nanotron") {
            plan.zeroStage = std::min<Int>(plan.zeroStage, 1);
            plan.shardGroup.reset();
            plan.contextMethod = ContextMethod::ring;
            if (plan.recompute.mode == RecomputeMode::selective) plan.recompute.mode = RecomputeMode::none;
        }
        if (format_ == "deepspeed") {
            plan.contextMethod = ContextMethod::ulysses;
            plan.virtualStages = 1;
            if (plan.pipelineParallel > 1) plan.schedule = "1f1b";
            plan.layersPerStage.clear();
        }
        if (format_ == "accelerate") {
            plan.expertParallel = 1;
            plan.expertTensorParallel = 1;
            if (s.workload.precision == Precision::mxfp8) s.workload.precision = Precision::fp8;
            plan.contextMethod = chance(2) ? ContextMethod::ring : ContextMethod::all_gather;
            if (plan.zeroStage == 1) plan.contextParallel = 1;
            plan.dataParallel.reset();
            const Int data = resolve(s).dataParallel;
            s.workload.globalBatchSize = plan.microBatchSize * data * 8;
            if (plan.shardGroup) plan.shardGroup = data > 1 ? std::optional<Int>(data * plan.contextParallel / 2) : std::nullopt;
        }
        if (format_ == "torchtitan" || format_ == "torchtitan-python") {
            if (plan.zeroStage == 1) plan.zeroStage = 2;
            plan.contextMethod = format_ == "torchtitan" && chance(2) ? ContextMethod::ring : ContextMethod::all_gather;
        }
        if (format_ == "megatron" || format_ == "slurm" || format_ == "nemo")
            if (plan.recompute.recomputes(RecomputeModule::every_second_matmul))
                plan.recompute.modules = static_cast<std::uint16_t>(RecomputeModule::core_attn);
        if (format_ == "nemo") plan.shardGroup.reset();  // it states copies of the optimizer, not the group
    }

    std::string format_;
    std::mt19937 random_;
};

RecomputeMode effectiveRecompute(const Scenario& s) {
    const bool coreOnly = s.plan.recompute.modules == static_cast<std::uint16_t>(RecomputeModule::core_attn);
    if (s.plan.recompute.mode == RecomputeMode::selective && coreOnly && s.workload.attention != AttentionKernel::unfused)
        return RecomputeMode::none;
    return s.plan.recompute.mode;
}

/// The first part in which two scenarios differ; empty if none.
std::string difference(const Scenario& a, const Scenario& b, const Limits& holds, std::string_view format) {
    const ResolvedPlan x = resolve(a), y = resolve(b);
    std::string out;
    const auto same = [&](const char* what, const auto& one, const auto& other) {
        if (out.empty() && one != other) out = fmt::format("{}: {} became {}", what, one, other);
    };
    const Plan &p = a.plan, &q = b.plan;
    same("devices", x.devices, y.devices);
    same("tensor", p.tensorParallel, q.tensorParallel);
    same("context", p.contextParallel, q.contextParallel);
    if (holds.pipeline) same("pipeline", p.pipelineParallel, q.pipelineParallel);
    if (holds.pipeline) same("data", x.dataParallel, y.dataParallel);
    if (holds.pipeline && p.pipelineParallel > 1) {
        same("schedule", p.schedule, q.schedule);
        same("virtual stages", x.virtualStages, y.virtualStages);
        if (holds.split)
            same("layers", fmt::format("{}", fmt::join(x.layersOfStage, ",")),
                 fmt::format("{}", fmt::join(y.layersOfStage, ",")));
    }
    if (holds.sequenceParallel) same("sequence parallel", p.sequenceParallel, q.sequenceParallel);
    if (holds.micro) {
        same("micro-batch", p.microBatchSize, q.microBatchSize);
        same("batch", a.workload.globalBatchSize, b.workload.globalBatchSize);
    }
    if (holds.sequence) same("sequence", a.workload.sequenceLength, b.workload.sequenceLength);
    same("zero", p.zeroStage, q.zeroStage);
    if (holds.shardGroup && p.zeroStage > 0) same("shard group", x.shardGroup, y.shardGroup);
    if (p.contextParallel > 1) same("context method", name(p.contextMethod), name(q.contextMethod));
    if (holds.experts && a.model->moe) {
        same("expert", p.expertParallel, q.expertParallel);
        same("expert tensor", p.expertTensorParallel, q.expertTensorParallel);
    }
    if (holds.recompute) {
        const bool exact = format == "megatron" || format == "slurm" || format == "nemo";
        same("recompute", name(exact ? p.recompute.mode : effectiveRecompute(a)),
             name(exact ? q.recompute.mode : effectiveRecompute(b)));
        if (exact && p.recompute.mode == RecomputeMode::selective) same("modules", p.recompute.modules, q.recompute.modules);
    }
    same("precision", name(a.workload.precision), name(b.workload.precision));
    if (holds.gradients) same("gradients", name(x.gradientPrecision), name(y.gradientPrecision));
    if (holds.dataOverlap && x.dataParallel > 1)
        same("data overlap", p.overlap.data.value_or(true), q.overlap.data.value_or(true));
    if (holds.model) {
        same("layers of the model", a.model->layers, b.model->layers);
        same("parameters", countParameters(*a.model, 4096).total, countParameters(*b.model, 4096).total);
    }
    return out;
}

}  // namespace

class TestExportRoundTrip : public QObject {
    Q_OBJECT
  private slots:
    void threeHundredPlansComeBack_data() {
        QTest::addColumn<QString>("format");
        for (const char* format :
             {"megatron", "slurm", "nemo", "deepspeed", "torchtitan", "torchtitan-python", "nanotron", "accelerate"})
            QTest::newRow(format) << QString::fromLatin1(format);
    }
    void threeHundredPlansComeBack() {
        QFETCH(QString, format);
        const std::string id = format.toStdString();
        const Exporter* exporter = findExporterOrNull(id);
        QVERIFY(exporter != nullptr);
        const std::string importer = id == "torchtitan-python" ? "torchtitan" : id;
        Limits holds;
        holds.model = id == "megatron" || id == "slurm" || id == "nemo" || id == "nanotron";
        if (id == "deepspeed")
            holds = {.pipeline = false,
                     .micro = true,
                     .sequence = false,
                     .sequenceParallel = false,
                     .recompute = false,
                     .gradients = true,
                     .shardGroup = true,
                     .model = false};
        if (id == "accelerate")
            holds = {.split = false,
                     .micro = false,
                     .sequence = false,
                     .sequenceParallel = false,
                     .recompute = false,
                     .gradients = false,
                     .dataOverlap = false,
                     .model = false,
                     .experts = false};
        if (id == "torchtitan" || id == "torchtitan-python") holds.dataOverlap = false;
        if (id == "torchtitan") holds.sequenceParallel = false;
        if (id == "torchtitan-python") holds.experts = true;
        if (id == "nanotron") {
            holds.split = false;
            holds.dataOverlap = false;
        }
        Generator generator(id, 20261201);
        int accepted = 0, refused = 0;
        for (int tries = 0; accepted < 300 && tries < 60000; ++tries) {
            const auto scenario = generator.next();
            if (!scenario) continue;
            const auto exported = exporter->write(*scenario, Evaluation{});
            if (!exported) {
                QCOMPARE(exported.error().code, std::string("cannot-express"));
                QVERIFY(!exported.error().message.empty());
                ++refused;
                continue;
            }
            ++accepted;
            const auto result = importText(importer, exported->text, {.where = "back", .presets = &presets(), .variables = {}});
            QVERIFY2(result.has_value(),
                     result ? "" : (result.error().where + ": " + result.error().message + "\n" + exported->text).c_str());
            Scenario base = *scenario;
            base.plan = Plan{};
            const auto back = scenarioFromImport(*result, base, presets());
            QVERIFY2(back.has_value(),
                     back ? "" : (back.error().where + ": " + back.error().message + "\n" + exported->text).c_str());
            Limits here = holds;
            if (id == "deepspeed" && scenario->plan.zeroStage == 0) here.dataOverlap = false;
            for (const auto& text : exported->notExpressed)
                if (text.find("norm of queries") != std::string::npos) here.model = false;
            if (here.model && !scenario->model->layerKinds.empty()) here.model = false;
            if (id == "torchtitan" || id == "torchtitan-python" || id == "accelerate") {
                bool left = false;
                for (const auto& text : exported->notExpressed)
                    left = left || text.find("nothing is sharded") != std::string::npos ||
                           text.find("matrix products") != std::string::npos || text.find("ring attention") != std::string::npos;
                if (left) continue;  // said so, and checked by what it says
            }
            const std::string differs = difference(*scenario, *back, here, id);
            QVERIFY2(differs.empty(), (differs + "\n" + exported->text + "\n" + result->scenario).c_str());
        }
        QCOMPARE(accepted, 300);
        qInfo("%d plans came back, %d were refused", accepted, refused);
    }
};

TRAINYARD_CORE_TEST_MAIN(TestExportRoundTrip)
#include "test_export_round_trip.moc"
