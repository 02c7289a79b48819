#pragma once

#include <memory>

#include "core/base/error.h"
#include "core/schedule/action.h"
#include "core/schedule/timeline.h"

namespace trainyard {

/// Memory that one simulation after another can use again. One per thread.
class SimulationWorkspace {
  public:
    SimulationWorkspace();
    ~SimulationWorkspace();
    SimulationWorkspace(SimulationWorkspace&&) noexcept;
    SimulationWorkspace& operator=(SimulationWorkspace&&) noexcept;

    struct Memory;
    [[nodiscard]] Memory& memory() { return *memory_; }

  private:
    std::unique_ptr<Memory> memory_;
};

/// Runs every rank's list in order (catalogue engine A): an action starts when its rank is free and all producers'
/// results have arrived. Exact integer ticks. A deadlock is an error naming the blocked action and the missing producer.
/// Time and memory: linear in the actions, no heap of events.
[[nodiscard]] Result<Timeline> simulate(const ActionLists& lists, const StageTimes& times);

/// The same into `out`, whose vectors and the workspace are used again: no allocation once they are large enough.
/// After an error `out` holds nothing of use.
[[nodiscard]] Result<void> simulateInto(const ActionLists& lists, const StageTimes& times, SimulationWorkspace& workspace,
                                        Timeline& out);

}  // namespace trainyard
