#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/memory/stage_memory.h"
#include "core/model/model_spec.h"
#include "core/plan/plan.h"
#include "core/plan/rank_layout.h"
#include "core/plan/resolve.h"
#include "core/schedule/timeline.h"

namespace trainyard {

/// Means over the devices; the parts add up to stepS.
struct TimeSummary {
    double stepS = 0;
    double computeS = 0;
    double bubbleS = 0;
    double bubbleFraction = 0;
    double exposedTensorS = 0;
    double exposedPipelineS = 0;
    double exposedContextS = 0;
    double exposedExpertS = 0;
    double exposedDataS = 0;
    double optimizerS = 0;
    double offloadS = 0;
};

struct Throughput {
    double tokensPerS = 0;
    double tokensPerSPerDevice = 0;
    double modelTflopsPerDevice = 0;
    double hardwareTflopsPerDevice = 0;
    double mfu = 0;
    double hfu = 0;
    bool causalFlopsHalved = false;
};

enum class Collective : std::uint8_t { all_reduce, all_gather, reduce_scatter, all_to_all, send_recv };
[[nodiscard]] std::string_view name(Collective collective);

struct CommunicationItem {
    Dimension group = Dimension::tensor;
    Collective collective = Collective::all_reduce;
    double callsPerStep = 0;
    double bytesPerDevicePerStep = 0;  ///< sent by one device
    std::string link;                  ///< name of the narrowest link kind
    std::string algorithm;             ///< ring, tree, hierarchical, in-network, pairwise
    int groupSize = 1;
    double timeS = 0;
    double exposedS = 0;
};

/// Load of one drawn link (or of the inside of one node block).
struct LinkLoad {
    int link = -1;                     ///< index into ClusterSpec::links; -1: inside node block `nodeBlock`
    int nodeBlock = -1;
    double bytesPerStep = 0;           ///< both directions' larger one, summed over cables and node instances
    double utilisation = 0;            ///< of its capacity over the step
};

/// One evaluation: the figures of the contract, plus what the views draw. Immutable once made.
struct Evaluation {
    bool feasible = false;
    std::vector<Diagnostic> diagnostics;
    std::int64_t devices = 0;
    ParameterCounts parameters;

    bool computed = false;             ///< memory, time and all below are present
    MemorySummary memory;
    TimeSummary time;
    Throughput throughput;
    std::vector<CommunicationItem> communication;
    double powerWPerDevice = 0;
    double joulesPerToken = 0;
    std::optional<double> costPerHour;
    std::optional<double> costPerBillionTokens;
    struct Training {
        double tokens = 0;
        double steps = 0;
        double seconds = 0;
        std::optional<double> cost;
        double energyJ = 0;
    };
    std::optional<Training> training;  ///< if the workload says how many tokens
    bool insideValidatedRange = true;
    std::vector<std::string> validityNotes;

    // what the views draw, besides
    ResolvedPlan plan;
    std::shared_ptr<const RankLayout> layout;
    std::shared_ptr<const Timeline> timeline;   ///< simulated depth only
    std::vector<LinkLoad> links;
    /// Bytes sent per step from pipeline-and-data position to position: row-major blocks x blocks, where a block is one
    /// node instance if there are more than 64 devices, else one device.
    std::vector<double> trafficMatrix;
    int trafficBlocks = 0;
    bool trafficBlocksAreNodes = false;
};

}  // namespace trainyard
