// step_time FILE: the step time of a scenario, with the installed engine.
#include <cstdio>

#include "core/engine/evaluate.h"
#include "core/io/json/scenario_json.h"

int main(int argc, char** argv) {
    const auto scenario = trainyard::readScenarioFile(argc > 1 ? argv[1] : "-", trainyard::presetLibrary());
    if (!scenario) return std::fprintf(stderr, "%s: %s\n", scenario.error().where.c_str(), scenario.error().message.c_str()), 1;
    const trainyard::Evaluation evaluation = trainyard::evaluate(*scenario, trainyard::Depth::simulated);
    for (const auto& found : evaluation.diagnostics) std::fprintf(stderr, "%s: %s\n", found.pointer.c_str(), found.message.c_str());
    std::printf("%s: %.3f s per step\n", scenario->name.c_str(), evaluation.time.stepS);
    return evaluation.feasible ? 0 : 1;
}
