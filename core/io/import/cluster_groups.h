#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/io/import/import_builder.h"

namespace trainyard {

/// Nodes of one kind, as an inventory lists them.
struct NodeGroup {
    std::string id;           ///< of the block that is drawn; free of repetition
    std::string accelerator;  ///< preset id
    std::int64_t nodes = 1;
    std::int64_t perNode = 8;  ///< accelerators of one node
};

/// Puts the cluster of these groups into the import: a node preset where there is one kind, else one block per kind behind one
/// switch, with 100 Gb/s assumed from every node unless `networkBytesPerS` says more.
void takeClusterOfGroups(ImportBuilder& builder, const std::vector<NodeGroup>& groups, double networkBytesPerS = 0);

/// The accelerator that a name of a driver or scheduler means. Unknown: the one the user gives with `--define ACCELERATOR=NAME`,
/// else an H100, and the report says which name was not known. `name` may be empty.
[[nodiscard]] std::string settleAccelerator(ImportBuilder& builder, std::string_view name);

}  // namespace trainyard
