#include "core/explain/sensitivity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "core/engine/calibration_constants.h"
#include "core/explain/explain.h"
#include "core/plan/edit.h"
#include "core/plan/resolve.h"
#include "core/plan/slider_stops.h"

namespace trainyard {
namespace {

constexpr double kShare = 0.1;
constexpr double kLeast = 1e-9;

struct Variation {
    std::string change;
    Scenario scenario;
};
struct Input {
    std::string id;
    std::string name;
    std::optional<Variation> less;
    std::optional<Variation> more;
};
using Change = std::function<void(Scenario&, double)>;

Variation changed(const Scenario& base, std::string text, const std::function<void(Scenario&)>& change) {
    Variation variation{std::move(text), base};
    change(variation.scenario);
    return variation;
}

void addScaled(const Scenario& base, std::string id, std::string name, const Change& scale, std::vector<Input>& out) {
    Input input{std::move(id), std::move(name), {}, {}};
    input.less = changed(base, "-10 %", [&](Scenario& s) { scale(s, 1 - kShare); });
    input.more = changed(base, "+10 %", [&](Scenario& s) { scale(s, 1 + kShare); });
    out.push_back(std::move(input));
}

/// Lets `change` alter a copy of the cluster; the preset's short form no longer describes it.
void editCluster(Scenario& s, const std::function<void(ClusterSpec&)>& change) {
    auto cluster = std::make_shared<ClusterSpec>(*s.cluster);
    cluster->preset.reset();
    change(*cluster);
    s.cluster = std::move(cluster);
}

void editAccelerators(Scenario& s, const std::function<void(AcceleratorSpec&)>& change) {
    editCluster(s, [&](ClusterSpec& cluster) {
        for (NodeSpec& node : cluster.nodes)
            for (AcceleratorGroup& group : node.accelerators) {
                if (!group.accelerator) continue;
                auto accelerator = std::make_shared<AcceleratorSpec>(*group.accelerator);
                change(*accelerator);
                group.accelerator = std::move(accelerator);
            }
    });
}

void addHardware(const Scenario& base, std::vector<Input>& out) {
    const auto device = [&](const char* id, const char* name, const std::function<void(AcceleratorSpec&, double)>& scale) {
        addScaled(base, fmt::format("hardware.{}", id), name,
                  [scale](Scenario& s, double factor) { editAccelerators(s, [&](AcceleratorSpec& a) { scale(a, factor); }); }, out);
    };
    device("peak_flops_per_s", "peak FLOP/s of the accelerators", [](AcceleratorSpec& a, double f) {
        for (double& peak : a.peakFlopsPerS) peak *= f;
    });
    device("memory_bandwidth_bytes_per_s", "memory bandwidth of the accelerators",
           [](AcceleratorSpec& a, double f) { a.memoryBandwidthBytesPerS *= f; });
    device("memory_usable_bytes", "usable memory of the accelerators",
           [](AcceleratorSpec& a, double f) { a.memoryUsableBytes *= f; });
    device("host_link_bytes_per_s", "host link of the accelerators", [](AcceleratorSpec& a, double f) { a.hostLinkBytesPerS *= f; });
    device("tdp_w", "power limit of the accelerators", [](AcceleratorSpec& a, double f) { a.tdpW *= f; });
    device("price_per_hour", "price of the accelerators", [](AcceleratorSpec& a, double f) {
        if (a.pricePerHour) *a.pricePerHour *= f;
    });
    addScaled(base, "hardware.intra_node_bandwidth", "bandwidth inside nodes",
              [](Scenario& s, double f) {
                  editCluster(s, [&](ClusterSpec& cluster) {
                      for (NodeSpec& node : cluster.nodes) {
                          node.intra = effectiveIntra(node);
                          node.intra.bandwidthBytesPerS *= f;
                          for (double& rate : node.intra.matrixBytesPerS) rate *= f;
                      }
                  });
              },
              out);
    const auto links = [&](const char* id, const char* name, const std::function<void(LinkSpec&, double)>& scale,
                           const std::function<void(NicSpec&, double)>& scaleNic) {
        addScaled(base, fmt::format("hardware.{}", id), name,
                  [scale, scaleNic](Scenario& s, double f) {
                      editCluster(s, [&](ClusterSpec& cluster) {
                          for (LinkSpec& link : cluster.links) scale(link, f);
                          for (NodeSpec& node : cluster.nodes) scaleNic(node.nics, f);
                      });
                  },
                  out);
    };
    links("link_bandwidth", "bandwidth between nodes", [](LinkSpec& l, double f) { l.bandwidthBytesPerS *= f; },
          [](NicSpec& n, double f) { n.bandwidthBytesPerS *= f; });
    links("link_latency", "latency between nodes",
          [](LinkSpec& l, double f) { l.latencyS = (l.latencyS > 0 ? l.latencyS : typicalLatencyS(l.kind)) * f; },
          [](NicSpec& n, double f) { n.latencyS *= f; });
}

void addConstants(const Scenario& base, std::vector<Input>& out) {
    for (const CalibrationConstant& constant : calibrationConstants())
        addScaled(base, fmt::format("calibration.{}", constant.name), std::string(constant.meaning),
                  [name = std::string(constant.name)](Scenario& s, double f) {
                      const auto at = s.calibration.find(name);
                      s.calibration[name] = (at == s.calibration.end() ? 1.0 : at->second) * f;
                  },
                  out);
}

void addWorkload(const Scenario& base, std::vector<Input>& out) {
    const auto stepped = [&](const char* id, const char* name, std::int64_t Workload::*member, std::int64_t step) {
        Input input{id, name, {}, {}};
        const std::int64_t now = base.workload.*member;
        const std::int64_t less = now - step;
        if (less > 0 && step > 0)
            input.less = changed(base, fmt::format("{} to {}", now, less), [&](Scenario& s) { s.workload.*member = less; });
        if (step > 0)
            input.more = changed(base, fmt::format("{} to {}", now, now + step), [&](Scenario& s) { s.workload.*member = now + step; });
        out.push_back(std::move(input));
    };
    const ResolvedPlan plan = resolve(base);
    // The nearest to 10 % that the degrees divide.
    const auto tenth = [](std::int64_t now, std::int64_t grain) {
        grain = std::max<std::int64_t>(1, grain);
        const auto parts = static_cast<std::int64_t>(std::llround(kShare * static_cast<double>(now) / static_cast<double>(grain)));
        return std::max<std::int64_t>(1, parts) * grain;
    };
    stepped("/workload/global_batch_size", "global batch", &Workload::globalBatchSize,
             tenth(base.workload.globalBatchSize, plan.dataParallel * base.plan.microBatchSize));
    stepped("/workload/sequence_length", "sequence length", &Workload::sequenceLength,
             tenth(base.workload.sequenceLength, 2 * base.plan.contextParallel * base.plan.tensorParallel));
    if (base.workload.tokensTotal)
        addScaled(base, "/workload/tokens_total", "tokens of the run",
                  [](Scenario& s, double f) { s.workload.tokensTotal = *s.workload.tokensTotal * f; }, out);
}

std::optional<Dimension> dimensionOf(std::string_view pointer) {
    if (pointer == "/plan/tensor_parallel") return Dimension::tensor;
    if (pointer == "/plan/pipeline_parallel") return Dimension::pipeline;
    if (pointer == "/plan/context_parallel") return Dimension::context;
    if (pointer == "/plan/data_parallel") return Dimension::data;
    if (pointer == "/plan/expert_parallel") return Dimension::expert;
    return std::nullopt;
}

void addDegrees(const Scenario& base, std::vector<Input>& out) {
    const ResolvedPlan plan = resolve(base);
    struct Row {
        const char* pointer;
        const char* name;
        std::int64_t now;
        std::int64_t Plan::*member;
    };
    const Row rows[] = {{"/plan/tensor_parallel", "tensor parallel", base.plan.tensorParallel, nullptr},
                        {"/plan/pipeline_parallel", "pipeline parallel", base.plan.pipelineParallel, nullptr},
                        {"/plan/context_parallel", "context parallel", base.plan.contextParallel, nullptr},
                        {"/plan/data_parallel", "data parallel", plan.dataParallel, nullptr},
                        {"/plan/expert_parallel", "expert parallel", base.plan.expertParallel, nullptr},
                        {"/plan/virtual_stages", "virtual stages", base.plan.virtualStages, &Plan::virtualStages},
                        {"/plan/micro_batch_size", "micro-batch", base.plan.microBatchSize, &Plan::microBatchSize}};
    for (const Row& row : rows) {
        const auto stops = sliderStops(base, row.pointer);
        std::optional<std::int64_t> below;
        std::optional<std::int64_t> above;
        for (const SliderStop& stop : stops) {
            if (!stop.legal) continue;
            if (stop.value < row.now) below = stop.value;
            if (stop.value > row.now && !above) above = stop.value;
        }
        Input input{row.pointer, row.name, {}, {}};
        const auto variation = [&](std::int64_t value) {
            return changed(base, fmt::format("{} to {}", row.now, value), [&](Scenario& s) {
                if (const auto dimension = dimensionOf(row.pointer)) {
                    s = withDegree(s, *dimension, value);
                } else {
                    s.plan.*(row.member) = value;
                    s.plan.layersPerStage.clear();
                }
            });
        };
        if (below) input.less = variation(*below);
        if (above) input.more = variation(*above);
        out.push_back(std::move(input));
    }
}

void addChoices(const Scenario& base, std::vector<Input>& out) {
    Input zero{"/plan/zero_stage", "ZeRO stage", {}, {}};
    const std::int64_t stage = base.plan.zeroStage;
    if (stage > 0)
        zero.less = changed(base, fmt::format("{} to {}", stage, stage - 1), [&](Scenario& s) { s.plan.zeroStage = stage - 1; });
    if (stage < 3)
        zero.more = changed(base, fmt::format("{} to {}", stage, stage + 1), [&](Scenario& s) { s.plan.zeroStage = stage + 1; });
    out.push_back(std::move(zero));

    Input recompute{"/plan/recompute", "recomputation", {}, {}};
    if (base.plan.recompute.perStage.empty()) {
        const auto mode = static_cast<int>(base.plan.recompute.mode);
        const auto to = [&](int next) {
            const auto target = static_cast<RecomputeMode>(next);
            return changed(base, fmt::format("{} to {}", name(base.plan.recompute.mode), name(target)),
                           [&](Scenario& s) { s.plan.recompute.mode = target; });
        };
        if (mode > 0) recompute.less = to(mode - 1);
        if (mode < 2) recompute.more = to(mode + 1);
    }
    out.push_back(std::move(recompute));

    Input sequence{"/plan/sequence_parallel", "sequence parallel", {}, {}};
    auto toggled = changed(base, base.plan.sequenceParallel ? "on to off" : "off to on",
                           [](Scenario& s) { s.plan.sequenceParallel = !s.plan.sequenceParallel; });
    (base.plan.sequenceParallel ? sequence.less : sequence.more) = std::move(toggled);
    out.push_back(std::move(sequence));

    const auto share = [&](const char* id, const char* label, double Plan::*member) {
        Input input{id, label, {}, {}};
        const double now = base.plan.*member;
        if (now > 0)
            input.less = changed(base, "-10 points", [&](Scenario& s) { s.plan.*member = std::max(0.0, now - kShare); });
        if (now < 1)
            input.more = changed(base, "+10 points", [&](Scenario& s) { s.plan.*member = std::min(1.0, now + kShare); });
        out.push_back(std::move(input));
    };
    share("/plan/activation_offload_fraction", "activations offloaded", &Plan::activationOffloadFraction);
    share("/plan/optimizer_offload_fraction", "optimizer offloaded", &Plan::optimizerOffloadFraction);
}

void collect(const Explanation* before, const Explanation* after, const std::string& path, int depth,
             std::vector<ExplanationChange>& out) {
    const Explanation& any = before != nullptr ? *before : *after;
    ExplanationChange change{path, any.name, any.unit, before != nullptr ? before->value : 0, after != nullptr ? after->value : 0,
                             depth, any.terms.empty()};
    const double size = std::max(std::abs(change.before), std::abs(change.after));
    if (std::abs(change.after - change.before) > 1e-12 * size) out.push_back(std::move(change));
    if (before == nullptr || after == nullptr) return;  // what is new or gone is one change, whatever is inside
    const auto find = [](const std::vector<Explanation>& terms, const std::string& symbol) {
        const auto at = std::find_if(terms.begin(), terms.end(), [&](const Explanation& t) { return t.symbol == symbol; });
        return at == terms.end() ? nullptr : &*at;
    };
    for (const Explanation& term : before->terms)
        collect(&term, find(after->terms, term.symbol), path + " > " + term.symbol, depth + 1, out);
    for (const Explanation& term : after->terms)
        if (find(before->terms, term.symbol) == nullptr) collect(nullptr, &term, path + " > " + term.symbol, depth + 1, out);
}

}  // namespace

double Sensitivity::largest() const {
    return std::max(less ? std::abs(less->relative) : 0, more ? std::abs(more->relative) : 0);
}

Result<std::vector<Sensitivity>> sensitivities(const Scenario& scenario, std::string_view pointer, std::stop_token stop) {
    const auto now = explain(scenario, pointer);
    if (!now) return tl::unexpected<Error>(now.error());
    std::vector<Input> inputs;
    addHardware(scenario, inputs);
    addWorkload(scenario, inputs);
    addDegrees(scenario, inputs);
    addChoices(scenario, inputs);
    addConstants(scenario, inputs);

    const auto tried = [&](std::optional<Variation>& variation) -> std::optional<SensitivityCase> {
        if (!variation || stop.stop_requested()) return std::nullopt;
        const auto figure = explain(variation->scenario, pointer);
        if (!figure) return std::nullopt;  // not feasible, or the figure is not there: no step that way
        const double difference = figure->value - now->value;
        const double relative = now->value != 0 ? difference / std::abs(now->value) : difference;
        return SensitivityCase{std::move(variation->change), figure->value, relative, std::move(variation->scenario)};
    };
    std::vector<Sensitivity> out;
    for (Input& input : inputs) {
        Sensitivity row{std::move(input.id), std::move(input.name), now->unit, tried(input.less), tried(input.more)};
        if (row.largest() > kLeast) out.push_back(std::move(row));
    }
    std::stable_sort(out.begin(), out.end(), [](const Sensitivity& a, const Sensitivity& b) { return a.largest() > b.largest(); });
    return out;
}

std::vector<ExplanationChange> explanationChanges(const Explanation& before, const Explanation& after) {
    std::vector<ExplanationChange> out;
    collect(&before, &after, before.symbol, 0, out);
    return out;
}

std::string changesText(const std::vector<ExplanationChange>& changes, int depth) {
    std::string out;
    for (const ExplanationChange& change : changes) {
        if (change.depth > depth) continue;
        const std::string symbol = change.path.substr(change.path.rfind('>') == std::string::npos ? 0 : change.path.rfind('>') + 2);
        std::string share;
        if (change.before != 0) share = fmt::format(" ({:+.1f} %)", 100 * (change.after - change.before) / std::abs(change.before));
        out += fmt::format("{}{}: {} -> {}{}  {}\n", std::string(static_cast<std::size_t>(change.depth) * 2, ' '), symbol,
                           readable(change.before, change.unit), readable(change.after, change.unit), share, change.name);
    }
    return out;
}

}  // namespace trainyard
