#include "app/cli_schedule.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "core/schedule/golden_form.h"
#include "core/schedule/registry.h"
#include "core/schedule/simulate.h"

namespace trainyard {

namespace {

struct ScheduleOptions {
    std::string name;
    int stages = 1;
    int microBatches = 1;
    int chunks = 1;
    int slices = 1;
    std::vector<std::string> parameters;
    std::string times;
    std::string format = "text";
};

int exitStatusOf(const Error& error) {
    switch (error.kind) {
        case Error::Kind::unreadable: return 3;
        case Error::Kind::commandLine: return 2;
        case Error::Kind::invalid: return 1;
    }
    return 1;
}

/// Times in the user's units, before they become ticks.
struct UnitTimes {
    std::vector<double> forward, backwardInput, backwardWeight;
    double hop = 0;
};

Result<UnitTimes> parseTimes(const std::string& text) {
    UnitTimes times;
    if (text.empty()) {
        times.forward = times.backwardInput = times.backwardWeight = {1};
        return times;
    }
    std::vector<double> numbers;
    const char* place = text.data();
    const char* const finish = text.data() + text.size();
    while (place < finish) {
        double value = 0;
        const auto [next, error] = std::from_chars(place, finish, value);
        if (error != std::errc() || !std::isfinite(value) || value < 0 || (next < finish && *next != ','))
            return failure(Error::Kind::commandLine, "times", "--times",
                           fmt::format("`{}` is not F,BI,BW[,COMM] with finite numbers of at least 0", text));
        numbers.push_back(value);
        place = next + (next < finish ? 1 : 0);
    }
    if (numbers.size() < 3 || numbers.size() > 4 || text.back() == ',')
        return failure(Error::Kind::commandLine, "times", "--times",
                       fmt::format("`{}` has {} numbers; F,BI,BW or F,BI,BW,COMM are expected", text, numbers.size()));
    times.forward = {numbers[0]};
    times.backwardInput = {numbers[1]};
    times.backwardWeight = {numbers[2]};
    if (numbers.size() == 4) times.hop = numbers[3];
    return times;
}

/// The largest power of ten up to 1e9 with which no sum of times leaves the range of Ticks.
double ticksPerUnitFor(const UnitTimes& times, double actions) {
    double largest = times.hop;
    for (const std::vector<double>* list : {&times.forward, &times.backwardInput, &times.backwardWeight})
        for (const double value : *list) largest = std::max(largest, value);
    double scale = 1e9;
    while (scale > 1 && largest * 3 * actions * scale > 4e18) scale /= 10;
    return scale;
}

std::vector<Ticks> perStage(const std::vector<double>& values, int stages, double scale) {
    std::vector<Ticks> ticks;
    for (int stage = 0; stage < stages; ++stage)
        ticks.push_back(
            static_cast<Ticks>(std::llround((values.size() == 1 ? values[0] : values[static_cast<std::size_t>(stage)]) * scale)));
    return ticks;
}

StageTimes stageTimes(const UnitTimes& times, int stages, double scale) {
    StageTimes result;
    result.forward = perStage(times.forward, stages, scale);
    result.backwardInput = perStage(times.backwardInput, stages, scale);
    result.backwardWeight = perStage(times.backwardWeight, stages, scale);
    result.latencyForward.assign(static_cast<std::size_t>(stages), static_cast<Ticks>(std::llround(times.hop * scale)));
    result.latencyBackward = result.latencyForward;
    return result;
}

Result<ScheduleRequest> requestOf(const ScheduleOptions& options) {
    ScheduleRequest request;
    request.ranks = options.stages;
    request.microBatches = options.microBatches;
    request.chunks = options.chunks;
    request.slices = options.slices;
    for (const std::string& text : options.parameters) {
        const std::size_t equals = text.find('=');
        std::int64_t value = 0;
        const char* const finish = text.data() + text.size();
        const auto parsed = equals == std::string::npos ? std::from_chars_result{text.data(), std::errc::invalid_argument}
                                                        : std::from_chars(text.data() + equals + 1, finish, value);
        if (parsed.ec != std::errc() || parsed.ptr != finish)
            return failure(Error::Kind::commandLine, "param", "--param",
                           fmt::format("`{}` is not KEY=VALUE with a whole number", text));
        request.parameters.emplace_back(text.substr(0, equals), value);
    }
    return request;
}

Result<void> runSchedule(const ScheduleOptions& options) {
    Result<ScheduleRequest> request = requestOf(options);
    if (!request) return tl::unexpected<Error>(request.error());
    const Result<UnitTimes> times = parseTimes(options.times);
    if (!times) return tl::unexpected<Error>(times.error());

    const double scale = ticksPerUnitFor(*times, 3.0 * options.microBatches * options.chunks * options.slices * options.stages);
    const ScheduleDefinition* definition = findScheduleOrNull(options.name);
    if (definition != nullptr)
        request->times = stageTimes(*times, options.stages * effectiveChunks(*definition, *request), scale);
    const Result<ActionLists> lists = buildSchedule(options.name, *request);
    if (!lists) return tl::unexpected<Error>(lists.error());
    const Result<Timeline> timeline = simulate(*lists, stageTimes(*times, lists->stages, scale));
    if (!timeline) return tl::unexpected<Error>(timeline.error());

    const ScheduleHeading heading{std::string(definition->id), effectiveChunks(*definition, *request), scale};
    const fmt::memory_buffer out =
        options.format == "json" ? goldenForm(*lists, *timeline, heading) : timedText(*lists, *timeline, heading);
    if (std::fwrite(out.data(), 1, out.size(), stdout) != out.size())
        return failure(Error::Kind::unreadable, "output", "standard output", "could not be written");
    return {};
}

}  // namespace

void addScheduleCommand(CLI::App& program, int& exitStatus) {
    const auto options = std::make_shared<ScheduleOptions>();
    CLI::App* command =
        program.add_subcommand("schedule", "Ordered actions of every rank, start times, makespan, bubble and peak in flight");
    command->add_option("--name", options->name, "schedule, e.g. 1f1b, interleaved-1f1b, zb-h1")->required();
    command->add_option("--stages", options->stages, "pipeline ranks p")->required();
    command->add_option("--microbatches", options->microBatches, "micro-batches m")->required();
    command->add_option("--chunks", options->chunks, "model chunks per rank v");
    command->add_option("--slices", options->slices, "sequence slices per micro-batch k");
    command->add_option("--param", options->parameters, "KEY=VALUE, e.g. group=4, pipes=2, limit=8")
        ->expected(1)
        ->allow_extra_args(false);
    command->add_option("--times", options->times,
                        "F,BI,BW[,COMM]: forward, input backward, weight backward, one hop (default 1,1,1,0)");
    command->add_option("--format", options->format, "text, json, csv, trace or svg")
        ->check(CLI::IsMember({"text", "json", "csv", "trace", "svg"}));
    command->callback([options, &exitStatus] {
        const Result<void> done = runSchedule(*options);
        exitStatus = done ? 0 : exitStatusOf(done.error());
        if (!done) fmt::print(stderr, "trainyard-cli schedule: {}: {}\n", done.error().where, done.error().message);
    });
}

}  // namespace trainyard
