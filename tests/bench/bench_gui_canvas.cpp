// Frame time of the cluster canvas: everything in sight, one repaint, as a pan or a new evaluation causes it.
#include <benchmark/benchmark.h>

#include <QApplication>
#include <QImage>
#include <QPainter>

#include "core/plan/cluster_patterns.h"
#include "tests/support/scenarios.h"
#include "widgets/cluster/cluster_editor.h"
#include "widgets/cluster/cluster_panel.h"
#include "widgets/cluster/cluster_scene.h"
#include "widgets/cluster/cluster_view.h"
#include "widgets/document/evaluation_service.h"
#include "widgets/document/plan_document.h"
#include "widgets/document/selection.h"
#include "widgets/style/theme.h"

namespace {

using namespace trainyard;

/// `leaves` leaf switches, on each `blocks` blocks of `count` nodes with 8 devices.
ClusterSpec tree(int leaves, int blocks, int count) {
    ClusterSpec cluster;
    const auto star = test::star(count, 8);
    for (int leaf = 0; leaf < leaves; ++leaf) {
        SwitchSpec pill = star.switches[0];
        pill.id = "leaf" + std::to_string(leaf);
        cluster.switches.push_back(pill);
        for (int i = 0; i < blocks; ++i) {
            NodeSpec node = star.nodes[0];
            node.id = "block" + std::to_string(leaf) + "-" + std::to_string(i);
            LinkSpec link = star.links[0];
            link.from = node.id;
            link.to = pill.id;
            cluster.nodes.push_back(node);
            cluster.links.push_back(link);
        }
    }
    return cluster;
}

struct Canvas {
    explicit Canvas(ClusterSpec cluster)
        : document(scenario(std::move(cluster)), std::make_unique<EvaluationService>(&evaluate, EvaluationService::Executor::inLine)),
          panel(&document, &selection) {
        panel.resize(1280, 800);
        panel.show();
        QCoreApplication::processEvents();
        image = QImage(panel.view().viewport()->size(), QImage::Format_ARGB32_Premultiplied);
    }
    static Snapshot scenario(ClusterSpec cluster) {
        auto value = std::make_shared<Scenario>();
        value->cluster = std::make_shared<const ClusterSpec>(std::move(cluster));
        value->model = std::make_shared<const ModelSpec>(test::llama70b());
        value->plan.tensorParallel = 8;
        value->plan.pipelineParallel = 8;
        value->workload.globalBatchSize = 4096;
        return value;
    }
    void paint() {
        QPainter painter(&image);
        panel.view().render(&painter);
    }

    Selection selection;
    PlanDocument document;
    ClusterPanel panel;
    QImage image;
};

void repaint(benchmark::State& state, ClusterSpec cluster) {
    Canvas canvas(std::move(cluster));
    canvas.paint();
    for (auto _ : state) canvas.paint();
}

void BM_repaint16384DevicesInOneBlock(benchmark::State& state) { repaint(state, test::star(2048, 8)); }
void BM_repaint16384DevicesIn32Blocks(benchmark::State& state) { repaint(state, tree(4, 8, 64)); }
void BM_repaint2000SeparateNodes(benchmark::State& state) { repaint(state, tree(40, 50, 1)); }

void BM_hover16384Devices(benchmark::State& state) {
    Canvas canvas(tree(4, 8, 64));
    int device = 0;
    for (auto _ : state) {
        SelectionState hover;
        hover.device = device++ % 16384;
        canvas.selection.hover(hover);
        canvas.paint();
    }
}

void BM_dragOneOf2000Nodes(benchmark::State& state) {
    Canvas canvas(tree(40, 50, 1));
    double x = 0;
    for (auto _ : state) {
        canvas.panel.scene().setDrag({"block0-0"}, {x += 8, 0});
        canvas.paint();
    }
}

void BM_editOneOf2000Nodes(benchmark::State& state) {
    Canvas canvas(tree(40, 50, 1));
    PlanDocument document(canvas.document.snapshot(),
                          std::make_unique<EvaluationService>([](const Scenario&, Depth, std::stop_token) { return Evaluation{}; },
                                                              EvaluationService::Executor::inLine));
    ClusterPanel panel(&document, &canvas.selection);
    panel.resize(1280, 800);
    std::int64_t count = 1;
    for (auto _ : state) panel.editor().setCount("block0-0", 1 + ++count % 7);
}

BENCHMARK(BM_repaint16384DevicesInOneBlock)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_repaint16384DevicesIn32Blocks)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_repaint2000SeparateNodes)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_hover16384Devices)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_dragOneOf2000Nodes)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_editOneOf2000Nodes)->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    Theme::apply(application, ThemeKind::dark);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
