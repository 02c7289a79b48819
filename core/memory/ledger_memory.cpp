#include <algorithm>

#include "core/memory/memory_model.h"
#include "core/memory/software_stack.h"

namespace trainyard {

LedgerMemory ledgerMemory(std::span<const Operator> operators, std::uint16_t modules) {
    LedgerMemory sum;
    const bool operatorPolicy = (modules & static_cast<std::uint16_t>(RecomputeModule::every_second_matmul)) != 0;
    double previousOutput = 0, previousBuffer = 0;
    for (const Operator& op : operators) {
        if (op.tiedToEmbedding) sum.tiedParameters += op.parameters;
        else sum.denseParameters += op.parameters - op.expertParameters;
        sum.expertParameters += op.expertParameters;
        const bool product = op.kind == OperatorKind::gemm || op.kind == OperatorKind::groupedGemm;
        if (product && op.module != ModuleTag::head && op.module != ModuleTag::router) sum.matrixParameters += op.parameters;
        sum.weightGradientInputs += op.weightGradientInputBytes;

        if (op.module == ModuleTag::loss) {
            sum.lossKept += op.savedBytes;
            sum.lossPeak += op.savedBytes + op.workspaceBytes;
            continue;
        }
        sum.none.bytes += op.savedBytes;
        sum.none.forWeight += op.savedForWeightBytes;
        if (operatorPolicy) {
            sum.selective.bytes += op.keptByEverySecondMatmul;
            sum.selective.comesBack += std::max(0.0, op.savedBytes - op.keptByEverySecondMatmul);
        } else if ((op.droppedBy & modules) != 0) {
            sum.selective.comesBack += op.savedBytes;
        } else {
            sum.selective.bytes += op.savedBytes;
            sum.selective.forWeight += op.savedForWeightBytes;
        }
        sum.full.bytes += op.keptByFull;
        sum.full.comesBack += op.savedBytes;
        if (op.module == ModuleTag::moe && op.kind == OperatorKind::collective) sum.expertBuffers = std::max(sum.expertBuffers, op.workspaceBytes);

        // Backward of this operator: gradients of its result and of its input, its own buffers, a gathered operand.
        const double alive = op.outputBytes + previousOutput + op.workspaceBytes + previousBuffer;
        sum.backwardWorkingSet = std::max(sum.backwardWorkingSet, alive);
        if (op.outputBytes > 0) previousOutput = op.outputBytes;
        previousBuffer = op.kind == OperatorKind::collective ? std::max(previousBuffer * (op.outputBytes > 0 ? 0 : 1), op.workspaceBytes) : 0;
    }
    return sum;
}

ModelMemory modelMemory(const ModelSpec& model, const Workload& workload, const Sharding& sharding, std::uint16_t modules) {
    ModelMemory memory;
    memory.embedding = ledgerMemory(embeddingOperators(model, workload, sharding), modules);
    memory.head = ledgerMemory(headOperators(model, workload, sharding), modules);
    memory.layers = std::max<std::int64_t>(0, model.layers);
    std::vector<LayerKind> seen;
    for (const LayerRun& run : layerRuns(model)) {
        const auto found = std::find(seen.begin(), seen.end(), run.kind);
        memory.runs.push_back({run.end, static_cast<std::size_t>(found - seen.begin())});
        if (found == seen.end()) {
            seen.push_back(run.kind);
            memory.kinds.push_back(ledgerMemory(layerOperators(model, run.kind, workload, sharding), modules));
        }
    }
    memory.stack = sharding.stack;
    const double vocabularyShard = static_cast<double>(paddedVocabulary(model, sharding)) / static_cast<double>(sharding.tensor);
    memory.embedding.embeddingGradient = vocabularyShard * static_cast<double>(model.hiddenSize) * storageBytes(workload.precision);
    const double tokens = static_cast<double>(sharding.microBatchSize) * static_cast<double>(workload.sequenceLength) / static_cast<double>(sharding.context);
    const double shards = sharding.sequenceParallel ? static_cast<double>(sharding.tensor) : 1;
    memory.head.logits = tokens * vocabularyShard;
    memory.boundaryBytes = tokens / shards * static_cast<double>(model.hiddenSize) * storageBytes(workload.precision);
    return memory;
}

Sharding shardingOf(const Plan& plan) {
    Sharding sharding;
    sharding.tensor = plan.tensorParallel;
    sharding.context = plan.contextParallel;
    sharding.expert = plan.expertParallel;
    sharding.expertTensor = plan.expertTensorParallel;
    sharding.sequenceParallel = plan.sequenceParallel;
    sharding.contextMethod = plan.contextMethod;
    sharding.microBatchSize = plan.microBatchSize;
    return sharding;
}

Sharding shardingOf(const Scenario& scenario) {
    Sharding sharding = shardingOf(scenario.plan);
    sharding.stack = softwareStack(scenario);
    return sharding;
}

}  // namespace trainyard
