#include "core/schedule/placement.h"

#include <cstddef>

namespace trainyard {

namespace {

std::uint16_t asRank(int rank) { return static_cast<std::uint16_t>(rank); }

}  // namespace

StagePlacement linearPlacement(int ranks) { return loopedPlacement(ranks, 1); }

StagePlacement loopedPlacement(int ranks, int chunks) {
    StagePlacement placement(static_cast<std::size_t>(ranks) * static_cast<std::size_t>(chunks));
    for (std::size_t stage = 0; stage < placement.size(); ++stage)
        placement[stage] = static_cast<std::uint16_t>(stage % static_cast<std::size_t>(ranks));
    return placement;
}

StagePlacement wavePlacement(int ranks, int chunks) {
    StagePlacement placement;
    placement.reserve(static_cast<std::size_t>(ranks) * static_cast<std::size_t>(chunks));
    for (int chunk = 0; chunk < chunks; ++chunk)
        for (int i = 0; i < ranks; ++i) placement.push_back(asRank(chunk % 2 == 0 ? i : ranks - 1 - i));
    return placement;
}

StagePlacement rotatedPlacement(int ranks, int offset) {
    StagePlacement placement;
    for (int stage = 0; stage < ranks; ++stage) placement.push_back(asRank((stage + offset) % ranks));
    return placement;
}

StagePlacement mirroredPlacement(int ranks, int offset) {
    StagePlacement placement;
    for (int stage = 0; stage < ranks; ++stage) placement.push_back(asRank(((offset - stage) % ranks + ranks) % ranks));
    return placement;
}

}  // namespace trainyard
