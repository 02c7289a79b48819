#include "core/engine/validity.h"

#include <fmt/format.h>

#include "core/compute/device_efficiency.h"
#include "core/engine/calibration_constants.h"
#include "core/schedule/registry.h"

namespace trainyard {

void fillValidity(Evaluation& e, const Scenario& scenario, const StepTime& step) {
    const auto outside = [&e](std::string note) {
        e.insideValidatedRange = false;
        e.validityNotes.push_back(std::move(note));
    };
    if (!step.note.empty()) e.validityNotes.push_back(step.note);
    if (e.devices > 6144) outside(fmt::format("{} devices: the largest measured run that the model was checked against has 6144", e.devices));
    if (scenario.workload.sequenceLength > 131072)
        outside(fmt::format("sequences of {} tokens: checked up to 131072", scenario.workload.sequenceLength));
    for (const auto& node : scenario.cluster->nodes)
        for (const auto& group : node.accelerators) {
            const auto generation = deviceEfficiency(*group.accelerator, {}).generation;
            if (generation == DeviceGeneration::volta || generation == DeviceGeneration::ampere || generation == DeviceGeneration::hopper ||
                generation == DeviceGeneration::blackwell || generation == DeviceGeneration::cdna3 || generation == DeviceGeneration::cdna4)
                continue;
            outside(fmt::format("{}: no measured training run of this generation was at hand; its efficiencies are general", group.accelerator->id));
        }
    if (const auto* schedule = findScheduleOrNull(scenario.plan.schedule)) {
        if (schedule->semantics == ScheduleSemantics::staleWeights) e.validityNotes.push_back("this schedule trains on stale weights: time per step is comparable, progress per step is not");
        if (schedule->semantics == ScheduleSemantics::localLosses) e.validityNotes.push_back("this schedule trains with local losses: it changes the learned model");
    }
    if (auto sentence = calibrationSentence(scenario.calibration, CalibrationWords::withConstants); !sentence.empty()) e.validityNotes.push_back(std::move(sentence));
    for (const auto& [name, value] : scenario.calibration)
        if (name != kCalibrationCount && findCalibrationConstantOrNull(name) == nullptr)
            e.validityNotes.push_back(fmt::format("calibration: this version has no constant \"{}\"; it is kept and has no effect", name));
    if (scenario.workload.precision == Precision::nvfp4) outside("nvfp4 training: checked on few runs");
}

}  // namespace trainyard
