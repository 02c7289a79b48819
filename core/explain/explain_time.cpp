#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/explain/explain.h"
#include "core/schedule/registry.h"

namespace trainyard {
namespace {

constexpr const char* kLedgerSource =
    "operator ledger priced on the device (GEMM, attention and memory-bound tables under presets/efficiency)";
constexpr const char* kFreedSource =
    "simulated with the traffic of this and the earlier classes free, in the order tensor, context, expert, pipeline, data";

std::string scheduleSource(const Scenario& scenario) {
    const ScheduleDefinition* schedule = findScheduleOrNull(scenario.plan.schedule);
    return schedule == nullptr ? std::string("the plan's schedule")
                               : fmt::format("schedule {}: {}", schedule->id, schedule->reference);
}

Explanation passTime(const char* symbol, const char* name, const PassCost& pass) {
    std::vector<Explanation> terms;
    const auto add = [&](const char* termSymbol, const char* termName, double value, const char* source) {
        if (value != 0) terms.push_back(leaf(termSymbol, termName, value, "s", source));
    };
    add("t_gemm", "matrix products", pass.gemmS, kLedgerSource);
    add("t_attention", "attention core", pass.attentionS, kLedgerSource);
    add("t_memory", "memory-bound operators", pass.memoryBoundS, kLedgerSource);
    add("t_launch", "waiting for kernel launches", pass.launchS, "launch-bound floor: kernels times the host's cost of a launch");
    add("t_slow", "slow-down by traffic that runs beside", pass.slowdownS,
        "measured slow-down of kernels beside collectives (Galvatron, arXiv 2211.13878)");
    if (terms.empty()) return leaf(symbol, name, 0, "s", kLedgerSource);
    std::string formula = sumFormula(terms);
    return derived(symbol, name, pass.computeS(), "s", std::move(formula), "", std::move(terms));
}

Explanation stageCompute(const StageCost& stage, std::size_t index) {
    std::vector<Explanation> terms{passTime("F", "forward", stage.forward),
                                   passTime("I", "backward for inputs", stage.backwardInput),
                                   passTime("W", "backward for weights", stage.backwardWeight)};
    if (stage.recompute.computeS() > 0) terms.push_back(passTime("R", "recomputation", stage.recompute));
    const double value =
        stage.forward.computeS() + stage.backwardInput.computeS() + stage.backwardWeight.computeS() + stage.recompute.computeS();
    std::string formula = sumFormula(terms);
    return derived(fmt::format("c_{}", index),
                   fmt::format("compute of stage {} ({} layers) for one micro-batch", index, stage.layers), value, "s",
                   std::move(formula), "", std::move(terms));
}

Explanation compute(const Scenario& scenario, const EvaluationDetail& detail) {
    std::vector<Explanation> terms{
        leaf("m", "micro-batches per step and replica", static_cast<double>(detail.evaluation.plan.microBatches), "",
             "global batch size / (data parallel x micro-batch size)"),
        leaf("p", "pipeline parallel (input)", static_cast<double>(detail.costs.ranks.size()), "",
             "input: plan.pipeline_parallel"),
        leaf("j", "share by which the slowest of many devices is late", detail.costs.jitterShare, "1",
             "expected maximum of the step times of equal devices, spread 0.4 % (sigma sqrt(2 ln n))")};
    std::string sum;
    for (std::size_t s = 0; s < detail.costs.stages.size(); ++s) {
        terms.push_back(stageCompute(detail.costs.stages[s], s));
        sum += fmt::format("{}c_{}", s == 0 ? "" : " + ", s);
    }
    static_cast<void>(scenario);
    return derived("t_compute", "compute, mean over the devices", detail.evaluation.time.computeS, "s",
                   fmt::format("m / p * (1 + j) * ({})", sum),
                   "every micro-batch passes every stage once; a device runs one stage in p", std::move(terms));
}

/// Longest chain of spans that wait for one another, summed by what they do.
Explanation criticalPath(const Timeline& timeline, double spanS, const std::string& source) {
    if (timeline.spans() == 0) return leaf("t_span", "pipeline span", spanS, "s", source);
    std::size_t at = static_cast<std::size_t>(std::max_element(timeline.end.begin(), timeline.end.end()) - timeline.end.begin());
    struct Part {
        std::int64_t count = 0;
        Ticks ticks = 0;
    };
    std::map<std::pair<ActionKind, int>, Part> parts;
    Ticks waiting = 0;
    for (std::size_t steps = 0; steps <= timeline.spans(); ++steps) {
        Part& part = parts[{timeline.action[at].kind, timeline.action[at].stage}];
        ++part.count;
        part.ticks += timeline.end[at] - timeline.start[at];
        const std::int32_t before = timeline.binding[at];
        if (before < 0) {
            waiting += timeline.start[at];
            break;
        }
        waiting += timeline.start[at] - timeline.end[static_cast<std::size_t>(before)];
        at = static_cast<std::size_t>(before);
    }
    std::vector<Explanation> terms;
    for (const auto& [key, part] : parts) {
        const char* letter = key.first == ActionKind::forward          ? "F"
                             : key.first == ActionKind::backward       ? "B"
                             : key.first == ActionKind::backwardInput  ? "I"
                             : key.first == ActionKind::backwardWeight ? "W"
                             : key.first == ActionKind::recompute      ? "R"
                                                                       : "X";
        terms.push_back(leaf(fmt::format("{}_{}", letter, key.second),
                             fmt::format("{} x {} of stage {} on the critical path", part.count,
                                         letter[0] == 'F'   ? "forward"
                                         : letter[0] == 'B' ? "backward"
                                         : letter[0] == 'I' ? "backward for inputs"
                                         : letter[0] == 'W' ? "backward for weights"
                                                            : "other work",
                                         key.second),
                             static_cast<double>(part.ticks) * timeline.secondsPerTick, "s", source));
    }
    if (waiting != 0)
        terms.push_back(leaf("t_transfer", "transfers on the critical path",
                             static_cast<double>(waiting) * timeline.secondsPerTick, "s",
                             "hand-over of activations and gradients between stages"));
    std::string formula = sumFormula(terms);
    return derived("t_span", "pipeline span: the critical path from the first start to the last end",
                   static_cast<double>(timeline.makespan) * timeline.secondsPerTick, "s", std::move(formula), source,
                   std::move(terms));
}

Explanation levelStep(const EvaluationDetail& detail, int level, const char* symbol, const char* name) {
    return leaf(symbol, name, detail.step.level[level].stepS, "s", kFreedSource);
}

Explanation exposed(const EvaluationDetail& detail, int level, const char* symbol, const char* name, double value) {
    return derived(symbol, name, value, "s", "T_before - T_after",
                   "contract: the time by which the step shrinks when this traffic is free as well",
                   {levelStep(detail, level, "T_before", "step before this traffic is free"),
                    levelStep(detail, level + 1, "T_after", "step with it free")});
}

Explanation bubble(const Scenario& scenario, const EvaluationDetail& detail) {
    const TimeSummary& time = detail.evaluation.time;
    return derived("t_bubble", "idle time that is left when all traffic is free, mean over the devices", time.bubbleS, "s",
                   "max(0, T_free - t_compute - t_optimizer - t_offload)", scheduleSource(scenario),
                   {levelStep(detail, kFreeLevels - 1, "T_free", "step with all traffic free"), compute(scenario, detail),
                    leaf("t_optimizer", "optimizer step", time.optimizerS, "s", "optimizer state over memory bandwidth"),
                    leaf("t_offload", "exposed copies to and from the host", time.offloadS, "s", "bytes over the host link")});
}

Explanation optimizer(const EvaluationDetail& detail) {
    std::vector<Explanation> terms;
    for (std::size_t r = 0; r < detail.costs.ranks.size(); ++r)
        terms.push_back(leaf(
            fmt::format("o_{}", r), fmt::format("optimizer step of pipeline rank {}", r), detail.costs.ranks[r].optimizerS, "s",
            "bytes of parameters, gradients and optimizer state that one device reads and writes, over its memory bandwidth"));
    std::string formula = fmt::format("({}) / p", sumFormula(terms));
    terms.push_back(leaf("p", "pipeline parallel (input)", static_cast<double>(detail.costs.ranks.size()), "",
                         "input: plan.pipeline_parallel"));
    return derived("t_optimizer", "optimizer step, mean over the devices", detail.evaluation.time.optimizerS, "s",
                   std::move(formula), "", std::move(terms));
}

Explanation part(const Scenario& scenario, const EvaluationDetail& detail, std::string_view key) {
    const TimeSummary& time = detail.evaluation.time;
    if (key == "compute_s") return compute(scenario, detail);
    if (key == "bubble_s") return bubble(scenario, detail);
    if (key == "exposed_tensor_s")
        return exposed(detail, 0, "t_tensor", "tensor-parallel traffic that is not hidden", time.exposedTensorS);
    if (key == "exposed_context_s")
        return exposed(detail, 1, "t_context", "context-parallel traffic that is not hidden", time.exposedContextS);
    if (key == "exposed_expert_s")
        return exposed(detail, 2, "t_expert", "expert traffic that is not hidden", time.exposedExpertS);
    if (key == "exposed_pipeline_s")
        return exposed(detail, 3, "t_pipeline", "hand-over between stages that is not hidden", time.exposedPipelineS);
    if (key == "exposed_data_s")
        return exposed(detail, 4, "t_data", "gradient reduction and parameter gathers that are not hidden", time.exposedDataS);
    if (key == "optimizer_s") return optimizer(detail);
    return derived("t_offload", "exposed copies to and from the host", time.offloadS, "s", "t", "",
                   {leaf("t", "copies that do not fit under compute", time.offloadS, "s",
                         "offloaded bytes over the host link, less what compute hides")});
}

constexpr std::string_view kParts[] = {"compute_s",         "bubble_s",         "exposed_tensor_s",
                                       "exposed_context_s", "exposed_expert_s", "exposed_pipeline_s",
                                       "exposed_data_s",    "optimizer_s",      "offload_s"};

}  // namespace

Result<Explanation> explainTime(const Scenario& scenario, const EvaluationDetail& detail, std::string_view key) {
    const TimeSummary& time = detail.evaluation.time;
    if (std::find(std::begin(kParts), std::end(kParts), key) != std::end(kParts)) return part(scenario, detail, key);
    if (key == "step_s") {
        std::vector<Explanation> terms;
        double sum = 0;
        for (const std::string_view each : kParts) {
            terms.push_back(part(scenario, detail, each));
            sum += terms.back().value;
        }
        // Parts are means over devices; what clamping took from one of them stands here, so that the sum is the step.
        if (const double rest = time.stepS - sum; rest > 1e-12 * time.stepS || rest < -1e-12 * time.stepS)
            terms.push_back(leaf("t_rest", "rest by rounding: idle time smaller than nothing counts as none", rest, "s",
                                 "definition of the parts"));
        std::string formula = sumFormula(terms);
        return derived("t_step", "time of one step", time.stepS, "s", std::move(formula), scheduleSource(scenario),
                       std::move(terms));
    }
    if (key == "bubble_fraction") {
        const StepAtLevel& level = detail.step.level[0];
        Explanation span = detail.step.timeline && detail.step.simulated
                               ? criticalPath(*detail.step.timeline, level.spanS, scheduleSource(scenario))
                               : leaf("t_span", "pipeline span", level.spanS, "s", scheduleSource(scenario));
        if (std::abs(span.value - level.spanS) > 1e-12 * level.spanS)
            span = leaf("t_span", "pipeline span", level.spanS, "s", scheduleSource(scenario));
        return derived("x_bubble", "share of device time that is idle inside the pipeline span", time.bubbleFraction, "1",
                       "max(0, min(1, 1 - t_busy / t_span))", "bubble definition 1: idle over devices x makespan",
                       {leaf("t_busy", "time inside actions, mean over the devices", level.stageBusyS, "s",
                             "micro-batches x forward, backward and recomputation of the stages"),
                        std::move(span)});
    }
    return noSuchFigure(key);
}

}  // namespace trainyard
