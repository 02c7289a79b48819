#pragma once

#include <cstdint>
#include <vector>

namespace trainyard {

/// Where each stage lives: stage -> rank. Stages are numbered in model order from 0.
using StagePlacement = std::vector<std::uint16_t>;

/// Stage s on rank s.
[[nodiscard]] StagePlacement linearPlacement(int ranks);
/// Chunk c of rank r is stage c * ranks + r.
[[nodiscard]] StagePlacement loopedPlacement(int ranks, int chunks);
/// Even chunks run down the ranks, odd chunks up again; 2 chunks make a V, 2w chunks make w waves.
[[nodiscard]] StagePlacement wavePlacement(int ranks, int chunks);
/// Stage s on rank (s + offset) mod ranks.
[[nodiscard]] StagePlacement rotatedPlacement(int ranks, int offset);
/// Stage s on rank (offset - s) mod ranks, counted down.
[[nodiscard]] StagePlacement mirroredPlacement(int ranks, int offset);

}  // namespace trainyard
