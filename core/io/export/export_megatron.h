#pragma once

#include <string>
#include <vector>

#include "core/io/export/export_support.h"

namespace trainyard {

/// The arguments of `pretrain_gpt.py`, one per entry, in the groups that launch scripts use.
struct MegatronArguments {
    std::vector<std::string> model;
    std::vector<std::string> training;
    std::vector<std::string> parallel;
    std::vector<std::string> data;
    bool fullySharded = false;  ///< Megatron FSDP is used
};

[[nodiscard]] MegatronArguments megatronArguments(const Scenario& scenario, ExportNotes& notes);
/// The environment that these arguments need, as lines of a shell.
[[nodiscard]] std::string megatronEnvironment(const Scenario& scenario, const MegatronArguments& arguments);

}  // namespace trainyard
