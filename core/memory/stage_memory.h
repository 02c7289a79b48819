#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

enum class MemoryVerdict : std::uint8_t { fits, tight, out_of_memory };
[[nodiscard]] std::string_view name(MemoryVerdict verdict);

/// Share of usable capacity up to which a plan is said to fit with a margin (Fujii et al., arXiv 2411.06465).
inline constexpr double kSafeMemoryShare = 0.8;

/// Peak memory of one device of a pipeline stage (the fullest). The parts add up to totalBytes.
struct StageMemory {
    int stage = 0;                 ///< pipeline rank
    std::string accelerator;
    int device = 0;                ///< the fullest device of the stage
    double parametersBytes = 0;
    double gradientsBytes = 0;
    double optimizerBytes = 0;
    double activationsBytes = 0;
    double logitsBytes = 0;
    double temporaryBytes = 0;
    double communicationBytes = 0;
    double frameworkBytes = 0;
    double totalBytes = 0;
    double capacityBytes = 0;
    double inFlightMicrobatches = 0;
    double loadPeakBytes = 0;
    double optimizerPeakBytes = 0;
    double allocatedBytes = 0;     ///< live tensors only
    double reservedBytes = 0;      ///< with what the allocator holds
    double activationBytesPerMicrobatch = 0;
};

struct MemorySummary {
    MemoryVerdict verdict = MemoryVerdict::fits;
    double peakBytes = 0;          ///< == peakDeviceBytes
    int peakStage = 0;             ///< stage whose share of its capacity is largest
    double capacityBytes = 0;      ///< of that stage
    double peakAllocatedBytes = 0;
    double peakReservedBytes = 0;
    double peakDeviceBytes = 0;
    std::vector<StageMemory> stages;
};

}  // namespace trainyard
