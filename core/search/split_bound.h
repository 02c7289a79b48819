#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/search/split_pricer.h"

namespace trainyard {

/// Smallest step that a split could have: every stage must work m micro-batches between the first one's way in and the last
/// one's way out. Needs a separable pricer (layers alike, one stage per rank).
class SplitBound {
  public:
    explicit SplitBound(SplitPricer& pricer);

    /// Of one stage, when the stages before it keep it waiting for `before` seconds.
    [[nodiscard]] double stageS(std::size_t stage, std::int64_t layers, double before) const {
        return before + microBatches_ * workS(stage, layers);
    }
    [[nodiscard]] double workS(std::size_t stage, std::int64_t layers) const { return work_[stage][static_cast<std::size_t>(layers)]; }
    [[nodiscard]] double passageS(std::size_t stage, std::int64_t layers) const { return passage_[stage][static_cast<std::size_t>(layers)]; }
    [[nodiscard]] std::int64_t mostLayers(std::size_t stage) const { return most_[stage]; }
    /// Smallest time T such that the stages from `first` on hold `layers` layers with m x work <= T each; infinite if their
    /// memory does not hold so many.
    [[nodiscard]] double restS(std::size_t first, std::int64_t layers) const { return rest_[first][static_cast<std::size_t>(layers)]; }
    /// The split whose bound is smallest, and that bound; no split and infinity if memory holds none. For a time T the fewest
    /// seconds of waiting with which the first s stages can have taken k layers follow from those of s - 1 stages; T is bisected.
    [[nodiscard]] std::pair<double, LayerSplit> best() const;

  private:
    void fillRest();
    [[nodiscard]] bool reachable(double limitS, LayerSplit& split) const;

    double microBatches_;
    std::int64_t layers_;
    std::vector<std::vector<double>> work_;  ///< [stage][layers]
    std::vector<std::vector<double>> passage_;
    std::vector<std::int64_t> most_;
    std::vector<std::vector<double>> rest_;
};

}  // namespace trainyard
