#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/engine/evaluation.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// What an exporter made: the text, and what the format could not say.
struct Exported {
    std::string text;
    std::vector<std::string> notExpressed;  ///< also stand as comments in the text where the format has comments
    std::string command;                    ///< a line that starts the run with this text in a file; empty where there is none
};

/// One target format. Each exporter is one file.
struct Exporter {
    std::string_view id;  ///< as in `trainyard-cli export --to KIND`
    std::string_view title;
    std::string_view target;     ///< framework and version it writes for
    std::string_view extension;  ///< of a file, without the dot
    /// Refuses (an error naming the pointer) what the framework cannot run; a small loss is said in `notExpressed`.
    Result<Exported> (*write)(const Scenario& scenario, const Evaluation& evaluation);
};

/// All exporters, in a stable order for menus.
[[nodiscard]] std::span<const Exporter> allExporters();
[[nodiscard]] const Exporter* findExporterOrNull(std::string_view id);
/// Evaluates the scenario and writes it. An unknown id is a `commandLine` error naming the known ones; an infeasible plan is
/// refused.
[[nodiscard]] Result<Exported> exportScenario(std::string_view id, const Scenario& scenario);

Result<Exported> exportJson(const Scenario&, const Evaluation&);
Result<Exported> exportLink(const Scenario&, const Evaluation&);
Result<Exported> exportCsv(const Scenario&, const Evaluation&);
Result<Exported> exportMarkdown(const Scenario&, const Evaluation&);
Result<Exported> exportTrace(const Scenario&, const Evaluation&);
Result<Exported> exportScheduleCsv(const Scenario&, const Evaluation&);
Result<Exported> exportMegatron(const Scenario&, const Evaluation&);
Result<Exported> exportNemo(const Scenario&, const Evaluation&);
Result<Exported> exportDeepspeed(const Scenario&, const Evaluation&);
Result<Exported> exportTorchtitan(const Scenario&, const Evaluation&);
Result<Exported> exportTorchtitanPython(const Scenario&, const Evaluation&);
Result<Exported> exportNanotron(const Scenario&, const Evaluation&);
Result<Exported> exportAccelerate(const Scenario&, const Evaluation&);
Result<Exported> exportSlurm(const Scenario&, const Evaluation&);

}  // namespace trainyard
