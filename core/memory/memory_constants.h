#pragma once

namespace trainyard::memory_constants {

inline constexpr double kMiB = 1048576.0;
inline constexpr double kGiB = 1073741824.0;

/// CUDA context with loaded kernels of a training framework: 0.45 to 1.8 GiB seen (user reports UC-079, Machine Learning
/// Engineering book); new drivers near 0.5.
inline constexpr double kContextBytes = 0.55 * kGiB;
/// Communication library, first group: 342 to 392 MiB measured (aiconfigurator).
inline constexpr double kFirstCommunicatorBytes = 392 * kMiB;
/// Every further process group: channels of 4 MiB buffers.
inline constexpr double kCommunicatorBytes = 160 * kMiB;
/// Matrix library workspace: 32 MiB per stream on Hopper, 8 before; frameworks hold several.
inline constexpr double kKernelWorkspaceBytes = 128 * kMiB;
/// Share of the allocator's blocks that is split and not reusable.
inline constexpr double kAllocatorSlack = 0.03;
/// DeepSpeed's default bucket, elements (allgather_bucket_size, reduce_bucket_size).
inline constexpr double kBucketElements = 5e8;

}  // namespace trainyard::memory_constants
