#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/cluster/topology.h"
#include "core/plan/rank_layout.h"
#include "core/plan/resolve.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// Closed-form cost of a placement, kept up to date under exchanges of devices.
class PlacementCost {
  public:
    PlacementCost(const Scenario& scenario, const Topology& topology);

    [[nodiscard]] const std::vector<std::int32_t>& devices() const { return deviceOfRank_; }
    [[nodiscard]] std::int32_t rankOnDevice(std::int32_t device) const { return rankOfDevice_[static_cast<std::size_t>(device)]; }
    [[nodiscard]] double totalS() const;
    /// Exchanges the devices of pairs of ranks; doing it again undoes it.
    void exchange(std::span<const std::pair<std::int32_t, std::int32_t>> ranks);

  private:
    struct Volumes {
        double workS = 0;       ///< of a stage on the reference device, all micro-batches
        double tensorBytes = 0; ///< sent by one device, all micro-batches
        double sendBytes = 0;   ///< one message to the next stage
        double dataBytes = 0;   ///< sent by one device, once per step
    };
    [[nodiscard]] double rate(std::int32_t a, std::int32_t b) const {
        return rate_[static_cast<std::size_t>(a) * static_cast<std::size_t>(count_) + static_cast<std::size_t>(b)];
    }
    [[nodiscard]] double slowestHop(std::int32_t first, std::int32_t stride, std::int32_t size);
    void touch(std::int32_t rank);

    std::int32_t count_ = 0, tensor_ = 1, holders_ = 1, stages_ = 1, perStage_ = 1;
    double sendTimes_ = 1;  ///< hand-overs of a boundary that lengthen the step
    std::vector<Volumes> volumes_;           ///< per pipeline rank
    std::vector<float> rate_;                ///< bytes/s from device to device, for one device's flow beside its neighbours'
    std::vector<double> pace_;               ///< per device: time over that of the reference device
    std::vector<std::int32_t> deviceOfRank_, rankOfDevice_, members_;
    std::vector<double> tensorS_;            ///< per tensor group
    std::vector<double> dataS_;              ///< per ring of holders
    std::vector<double> sendS_;              ///< per rank of all stages but the last
    std::vector<double> stagePace_;          ///< per stage
    std::vector<double> boundaryS_;          ///< per boundary: its slowest lane
    std::vector<std::int32_t> touchedTensor_, touchedData_, touchedSend_, touchedStage_, touchedBoundary_;
    bool unequal_ = false;
};

}  // namespace trainyard
