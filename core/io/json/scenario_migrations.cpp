#include "core/io/json/scenario_migrations.h"

#include <nlohmann/json.hpp>

namespace trainyard {

std::span<const ScenarioMigration> scenarioMigrations() { return {}; }  // version 1 is the first

void migrate(nlohmann::json& document, std::span<const ScenarioMigration> steps, std::int64_t target) {
    for (const ScenarioMigration& step : steps) {
        if (!document.is_object() || !document.contains("version") || !document["version"].is_number_integer()) return;
        if (document["version"] != step.from || step.from >= target) continue;
        step.apply(document);
        document["version"] = step.from + 1;
    }
}

}  // namespace trainyard
