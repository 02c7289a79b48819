#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/schedule/action.h"

namespace trainyard {

/// The letters of torch's pipelining CSV changed: old files write `B` for the input gradient and `BW` for the whole
/// backward, new ones `I` and `B`.
enum class TorchDialect : std::uint8_t { current, old };

struct TorchImport {
    ActionLists lists;
    TorchDialect dialect = TorchDialect::current;
    bool hasCommunication = false;
    std::vector<std::string> notes;  ///< what was assumed or left out, in the user's words
};

/// Reads a CSV of torch.distributed.pipelining (one row per rank, cells `<stage><op><micro-batch>`), with or without
/// communication. Every cell must match wholly; empty cells are idle slots and are dropped. Sends and receives become order
/// hints on the pipeline lane. Errors name `where:line:cell`. What the lists mean is not checked; see validateLists().
[[nodiscard]] Result<TorchImport> parseTorchCsv(std::string_view text, std::string_view where);

enum class TorchForm : std::uint8_t { computeOnly, withCommunication };

/// Writes the CSV in the current dialect. Refuses with a reason what the format cannot say: bidirectional schedules, sequence
/// slices, recompute, transfers to partners or the host. `withCommunication` adds gathers (three stages ahead), reductions
/// and transfers where torch's own lowering puts them.
[[nodiscard]] Result<std::string> writeTorchCsv(const ActionLists& lists, TorchForm form);

}  // namespace trainyard
