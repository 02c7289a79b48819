#pragma once

#include <memory>

#include "core/plan/scenario.h"

namespace trainyard::test {

inline std::shared_ptr<const AcceleratorSpec> accelerator(const char* id, double gibibytes) {
    auto spec = std::make_shared<AcceleratorSpec>();
    spec->id = id;
    spec->name = id;
    spec->memoryBytes = gibibytes * 1073741824.0;
    spec->memoryUsableBytes = spec->memoryBytes;
    spec->memoryBandwidthBytesPerS = 3.35e12;
    for (const Precision precision : {Precision::fp16, Precision::bf16})
        spec->peakFlopsPerS[static_cast<std::size_t>(precision)] = 989e12;
    spec->peakFlopsPerS[static_cast<std::size_t>(Precision::fp32)] = 67e12;
    spec->scaleUpType = "NVLink 4";
    spec->scaleUpBytesPerS = 450e9;
    spec->hostLinkBytesPerS = 63e9;
    spec->tdpW = 700;
    return spec;
}

/// `nodes` nodes of `perNode` accelerators behind one switch, 50 GB/s per accelerator.
inline ClusterSpec star(std::int64_t nodes, std::int64_t perNode) {
    ClusterSpec cluster;
    NodeSpec node;
    node.id = "node";
    node.count = nodes;
    node.accelerators.push_back({accelerator("h100", 79.6), perNode});
    node.intra.kind = LinkKind::nvswitch;
    node.intra.bandwidthBytesPerS = 450e9;
    node.intra.latencyS = 1e-6;
    node.nics = {perNode, 50e9, 1.5e-6};
    cluster.nodes.push_back(node);
    SwitchSpec fabric;
    fabric.id = "fabric";
    cluster.switches.push_back(fabric);
    LinkSpec link;
    link.from = "node";
    link.to = "fabric";
    link.bandwidthBytesPerS = 50e9;
    link.latencyS = 1.5e-6;
    link.count = perNode;
    cluster.links.push_back(link);
    return cluster;
}

/// Llama 3.1 70B (arXiv 2407.21783).
inline ModelSpec llama70b() {
    ModelSpec model;
    model.name = "Llama-3.1-70B";
    model.layers = 80;
    model.hiddenSize = 8192;
    model.attentionHeads = 64;
    model.kvHeads = 8;
    model.headDim = 128;
    model.ffnHiddenSize = 28672;
    model.gatedMlp = true;
    model.vocabSize = 128256;
    return model;
}

/// Llama 3.1 70B on `nodes` nodes of 8, tensor 8, pipeline 4.
inline Scenario scenario(std::int64_t nodes = 16) {
    Scenario result;
    result.name = "test";
    result.cluster = std::make_shared<ClusterSpec>(star(nodes, 8));
    result.model = std::make_shared<ModelSpec>(llama70b());
    result.workload.sequenceLength = 8192;
    result.workload.globalBatchSize = 256;
    result.plan.tensorParallel = 8;
    result.plan.pipelineParallel = 4;
    result.plan.sequenceParallel = true;
    result.plan.zeroStage = 1;
    result.plan.recompute.mode = RecomputeMode::selective;
    return result;
}

}  // namespace trainyard::test
