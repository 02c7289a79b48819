#pragma once

#include <string_view>

#include "core/io/import/import_builder.h"
#include "core/io/import/launch_flags.h"

namespace trainyard {

/// A launch script (or one line of it) as the arguments of what it starts. What the script leaves open goes into the report.
/// Settings of reinforcement-learning trainers and of Megatron-Bridge command lines are among the arguments.
[[nodiscard]] Result<Launch> readLaunchScript(std::string_view text, ImportBuilder& builder);

/// True if the arguments describe training with Megatron-LM.
[[nodiscard]] bool describesMegatron(const FlagSet& flags);

}  // namespace trainyard
