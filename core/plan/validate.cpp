#include "core/plan/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/cluster/topology.h"
#include "core/plan/divisors.h"
#include "core/plan/edit.h"
#include "core/plan/limits.h"
#include "core/plan/resolve.h"
#include "core/plan/validate_replicas.h"
#include "core/schedule/registry.h"

namespace trainyard {
namespace {

using Values = std::vector<std::int64_t>;

std::string list(const Values& values) {
    constexpr std::size_t kShown = 12;
    std::string text;
    for (std::size_t i = 0; i < values.size() && i < kShown; ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", values[i]);
    if (values.size() > kShown) text += ", ...";
    return text;
}

Values keep(const Values& values, const auto& wanted) {
    Values kept;
    for (const std::int64_t value : values)
        if (wanted(value)) kept.push_back(value);
    return kept;
}

/// The values nearest to `wanted`, ascending, so that a message about a large number stays short.
Values nearest(Values values, std::int64_t wanted, std::size_t count = 16) {
    std::sort(values.begin(), values.end(), [&](std::int64_t a, std::int64_t b) {
        const std::int64_t da = a > wanted ? a - wanted : wanted - a;
        const std::int64_t db = b > wanted ? b - wanted : wanted - b;
        return da != db ? da < db : a < b;
    });
    if (values.size() > count) values.resize(count);
    std::sort(values.begin(), values.end());
    return values;
}

class Findings {
  public:
    std::vector<Diagnostic> found;

    void error(std::string code, std::string pointer, std::string message, Values legal = {}) {
        add(Severity::error, std::move(code), std::move(pointer), std::move(message), std::move(legal));
    }
    void warning(std::string code, std::string pointer, std::string message, Values legal = {}) {
        add(Severity::warning, std::move(code), std::move(pointer), std::move(message), std::move(legal));
    }
    void note(std::string code, std::string pointer, std::string message, Values legal = {}) {
        add(Severity::note, std::move(code), std::move(pointer), std::move(message), std::move(legal));
    }
    /// True if the value is inside; else an error that names the range.
    bool inRange(std::int64_t value, std::int64_t low, std::int64_t high, std::string_view what, const char* pointer) {
        if (value >= low && value <= high) return true;
        Values legal;
        if (value < low) legal.push_back(low);
        if (value > high) legal.push_back(high);
        error("out-of-range", pointer, fmt::format("{} is {}; allowed: {} to {}", what, value, low, high), std::move(legal));
        return false;
    }

  private:
    void add(Severity severity, std::string code, std::string pointer, std::string message, Values legal) {
        found.push_back({severity, std::move(code), std::move(message), std::move(pointer), std::move(legal), {}});
    }
};

bool checkModel(const ModelSpec& model, Findings& findings) {
    bool sane = findings.inRange(model.layers, 1, limits::kLayers, "the number of layers", "/model/layers");
    sane &= findings.inRange(model.hiddenSize, 1, limits::kHiddenSize, "the hidden size", "/model/hidden_size");
    sane &= findings.inRange(model.vocabSize, 1, limits::kVocabSize, "the vocabulary size", "/model/vocab_size");
    sane &= findings.inRange(model.attentionHeads, 0, limits::kHeads, "the number of attention heads", "/model/attention_heads");
    sane &= findings.inRange(model.kvHeads, 0, limits::kHeads, "the number of key-value heads", "/model/kv_heads");
    sane &= findings.inRange(model.headDim, 0, limits::kHiddenSize, "the head dimension", "/model/head_dim");
    sane &=
        findings.inRange(model.ffnHiddenSize, 0, limits::kHiddenSize * 16, "the feed-forward width", "/model/ffn_hidden_size");
    if (!sane) return false;
    bool softmax = false;
    if (!model.layerKinds.empty() && static_cast<std::int64_t>(model.layerKinds.size()) != model.layers) {
        findings.error("layer-list-length", "/model/layers",
                       fmt::format("the per-layer list has {} entries for {} layers", model.layerKinds.size(), model.layers),
                       {static_cast<std::int64_t>(model.layerKinds.size())});
        return false;
    }
    if (model.layerKinds.empty()) softmax = true;
    for (const LayerKind& kind : model.layerKinds) softmax |= kind.mixer == MixerKind::attention;
    if (softmax && (model.attentionHeads < 1 || (model.kvHeads < 1 && !model.mla))) {
        findings.error("heads-missing", "/model/attention_heads",
                       "attention layers need at least one attention head and one key-value head");
        return false;
    }
    if (softmax && !model.mla && model.attentionHeads % std::max<std::int64_t>(model.kvHeads, 1) != 0)
        findings.error("kv-heads-divide-heads", "/model/kv_heads",
                       fmt::format("{} key-value heads do not divide {} attention heads; allowed: {}", model.kvHeads,
                                   model.attentionHeads, list(divisors(model.attentionHeads))),
                       divisors(model.attentionHeads));
    if (model.moe) {
        const MoeSpec& moe = *model.moe;
        sane &= findings.inRange(moe.experts, 1, limits::kExperts, "the number of experts", "/model/moe/experts");
        if (sane) sane &= findings.inRange(moe.topK, 1, moe.experts, "the experts per token (top_k)", "/model/moe/top_k");
        sane &= findings.inRange(moe.expertFfnHiddenSize, 1, limits::kHiddenSize * 16, "the expert width",
                                 "/model/moe/expert_ffn_hidden_size");
        sane &=
            findings.inRange(moe.sharedExperts, 0, limits::kExperts, "the number of shared experts", "/model/moe/shared_experts");
        sane &= findings.inRange(moe.denseLayers, 0, model.layers, "the number of dense layers", "/model/moe/dense_layers");
    }
    if (model.mla) {
        const MlaSpec& mla = *model.mla;
        sane &= findings.inRange(mla.qLoraRank, 0, limits::kHiddenSize, "the query compression rank", "/model/mla/q_lora_rank");
        sane &=
            findings.inRange(mla.kvLoraRank, 1, limits::kHiddenSize, "the key-value compression rank", "/model/mla/kv_lora_rank");
        sane &= findings.inRange(mla.qkNopeHeadDim, 0, limits::kHiddenSize, "the head dimension without position",
                                 "/model/mla/qk_nope_head_dim");
        sane &= findings.inRange(mla.qkRopeHeadDim, 0, limits::kHiddenSize, "the rotary head dimension",
                                 "/model/mla/qk_rope_head_dim");
        sane &= findings.inRange(mla.vHeadDim, 1, limits::kHiddenSize, "the value head dimension", "/model/mla/v_head_dim");
    }
    return sane;
}

bool checkCluster(const ClusterSpec& cluster, Findings& findings) {
    bool sane = true;
    if (cluster.nodes.empty() || cluster.devices() < 1) {
        findings.error("cluster-empty", "/cluster", "the cluster has no accelerator; add a node with at least one");
        return false;
    }
    std::int64_t devices = 0;
    std::set<std::string> ids;
    for (std::size_t i = 0; i < cluster.nodes.size(); ++i) {
        const NodeSpec& node = cluster.nodes[i];
        const std::string pointer = fmt::format("/cluster/nodes/{}", i);
        if (!ids.insert(node.id).second) {
            findings.error("duplicate-id", pointer + "/id", fmt::format("two blocks are called '{}'; ids must differ", node.id));
            sane = false;
        }
        const std::int64_t perNode = node.devicesPerNode();
        if (node.count < 1 || node.count > limits::kDevices || perNode < 1 || perNode > limits::kDevicesPerNode) {
            findings.error(
                "node-count", pointer + "/count",
                fmt::format(
                    "node '{}' stands for {} nodes of {} accelerators; both must be at least 1, at most {} accelerators a node",
                    node.id, node.count, perNode, limits::kDevicesPerNode));
            sane = false;
            continue;
        }
        devices += node.count * perNode;
        for (const AcceleratorGroup& group : node.accelerators)
            if (!group.accelerator || group.accelerator->memoryUsableBytes <= 0 ||
                group.accelerator->memoryBandwidthBytesPerS <= 0) {
                findings.error("accelerator-incomplete", pointer + "/accelerators",
                               fmt::format("an accelerator of node '{}' has no memory size or bandwidth", node.id));
                sane = false;
            }
    }
    for (const SwitchSpec& item : cluster.switches)
        if (!ids.insert(item.id).second) {
            findings.error("duplicate-id", "/cluster/switches",
                           fmt::format("two blocks are called '{}'; ids must differ", item.id));
            sane = false;
        }
    for (std::size_t i = 0; i < cluster.links.size(); ++i) {
        const LinkSpec& link = cluster.links[i];
        for (const std::string& end : {link.from, link.to})
            if (!ids.contains(end)) {
                findings.error("link-end-unknown", fmt::format("/cluster/links/{}", i),
                               fmt::format("a link ends at '{}', which is not in the drawing", end));
                sane = false;
            }
    }
    return findings.inRange(devices, 1, limits::kDevices, "the number of devices", "/cluster/nodes") && sane;
}

/// Rules that need no more than the plan, the model and the device count. Returns false if a degree is out of range.
bool checkDegrees(const Scenario& scenario, Findings& findings) {
    const Plan& plan = scenario.plan;
    bool sane = findings.inRange(plan.tensorParallel, 1, limits::kDevices, "tensor parallel", "/plan/tensor_parallel");
    sane &= findings.inRange(plan.pipelineParallel, 1, limits::kStages, "pipeline parallel", "/plan/pipeline_parallel");
    sane &= findings.inRange(plan.contextParallel, 1, limits::kDevices, "context parallel", "/plan/context_parallel");
    sane &= findings.inRange(plan.expertParallel, 1, limits::kDevices, "expert parallel", "/plan/expert_parallel");
    sane &= findings.inRange(plan.expertTensorParallel, 1, limits::kDevices, "expert tensor parallel",
                             "/plan/expert_tensor_parallel");
    sane &= findings.inRange(plan.virtualStages, 1, limits::kLayers, "virtual stages", "/plan/virtual_stages");
    sane &= findings.inRange(plan.microBatchSize, 1, limits::kGlobalBatchSize, "the micro-batch size", "/plan/micro_batch_size");
    if (plan.dataParallel)
        sane &= findings.inRange(*plan.dataParallel, 1, limits::kDevices, "data parallel", "/plan/data_parallel");
    sane &= findings.inRange(plan.zeroStage, 0, 3, "the ZeRO stage", "/plan/zero_stage");
    sane &= findings.inRange(scenario.workload.globalBatchSize, 1, limits::kGlobalBatchSize, "the global batch size",
                             "/workload/global_batch_size");
    sane &= findings.inRange(scenario.workload.sequenceLength, 1, limits::kSequenceLength, "the sequence length",
                             "/workload/sequence_length");
    return sane;
}

void checkProduct(const Scenario& scenario, Findings& findings) {
    const Plan& plan = scenario.plan;
    const std::int64_t devices = scenario.cluster->devices();
    const double product = static_cast<double>(plan.tensorParallel) * static_cast<double>(plan.contextParallel) *
                           static_cast<double>(plan.pipelineParallel);
    const std::int64_t replica =
        product > static_cast<double>(devices) ? devices + 1 : plan.tensorParallel * plan.contextParallel * plan.pipelineParallel;
    const auto offer = [&](std::int64_t other, std::int64_t now) {
        return nearest(keep(divisors(devices),
                            [&](std::int64_t v) {
                                return other > 0 && other <= devices && devices % other == 0 && (devices / other) % v == 0;
                            }),
                       now);
    };
    if (!plan.dataParallel) {
        if (replica <= devices && devices % replica == 0) return;
        // Blame the degree whose change alone would mend it, in the order in which people move them.
        struct Candidate {
            const char* pointer;
            const char* what;
            std::int64_t degree;
            std::int64_t others;
        };
        const Candidate candidates[] = {
            {"/plan/tensor_parallel", "tensor parallel", plan.tensorParallel, plan.contextParallel * plan.pipelineParallel},
            {"/plan/pipeline_parallel", "pipeline parallel", plan.pipelineParallel, plan.tensorParallel * plan.contextParallel},
            {"/plan/context_parallel", "context parallel", plan.contextParallel, plan.tensorParallel * plan.pipelineParallel}};
        const Candidate* blamed = &candidates[0];
        for (const Candidate& candidate : candidates)
            if (candidate.others <= devices && candidate.others > 0 && devices % candidate.others == 0) {
                blamed = &candidate;
                break;
            }
        const Values legal = offer(blamed->others, blamed->degree);
        findings.error("degrees-divide-devices", blamed->pointer,
                       fmt::format("tensor {} x pipeline {} x context {} does not divide {} devices{}", plan.tensorParallel,
                                   plan.pipelineParallel, plan.contextParallel, devices,
                                   legal.empty() ? std::string("; make their product a divisor of the device count")
                                                 : fmt::format("; {} allowed: {}", blamed->what, list(legal))),
                       legal.empty() ? nearest(divisors(devices), blamed->degree) : legal);
        return;
    }
    if (replica <= devices &&
        static_cast<double>(replica) * static_cast<double>(*plan.dataParallel) == static_cast<double>(devices))
        return;
    Values legal;
    if (replica <= devices && devices % replica == 0) legal.push_back(devices / replica);
    findings.error("degrees-product", "/plan/data_parallel",
                   fmt::format("tensor {} x pipeline {} x context {} x data {} is not {} devices{}", plan.tensorParallel,
                               plan.pipelineParallel, plan.contextParallel, *plan.dataParallel, devices,
                               legal.empty() ? std::string("; no data parallel degree makes it so")
                                             : fmt::format("; data parallel allowed: {}", list(legal))),
                   legal.empty() ? nearest(divisors(devices), *plan.dataParallel) : legal);
}

void checkTensor(const Scenario& scenario, Findings& findings) {
    const Plan& plan = scenario.plan;
    const ModelSpec& model = *scenario.model;
    const std::int64_t devices = scenario.cluster->devices();
    const std::int64_t tensor = plan.tensorParallel;
    if (model.attentionHeads > 0 && model.attentionHeads % tensor != 0) {
        const Values legal =
            nearest(keep(divisors(model.attentionHeads), [&](std::int64_t v) { return devices % v == 0; }), tensor);
        findings.error("tp-divides-heads", "/plan/tensor_parallel",
                       fmt::format("tensor parallel {} does not divide {} attention heads; allowed: {}", tensor,
                                   model.attentionHeads, list(legal)),
                       legal);
    } else if (!model.mla && model.kvHeads > 0 && tensor > 1) {
        if (tensor > model.kvHeads && tensor % model.kvHeads == 0)
            findings.note("kv-heads-replicated", "/plan/tensor_parallel",
                          fmt::format("tensor parallel {} is more than {} key-value heads: each is kept on {} devices", tensor,
                                      model.kvHeads, tensor / model.kvHeads));
        else if (model.kvHeads % tensor != 0) {
            const Values legal = keep(divisors(model.attentionHeads),
                                      [&](std::int64_t v) { return model.kvHeads % v == 0 || v % model.kvHeads == 0; });
            findings.error(
                "tp-divides-kv-heads", "/plan/tensor_parallel",
                fmt::format("tensor parallel {} neither divides {} key-value heads nor is a multiple of them; allowed: {}",
                            tensor, model.kvHeads, list(legal)),
                legal);
        }
    }
    if (tensor > 1 && model.ffnHiddenSize > 0 && model.ffnHiddenSize % tensor != 0)
        findings.warning("tp-divides-ffn", "/plan/tensor_parallel",
                         fmt::format("tensor parallel {} does not divide the feed-forward width {}: the last device pads", tensor,
                                     model.ffnHiddenSize));
    if (plan.sequenceParallel && tensor == 1)
        findings.note("sp-without-tp", "/plan/sequence_parallel", "sequence parallelism has no effect with tensor parallel 1");
    if (plan.sequenceParallel && tensor > 1 &&
        (scenario.workload.sequenceLength / std::max<std::int64_t>(plan.contextParallel, 1)) % tensor != 0)
        findings.warning("sp-divides-sequence", "/plan/sequence_parallel",
                         fmt::format("sequence parallelism pads: {} tokens do not split over {} devices",
                                     scenario.workload.sequenceLength, tensor));
}

void checkContext(const Scenario& scenario, Findings& findings) {
    const Plan& plan = scenario.plan;
    const std::int64_t context = plan.contextParallel;
    if (context == 1) return;
    const std::int64_t sequence = scenario.workload.sequenceLength;
    if (context > sequence)
        findings.error("cp-exceeds-sequence", "/plan/context_parallel",
                       fmt::format("context parallel {} is more than {} tokens", context, sequence),
                       nearest(divisors(sequence), context));
    else if (sequence % context != 0)
        findings.warning(
            "cp-divides-sequence", "/plan/context_parallel",
            fmt::format("{} tokens do not split evenly over context parallel {}: shorter parts are padded", sequence, context));
    const std::int64_t headsPerDevice = scenario.model->attentionHeads / std::max<std::int64_t>(plan.tensorParallel, 1);
    if (plan.contextMethod == ContextMethod::ulysses && headsPerDevice > 0 && headsPerDevice % context != 0) {
        const Values legal = divisors(headsPerDevice);
        findings.error("ulysses-divides-heads", "/plan/context_parallel",
                       fmt::format("Ulysses re-shards heads: context parallel {} does not divide the {} heads that tensor "
                                   "parallel {} leaves; allowed: {}",
                                   context, headsPerDevice, plan.tensorParallel, list(legal)),
                       legal);
    }
}

void checkExperts(const Scenario& scenario, const ResolvedPlan& resolved, Findings& findings) {
    const Plan& plan = scenario.plan;
    if (!scenario.model->moe) {
        if (plan.expertParallel > 1)
            findings.error("ep-without-experts", "/plan/expert_parallel",
                           "expert parallelism needs a model with experts; allowed: 1", {1});
        if (plan.expertTensorParallel > 1)
            findings.error("etp-without-experts", "/plan/expert_tensor_parallel",
                           "expert tensor parallelism needs a model with experts; allowed: 1", {1});
        return;
    }
    const std::int64_t experts = scenario.model->moe->experts;
    const std::int64_t stageDevices = plan.tensorParallel * plan.contextParallel * resolved.dataParallel;
    const std::int64_t tensor = plan.expertTensorParallel;
    const Values legal =
        keep(divisors(experts), [&](std::int64_t v) { return v * tensor <= stageDevices && stageDevices % (v * tensor) == 0; });
    if (experts % plan.expertParallel != 0)
        findings.error(
            "ep-divides-experts", "/plan/expert_parallel",
            fmt::format("expert parallel {} does not divide {} experts; allowed: {}", plan.expertParallel, experts, list(legal)),
            legal);
    else if (static_cast<double>(plan.expertParallel) * static_cast<double>(tensor) > static_cast<double>(stageDevices) ||
             stageDevices % (plan.expertParallel * tensor) != 0)
        findings.error("ep-divides-stage-devices", "/plan/expert_parallel",
                       fmt::format("expert parallel {} x expert tensor parallel {} does not divide the {} devices of a stage "
                                   "(tensor x context x data); allowed: {}",
                                   plan.expertParallel, tensor, stageDevices, list(legal)),
                       legal);
}

void checkBatch(const Scenario& scenario, const ResolvedPlan& resolved, Findings& findings) {
    const Plan& plan = scenario.plan;
    const std::int64_t batch = scenario.workload.globalBatchSize;
    const std::int64_t data = resolved.dataParallel;
    if (batch % data != 0) {
        const std::int64_t below = batch / data * data;
        Values legal;
        if (below > 0) legal.push_back(below);
        legal.push_back(below + data);
        findings.error("batch-divides-data", "/workload/global_batch_size",
                       fmt::format("{} sequences do not split over data parallel {}; nearest: {}", batch, data, list(legal)),
                       legal);
        return;
    }
    if ((batch / data) % plan.microBatchSize != 0) {
        const Values legal = divisors(batch / data);
        findings.error("micro-batch-divides-batch", "/plan/micro_batch_size",
                       fmt::format("micro-batch size {} does not divide the {} sequences of a replica (global batch {} / data "
                                   "parallel {}); allowed: {}",
                                   plan.microBatchSize, batch / data, batch, data, list(nearest(legal, plan.microBatchSize))),
                       nearest(legal, plan.microBatchSize));
        return;
    }
    if (plan.pipelineParallel > 1 && resolved.microBatches < plan.pipelineParallel)
        findings.note(
            "few-micro-batches", "/plan/pipeline_parallel",
            fmt::format("{} micro-batches never fill {} pipeline stages", resolved.microBatches, plan.pipelineParallel));
}

void checkStages(const Scenario& scenario, const ResolvedPlan& resolved, Findings& findings) {
    const Plan& plan = scenario.plan;
    const std::int64_t layers = scenario.model->layers;
    const ScheduleDefinition* schedule = findScheduleOrNull(plan.schedule);
    if (schedule == nullptr) {
        std::string names;
        for (const ScheduleDefinition* known : allSchedules()) names += fmt::format("{}{}", names.empty() ? "" : ", ", known->id);
        findings.error("schedule-unknown", "/plan/schedule",
                       fmt::format("there is no schedule '{}'; known: {}", plan.schedule, names));
    }
    const double wanted = static_cast<double>(plan.pipelineParallel) * static_cast<double>(resolved.virtualStages);
    if (wanted > static_cast<double>(limits::kStages)) {
        findings.error("stages-limit", "/plan/virtual_stages",
                       fmt::format("pipeline {} x virtual {} is more than {} stages", plan.pipelineParallel,
                                   resolved.virtualStages, limits::kStages),
                       {1});
        return;
    }
    const std::int64_t stages = plan.pipelineParallel * resolved.virtualStages;
    const auto given = static_cast<std::int64_t>(plan.layersPerStage.size());
    if (given > 0) {
        std::int64_t sum = 0;
        bool negative = false;
        for (const std::int64_t entry : plan.layersPerStage) {
            negative |= entry < 0 || entry > limits::kLayers;
            sum += std::clamp<std::int64_t>(entry, 0, limits::kLayers);
        }
        if (given != stages && given != plan.pipelineParallel)
            findings.error("layers-per-stage-length", "/plan/layers_per_stage",
                           fmt::format("the layer split has {} entries; it needs {}{}", given, plan.pipelineParallel,
                                       stages != plan.pipelineParallel ? fmt::format(" or {}", stages) : ""),
                           stages != plan.pipelineParallel ? Values{plan.pipelineParallel, stages} : Values{stages});
        else if (negative)
            findings.error("layers-per-stage-negative", "/plan/layers_per_stage",
                           "a stage cannot hold a negative number of layers");
        else if (sum != layers)
            findings.error("layers-per-stage-sum", "/plan/layers_per_stage",
                           fmt::format("the layer split adds up to {}; the model has {} layers", sum, layers), {layers});
    } else if (stages > layers + 2) {
        Values legal;
        for (std::int64_t v = 1; v * resolved.virtualStages <= layers && v <= 4096; ++v)
            if (scenario.cluster->devices() % v == 0) legal.push_back(v);
        findings.warning("stages-exceed-layers", "/plan/pipeline_parallel",
                       fmt::format("{} stages (pipeline {} x virtual {}) are more than {} layers plus embedding and head: "
                                   "some stages are empty; pipeline parallel without empty stages: {}",
                                   stages, plan.pipelineParallel, resolved.virtualStages, layers,
                                   list(nearest(legal, plan.pipelineParallel))),
                       nearest(legal, plan.pipelineParallel));
        return;
    } else if (layers % stages != 0) {
        findings.note("layers-uneven", "/plan/pipeline_parallel",
                      fmt::format("{} layers do not split evenly over {} stages: {} get {} layers, the rest {}", layers, stages,
                                  layers % stages, layers / stages + 1, layers / stages));
    }
    if (schedule == nullptr) return;
    if (schedule->fixedChunks > 0 && plan.virtualStages != schedule->fixedChunks && plan.virtualStages != 1)
        findings.note("virtual-stages-fixed", "/plan/virtual_stages",
                      fmt::format("schedule {} always uses {} chunks per device", schedule->id, schedule->fixedChunks),
                      {schedule->fixedChunks});
    if (!schedule->needsChunks && schedule->fixedChunks == 0 && plan.virtualStages > 1 && resolved.virtualStages > 1 &&
        plan.pipelineParallel == 1)
        findings.note("virtual-without-pipeline", "/plan/virtual_stages",
                      "virtual stages have no effect with pipeline parallel 1");
    if (plan.pipelineParallel == 1 && resolved.virtualStages == 1) return;  // one stage: every schedule is plain accumulation
    ScheduleRequest request;
    request.ranks = static_cast<int>(plan.pipelineParallel);
    request.chunks = static_cast<int>(resolved.virtualStages);
    request.microBatches = static_cast<int>(std::min<std::int64_t>(resolved.microBatches, limits::kMicroBatches));
    request.parameters = plan.scheduleParameters;
    if (const auto slices = request.parameter("slices"))
        request.slices = static_cast<int>(std::clamp<std::int64_t>(*slices, 1, 65535));
    if (schedule->check == nullptr) return;
    for (const std::string& complaint : schedule->check(request))
        findings.error("schedule-constraint", "/plan/schedule", fmt::format("schedule {}: {}", schedule->id, complaint));
}

void checkSharding(const Scenario& scenario, const ResolvedPlan& resolved, Findings& findings) {
    const Plan& plan = scenario.plan;
    const std::int64_t replicas = resolved.dataParallel * plan.contextParallel;
    if (plan.shardGroup && (*plan.shardGroup < 1 || replicas % *plan.shardGroup != 0)) {
        const Values legal = nearest(divisors(replicas), *plan.shardGroup);
        findings.error("shard-group-divides-replicas", "/plan/shard_group",
                       fmt::format("a shard group of {} does not divide {} devices of data x context parallel; allowed: {}",
                                   *plan.shardGroup, replicas, list(legal)),
                       legal);
    }
    if (plan.zeroStage > 0 && replicas == 1)
        findings.note("zero-without-replicas", "/plan/zero_stage",
                      "ZeRO shards over data x context parallel devices; there is only one");
    const RecomputePlan& recompute = plan.recompute;
    if (!recompute.perStage.empty() && static_cast<std::int64_t>(recompute.perStage.size()) != plan.pipelineParallel)
        findings.error("recompute-list-length", "/plan/recompute",
                       fmt::format("recomputation is given for {} stages; the plan has {}", recompute.perStage.size(),
                                   plan.pipelineParallel),
                       {plan.pipelineParallel});
    if (recompute.layers && (*recompute.layers < 0 || *recompute.layers > scenario.model->layers))
        findings.error("recompute-layers", "/plan/recompute_layers",
                       fmt::format("{} recomputed layers; allowed: 0 to {}", *recompute.layers, scenario.model->layers),
                       {0, scenario.model->layers});
}

void checkPlacement(const Scenario& scenario, Findings& findings) {
    const Plan& plan = scenario.plan;
    std::set<Dimension> seen;
    for (const Dimension dimension : plan.placementOrder)
        if (dimension == Dimension::expert || !seen.insert(dimension).second)
            findings.error(
                "placement-order", "/plan/placement",
                fmt::format("the placement order names '{}' {}; use tensor, context, data, pipeline once each", name(dimension),
                            dimension == Dimension::expert ? "which is no factor of the device count" : "twice"));
    if (plan.deviceOfRank.empty()) return;
    const std::int64_t devices = scenario.cluster->devices();
    std::set<std::int64_t> used;
    for (const std::int64_t device : plan.deviceOfRank)
        if (device < 0 || device >= devices || !used.insert(device).second) {
            findings.error("placement-devices", "/plan/placement",
                           fmt::format("device {} stands twice or is not one of 0 to {}; every rank needs its own device", device,
                                       devices - 1));
            return;
        }
    if (static_cast<std::int64_t>(plan.deviceOfRank.size()) != devices)
        findings.error("placement-devices", "/plan/placement",
                       fmt::format("the placement lists {} devices; the plan has {} ranks", plan.deviceOfRank.size(), devices));
}

/// A measurement that no longer fits the drawing is not used; better said than guessed.
void checkMeasurement(const Scenario& scenario, Findings& findings) {
    const auto rates = scenario.cluster->measured.bytesPerS.size();
    if (rates == 0) return;
    const auto nodes = static_cast<std::size_t>(scenario.cluster->nodeInstances());
    if (rates != nodes * nodes)
        findings.warning("measured-bandwidth-size", "/cluster/measured_bandwidth",
                         fmt::format("the measured rates are of another number of nodes than the {} of the drawing; they are not used, "
                                     "measure again or remove them",
                                     nodes));
}

void checkPrecision(const Scenario& scenario, Findings& findings) {
    const Precision wanted = scenario.workload.precision;
    std::set<std::string> told;
    for (const NodeSpec& node : scenario.cluster->nodes)
        for (const AcceleratorGroup& group : node.accelerators) {
            if (!group.accelerator || group.accelerator->peak(wanted) > 0 || !told.insert(group.accelerator->id).second) continue;
            std::string supported;
            for (const Precision precision : kAllPrecisions)
                if (group.accelerator->peak(precision) > 0)
                    supported += fmt::format("{}{}", supported.empty() ? "" : ", ", name(precision));
            findings.warning("precision-unsupported", "/workload/precision",
                             fmt::format("{} has no {} tensor rate; it is priced at its next wider format (it has: {})",
                                         group.accelerator->name.empty() ? group.accelerator->id : group.accelerator->name,
                                         name(wanted), supported));
        }
}

/// Rules about where groups come to lie. Only for a plan whose degrees are right.
void checkRouting(const Scenario& scenario, Findings& findings) {
    const ClusterSpec& cluster = *scenario.cluster;
    std::int64_t nodes = 0;
    for (const NodeSpec& node : cluster.nodes) nodes += node.count;
    if (nodes < 2) return;
    // Whether all nodes reach each other does not depend on how many nodes a block stands for beyond two.
    std::shared_ptr<const ClusterSpec> outline = scenario.cluster;
    if (nodes > 32) {
        auto fewer = std::make_shared<ClusterSpec>(cluster);
        for (NodeSpec& node : fewer->nodes) node.count = std::min<std::int64_t>(node.count, 2);
        outline = std::move(fewer);
    }
    if (!Topology(outline).connected()) {
        findings.error("cluster-disconnected", "/cluster/links",
                       "some nodes cannot reach each other; connect them with a link or through a switch");
        return;
    }
    std::int64_t smallest = limits::kDevicesPerNode;
    for (const NodeSpec& node : cluster.nodes) smallest = std::min(smallest, node.devicesPerNode());
    if (scenario.plan.tensorParallel > smallest && scenario.plan.deviceOfRank.empty() && scenario.plan.replicas.empty())
        findings.warning(
            "tp-leaves-node", "/plan/tensor_parallel",
            fmt::format(
                "tensor parallel {} leaves the node: its all-reduces of every layer cross the network (a node has {} devices)",
                scenario.plan.tensorParallel, smallest),
            keep(divisors(smallest), [&](std::int64_t v) { return scenario.model->attentionHeads % v == 0; }));
}

}  // namespace

bool hasErrors(const std::vector<Diagnostic>& diagnostics) {
    return std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& d) { return d.severity == Severity::error; });
}

std::vector<Diagnostic> validatePlan(const Scenario& scenario) {
    Findings findings;
    if (!checkDegrees(scenario, findings)) return findings.found;
    if (!scenario.plan.replicas.empty()) return validateReplicas(scenario);
    checkProduct(scenario, findings);
    checkTensor(scenario, findings);
    checkContext(scenario, findings);
    const ResolvedPlan resolved = resolve(scenario);
    checkExperts(scenario, resolved, findings);
    checkBatch(scenario, resolved, findings);
    checkStages(scenario, resolved, findings);
    checkSharding(scenario, resolved, findings);
    checkPlacement(scenario, findings);
    return findings.found;
}

std::vector<Diagnostic> validate(const Scenario& scenario) {
    Findings findings;
    const bool model = checkModel(*scenario.model, findings);
    const bool cluster = checkCluster(*scenario.cluster, findings);
    if (!model || !cluster) {
        checkDegrees(scenario, findings);
        return findings.found;
    }
    for (Diagnostic& diagnostic : validatePlan(scenario)) findings.found.push_back(std::move(diagnostic));
    checkPrecision(scenario, findings);
    checkMeasurement(scenario, findings);
    if (!hasErrors(findings.found)) checkRouting(scenario, findings);
    for (const auto& [pointer, text] : scenario.unknownKeys) {
        if (pointer == "/description" || pointer == "/sources") continue;  // remarks: kept like unknown keys, but expected
        findings.note("unknown-key", pointer, fmt::format("{} is not known here; it is kept in the file and ignored", pointer));
    }
    return findings.found;
}

}  // namespace trainyard
