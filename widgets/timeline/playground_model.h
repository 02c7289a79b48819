#pragma once

#include <QString>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "widgets/timeline/timeline_model.h"

namespace trainyard {

/// Stands in PlaygroundSetup::schedules for the schedule that is written there.
inline constexpr const char* kOwnSchedule = "own";

/// What the schedule playground is asked to show: the same work for every schedule. Times are in units, for one micro-batch on
/// one device's whole share of the layers; chunks and slices take their part of them.
struct PlaygroundSetup {
    std::vector<std::string> schedules{"1f1b"};
    int devices = 4;
    int microBatches = 8;
    int chunks = 2;  ///< for schedules that take them
    int slices = 2;  ///< for schedules that take them
    double forward = 1;
    double backwardInput = 1;
    double backwardWeight = 1;
    double communication = 0;  ///< latency from stage to stage
    int slowDevice = -1;       ///< -1: none
    double slowFactor = 1.5;
    double jitter = 0;    ///< every action takes up to this share longer or shorter
    std::string ownText;  ///< a schedule of one's own: notation, native JSON or torch CSV
    std::vector<std::pair<std::string, std::int64_t>> parameters;  ///< schedules take those they know
    bool operator==(const PlaygroundSetup&) const = default;
};

struct PlaygroundResult {
    QString title;
    std::shared_ptr<const TimelineModel> model;  ///< null if the schedule cannot be built
    QString problem;                             ///< why not, in the words of the schedule
    QString note;                                ///< `4 devices, 8 micro-batches, 64 actions`; of one's own schedule only
};

/// The order of a schedule of this setup in the notation, as a start for one's own; empty if it cannot be built.
[[nodiscard]] std::string orderOf(const PlaygroundSetup& setup, const std::string& schedule);

/// Actions that all schedules together would have, about.
[[nodiscard]] double playgroundActions(const PlaygroundSetup& setup);

/// Builds and simulates every schedule; a pure function, also away from the window's thread.
[[nodiscard]] std::vector<PlaygroundResult> playTimelines(const PlaygroundSetup& setup);

}  // namespace trainyard
