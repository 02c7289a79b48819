#pragma once

#include <cstdint>

/// Documented upper limits of what a scenario may hold. Above them a value is refused, so that no file can make the
/// program allocate or compute without bound.
namespace trainyard::limits {

inline constexpr std::int64_t kDevices = 1'048'576;
inline constexpr std::int64_t kLayers = 16'384;
inline constexpr std::int64_t kStages = 16'384;  ///< pipeline x virtual
inline constexpr std::int64_t kHiddenSize = 1'048'576;
inline constexpr std::int64_t kHeads = 65'536;
inline constexpr std::int64_t kVocabSize = 1'073'741'824;
inline constexpr std::int64_t kExperts = 65'536;
inline constexpr std::int64_t kSequenceLength = 1'073'741'824;
inline constexpr std::int64_t kGlobalBatchSize = 1'073'741'824;
inline constexpr std::int64_t kMicroBatches = 1'073'741'824;
inline constexpr std::int64_t kBlocks = 4'096;  ///< drawn node blocks, switches, links (each)
inline constexpr std::int64_t kDevicesPerNode = 4'096;

}  // namespace trainyard::limits
