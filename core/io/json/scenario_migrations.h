#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>

namespace trainyard {

/// Turns a scenario document of one version into one of the next: renamed keys, changed units.
struct ScenarioMigration {
    std::int64_t from = 1;
    void (*apply)(nlohmann::json& document);
};

/// One step per version that was ever released, in order. A new `kScenarioVersion` adds its step here, and files of the old
/// version to tests/golden/migrations.
[[nodiscard]] std::span<const ScenarioMigration> scenarioMigrations();

/// Brings a document whose `version` is a whole number up to `target`, step by step; the version follows. Newer documents and
/// those without a step are left as they are.
void migrate(nlohmann::json& document, std::span<const ScenarioMigration> steps, std::int64_t target);

}  // namespace trainyard
