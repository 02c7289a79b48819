// Painting of timelines, one frame of pan and zoom at 1600 x 900 and 2560 x 1440. Budget: 16 ms whatever the number of actions.

#include <benchmark/benchmark.h>

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <map>

#include "core/schedule/registry.h"
#include "core/schedule/simulate.h"
#include "widgets/style/theme.h"
#include "widgets/timeline/timeline_model.h"
#include "widgets/timeline/timeline_painter.h"

namespace {

using namespace trainyard;

std::shared_ptr<const Timeline> timelineOf(int ranks, int microBatches) {
    ScheduleRequest request{.ranks = ranks, .microBatches = microBatches};
    const auto lists = buildSchedule("zb-h1", request);
    const std::vector<Ticks> unit(static_cast<std::size_t>(ranks), 1000);
    const StageTimes times{.forward = unit, .backwardInput = unit, .backwardWeight = unit};
    return std::make_shared<const Timeline>(*simulate(*lists, times));
}

std::shared_ptr<const TimelineModel> modelOf(int ranks, int microBatches) {
    // Made once for all benchmarks of a size.
    static std::map<std::pair<int, int>, std::shared_ptr<const TimelineModel>> models;
    auto& model = models[{ranks, microBatches}];
    if (!model) {
        TimelineContext context;
        context.unit = {1e-6, true};
        model = std::make_shared<const TimelineModel>(timelineOf(ranks, microBatches), context);
    }
    return model;
}

/// One frame: everything but the labels of the window around it. `state.range`: ranks, micro-batches, visible share in 1/1000.
void frameOf(benchmark::State& state, QSize size, bool idleByCause) {
    const auto model = modelOf(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
    const double share = static_cast<double>(state.range(2)) / 1000;
    QImage image(size, QImage::Format_RGB32);
    TimelinePainter painter;
    const Theme& theme = Theme::of(ThemeKind::dark);
    TimelineScene scene;
    scene.model = model.get();
    scene.layout = timelineLayout(QRectF(QPointF(0, 0), size), model->rows(), model->thinLanes(), 1, 0, true);
    scene.idleByCause = idleByCause;
    double begin = 0;
    for (auto _ : state) {
        begin = begin > 0.5 ? 0 : begin + 0.0007;
        scene.visible = {begin * (1 - share) * model->makespan(), (begin * (1 - share) + share) * model->makespan()};
        QPainter target(&image);
        painter.paintBase(target, scene, theme);
        painter.paintLabels(target, scene, theme);
        painter.paintMarks(target, scene, theme);
    }
    state.counters["actions"] = static_cast<double>(model->timeline().spans());
}

void frame(benchmark::State& state) { frameOf(state, QSize(1600, 900), false); }
void frameLarge(benchmark::State& state) { frameOf(state, QSize(2560, 1440), false); }
void frameIdleByCause(benchmark::State& state) { frameOf(state, QSize(2560, 1440), true); }

void build(benchmark::State& state) {
    const auto timeline = timelineOf(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
    for (auto _ : state) benchmark::DoNotOptimize(TimelineModel(timeline, {}));
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(timeline->spans()));
}

// 10^3, 10^4, 10^5, 10^6 actions, whole step and zoomed in.
void sizes(benchmark::internal::Benchmark* bench) {
    bench->Unit(benchmark::kMillisecond)
        ->Args({8, 42, 1000})
        ->Args({16, 208, 1000})
        ->Args({16, 208, 100})
        ->Args({64, 512, 1000})
        ->Args({64, 512, 100})
        ->Args({64, 512, 10})
        ->Args({64, 5208, 1000})
        ->Args({64, 5208, 100})
        ->Args({64, 5208, 10})
        ->Args({64, 5208, 1});
}
BENCHMARK(frame)->Apply(sizes);
BENCHMARK(frameLarge)->Apply(sizes);
BENCHMARK(frameIdleByCause)->Apply(sizes);
BENCHMARK(build)->Unit(benchmark::kMillisecond)->Args({64, 512})->Args({64, 5208});

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    Theme::apply(application, ThemeKind::dark);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
