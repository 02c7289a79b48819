#pragma once

#include <memory>
#include <string>

#include "core/plan/scenario.h"

namespace trainyard::test {

/// An accelerator with round figures.
inline std::shared_ptr<const AcceleratorSpec> sampleAccelerator(double memoryBytes = 80e9) {
    auto spec = std::make_shared<AcceleratorSpec>();
    spec->id = "sample";
    spec->name = "Sample 80";
    spec->memoryBytes = memoryBytes;
    spec->memoryUsableBytes = memoryBytes;
    spec->memoryBandwidthBytesPerS = 2e12;
    spec->peakFlopsPerS.fill(3e14);
    spec->scaleUpBytesPerS = 3e11;
    spec->hostLinkBytesPerS = 3e10;
    spec->tdpW = 400;
    spec->streamingMultiprocessors = 100;
    return spec;
}

/// `nodes` nodes of 8 accelerators on one switch; a dense model of `layers` layers, 32 heads, 8 key-value heads.
inline std::shared_ptr<Scenario> sampleScenario(std::int64_t nodes = 2, std::int64_t layers = 32) {
    auto scenario = std::make_shared<Scenario>();
    scenario->name = "sample";
    ClusterSpec cluster;
    NodeSpec node;
    node.id = "node";
    node.name = "Node";
    node.count = nodes;
    node.accelerators.push_back({sampleAccelerator(), 8});
    node.intra.bandwidthBytesPerS = 3e11;
    node.intra.latencyS = 1e-6;
    cluster.nodes.push_back(node);
    SwitchSpec fabric;
    fabric.id = "switch";
    fabric.name = "Switch";
    cluster.switches.push_back(fabric);
    LinkSpec link;
    link.from = "node";
    link.to = "switch";
    link.bandwidthBytesPerS = 25e9;
    link.latencyS = 2e-6;
    link.count = 8;
    cluster.links.push_back(link);
    scenario->cluster = std::make_shared<const ClusterSpec>(cluster);
    ModelSpec model;
    model.name = "sample model";
    model.layers = layers;
    model.hiddenSize = 4096;
    model.attentionHeads = 32;
    model.kvHeads = 8;
    model.headDim = 128;
    model.ffnHiddenSize = 14336;
    model.gatedMlp = true;
    model.vocabSize = 128000;
    scenario->model = std::make_shared<const ModelSpec>(model);
    scenario->workload.globalBatchSize = 64;
    scenario->plan.tensorParallel = 4;
    scenario->plan.pipelineParallel = 2;
    scenario->plan.zeroStage = 1;
    return scenario;
}

}  // namespace trainyard::test
