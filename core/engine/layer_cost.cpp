#include "core/engine/layer_cost.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

PassCost& PassCost::operator+=(const PassCost& o) {
    gemmS += o.gemmS;
    attentionS += o.attentionS;
    memoryBoundS += o.memoryBoundS;
    launchS += o.launchS;
    slowdownS += o.slowdownS;
    tensorS += o.tensorS;
    contextS += o.contextS;
    expertS += o.expertS;
    flops += o.flops;
    return *this;
}

PassCost PassCost::scaled(double f) const {
    PassCost p = *this;
    for (double* part : {&p.gemmS, &p.attentionS, &p.memoryBoundS, &p.launchS, &p.slowdownS, &p.tensorS, &p.contextS, &p.expertS, &p.flops}) *part *= f;
    return p;
}

void TrafficCost::add(const CollectiveTime& time, int size, double count) {
    if (time.totalS <= 0) return;
    calls += count;
    bytes += time.bytesOnWire * count;
    timeS += time.totalS * count;
    algorithm = time.algorithm;
    link = time.link;
    groupSize = size;
}

void TrafficCost::add(const TrafficCost& other, double factor) {
    if (other.calls <= 0 || factor <= 0) return;
    calls += other.calls * factor;
    bytes += other.bytes * factor;
    timeS += other.timeS * factor;
    algorithm = other.algorithm;
    link = other.link;
    groupSize = other.groupSize;
}

namespace {

int groupIndex(CollectiveGroup group) {
    switch (group) {
        case CollectiveGroup::context: return 1;
        case CollectiveGroup::expert:
        case CollectiveGroup::expertTensor: return 2;
        case CollectiveGroup::tensor:
        case CollectiveGroup::data:
        case CollectiveGroup::none: break;
    }
    return 0;
}

int collectiveIndex(CollectiveKind kind) {
    switch (kind) {
        case CollectiveKind::allReduce: return 0;
        case CollectiveKind::allGather: return 1;
        case CollectiveKind::reduceScatter: return 2;
        case CollectiveKind::allToAll: return 3;
        case CollectiveKind::sendRecv:
        case CollectiveKind::ring:
        case CollectiveKind::none: break;
    }
    return 4;
}

const GroupShape& shapeOf(const StageGroups& groups, CollectiveGroup group) {
    switch (group) {
        case CollectiveGroup::context: return groups.context;
        case CollectiveGroup::expert: return groups.expert;
        case CollectiveGroup::expertTensor: return groups.expertTensor;
        case CollectiveGroup::data: return groups.data;
        case CollectiveGroup::tensor:
        case CollectiveGroup::none: break;
    }
    return groups.tensor;
}

double& exposedOf(PassCost& pass, int group) { return group == 0 ? pass.tensorS : group == 1 ? pass.contextS : pass.expertS; }

/// Compute of one operator in each pass.
struct OperatorTime {
    double forwardS = 0;
    double backwardInputS = 0;
    double backwardWeightS = 0;
};

bool isHead(const Operator& op) { return op.module == ModuleTag::head || op.module == ModuleTag::router; }

class LayerPricer {
  public:
    LayerPricer(std::span<const Operator> operators, const PricingContext& context) : operators_(operators), c_(context) {}

    LayerCost price() {
        for (std::size_t i = 0; i < operators_.size(); ++i) addCompute(operators_[i]);
        for (std::size_t i = 0; i < operators_.size(); ++i)
            if (operators_[i].kind == OperatorKind::collective) addCollective(i);
        finish();
        return cost_;
    }

  private:
    /// Rotary positions and gated activations are single kernels in Megatron's stacks, several framework operations elsewhere.
    [[nodiscard]] bool fusedKernels() const { return c_.stack == SoftwareStack::fused || c_.stack == SoftwareStack::classic; }

    /// Framework operations that the host issues for an operator in forward: the product and its bias, views and
    /// transposes around attention, ...
    [[nodiscard]] double dispatches(const Operator& op) const {
        switch (op.kind) {
            case OperatorKind::gemm: return 2;
            case OperatorKind::groupedGemm: return 7;
            case OperatorKind::attention: return c_.attention == AttentionKernel::unfused ? 8 : 4;
            case OperatorKind::scan: return 4;
            case OperatorKind::collective:
                switch (op.collective) {
                    case CollectiveKind::none: return 0;
                    case CollectiveKind::allReduce: return 1;  // in place
                    case CollectiveKind::allToAll: return 20;  // counts first, which the host must read
                    case CollectiveKind::allGather:
                    case CollectiveKind::reduceScatter:
                    case CollectiveKind::ring:
                    case CollectiveKind::sendRecv: break;
                }
                return 5;
            case OperatorKind::elementwise: return op.module == ModuleTag::norm && c_.fusedNorm ? 2 : 1.5 * std::max(1.0, op.kernels);
        }
        return 1;
    }

    [[nodiscard]] OperatorTime timeOf(const Operator& op) const {
        OperatorTime t;
        const auto& device = *c_.device;
        switch (op.kind) {
            case OperatorKind::gemm:
            case OperatorKind::groupedGemm: {
                const Precision precision = isHead(op) ? Precision::bf16 : c_.precision;
                const double m = op.kind == OperatorKind::groupedGemm ? op.m / std::max(1.0, op.batch) : op.m;
                const double grouped = op.kind == OperatorKind::groupedGemm ? 1 / device.efficiency.groupedGemmShare : 1;
                t.forwardS = grouped * gemmTime(device, precision, m, op.n, op.k, op.batch).totalS();
                if (op.backwardInputFlops > 0) t.backwardInputS = grouped * gemmTime(device, precision, m, op.k, op.n, op.batch).totalS();
                if (op.backwardWeightFlops > 0) {
                    const GemmTime weight = gemmTime(device, precision, op.n, op.k, m, op.batch);
                    const double accumulate = op.batch * op.n * op.k * c_.gradientAccumulateBytes / (device.efficiency.memoryShare * device.memoryBytesPerS);
                    t.backwardWeightS = c_.fusedAccumulation ? std::max(grouped * weight.totalS(), accumulate * device.slowdown + weight.overheadS)
                                                             : grouped * weight.totalS() + accumulate * device.slowdown;
                }
                break;
            }
            case OperatorKind::attention: {
                AttentionShape shape{op.sequences, op.queryLength, op.keyLength, op.heads, op.headDim, op.valueDim, op.causal};
                t.forwardS = attentionForwardTime(device, c_.attention, shape).totalS();
                t.backwardInputS = attentionBackwardTime(device, c_.attention, shape).totalS();
                break;
            }
            case OperatorKind::scan: {
                const double rate = 0.25 * device.peak16FlopsPerS;
                t.forwardS = std::max(op.forwardFlops / rate, memoryBoundTime(device, op.forwardBytes, op.kernels));
                t.backwardInputS = std::max(op.backwardInputFlops / rate, memoryBoundTime(device, op.backwardBytes, 2 * op.kernels));
                break;
            }
            case OperatorKind::elementwise:
                if (op.module == ModuleTag::norm) {
                    const auto& e = device.efficiency;
                    const double bandwidth = device.memoryBytesPerS / device.slowdown;
                    t.forwardS = 2 * op.outputBytes / (bandwidth * (c_.fusedNorm ? e.normForwardShare : e.unfusedNormShare)) + e.kernelS;
                    t.backwardInputS = 3 * op.outputBytes / (bandwidth * (c_.fusedNorm ? e.normBackwardShare : e.unfusedNormShare)) + e.kernelS;
                    break;
                }
                {
                    const double passes = fusedKernels() ? 1 : op.module == ModuleTag::attention ? device.efficiency.rotaryPasses
                                                          : op.module == ModuleTag::activation && c_.gated ? device.efficiency.gatedPasses
                                                                                                           : 1;
                    t.forwardS = memoryBoundTime(device, passes * op.forwardBytes, op.kernels);
                    t.backwardInputS = memoryBoundTime(device, passes * op.backwardBytes, std::max(1.0, op.kernels));
                }
                break;
            case OperatorKind::collective: break;
        }
        return t;
    }

    static double& partOf(PassCost& pass, OperatorKind kind) {
        switch (kind) {
            case OperatorKind::gemm:
            case OperatorKind::groupedGemm: return pass.gemmS;
            case OperatorKind::attention: return pass.attentionS;
            case OperatorKind::scan:
            case OperatorKind::elementwise:
            case OperatorKind::collective: break;
        }
        return pass.memoryBoundS;
    }

    [[nodiscard]] double rerunShare(const Operator& op) const {
        if ((c_.recomputeModules & static_cast<std::uint16_t>(RecomputeModule::every_second_matmul)) != 0 &&
            (op.rerunBy & static_cast<std::uint16_t>(RecomputeModule::every_second_matmul)) != 0)
            return op.rerunByEverySecondMatmul;
        return (op.rerunBy & c_.recomputeModules) != 0 ? 1.0 : 0.0;
    }

    void addCompute(const Operator& op) {
        const OperatorTime t = timeOf(op);
        times_.push_back(t);
        const double causal = op.kind == OperatorKind::attention && op.causal && c_.attention != AttentionKernel::unfused ? 0.5 : 1.0;
        partOf(cost_.forward, op.kind) += t.forwardS;
        cost_.forward.flops += op.forwardFlops * causal;
        partOf(cost_.backwardInput, op.kind) += t.backwardInputS;
        cost_.backwardInput.flops += op.backwardInputFlops * causal;
        partOf(cost_.backwardWeight, op.kind) += t.backwardWeightS;
        cost_.backwardWeight.flops += op.backwardWeightFlops;
        if (const double again = rerunShare(op); again > 0) {
            partOf(cost_.recompute, op.kind) += again * t.forwardS;
            cost_.recompute.flops += again * op.forwardFlops * causal;
            dispatchesRecompute_ += again * dispatches(op);
        }
        dispatchesForward_ += dispatches(op);
        // The backward graph runs without the interpreter, but every product has two.
        dispatchesBackward_ += 1.2 * dispatches(op);
        cost_.modelFlopsForward += op.forwardFlops;
        if (op.kind == OperatorKind::attention && op.causal) cost_.attentionFlopsForward += op.forwardFlops;
        cost_.parameters += op.parameters - op.expertParameters;
        cost_.expertParameters += op.expertParameters;
    }

    /// The nearest matrix product after (direction 1) an operator: what its backward collectives can hide under.
    [[nodiscard]] const OperatorTime* productAfter(std::size_t index) const {
        for (std::size_t i = index + 1; i < operators_.size(); ++i) {
            const auto kind = operators_[i].kind;
            if (kind == OperatorKind::gemm || kind == OperatorKind::groupedGemm) return &times_[i];
            if (kind == OperatorKind::attention) return nullptr;
        }
        return nullptr;
    }
    [[nodiscard]] const OperatorTime* productBefore(std::size_t index) const {
        for (std::size_t i = index; i-- > 0;) {
            const auto kind = operators_[i].kind;
            if (kind == OperatorKind::gemm || kind == OperatorKind::groupedGemm) return &times_[i];
        }
        return nullptr;
    }
    [[nodiscard]] const OperatorTime* attentionOf() const {
        for (std::size_t i = 0; i < operators_.size(); ++i)
            if (operators_[i].kind == OperatorKind::attention) return &times_[i];
        return nullptr;
    }

    /// A collective beside `windowS` of compute: what sticks out, and how much the compute is stretched meanwhile.
    void overlapWith(PassCost& pass, int group, double communicationS, double windowS) const {
        const double slow = group == 0 ? c_.device->efficiency.tensorSlowdown : c_.device->efficiency.communicationSlowdown;
        const double hidden = std::min(communicationS, windowS * slow);
        exposedOf(pass, group) += communicationS - hidden;
        pass.slowdownS += hidden * (1 - 1 / slow);
    }

    void addCollective(std::size_t index) {
        const Operator& op = operators_[index];
        const int group = groupIndex(op.group);
        const GroupShape& shape = shapeOf(*c_.groups, op.group);
        const auto forward = collectiveTime(op.collective, op.collectiveBytes, shape, *c_.constants, c_.tokenCopies);
        const auto backward = collectiveTime(op.backwardCollective, op.backwardCollectiveBytes, shape, *c_.constants, c_.tokenCopies);
        auto& counts = cost_.traffic[group];
        counts[collectiveIndex(op.collective)].add(forward, shape.ranks);
        counts[collectiveIndex(op.backwardCollective)].add(backward, shape.ranks);
        cost_.fullRecomputeTraffic[group][collectiveIndex(op.collective)].add(forward, shape.ranks);
        const double again = rerunShare(op);
        if (again > 0) cost_.recomputeTraffic[group][collectiveIndex(op.collective)].add(forward, shape.ranks, again);

        if (op.group == CollectiveGroup::tensor) {
            addTensor(index, op, forward.totalS, backward.totalS, again);
        } else if (op.group == CollectiveGroup::context) {
            const OperatorTime* attention = attentionOf();
            if (op.collective == CollectiveKind::ring && attention != nullptr) {
                // Each step sends the next keys while attention works on the last ones; the first block is at home.
                const double share = shape.ranks > 1 ? (shape.ranks - 1.0) / shape.ranks : 0;
                overlapWith(cost_.forward, group, forward.totalS, share * attention->forwardS);
                overlapWith(cost_.backwardInput, group, backward.totalS, share * attention->backwardInputS);
                if (again > 0) overlapWith(cost_.recompute, group, forward.totalS * again, share * attention->forwardS);
            } else {
                cost_.forward.contextS += forward.totalS;
                cost_.backwardInput.contextS += backward.totalS;
                cost_.recompute.contextS += again * forward.totalS;
            }
        } else {
            expertForward_ += forward.totalS;
            expertBackward_ += backward.totalS;
            expertRecompute_ += again * forward.totalS;
        }
    }

    void addTensor(std::size_t index, const Operator& op, double forwardS, double backwardS, double again) {
        const bool pipelined = c_.overlap.tensor.value_or(false);
        // Megatron-LM hides the backward collectives under the weight gradients; other stacks wait for each.
        const bool blocking = !c_.overlap.tensor.value_or(fusedKernels());
        const OperatorTime* after = productAfter(index);
        const OperatorTime* before = productBefore(index);
        constexpr int kTensor = 0;
        // Chunks of the collective run under chunks of the neighbouring product; the first or last chunk sticks out.
        constexpr double kHiddenShare = 0.75;
        const auto pipelinedUnder = [&](PassCost& pass, double communicationS, double productS) {
            exposedOf(pass, kTensor) += (1 - kHiddenShare) * communicationS;
            overlapWith(pass, kTensor, kHiddenShare * communicationS, kHiddenShare * productS);
        };
        const bool gathers = op.collective == CollectiveKind::allGather || (op.collective == CollectiveKind::none && after != nullptr);
        if (forwardS > 0) {
            const OperatorTime* neighbour = gathers ? after : before;
            if (pipelined && neighbour != nullptr) pipelinedUnder(cost_.forward, forwardS, neighbour->forwardS);
            else cost_.forward.tensorS += forwardS;
            if (again > 0) {
                if (pipelined && neighbour != nullptr) pipelinedUnder(cost_.recompute, again * forwardS, neighbour->forwardS);
                else cost_.recompute.tensorS += again * forwardS;
            }
        }
        if (backwardS <= 0) return;
        if (gathers && !blocking && after != nullptr) {
            // The second gather of the input runs under the input gradient, the sum of input gradients under the weight gradient.
            const bool again2 = op.backwardCollective == CollectiveKind::allGather;
            overlapWith(again2 ? cost_.backwardInput : cost_.backwardWeight, kTensor, backwardS,
                        again2 ? after->backwardInputS : after->backwardWeightS);
        } else if (pipelined && before != nullptr) {
            pipelinedUnder(cost_.backwardInput, backwardS, before->backwardInputS);
        } else {
            cost_.backwardInput.tensorS += backwardS;
        }
    }

    void finish() {
        constexpr int kExpert = 2;
        cost_.fullRecompute = cost_.forward;
        if (c_.overlap.expert.value_or(false)) {
            // Dispatch and combine of one micro-batch under the compute of another one.
            overlapWith(cost_.forward, kExpert, expertForward_, 0.8 * cost_.forward.computeS());
            overlapWith(cost_.backwardInput, kExpert, expertBackward_, 0.8 * (cost_.backwardInput.computeS() + cost_.backwardWeight.computeS()));
        } else {
            cost_.forward.expertS += expertForward_;
            cost_.backwardInput.expertS += expertBackward_;
        }
        cost_.recompute.expertS += expertRecompute_;
        cost_.fullRecompute.expertS += expertForward_;
        // A pass whose kernels are shorter than the host needs to issue them runs at the host's pace.
        const double dispatch = c_.device->efficiency.dispatchS;
        const auto host = [dispatch](PassCost& pass, double count) { pass.launchS += std::max(0.0, count * dispatch - pass.totalS()); };
        host(cost_.forward, dispatchesForward_);
        host(cost_.fullRecompute, dispatchesForward_);
        host(cost_.recompute, dispatchesRecompute_);
        cost_.backwardInput.launchS += std::max(0.0, dispatchesBackward_ * dispatch - cost_.backwardInput.totalS() - cost_.backwardWeight.totalS());
    }

    std::span<const Operator> operators_;
    const PricingContext& c_;
    LayerCost cost_;
    std::vector<OperatorTime> times_;
    double dispatchesForward_ = 0, dispatchesBackward_ = 0, dispatchesRecompute_ = 0;
    double expertForward_ = 0, expertBackward_ = 0, expertRecompute_ = 0;
};

}  // namespace

LayerCost layerCost(std::span<const Operator> operators, const PricingContext& context) { return LayerPricer(operators, context).price(); }

}  // namespace trainyard
