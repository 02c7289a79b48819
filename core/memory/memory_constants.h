#pragma once

namespace trainyard::memory_constants {

inline constexpr double kMiB = 1048576.0;
inline constexpr double kGiB = 1073741824.0;

/// Every process group after the first: 544 to 688 MiB reported in a training job (UC-026, UC-079).
inline constexpr double kCommunicatorBytes = 600 * kMiB;
/// Matrix library workspace: 32 MiB per stream on Hopper, 8 before; frameworks hold several.
inline constexpr double kKernelWorkspaceBytes = 128 * kMiB;
/// Blocks of a micro-batch and blocks of the optimizer step differ in size: of the smaller phase this share is held besides.
inline constexpr double kPhaseSlack = 0.5;
/// DeepSpeed's default buckets, elements (allgather_bucket_size and reduce_bucket_size), in the precision of the gradients.
inline constexpr double kBucketElements = 5e8;

}  // namespace trainyard::memory_constants
