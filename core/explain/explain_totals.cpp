#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/compute/kernel_time.h"
#include "core/engine/power.h"
#include "core/explain/explain.h"
#include "core/model/operator_ledger.h"

namespace trainyard {
namespace {

Explanation stepTimeLeafOr(const Scenario& scenario, const EvaluationDetail& detail) {
    auto step = explainTime(scenario, detail, "step_s");
    return step ? std::move(*step) : leaf("t_step", "time of one step", detail.evaluation.time.stepS, "s", "simulation");
}

Explanation batch(const Scenario& scenario) {
    return leaf("B", "sequences per step (input)", static_cast<double>(scenario.workload.globalBatchSize), "",
                "input: workload.global_batch_size");
}
Explanation sequence(const Scenario& scenario) {
    return leaf("s", "tokens per sequence (input)", static_cast<double>(scenario.workload.sequenceLength), "",
                "input: workload.sequence_length");
}
Explanation deviceCount(const EvaluationDetail& detail) {
    return leaf("n", "devices (input)", static_cast<double>(detail.evaluation.devices), "", "input: the drawn cluster");
}

Explanation tokensPerSecond(const Scenario& scenario, const EvaluationDetail& detail) {
    return derived("v", "tokens per second", detail.evaluation.throughput.tokensPerS, "tokens/s", "B * s / t_step", "",
                   {batch(scenario), sequence(scenario), stepTimeLeafOr(scenario, detail)});
}

Explanation stepFlops(const Scenario& scenario, const EvaluationDetail& detail, bool hardware) {
    std::vector<Explanation> terms{
        leaf("n", "devices (input)", static_cast<double>(detail.evaluation.devices), "", "input: the drawn cluster"),
        leaf("p", "pipeline parallel (input)", static_cast<double>(detail.costs.ranks.size()), "",
             "input: plan.pipeline_parallel"),
        leaf("m", "micro-batches per step and replica", static_cast<double>(detail.evaluation.plan.microBatches), "",
             "global batch size / (data parallel x micro-batch size)")};
    std::string sum;
    double total = 0;
    for (std::size_t s = 0; s < detail.costs.stages.size(); ++s) {
        const StageCost& stage = detail.costs.stages[s];
        const double saved = scenario.workload.causalFlopsHalved ? stage.causalFlopsSaved : 0;
        const double flops = (hardware ? stage.hardwareFlops : stage.modelFlops) - saved;
        total += flops;
        terms.push_back(leaf(fmt::format("f_{}", s),
                             fmt::format("FLOPs of stage {}, one micro-batch, one device, forward and backward{}", s,
                                         hardware ? ", recomputation included" : ""),
                             flops, "FLOP",
                             scenario.workload.causalFlopsHalved
                                 ? "operator ledger; attention counted over the causal half"
                                 : "operator ledger; full attention counted (Megatron-LM convention)"));
        sum += fmt::format("{}f_{}", s == 0 ? "" : " + ", s);
    }
    const double copies = static_cast<double>(detail.evaluation.devices) / static_cast<double>(detail.costs.ranks.size()) *
                          static_cast<double>(detail.evaluation.plan.microBatches);
    return derived("F", hardware ? "hardware FLOPs of one step, all devices" : "model FLOPs of one step, all devices",
                   total * copies, "FLOP", fmt::format("n / p * m * ({})", sum),
                   "2 FLOPs per multiply-add; backward twice the forward", std::move(terms));
}

Explanation peakRate(const Scenario& scenario, const EvaluationDetail& detail) {
    std::vector<Explanation> terms;
    std::string formula;
    double total = 0;
    const ClusterSpec& cluster = detail.topology->cluster();
    for (std::size_t b = 0; b < cluster.nodes.size(); ++b)
        for (std::size_t g = 0; g < cluster.nodes[b].accelerators.size(); ++g) {
            const AcceleratorGroup& group = cluster.nodes[b].accelerators[g];
            const double count = static_cast<double>(cluster.nodes[b].count * group.count);
            const double peak = effectivePeak(*group.accelerator, scenario.workload.precision);
            total += count * peak;
            terms.push_back(leaf(fmt::format("n_{}_{}", b, g), fmt::format("devices of {} (input)", group.accelerator->name),
                                 count, "", "input: the drawn cluster"));
            terms.push_back(
                leaf(fmt::format("R_{}_{}", b, g),
                     fmt::format("dense peak of {} in {}", group.accelerator->name, name(scenario.workload.precision)), peak,
                     "FLOP/s", "accelerator preset"));
            formula += fmt::format("{}n_{}_{} * R_{}_{}", formula.empty() ? "" : " + ", b, g, b, g);
        }
    return derived("R", "dense peak of all devices", total, "FLOP/s", std::move(formula), "", std::move(terms));
}

Explanation watts(const EvaluationDetail& detail) {
    const Evaluation& e = detail.evaluation;
    const double busy = std::min(1.0, (e.time.computeS + e.time.optimizerS) / e.time.stepS);
    const double traffic = std::min(
        1 - busy, (e.time.exposedTensorS + e.time.exposedContextS + e.time.exposedExpertS + e.time.exposedDataS) / e.time.stepS);
    std::vector<Explanation> terms{
        leaf("a_idle", "share of TDP while waiting", power::kIdleShare, "1", "CharLLM-PPT (arXiv 2509.10371)"),
        leaf("a_busy", "share of TDP while computing", power::kBusyShare, "1", "CharLLM-PPT (arXiv 2509.10371)"),
        leaf("a_traffic", "share of TDP while communicating", power::kTrafficShare, "1", "CharLLM-PPT (arXiv 2509.10371)"),
        leaf("x_busy", "share of the step that computes", busy, "1", "(compute + optimizer) / step"),
        leaf("x_traffic", "share of the step in exposed traffic", traffic, "1",
             "exposed tensor, context, expert and data traffic / step")};
    std::string sum;
    const ClusterSpec& cluster = detail.topology->cluster();
    for (std::size_t b = 0; b < cluster.nodes.size(); ++b)
        for (std::size_t g = 0; g < cluster.nodes[b].accelerators.size(); ++g) {
            const AcceleratorGroup& group = cluster.nodes[b].accelerators[g];
            terms.push_back(leaf(fmt::format("n_{}_{}", b, g), fmt::format("devices of {} (input)", group.accelerator->name),
                                 static_cast<double>(cluster.nodes[b].count * group.count), "", "input: the drawn cluster"));
            terms.push_back(leaf(fmt::format("P_{}_{}", b, g), fmt::format("TDP of {}", group.accelerator->name),
                                 group.accelerator->tdpW, "W", "accelerator preset"));
            sum += fmt::format("{}n_{}_{} * P_{}_{}", sum.empty() ? "" : " + ", b, g, b, g);
        }
    return derived("P", "power of all accelerators", e.powerWPerDevice * static_cast<double>(e.devices), "W",
                   fmt::format("(a_idle + (a_busy - a_idle) * x_busy + (a_traffic - a_idle) * x_traffic) * ({})", sum),
                   "arXiv 2509.10371", std::move(terms));
}

Explanation costPerHour(const EvaluationDetail& detail) {
    std::vector<Explanation> terms;
    std::string sum;
    const ClusterSpec& cluster = detail.topology->cluster();
    for (std::size_t b = 0; b < cluster.nodes.size(); ++b)
        for (std::size_t g = 0; g < cluster.nodes[b].accelerators.size(); ++g) {
            const AcceleratorGroup& group = cluster.nodes[b].accelerators[g];
            terms.push_back(leaf(fmt::format("n_{}_{}", b, g), fmt::format("devices of {} (input)", group.accelerator->name),
                                 static_cast<double>(cluster.nodes[b].count * group.count), "", "input: the drawn cluster"));
            terms.push_back(leaf(fmt::format("k_{}_{}", b, g), fmt::format("price of {} per hour", group.accelerator->name),
                                 group.accelerator->pricePerHour.value_or(0), "USD",
                                 "accelerator preset: list price, or your own"));
            sum += fmt::format("{}n_{}_{} * k_{}_{}", sum.empty() ? "" : " + ", b, g, b, g);
        }
    return derived("K", "cost of the cluster per hour", detail.evaluation.costPerHour.value_or(0), "USD", std::move(sum), "",
                   std::move(terms));
}

Explanation trainingSteps(const Scenario& scenario, const EvaluationDetail& detail) {
    return derived(
        "N", "steps of the run", detail.evaluation.training->steps, "", "ceil(T / (B * s))", "",
        {leaf("T", "tokens of the run (input)", detail.evaluation.training->tokens, "", "input: workload.tokens_total"),
         batch(scenario), sequence(scenario)});
}

}  // namespace

Result<Explanation> explainThroughput(const Scenario& scenario, const EvaluationDetail& detail, std::string_view key) {
    const Throughput& t = detail.evaluation.throughput;
    if (key == "tokens_per_s") return tokensPerSecond(scenario, detail);
    if (key == "tokens_per_s_per_device")
        return derived("v_device", "tokens per second and device", t.tokensPerSPerDevice, "tokens/s", "v / n", "",
                       {tokensPerSecond(scenario, detail), deviceCount(detail)});
    const bool hardware = key == "hardware_tflops_per_device" || key == "hfu";
    if (key == "model_tflops_per_device" || key == "hardware_tflops_per_device")
        return derived("r", hardware ? "hardware TFLOP/s per device" : "model TFLOP/s per device",
                       hardware ? t.hardwareTflopsPerDevice : t.modelTflopsPerDevice, "TFLOP/s", "F / (n * t_step) / 1e12", "",
                       {stepFlops(scenario, detail, hardware), deviceCount(detail), stepTimeLeafOr(scenario, detail)});
    if (key == "mfu" || key == "hfu")
        return derived(
            hardware ? "HFU" : "MFU",
            hardware ? "hardware FLOPs utilisation: recomputation counted" : "model FLOPs utilisation: recomputation not counted",
            hardware ? t.hfu : t.mfu, "1", "F / (R * t_step)", "PaLM (arXiv 2204.02311)",
            {stepFlops(scenario, detail, hardware), peakRate(scenario, detail), stepTimeLeafOr(scenario, detail)});
    return noSuchFigure(key);
}

Result<Explanation> explainCommunication(const Scenario& scenario, const EvaluationDetail& detail, std::size_t index,
                                         std::string_view key) {
    static_cast<void>(scenario);
    if (index >= detail.evaluation.communication.size()) return noSuchFigure(key);
    const CommunicationItem& item = detail.evaluation.communication[index];
    const double calls = item.callsPerStep;
    const std::string what = fmt::format("{} of the {} group ({} devices, {}, {})", name(item.collective), name(item.group),
                                         item.groupSize, item.link, item.algorithm);
    const std::string way =
        fmt::format("latency and bytes over the narrowest hop of the route ({}), {} algorithm", item.link, item.algorithm);
    const Explanation callsLeaf =
        leaf("c", "calls per step", calls, "", "operator ledger and plan: collectives of every layer and micro-batch");
    if (key == "calls_per_step")
        return derived("c", "calls per step of " + what, calls, "", "x", "",
                       {leaf("x", "calls per step", calls, "", callsLeaf.source)});
    if (key == "bytes_per_device_per_step")
        return derived(
            "Q", "bytes sent by one device per step: " + what, item.bytesPerDevicePerStep, "B", "c * b", "",
            {callsLeaf, leaf("b", "bytes sent per call", calls > 0 ? item.bytesPerDevicePerStep / calls : 0, "B", way)});
    if (key == "time_s")
        return derived("t", "time of " + what, item.timeS, "s", "c * t_call", "",
                       {callsLeaf, leaf("t_call", "time of one call", calls > 0 ? item.timeS / calls : 0, "s", way)});
    if (key == "exposed_s") {
        double total = 0;
        for (const CommunicationItem& other : detail.evaluation.communication)
            if (other.group == item.group) total += other.timeS;
        if (total <= 0)
            return derived("t_exposed", "not hidden", item.exposedS, "s", "x", "",
                           {leaf("x", "not hidden", item.exposedS, "s", way)});
        return derived("t_exposed", "part that is not hidden: " + what, item.exposedS, "s", "X * t / T",
                       "each collective bears its share of its group's exposed time",
                       {leaf("X", "exposed time of the group", item.exposedS * total / std::max(item.timeS, 1e-300), "s",
                             "time.exposed_* of the evaluation"),
                        leaf("t", "time of this collective", item.timeS, "s", way),
                        leaf("T", "time of all collectives of the group", total, "s", way)});
    }
    return noSuchFigure(key);
}

Result<Explanation> explainParameters(const Scenario& scenario, const EvaluationDetail& detail, std::string_view key) {
    static_cast<void>(detail);
    const ModelSpec& model = *scenario.model;
    const ParameterCounts counts = detail.evaluation.parameters;
    Sharding whole;
    whole.vocabDivisor = 1;
    const bool embeddingOnly = key == "embedding";
    const bool active = key == "active";
    if (key != "total" && !active && !embeddingOnly) return noSuchFigure(key);
    std::vector<Explanation> terms;
    std::string formula;
    const auto addList = [&](const std::vector<Operator>& operators, const std::string& suffix, const std::string& where,
                             double times) {
        std::vector<Explanation> parts;
        double sum = 0;
        int index = 0;
        for (const Operator& op : operators) {
            if (op.tiedToEmbedding || op.parameters <= 0) continue;
            if (embeddingOnly && op.name != "token embedding" && op.name != "head") continue;
            double count = op.parameters;
            if (active && op.kind == OperatorKind::groupedGemm)
                count -=
                    op.expertParameters * (1 - static_cast<double>(model.moe->topK) / static_cast<double>(model.moe->experts));
            parts.push_back(
                leaf(fmt::format("w_{}", index++),
                     fmt::format("{}{}", op.name, op.n > 0 && op.k > 0 ? fmt::format(" [{:.0f} x {:.0f}]", op.k, op.n) : ""),
                     count, "", "shape of the architecture"));
            sum += count;
        }
        if (parts.empty()) return;
        std::string partFormula = sumFormula(parts);
        terms.push_back(derived(fmt::format("N_{}", suffix), where, sum, "", std::move(partFormula), "", std::move(parts)));
        if (times != 1) {
            terms.push_back(leaf(fmt::format("L_{}", suffix), "number of such layers (input)", times, "", "input: model.layers"));
            formula += fmt::format("{}L_{} * N_{}", formula.empty() ? "" : " + ", suffix, suffix);
        } else {
            formula += fmt::format("{}N_{}", formula.empty() ? "" : " + ", suffix);
        }
    };
    Workload workload = scenario.workload;
    addList(embeddingOperators(model, workload, whole), "embedding", "input embedding", 1);
    std::vector<std::pair<LayerKind, std::int64_t>> kinds;
    for (const LayerRun& run : layerRuns(model)) {
        const auto known = std::find_if(kinds.begin(), kinds.end(), [&](const auto& each) { return each.first == run.kind; });
        if (known == kinds.end())
            kinds.emplace_back(run.kind, run.end - run.begin);
        else
            known->second += run.end - run.begin;
    }
    if (!embeddingOnly)
        for (std::size_t k = 0; k < kinds.size(); ++k)
            addList(layerOperators(model, kinds[k].first, workload, whole), fmt::format("layer{}", k),
                    kinds.size() == 1
                        ? std::string("one layer")
                        : fmt::format("one {} layer", kinds[k].first.ffn == FfnKind::moe ? "mixture-of-experts" : "dense"),
                    static_cast<double>(kinds[k].second));
    addList(headOperators(model, workload, whole), "head", "final norm and head", 1);
    if (model.extraParameters != 0 && !embeddingOnly) {
        terms.push_back(leaf("N_extra", "parameters outside the layers (input)", static_cast<double>(model.extraParameters), "",
                             "input: the model"));
        formula += " + N_extra";
    }
    if (terms.empty()) terms.push_back(leaf("N_none", "nothing", 0, "", "the model has none"));
    if (formula.empty()) formula = "N_none";
    const double value = static_cast<double>(embeddingOnly ? counts.embedding : active ? counts.active : counts.total);
    return derived("N",
                   embeddingOnly ? "parameters of embedding and untied head"
                   : active      ? "parameters that one token uses"
                                 : "parameters of the model",
                   value, "", fmt::format("round({})", formula), "", std::move(terms));
}

Result<Explanation> explainTotals(const Scenario& scenario, const EvaluationDetail& detail, std::string_view part,
                                  std::string_view key) {
    const Evaluation& e = detail.evaluation;
    if (part == "devices") {
        std::vector<Explanation> terms;
        std::string formula;
        for (std::size_t b = 0; b < scenario.cluster->nodes.size(); ++b) {
            const NodeSpec& node = scenario.cluster->nodes[b];
            terms.push_back(leaf(fmt::format("c_{}", b), fmt::format("nodes of block {} (input)", node.id),
                                 static_cast<double>(node.count), "", "input: the drawn cluster"));
            terms.push_back(leaf(fmt::format("g_{}", b), fmt::format("accelerators per node of {} (input)", node.id),
                                 static_cast<double>(node.devicesPerNode()), "", "input: the drawn cluster"));
            formula += fmt::format("{}c_{} * g_{}", formula.empty() ? "" : " + ", b, b);
        }
        return derived("n", "devices", static_cast<double>(e.devices), "", std::move(formula), "", std::move(terms));
    }
    if (part == "energy") {
        if (key == "power_w_per_device")
            return derived("P_device", "mean power of an accelerator", e.powerWPerDevice, "W", "P / n", "",
                           {watts(detail), deviceCount(detail)});
        if (key == "joules_per_token")
            return derived("E", "energy per token, accelerators only", e.joulesPerToken, "J", "P / v", "",
                           {watts(detail), tokensPerSecond(scenario, detail)});
    }
    if (part == "cost" && e.costPerHour) {
        if (key == "per_hour") return costPerHour(detail);
        if (key == "per_billion_tokens" && e.costPerBillionTokens)
            return derived("K_token", "cost of a billion tokens", *e.costPerBillionTokens, "USD", "K * 1e9 / v / 3600", "",
                           {costPerHour(detail), tokensPerSecond(scenario, detail)});
    }
    if (part == "training" && e.training) {
        if (key == "tokens")
            return derived("T", "tokens of the run", e.training->tokens, "", "x", "",
                           {leaf("x", "tokens of the run (input)", e.training->tokens, "", "input: workload.tokens_total")});
        if (key == "steps") return trainingSteps(scenario, detail);
        const Explanation seconds = derived("t_run", "time of the run", e.training->seconds, "s", "N * t_step", "",
                                            {trainingSteps(scenario, detail), stepTimeLeafOr(scenario, detail)});
        if (key == "seconds") return seconds;
        if (key == "cost" && e.training->cost)
            return derived("K_run", "cost of the run", *e.training->cost, "USD", "K * t_run / 3600", "",
                           {costPerHour(detail), seconds});
        if (key == "energy_j")
            return derived("E_run", "energy of the run, accelerators only", e.training->energyJ, "J", "P * t_run", "",
                           {watts(detail), seconds});
    }
    return noSuchFigure(key);
}

}  // namespace trainyard
