#include "app/cli_schedule.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli_commands.h"
#include "app/cli_schedule_list.h"
#include "core/io/json/schedule_json.h"
#include "core/io/text_file.h"
#include "core/schedule/golden_form.h"
#include "core/schedule/passes.h"
#include "core/schedule/registry.h"
#include "core/schedule/simulate.h"
#include "core/schedule/slice_split.h"
#include "core/schedule/text_form.h"
#include "core/schedule/torch_csv.h"
#include "core/schedule/trace_form.h"
#include "core/schedule/unit_times.h"
#include "core/schedule/validate_lists.h"

namespace trainyard {

namespace {

struct ScheduleOptions {
    std::string name;
    std::string file;
    int stages = 0;
    int microBatches = 0;
    int chunks = 1;
    int slices = 1;
    std::vector<std::string> parameters;
    std::vector<std::string> passes;
    std::string times;
    std::string format = "text";
    double jitter = -1;  ///< below 0: as in the times
    bool lists = false;
    bool compares = false;
};

Result<UnitTimes> writtenTimes(const ScheduleOptions& options) {
    if (options.times.empty()) return UnitTimes{};
    // "1,x,2" is meant as numbers and is told so; a file name may begin with a digit, too, but has no comma then.
    const bool numbersMeant =
        std::isdigit(static_cast<unsigned char>(options.times.front())) != 0 && options.times.find(',') != std::string::npos;
    const bool isFile = !numbersMeant && options.times.find_first_not_of("0123456789.,eE+-") != std::string::npos;
    if (!isFile) return parseUnitTimes(options.times);
    const Result<std::string> text = readTextFile(options.times);
    if (!text) return tl::unexpected<Error>(text.error());
    return parseTimesJson(*text, options.times);
}

Result<UnitTimes> timesOf(const ScheduleOptions& options) {
    Result<UnitTimes> times = writtenTimes(options);
    if (times && options.jitter >= 0) times->jitter = options.jitter;
    return times;
}

/// The whole number behind `KEY=`.
Result<std::int64_t> valueBehind(const std::string& text, std::size_t equals, const char* option) {
    std::int64_t value = 0;
    const char* const finish = text.data() + text.size();
    const auto parsed = std::from_chars(text.data() + equals + 1, finish, value);
    if (equals == std::string::npos || equals == 0 || parsed.ec != std::errc() || parsed.ptr != finish)
        return failure(Error::Kind::commandLine, "param", option, fmt::format("`{}` is not KEY=VALUE with a whole number", text));
    return value;
}

Result<ScheduleRequest> requestOf(const ScheduleOptions& options) {
    ScheduleRequest request;
    request.ranks = options.stages;
    request.microBatches = options.microBatches;
    request.chunks = options.chunks;
    request.slices = options.slices;
    for (const std::string& text : options.parameters) {
        const std::size_t equals = text.find('=');
        const auto value = valueBehind(text, equals, "--param");
        if (!value) return tl::unexpected<Error>(value.error());
        request.parameters.emplace_back(text.substr(0, equals), *value);
    }
    return request;
}

Result<ActionLists> applied(ActionLists lists, const std::string& pass, const StageTimes& times) {
    const std::size_t equals = pass.find('=');
    const std::string name = pass.substr(0, equals);
    int number = 0;
    if (equals != std::string::npos) {
        const auto value = valueBehind(pass, equals, "--pass");
        if (!value) return tl::unexpected<Error>(value.error());
        if (*value < 1 || *value > 1'000'000)
            return failure(Error::Kind::commandLine, "pass", "--pass",
                           fmt::format("`{}`: the number must be from 1 to 1000000", pass));
        number = static_cast<int>(*value);
    }
    if (name == "split") return splitBackward(lists);
    if (name == "merge") return mergeBackward(lists);
    if (name == "recompute") return insertRecompute(lists, [](int) { return true; });
    if (name == "hoist") return hoistRecompute(lists, times, number > 0 ? number : std::numeric_limits<int>::max());
    if (name == "gather") return insertCollectives(lists, GatherRule::perPass, ReduceRule::none);
    if (name == "gather-each") return insertCollectives(lists, GatherRule::perAction, ReduceRule::none);
    if (name == "reduce") return insertCollectives(lists, GatherRule::none, ReduceRule::reduceScatter);
    if (name == "all-reduce") return insertCollectives(lists, GatherRule::none, ReduceRule::allReduce);
    if (name == "buckets" && number > 0) return insertReductionBuckets(lists, ReduceRule::reduceScatter, number);
    if (name == "optimizer") return insertOptimizer(lists, OptimizerRule::afterNormSync);
    if (name == "post-validation") return insertOptimizer(lists, OptimizerRule::postValidation);
    if (name == "offload") return insertOffload(lists, number > 0 ? number : 4);
    if (name == "evict" && number > 0) return insertEviction(lists, number);
    return failure(Error::Kind::commandLine, "pass", "--pass",
                   fmt::format("there is no pass `{}`; known are split, merge, recompute, hoist[=N], gather, gather-each, "
                               "reduce, all-reduce, buckets=N, optimizer, post-validation, offload[=N], evict=N",
                               pass));
}

struct Built {
    ActionLists lists;
    std::string name;
    double ticksPerUnit = 1;
    std::vector<double> sliceWeight;
    std::optional<std::int64_t> closedForm;  ///< makespan with unit times
};

Result<Built> buildByName(const ScheduleOptions& options, const UnitTimes& times) {
    if (options.stages == 0 || options.microBatches == 0)
        return failure(Error::Kind::commandLine, "stages", "--stages, --microbatches", "are required with --name");
    Result<ScheduleRequest> request = requestOf(options);
    if (!request) return tl::unexpected<Error>(request.error());
    Built built;
    built.name = options.name;
    built.ticksPerUnit = ticksPerUnitFor(times, 3.0 * options.microBatches * options.chunks * options.slices * options.stages);
    if (const ScheduleDefinition* definition = findScheduleOrNull(options.name)) {
        built.name = definition->id;
        const std::vector<std::string> wrong = checkSchedule(*definition, *request);
        if (!wrong.empty()) return failure(Error::Kind::invalid, "schedule-not-legal", built.name, wrong.front());
        if (definition->searched) {
            auto stageTimes = toStageTimes(times, options.stages * effectiveChunks(*definition, *request), built.ticksPerUnit);
            if (!stageTimes) return tl::unexpected<Error>(stageTimes.error());
            if (!options.times.empty()) request->times = std::move(*stageTimes);  // unit times otherwise
        }
        if (definition->takesSlices) built.sliceWeight = sliceWeightsOf(*request);
        if (options.times.empty() && options.passes.empty() && built.sliceWeight.empty() && options.jitter <= 0)
            built.closedForm = unitMakespan(*definition, *request);
    }
    Result<ActionLists> lists = buildSchedule(options.name, *request);
    if (!lists) {
        Error error = lists.error();
        if (findScheduleOrNull(options.name) == nullptr)
            error = {Error::Kind::commandLine, error.code, "--name " + options.name, error.message};
        return tl::unexpected<Error>(std::move(error));
    }
    built.lists = std::move(*lists);
    return built;
}

Result<Built> buildFromFile(const ScheduleOptions& options, const UnitTimes& times) {
    const Result<std::string> text = readTextFile(options.file);
    if (!text) return tl::unexpected<Error>(text.error());
    Result<ScheduleDocument> document = parseAnySchedule(*text, options.file);
    if (!document) return tl::unexpected<Error>(document.error());
    std::vector<Error> errors = validateLists(document->lists, 20);
    for (Error& error : errors) error.where = options.file + ": " + error.where;
    for (std::size_t i = 0; i + 1 < errors.size(); ++i) printError("schedule", errors[i]);
    if (!errors.empty()) return tl::unexpected<Error>(errors.back());
    Built built;
    built.name = document->name.empty() ? options.file : document->name;
    built.lists = std::move(document->lists);
    built.ticksPerUnit = ticksPerUnitFor(times, static_cast<double>(built.lists.actions.size()));
    return built;
}

Result<fmt::memory_buffer> written(const ScheduleOptions& options, const ActionLists& lists, const Timeline& timeline,
                                   const ScheduleHeading& heading) {
    if (options.format == "markdown")
        return failure(Error::Kind::commandLine, "format", "--format", "markdown is for --list and --table");
    if (options.format == "json") return goldenForm(lists, timeline, heading);
    if (options.format == "csv") return tableForm(lists, timeline, heading);
    if (options.format == "trace")
        return traceForm(timeline,
                         {.title = heading.name, .note = "1 ms = 1 unit", .microsecondsPerTick = 1000 / heading.ticksPerUnit});
    if (options.format == "order") return orderText(lists);
    if (options.format == "svg") {
        constexpr std::size_t kMostSvgActions = 200'000;
        if (lists.actions.size() > kMostSvgActions)
            return failure(
                Error::Kind::invalid, "svg-too-large", heading.name,
                fmt::format("{} actions are too many for one SVG; up to {} are drawn", lists.actions.size(), kMostSvgActions));
        return svgForm(lists, timeline, heading);
    }
    if (options.format == "torch" || options.format == "torch-comms") {
        const auto csv = writeTorchCsv(lists, options.format == "torch" ? TorchForm::computeOnly : TorchForm::withCommunication);
        if (!csv) return tl::unexpected<Error>(csv.error());
        fmt::memory_buffer out;
        out.append(csv->data(), csv->data() + csv->size());
        return out;
    }
    return timedText(lists, timeline, heading);
}

Result<void> print(const fmt::memory_buffer& out) {
    if (std::fwrite(out.data(), 1, out.size(), stdout) != out.size() || std::fflush(stdout) != 0)
        return failure(Error::Kind::unreadable, "output", "standard output", "could not be written");
    return {};
}

Result<void> runOverview(const ScheduleOptions& options) {
    if (options.lists && options.compares)
        return failure(Error::Kind::commandLine, "list", "--list, --table", "only one of the two at a time");
    if (!options.name.empty() || !options.file.empty())
        return failure(Error::Kind::commandLine, "list", "--name, --file", "do not go with --list or --table, which show all");
    constexpr const char* kFormats[] = {"text", "json", "csv", "markdown"};
    if (std::none_of(std::begin(kFormats), std::end(kFormats), [&](const char* known) { return options.format == known; }))
        return failure(Error::Kind::commandLine, "format", "--format",
                       fmt::format("`{}` is for one schedule; text, json, csv and markdown are for all", options.format));
    if (options.lists) return print(scheduleList(options.format));
    if (options.stages == 0 || options.microBatches == 0)
        return failure(Error::Kind::commandLine, "stages", "--stages, --microbatches", "are required with --table");
    const Result<ScheduleRequest> request = requestOf(options);
    if (!request) return tl::unexpected<Error>(request.error());
    return print(scheduleTable(*request, options.format));
}

Result<void> runSchedule(const ScheduleOptions& options) {
    if (options.lists || options.compares) return runOverview(options);
    if (options.name.empty() == options.file.empty())
        return failure(Error::Kind::commandLine, "name", "--name, --file", "exactly one of the two is needed");
    const Result<UnitTimes> times = timesOf(options);
    if (!times) return tl::unexpected<Error>(times.error());
    Result<Built> built = options.file.empty() ? buildByName(options, *times) : buildFromFile(options, *times);
    if (!built) return tl::unexpected<Error>(built.error());
    Result<StageTimes> stageTimes = toStageTimes(*times, built->lists.stages, built->ticksPerUnit);
    if (!stageTimes) return tl::unexpected<Error>(stageTimes.error());
    stageTimes->pipeFactor = pipeFactorsOf(built->lists);
    if (stageTimes->sliceWeight.empty()) stageTimes->sliceWeight = built->sliceWeight;
    for (const std::string& pass : options.passes) {
        Result<ActionLists> changed = applied(std::move(built->lists), pass, *stageTimes);
        if (!changed) return tl::unexpected<Error>(changed.error());
        built->lists = std::move(*changed);
    }
    const Result<Timeline> timeline = simulate(built->lists, *stageTimes);
    if (!timeline) return tl::unexpected<Error>(timeline.error());
    ScheduleHeading heading{built->name, chunksPerRank(built->lists), built->ticksPerUnit};
    heading.closedFormMakespan = built->closedForm;
    if (const ScheduleDefinition* definition = findScheduleOrNull(built->name))
        heading.semantics = semanticsBadge(definition->semantics);
    const auto out = written(options, built->lists, *timeline, heading);
    if (!out) return tl::unexpected<Error>(out.error());
    return print(*out);
}

}  // namespace

void addScheduleCommand(CLI::App& program, int& exitStatus) {
    const auto options = std::make_shared<ScheduleOptions>();
    CLI::App* command =
        program.add_subcommand("schedule", "Ordered actions of every rank, start times, makespan, bubble and peak in flight");
    std::string names;
    for (const ScheduleDefinition* definition : allSchedules())
        names += (names.empty() ? "" : ", ") + std::string(definition->id);
    command->footer("Schedules: " + names);
    command->add_option("--name", options->name, "which schedule; see below");
    command->add_option("--file", options->file, "a schedule of your own: notation, JSON or torch CSV; instead of --name");
    command->add_option("--stages", options->stages, "pipeline ranks p")->check(CLI::PositiveNumber);
    command->add_option("--microbatches", options->microBatches, "micro-batches m")->check(CLI::PositiveNumber);
    command->add_option("--chunks", options->chunks, "model chunks per rank v")->check(CLI::PositiveNumber);
    command->add_option("--slices", options->slices, "sequence slices per micro-batch k")->check(CLI::PositiveNumber);
    command->add_option("--param", options->parameters, "KEY=VALUE, e.g. group=4, pipes=2, limit=8")->allow_extra_args(false);
    command
        ->add_option("--pass", options->passes,
                     "change the schedule: split, merge, recompute, hoist[=N], gather, gather-each, reduce, all-reduce, "
                     "buckets=N, optimizer, post-validation, offload[=N], evict=N")
        ->allow_extra_args(false);
    command->add_option("--times", options->times,
                        "F,BI,BW[,COMM]: forward, input backward, weight backward, one hop (default 1,1,1,0), or a JSON file");
    command->add_option("--jitter", options->jitter, "every action takes up to this share longer or shorter, e.g. 0.1")
        ->check(CLI::Range(0.0, 0.99));
    command
        ->add_option("--format", options->format,
                     "text, json, csv, trace, svg, order, torch or torch-comms; markdown for --table")
        ->check(CLI::IsMember({"text", "json", "csv", "trace", "svg", "order", "torch", "torch-comms", "markdown"}));
    command->add_flag_callback("--json", [options] { options->format = "json"; }, "the same as --format json");
    command->add_flag("--list", options->lists, "all schedules: names, parameters, references");
    command->add_flag("--table", options->compares,
                      "all schedules on the same work of --stages and --microbatches: makespan, bubbles, peak in flight");
    command->callback([options, &exitStatus] {
        const Result<void> done = runSchedule(*options);
        exitStatus = done ? 0 : exitStatusOf(done.error());
        if (!done) printError("schedule", done.error());
    });
}

}  // namespace trainyard
