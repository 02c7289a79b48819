#include <fmt/format.h>

#include "core/io/export/exporter.h"
#include "core/io/export/launch_shape.h"
#include "core/io/export/megatron_command.h"

namespace trainyard {

MegatronCommand megatronCommand(const Scenario& scenario, const Evaluation& evaluation) {
    MegatronCommand out;
    const ModelSpec& model = *scenario.model;
    const Plan& plan = scenario.plan;
    const Workload& workload = scenario.workload;
    const auto flag = [&](std::string name) { out.words.push_back({std::move(name), ""}); };
    const auto value = [&](std::string name, const auto& what) {
        out.words.push_back({std::move(name), fmt::format("{}", what)});
    };
    const auto lost = [&](std::string what) { out.notExpressed.push_back(std::move(what)); };

    value("--num-layers", model.layers);
    value("--hidden-size", model.hiddenSize);
    value("--ffn-hidden-size", model.ffnHiddenSize);
    value("--num-attention-heads", model.attentionHeads);
    if (!model.mla && model.kvHeads != model.attentionHeads) {
        flag("--group-query-attention");
        value("--num-query-groups", model.kvHeads);
    }
    if (!model.mla && model.headDim * model.attentionHeads != model.hiddenSize) value("--kv-channels", model.headDim);
    value("--seq-length", workload.sequenceLength);
    value("--max-position-embeddings",
          model.maxPositions > 0 ? std::max(model.maxPositions, workload.sequenceLength) : workload.sequenceLength);
    value("--vocab-size", model.vocabSize);
    if (model.gatedMlp) flag("--swiglu");
    value("--normalization", model.norm == NormKind::rmsnorm ? "RMSNorm" : "LayerNorm");
    value("--position-embedding-type", model.positionEmbedding == PositionEmbedding::rope      ? "rope"
                                       : model.positionEmbedding == PositionEmbedding::learned ? "learned_absolute"
                                                                                               : "none");
    if (!model.tiedEmbeddings) flag("--untie-embeddings-and-output-weights");
    if (!model.biases) flag("--disable-bias-linear");
    if (model.qkvBias.value_or(model.biases) && !model.biases) flag("--add-qkv-bias");
    if (model.qkNorm) flag("--qk-layernorm");
    if (model.slidingWindow) value("--window-size", fmt::format("{},0", *model.slidingWindow));
    if (model.mla) {
        flag("--multi-latent-attention");
        if (model.mla->qLoraRank > 0) value("--q-lora-rank", model.mla->qLoraRank);
        value("--kv-lora-rank", model.mla->kvLoraRank);
        value("--qk-head-dim", model.mla->qkNopeHeadDim);
        value("--qk-pos-emb-head-dim", model.mla->qkRopeHeadDim);
        value("--v-head-dim", model.mla->vHeadDim);
    }
    if (model.moe) {
        value("--num-experts", model.moe->experts);
        value("--moe-ffn-hidden-size", model.moe->expertFfnHiddenSize);
        value("--moe-router-topk", model.moe->topK);
        if (model.moe->sharedExperts > 0)
            value("--moe-shared-expert-intermediate-size",
                  model.moe->sharedExpertFfnHiddenSize.value_or(model.moe->sharedExperts * model.moe->expertFfnHiddenSize));
        if (model.moe->denseLayers > 0)
            value("--moe-layer-freq",
                  fmt::format("([0]*{}+[1]*{})", model.moe->denseLayers, model.layers - model.moe->denseLayers));
        flag("--moe-grouped-gemm");
        value("--moe-token-dispatcher-type", "alltoall");
        value("--expert-model-parallel-size", plan.expertParallel);
        value("--expert-tensor-parallel-size", plan.expertTensorParallel);
    }
    for (const LayerKind& kind : model.layerKinds)
        if (kind.mixer != MixerKind::attention || kind.attentionHeads || kind.ffnHiddenSize) {
            lost("layers that differ from one another beyond experts: give Megatron-LM a layer specification in code");
            break;
        }

    value("--tensor-model-parallel-size", plan.tensorParallel);
    value("--pipeline-model-parallel-size", plan.pipelineParallel);
    value("--context-parallel-size", plan.contextParallel);
    if (plan.contextParallel > 1)
        value("--cp-comm-type", plan.contextMethod == ContextMethod::ring         ? "p2p"
                                : plan.contextMethod == ContextMethod::ulysses    ? "a2a"
                                : plan.contextMethod == ContextMethod::all_gather ? "all_gather"
                                                                                  : "a2a+p2p");
    if (plan.sequenceParallel && plan.tensorParallel > 1) flag("--sequence-parallel");
    const bool interleaved = plan.schedule == "interleaved-1f1b" && evaluation.plan.virtualStages > 1;
    if (plan.pipelineParallel > 1 && plan.schedule != "1f1b" && !interleaved)
        lost(fmt::format("schedule {}: Megatron-LM runs 1f1b and interleaved-1f1b; these arguments run 1f1b", plan.schedule));
    if (plan.pipelineParallel > 1) {
        const bool sameStages = interleaved || plan.virtualStages == 1;
        if (const auto layout = sameStages ? megatronLayout(model, evaluation.plan) : std::nullopt)
            value("--pipeline-model-parallel-layout", *layout);
        else if (interleaved)
            value("--num-virtual-stages-per-pipeline-rank", evaluation.plan.virtualStages);
    }
    value("--micro-batch-size", plan.microBatchSize);
    value("--global-batch-size", workload.globalBatchSize);
    if (workload.tokensTotal)
        value("--train-samples", static_cast<std::int64_t>(*workload.tokensTotal / static_cast<double>(workload.sequenceLength)));
    else
        value("--train-iters", 500000);

    const RecomputePlan& recompute = plan.recompute;
    if (!recompute.perStage.empty()) lost("recomputation per stage: Megatron-LM takes one setting for all stages");
    if (recompute.mode == RecomputeMode::full) {
        value("--recompute-granularity", "full");
        value("--recompute-method", recompute.layers ? "block" : "uniform");
        value("--recompute-num-layers",
              recompute.layers ? std::max<std::int64_t>(1, *recompute.layers / std::max<std::int64_t>(1, plan.pipelineParallel))
                               : 1);
    } else if (recompute.mode == RecomputeMode::selective) {
        value("--recompute-granularity", "selective");
        std::string modules;
        for (const RecomputeModule module : kAllRecomputeModules) {
            if (!recompute.recomputes(module)) continue;
            if (module == RecomputeModule::activation || module == RecomputeModule::every_second_matmul)
                lost(fmt::format("recomputing '{}' alone has no Megatron-LM module of that name", name(module)));
            else
                modules += fmt::format("{}{}", modules.empty() ? "" : " ", name(module));
        }
        if (!modules.empty() && modules != "core_attn") value("--recompute-modules", modules);
    }

    if (plan.zeroStage == 1) flag("--use-distributed-optimizer");
    if (plan.zeroStage >= 2) {
        flag("--use-megatron-fsdp");
        value("--data-parallel-sharding-strategy", plan.zeroStage == 2 ? "optim_grads" : "optim_grads_params");
    }
    if (plan.shardGroup && plan.zeroStage > 0) {
        const std::int64_t replicas = evaluation.plan.dataParallel * plan.contextParallel;
        if (replicas / *plan.shardGroup > 1) value("--num-distributed-optimizer-instances", replicas / *plan.shardGroup);
    }
    if (plan.overlap.data.value_or(true) && evaluation.plan.dataParallel > 1) {
        flag("--overlap-grad-reduce");
        if (plan.zeroStage >= 1) flag("--overlap-param-gather");
    }
    if (plan.overlap.tensor.value_or(false)) flag("--tp-comm-overlap");
    switch (workload.precision) {
        case Precision::fp16: flag("--fp16"); break;
        case Precision::fp32:
        case Precision::tf32: break;
        case Precision::fp8:
            flag("--bf16");
            value("--fp8-format", "hybrid");
            break;
        case Precision::mxfp8:
            flag("--bf16");
            value("--fp8-format", "e4m3");
            value("--fp8-recipe", "mxfp8");
            break;
        case Precision::nvfp4:
            flag("--bf16");
            value("--fp4-format", "e2m1");
            break;
        case Precision::bf16: flag("--bf16"); break;
    }
    if (workload.precision != Precision::fp32 && workload.precision != Precision::tf32) {
        if (evaluation.plan.gradientPrecision == Precision::fp32)
            flag("--accumulate-allreduce-grads-in-fp32");
        else if (workload.precision != Precision::fp16)
            flag("--grad-reduce-in-bf16");
    }
    if (workload.attention == AttentionKernel::unfused)
        value("--attention-backend", "unfused");
    else
        value("--attention-backend", workload.attention == AttentionKernel::flash3 ? "fused" : "flash");
    if (plan.optimizerOffloadFraction > 0) {
        flag("--optimizer-cpu-offload");
        value("--optimizer-offload-fraction", plan.optimizerOffloadFraction);
    }
    if (plan.activationOffloadFraction > 0) lost("a share of all activations in host memory: Megatron-LM offloads named modules");
    if (!plan.deviceOfRank.empty()) lost("an explicit device per rank: order the hosts of the launch instead");
    const std::vector<Dimension> pipelineFirst{Dimension::tensor, Dimension::context, Dimension::pipeline, Dimension::data};
    const std::vector<Dimension> usual{Dimension::tensor, Dimension::context, Dimension::data, Dimension::pipeline};
    if (plan.placementOrder == pipelineFirst)
        flag("--use-tp-pp-dp-mapping");
    else if (!plan.placementOrder.empty() && plan.placementOrder != usual)
        lost("this order of dimensions over the devices: Megatron-LM has tp-cp-dp-pp and tp-cp-pp-dp");
    return out;
}

namespace {

std::string comments(const Scenario& scenario, const std::vector<std::string>& lost) {
    std::string text =
        fmt::format("# {}\n# For Megatron-LM, core 0.20. Data, tokenizer and checkpoint arguments are yours to add.\n",
                    scenario.name.empty() ? scenario.model->name : scenario.name);
    for (const std::string& each : lost) text += fmt::format("# NOT EXPRESSED: {}\n", each);
    return text;
}

}  // namespace

Result<Exported> exportMegatron(const Scenario& scenario, const Evaluation& evaluation) {
    const LaunchShape shape = launchShape(*scenario.cluster);
    MegatronCommand arguments = megatronCommand(scenario, evaluation);
    if (!shape.uniform)
        arguments.notExpressed.push_back(
            "nodes of different sizes: start torchrun on each kind of node with its own --nproc_per_node");
    std::string text = "#!/usr/bin/env bash\n" + comments(scenario, arguments.notExpressed);
    text += "set -eu\n";
    if (scenario.plan.tensorParallel > 1 || scenario.plan.contextParallel > 1)
        if (scenario.plan.zeroStage < 2) text += "export CUDA_DEVICE_MAX_CONNECTIONS=1\n";
    text += fmt::format(
        "torchrun --nnodes {} --nproc_per_node {} --rdzv_backend c10d --rdzv_endpoint "
        "\"${{MASTER_ADDR:-localhost}}:${{MASTER_PORT:-29500}}\" pretrain_gpt.py",
        shape.nodes, shape.perNode);
    for (const auto& [name, value] : arguments.words) {
        text += fmt::format(" \\\n    {}", name);
        if (name == "--recompute-modules" || value.empty())
            text += value.empty() ? "" : " " + value;
        else
            text += " " + shellWord(value);
    }
    return Exported{text + " \\\n    \"$@\"\n", std::move(arguments.notExpressed)};
}

Result<Exported> exportSlurm(const Scenario& scenario, const Evaluation& evaluation) {
    const LaunchShape shape = launchShape(*scenario.cluster);
    if (!shape.uniform)
        return failure(Error::Kind::invalid, "slurm-unequal-nodes", "/cluster/nodes",
                       "one sbatch job cannot ask for nodes of different sizes; use a heterogeneous job per kind of node");
    MegatronCommand arguments = megatronCommand(scenario, evaluation);
    std::string text = "#!/usr/bin/env bash\n";
    std::string job = scenario.model->name;
    for (char& c : job)
        if (c == ' ') c = '-';
    text += fmt::format(
        "#SBATCH --job-name={}\n#SBATCH --nodes={}\n#SBATCH --ntasks-per-node=1\n#SBATCH --gpus-per-node={}\n#SBATCH "
        "--exclusive\n#SBATCH --mem=0\n",
        shellWord(job), shape.nodes, shape.perNode);
    if (evaluation.training)
        text += fmt::format("#SBATCH --time={}\n",
                            std::max<std::int64_t>(60, static_cast<std::int64_t>(evaluation.training->seconds / 60 * 1.1)));
    text += comments(scenario, arguments.notExpressed);
    text +=
        "set -eu\nexport MASTER_ADDR=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)\nexport "
        "MASTER_PORT=${MASTER_PORT:-29500}\n";
    if (scenario.plan.zeroStage < 2 && (scenario.plan.tensorParallel > 1 || scenario.plan.contextParallel > 1))
        text += "export CUDA_DEVICE_MAX_CONNECTIONS=1\n";
    text += fmt::format(
        "srun torchrun --nnodes {} --nproc_per_node {} --rdzv_id \"$SLURM_JOB_ID\" --rdzv_backend c10d --rdzv_endpoint "
        "\"$MASTER_ADDR:$MASTER_PORT\" pretrain_gpt.py",
        shape.nodes, shape.perNode);
    for (const auto& [name, value] : arguments.words)
        text += fmt::format(" \\\n    {}{}", name,
                            value.empty() ? "" : " " + (name == "--recompute-modules" ? value : shellWord(value)));
    return Exported{text + " \\\n    \"$@\"\n", std::move(arguments.notExpressed)};
}

}  // namespace trainyard
