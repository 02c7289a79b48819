#include "core/io/export/export_megatron.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "core/io/export/export_support.h"
#include "core/io/export/exporter.h"

namespace trainyard {
namespace {

using Int = std::int64_t;
constexpr std::string_view kTarget = "Megatron-LM (Megatron Core 0.20)";

class Writer {
  public:
    Writer(const Scenario& scenario, ExportNotes& notes)
        : s_(scenario), model_(*scenario.model), plan_(scenario.plan), notes_(notes), launch_(launchPlan(scenario)) {}

    MegatronArguments run() {
        refuseUncommonShapes(s_, notes_);
        if (!launch_.equalNodes)
            notes_.refuse("the nodes have unequal numbers of accelerators, torchrun starts the same number on each");
        shape();
        experts();
        batch();
        degrees();
        sharding();
        precision();
        recompute();
        return std::move(out_);
    }

  private:
    template <class Value>
    void model(std::string_view flag, const Value& value) {
        out_.model.push_back(fmt::format("--{} {}", flag, value));
    }
    void model(std::string_view flag) { out_.model.push_back(fmt::format("--{}", flag)); }
    template <class Value>
    void parallel(std::string_view flag, const Value& value) {
        out_.parallel.push_back(fmt::format("--{} {}", flag, value));
    }
    void parallel(std::string_view flag) { out_.parallel.push_back(fmt::format("--{}", flag)); }
    template <class Value>
    void training(std::string_view flag, const Value& value) {
        out_.training.push_back(fmt::format("--{} {}", flag, value));
    }
    void training(std::string_view flag) { out_.training.push_back(fmt::format("--{}", flag)); }

    void shape() {
        model("num-layers", model_.layers);
        model("hidden-size", model_.hiddenSize);
        model("ffn-hidden-size", model_.ffnHiddenSize);
        model("num-attention-heads", model_.attentionHeads);
        if (model_.mla) {
            model("multi-latent-attention");
            if (model_.mla->qLoraRank > 0) model("q-lora-rank", model_.mla->qLoraRank);
            model("kv-lora-rank", model_.mla->kvLoraRank);
            model("qk-head-dim", model_.mla->qkNopeHeadDim);
            model("qk-pos-emb-head-dim", model_.mla->qkRopeHeadDim);
            model("v-head-dim", model_.mla->vHeadDim);
        } else {
            if (model_.kvHeads != model_.attentionHeads) {
                model("group-query-attention");
                model("num-query-groups", model_.kvHeads);
            }
            if (model_.headDim * model_.attentionHeads != model_.hiddenSize) model("kv-channels", model_.headDim);
        }
        if (model_.gatedMlp) model("swiglu");
        model("normalization", model_.norm == NormKind::rmsnorm ? "RMSNorm" : "LayerNorm");
        if (!model_.tiedEmbeddings) model("untie-embeddings-and-output-weights");
        if (!model_.biases) model("disable-bias-linear");
        if (model_.qkvBias.value_or(false) && !model_.biases) model("add-qkv-bias");
        if (model_.qkNorm) model("qk-layernorm");
        switch (model_.positionEmbedding) {
            case PositionEmbedding::rope: model("position-embedding-type", "rope"); break;
            case PositionEmbedding::learned: model("position-embedding-type", "learned_absolute"); break;
            case PositionEmbedding::none: model("position-embedding-type", "none"); break;
        }
        const Int positions = model_.maxPositions > 0 ? model_.maxPositions : s_.workload.sequenceLength;
        model("max-position-embeddings", std::max(positions, s_.workload.sequenceLength));
        if (positions < s_.workload.sequenceLength && model_.positionEmbedding == PositionEmbedding::learned)
            notes_.leaveOut(fmt::format("the {} learned positions; Megatron needs at least the sequence length", positions));
        if (model_.attentionSinks) model("softmax-type", "learnable");
        windows();
        if (model_.dropout.has_value() && !*model_.dropout) {
            model("hidden-dropout", "0.0");
            model("attention-dropout", "0.0");
        } else if (!model_.dropout.has_value() && model_.norm == NormKind::rmsnorm) {
            model("hidden-dropout", "0.0");
            model("attention-dropout", "0.0");
        }
        if (model_.normsPerLayer != 2)
            notes_.leaveOut(fmt::format("{} norms per layer (Megatron's GPT model has two)", model_.normsPerLayer));
        if (model_.embeddingNorm) notes_.leaveOut("the norm after the embedding");
        if (!model_.biases && (model_.attentionOutputBias.value_or(false) || model_.mlpBias.value_or(false)))
            notes_.leaveOut("biases of single linear layers other than query, key and value");
        if (model_.lmHeadBias) notes_.leaveOut("the bias of the output layer");
        if (model_.extraParameters > 0)
            notes_.leaveOut(fmt::format("{} parameters outside the language model", model_.extraParameters));
    }

    void windows() {
        if (model_.layerKinds.empty()) {
            if (model_.slidingWindow) model("window-size", fmt::format("{},0", *model_.slidingWindow));
            return;
        }
        std::optional<Int> window;
        std::vector<int> pattern;
        bool one = true;
        for (const auto& kind : model_.layerKinds) {
            if (kind.slidingWindow) {
                if (window && *window != *kind.slidingWindow) one = false;
                window = kind.slidingWindow;
            }
            pattern.push_back(kind.slidingWindow ? 1 : 0);
        }
        if (!window) return;
        if (!one) {
            notes_.leaveOut("sliding windows of different widths");
            return;
        }
        model("window-size", fmt::format("{},0", *window));
        model("window-attn-skip-freq", shellWord(fmt::format("[{}]", fmt::join(pattern, ","))));
    }

    void experts() {
        if (!model_.moe) return;
        const MoeSpec& moe = *model_.moe;
        model("num-experts", moe.experts);
        model("moe-router-topk", moe.topK);
        model("moe-ffn-hidden-size", moe.expertFfnHiddenSize);
        const Int shared = moe.sharedExpertFfnHiddenSize.value_or(moe.sharedExperts * moe.expertFfnHiddenSize);
        if (shared > 0) model("moe-shared-expert-intermediate-size", shared);
        if (moe.sharedExpertGate) model("moe-shared-expert-gate");
        if (moe.routerBias) {
            model("moe-router-score-function", "sigmoid");
            model("moe-router-enable-expert-bias");
        }
        std::vector<bool> routed;
        for (Int i = 0; i < model_.layers; ++i) routed.push_back(layerKind(model_, i).ffn == FfnKind::moe);
        std::vector<std::string> runs;
        for (std::size_t i = 0; i < routed.size();) {
            std::size_t end = i;
            while (end < routed.size() && routed[end] == routed[i]) ++end;
            runs.push_back(fmt::format("[{}]*{}", routed[i] ? 1 : 0, end - i));
            i = end;
        }
        if (runs.size() > 1 || (runs.size() == 1 && !routed[0]))
            model("moe-layer-freq", shellWord(fmt::format("({})", fmt::join(runs, "+"))));
        model("moe-grouped-gemm");
        model("moe-token-dispatcher-type", "alltoall");
        if (model_.biases && plan_.expertTensorParallel > 1) notes_.refuse("experts with biases need expert_tensor_parallel 1");
    }

    void batch() {
        training("seq-length", s_.workload.sequenceLength);
        training("micro-batch-size", plan_.microBatchSize);
        training("global-batch-size", s_.workload.globalBatchSize);
        training("train-iters", launch_.steps > 0 ? launch_.steps : 100);
        const std::string& optimizer = s_.workload.optimizer;
        if (optimizer == "adamw" || optimizer == "adam") {
            training("optimizer", "adam");
        } else if (optimizer == "adamw-bf16-moments" || optimizer == "adamw-fp8-moments") {
            training("optimizer", "adam");
            training("use-precision-aware-optimizer");
            const char* moments = optimizer == "adamw-bf16-moments" ? "bf16" : "fp8";
            training("exp-avg-dtype", moments);
            training("exp-avg-sq-dtype", moments);
        } else if (optimizer == "sgd-momentum" || optimizer == "sgd") {
            training("optimizer", "sgd");
            if (optimizer == "sgd") training("sgd-momentum", "0.0");
        } else if (optimizer == "muon") {
            training("optimizer", "muon");
        } else {
            notes_.refuse(fmt::format("the optimizer {} is not one of Megatron's", optimizer));
        }
        training("lr", "1.0e-4");
        training("min-lr", "1.0e-5");
        training("lr-decay-style", "cosine");
        training("clip-grad", "1.0");
    }

    void degrees() {
        parallel("tensor-model-parallel-size", plan_.tensorParallel);
        parallel("pipeline-model-parallel-size", plan_.pipelineParallel);
        if (plan_.sequenceParallel && plan_.tensorParallel > 1) parallel("sequence-parallel");
        if (plan_.contextParallel > 1) {
            parallel("context-parallel-size", plan_.contextParallel);
            context();
        }
        if (model_.moe) {
            parallel("expert-model-parallel-size", plan_.expertParallel);
            parallel("expert-tensor-parallel-size", plan_.expertTensorParallel);
        }
        pipeline();
        const std::vector<Dimension> usual{Dimension::tensor, Dimension::context, Dimension::data, Dimension::pipeline};
        const std::vector<Dimension> pipelineFirst{Dimension::tensor, Dimension::context, Dimension::pipeline, Dimension::data};
        if (!plan_.placementOrder.empty() && plan_.placementOrder != usual) {
            if (plan_.placementOrder == pipelineFirst)
                parallel("use-tp-pp-dp-mapping");
            else
                notes_.refuse(
                    "the placement order is neither tensor, context, data, pipeline nor tensor, context, pipeline, data");
        }
    }

    void context() {
        switch (plan_.contextMethod) {
            case ContextMethod::ring: parallel("cp-comm-type", "p2p"); break;
            case ContextMethod::ulysses: parallel("cp-comm-type", "a2a"); break;
            case ContextMethod::all_gather: parallel("cp-comm-type", "all_gather"); break;
            case ContextMethod::usp: {
                const Int heads = std::max<Int>(1, model_.kvHeads / std::max<Int>(1, plan_.tensorParallel));
                const Int inner = std::gcd(plan_.contextParallel, std::min<Int>(heads, 8));
                parallel("cp-comm-type", "a2a+p2p");
                parallel("hierarchical-context-parallel-sizes", fmt::format("{} {}", inner, plan_.contextParallel / inner));
                break;
            }
        }
    }

    void pipeline() {
        const bool interleaved = launch_.resolved.virtualStages > 1;
        const std::string& schedule = plan_.schedule;
        if (plan_.pipelineParallel > 1 && schedule != "1f1b" && schedule != "interleaved-1f1b" && schedule != "interleaved_1f1b")
            notes_.refuse(fmt::format("the schedule {} is not one of Megatron's (1f1b, interleaved-1f1b)", schedule));
        if (!launch_.evenLayers) {
            const auto& layers = launch_.resolved.layersOfStage;
            const bool middleEqual = layers.size() > 2 && std::adjacent_find(layers.begin() + 1, layers.end() - 1,
                                                                             std::not_equal_to<>()) == layers.end() - 1;
            if (!interleaved && middleEqual && layers.front() > 0 && layers.back() > 0) {
                parallel("decoder-first-pipeline-num-layers", layers.front());
                parallel("decoder-last-pipeline-num-layers", layers.back());
            } else {
                parallel("pipeline-model-parallel-layout", shellWord(layoutText(layers)));
                if (interleaved) return;  // the layout says the chunks as well
            }
        }
        if (interleaved) parallel("num-virtual-stages-per-pipeline-rank", launch_.resolved.virtualStages);
        for (const auto& [key, value] : plan_.scheduleParameters) {
            if (key == "group" && interleaved)
                parallel("microbatch-group-size-per-virtual-pipeline-stage", value);
            else if (plan_.pipelineParallel > 1)
                notes_.refuse(fmt::format("the schedule parameter {} has no argument", key));
        }
    }

    void sharding() {
        const bool overlap = plan_.overlap.data.value_or(true);
        const Int group = launch_.resolved.dataParallel * plan_.contextParallel;
        switch (plan_.zeroStage) {
            case 0: break;
            case 1: parallel("use-distributed-optimizer"); break;
            default:
                parallel("use-distributed-optimizer");
                parallel("use-megatron-fsdp");
                parallel("data-parallel-sharding-strategy", plan_.zeroStage == 2 ? "optim_grads" : "optim_grads_params");
                parallel("ckpt-format", "fsdp_dtensor");
                out_.fullySharded = true;
                if (s_.workload.optimizer != "adamw" && s_.workload.optimizer != "adam" &&
                    !s_.workload.optimizer.starts_with("sgd"))
                    notes_.refuse("Megatron FSDP runs with Adam or SGD only");
                break;
        }
        if (overlap) parallel("overlap-grad-reduce");
        if (overlap && plan_.zeroStage >= 1) parallel("overlap-param-gather");
        if (plan_.shardGroup && plan_.zeroStage > 0 && *plan_.shardGroup != group) {
            if (*plan_.shardGroup > 0 && group % *plan_.shardGroup == 0)
                parallel("num-distributed-optimizer-instances", group / *plan_.shardGroup);
            else
                notes_.refuse(fmt::format("a shard group of {} does not divide {} replicas", *plan_.shardGroup, group));
        }
        if (plan_.overlap.tensor.value_or(false)) {
            if (plan_.sequenceParallel)
                parallel("tp-comm-overlap");
            else
                notes_.refuse("overlap of tensor traffic needs sequence parallelism");
        }
        if (plan_.overlap.expert.value_or(false)) parallel("overlap-moe-expert-parallel-comm");
        if (plan_.optimizerOffloadFraction > 0) {
            parallel("optimizer-cpu-offload");
            parallel("optimizer-offload-fraction", plan_.optimizerOffloadFraction);
        }
    }

    void precision() {
        switch (s_.workload.precision) {
            case Precision::fp32: break;
            case Precision::tf32:
                notes_.leaveOut("tf32 matrix products; Megatron has no argument, PyTorch's default decides");
                break;
            case Precision::fp16: training("fp16"); break;
            case Precision::bf16: training("bf16"); break;
            case Precision::fp8:
                training("bf16");
                training("fp8-format", "hybrid");
                training("fp8-recipe", "tensorwise");
                break;
            case Precision::mxfp8:
                training("bf16");
                training("fp8-format", "e4m3");
                training("fp8-recipe", "mxfp8");
                break;
            case Precision::nvfp4:
                training("bf16");
                training("fp4-format", "e2m1");
                training("fp4-recipe", "nvfp4");
                break;
        }
        const Precision gradient = launch_.resolved.gradientPrecision;
        if (gradient == Precision::bf16) training("grad-reduce-in-bf16");
        if (gradient == Precision::fp32 && s_.workload.precision == Precision::fp16)
            training("accumulate-allreduce-grads-in-fp32");
        if (gradient == Precision::fp16 && s_.workload.precision != Precision::fp16)
            notes_.refuse("gradients in fp16 need --fp16");
        training("attention-backend", s_.workload.attention == AttentionKernel::unfused ? "unfused" : "flash");
    }

    void recompute() {
        const RecomputePlan& recompute = plan_.recompute;
        if (recompute.mode == RecomputeMode::full) {
            training("recompute-granularity", "full");
            if (!recompute.layers || *recompute.layers >= model_.layers) {
                training("recompute-method", "uniform");
                training("recompute-num-layers", 1);
            } else {
                const Int stages = plan_.pipelineParallel * launch_.resolved.virtualStages;
                if (*recompute.layers % stages != 0)
                    notes_.leaveOut(
                        fmt::format("the exact number of {} recomputed layers; every one of the {} stages recomputes {}",
                                    *recompute.layers, stages, (*recompute.layers + stages - 1) / stages));
                training("recompute-method", "block");
                training("recompute-num-layers", (*recompute.layers + stages - 1) / stages);
            }
        } else if (recompute.mode == RecomputeMode::selective) {
            std::vector<std::string_view> modules;
            for (const auto module : kAllRecomputeModules) {
                if (!recompute.recomputes(module)) continue;
                if (module == RecomputeModule::every_second_matmul)
                    notes_.refuse("recomputing every second matrix product is torchtitan's policy, not Megatron's");
                else if (module == RecomputeModule::activation)
                    notes_.leaveOut("recomputing the activation function alone (Megatron recomputes it with mlp or moe_act)");
                else
                    modules.push_back(name(module));
            }
            training("recompute-granularity", "selective");
            if (!modules.empty()) training("recompute-modules", fmt::format("{}", fmt::join(modules, " ")));
        }
    }

    const Scenario& s_;
    const ModelSpec& model_;
    const Plan& plan_;
    ExportNotes& notes_;
    LaunchPlan launch_;
    MegatronArguments out_;
};

std::string list(std::string_view name, const std::vector<std::string>& arguments) {
    std::string out = fmt::format("{}=(\n", name);
    for (const auto& argument : arguments) out += fmt::format("    {}\n", argument);
    return out + ")\n";
}

}  // namespace

Result<Exported> exportMegatron(const Scenario& s, const Evaluation&) {
    ExportNotes notes("Megatron-LM");
    const auto arguments = megatronArguments(s, notes);
    if (notes.refused()) return notes.result("");
    const LaunchPlan launch = launchPlan(s);
    std::string out = "#!/usr/bin/env bash\n";
    out += exportHeading("#", "Launch script", kTarget, s, notes);
    out +=
        "# Run it on every node from a Megatron-LM checkout, with NODE_RANK and MASTER_ADDR set. The data are mock data and the\n"
        "# learning rate is a placeholder: put in your own.\n"
        "set -euo pipefail\n\n";
    out += fmt::format("GPUS_PER_NODE={}\nNUM_NODES={}\n", launch.devicesPerNode, launch.nodes);
    out += "NODE_RANK=${NODE_RANK:-0}\nMASTER_ADDR=${MASTER_ADDR:-localhost}\nMASTER_PORT=${MASTER_PORT:-6000}\n\n";
    out += megatronEnvironment(s, arguments);
    out += "\n";
    out +=
        list("DISTRIBUTED_ARGS", {"--nproc_per_node \"$GPUS_PER_NODE\"", "--nnodes \"$NUM_NODES\"", "--node_rank \"$NODE_RANK\"",
                                  "--master_addr \"$MASTER_ADDR\"", "--master_port \"$MASTER_PORT\""});
    out += list("MODEL_ARGS", arguments.model);
    out += list("TRAINING_ARGS", arguments.training);
    out += list("PARALLEL_ARGS", arguments.parallel);
    out += list("DATA_ARGS", arguments.data);
    out +=
        "\ntorchrun \"${DISTRIBUTED_ARGS[@]}\" pretrain_gpt.py \\\n"
        "    \"${MODEL_ARGS[@]}\" \"${TRAINING_ARGS[@]}\" \"${PARALLEL_ARGS[@]}\" \"${DATA_ARGS[@]}\" \"$@\"\n";
    return notes.result(std::move(out), "NODE_RANK=0 MASTER_ADDR=localhost bash train.sh");
}

MegatronArguments megatronArguments(const Scenario& scenario, ExportNotes& notes) {
    MegatronArguments arguments = Writer(scenario, notes).run();
    // the null tokenizer adds one token of its own
    arguments.data = {"--mock-data",
                      "--tokenizer-type NullTokenizer",
                      fmt::format("--vocab-size {}", std::max<Int>(1, scenario.model->vocabSize - 1)),
                      "--split 99,1,0",
                      "--eval-iters 0",
                      "--log-interval 1",
                      "--log-throughput"};
    return arguments;
}

std::string megatronEnvironment(const Scenario& scenario, const MegatronArguments& arguments) {
    const bool splits = scenario.plan.tensorParallel > 1 || scenario.plan.contextParallel > 1;
    if (splits && !arguments.fullySharded && !launchPlan(scenario).blackwell) return "export CUDA_DEVICE_MAX_CONNECTIONS=1\n";
    if (arguments.fullySharded) return "unset CUDA_DEVICE_MAX_CONNECTIONS  # must not be 1 with FSDP\n";
    return "";
}

}  // namespace trainyard
