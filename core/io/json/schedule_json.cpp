#include "core/io/json/schedule_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/io/json/json_text.h"
#include "core/io/json/object_reader.h"
#include "core/schedule/infer_placement.h"
#include "core/schedule/text_form.h"
#include "core/schedule/torch_csv.h"

namespace trainyard {

namespace {

using nlohmann::json;

tl::unexpected<Error> refuse(const std::string& where, const std::string& pointer, std::string message) {
    return failure(Error::Kind::invalid, "schedule-json", where + "#" + pointer, std::move(message));
}

Result<std::vector<std::uint16_t>> readPlacement(const json& value, int ranks, const std::string& where,
                                                 const std::string& pointer) {
    if (!value.is_array() || value.empty())
        return refuse(where, pointer, fmt::format("expected a list of ranks by stage, found {}", describeJson(value)));
    std::vector<std::uint16_t> placement;
    for (std::size_t i = 0; i < value.size(); ++i) {
        const auto rank = exactInteger(value[i]);
        if (!rank || *rank < 0 || *rank >= ranks)
            return refuse(where, fmt::format("{}/{}", pointer, i),
                          fmt::format("expected a rank from 0 to {}, found {}", ranks - 1, describeJson(value[i])));
        placement.push_back(static_cast<std::uint16_t>(*rank));
    }
    return placement;
}

/// Replaces the placement that the cells suggest by the one that the file states.
Result<void> readStatedPlacement(const json& object, ActionLists& lists, const std::string& where) {
    const auto count = [&](const char* key, int& target) -> Result<void> {
        if (!object.contains(key)) return {};
        const auto value = exactInteger(object[key]);
        if (!value || *value < 1 || *value > 16'000'000)
            return refuse(where, std::string("/") + key,
                          fmt::format("expected a count of at least 1, found {}", describeJson(object[key])));
        target = static_cast<int>(*value);
        return {};
    };
    const int pipes = static_cast<int>(lists.rankOfStage.size());
    int stages = lists.stages;
    for (const auto& [key, target] :
         {std::pair<const char*, int*>{"m", &lists.microBatches}, {"stages", &stages}, {"slices", &lists.slices}})
        if (const Result<void> done = count(key, *target); !done) return done;
    if (!object.contains("stage_to_rank")) {
        // Counts only: micro-batches that no cell names take the first pipe.
        if (pipes > 1) lists.pipeOfMicroBatch.resize(static_cast<std::size_t>(lists.microBatches), 0);
        return {};
    }
    const json& stated = object["stage_to_rank"];
    lists.rankOfStage.clear();
    const bool several = stated.is_array() && !stated.empty() && stated[0].is_array();
    if (several && stated.size() > 255) return refuse(where, "/stage_to_rank", "more than 255 pipes");
    for (std::size_t pipe = 0; pipe < (several ? stated.size() : 1); ++pipe) {
        auto placement = readPlacement(several ? stated[pipe] : stated, lists.ranks(), where,
                                       several ? fmt::format("/stage_to_rank/{}", pipe) : "/stage_to_rank");
        if (!placement) return tl::unexpected<Error>(placement.error());
        stages = std::max(stages, static_cast<int>(placement->size()));
        lists.rankOfStage.push_back(std::move(*placement));
    }
    lists.stages = stages;
    lists.pipeOfMicroBatch.clear();
    if (lists.rankOfStage.size() > 1) {
        if (!object.contains("mb_pipe") || !object["mb_pipe"].is_array() ||
            object["mb_pipe"].size() != static_cast<std::size_t>(lists.microBatches))
            return refuse(where, "/mb_pipe",
                          fmt::format("with several pipes, expected a list with the pipe of each of the {} micro-batches",
                                      lists.microBatches));
        for (std::size_t mb = 0; mb < object["mb_pipe"].size(); ++mb) {
            const auto pipe = exactInteger(object["mb_pipe"][mb]);
            if (!pipe || *pipe < 0 || *pipe >= static_cast<std::int64_t>(lists.rankOfStage.size()))
                return refuse(where, fmt::format("/mb_pipe/{}", mb),
                              fmt::format("expected a pipe from 0 to {}, found {}", lists.rankOfStage.size() - 1,
                                          describeJson(object["mb_pipe"][mb])));
            lists.pipeOfMicroBatch.push_back(static_cast<std::uint8_t>(*pipe));
        }
    }
    for (Action& a : lists.actions)
        a.pipe = a.microBatch < static_cast<std::uint32_t>(lists.microBatches) ? lists.pipeOf(a.microBatch) : std::uint8_t{0};
    return {};
}

}  // namespace

Result<ScheduleDocument> parseScheduleJson(std::string_view text, const std::string& where) {
    const auto parsed = parseJson(text, where, JsonDialect::strict);
    if (!parsed) return tl::unexpected<Error>(parsed.error());
    const json& object = *parsed;
    if (!object.is_object() || !object.contains("ranks") || !object["ranks"].is_array() || object["ranks"].empty())
        return refuse(where, "/ranks", "expected an object with `ranks`, a list of one list of cells per rank");
    const bool torch = object.contains("notation") && object["notation"] == "torch_compute_comms";
    // Both notations are read as text, so that there is one parser for each; cells hold neither spaces nor commas.
    std::string lines;
    for (std::size_t rank = 0; rank < object["ranks"].size(); ++rank) {
        const json& cells = object["ranks"][rank];
        if (!cells.is_array())
            return refuse(where, fmt::format("/ranks/{}", rank),
                          fmt::format("expected a list of cells, found {}", describeJson(cells)));
        if (cells.empty()) lines += '-';
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (!cells[i].is_string())
                return refuse(where, fmt::format("/ranks/{}/{}", rank, i),
                              fmt::format("expected a cell like \"F3.2\", found {}", describeJson(cells[i])));
            const std::string& cell = cells[i].get_ref<const std::string&>();
            if (i > 0) lines += torch ? ',' : ' ';
            std::vector<Action> scratch;
            if (!torch)
                if (const Result<void> done = parseCell(cell, scratch); !done)
                    return refuse(where, fmt::format("/ranks/{}/{}", rank, i), done.error().message);
            lines += cell;
        }
        lines += '\n';
    }
    ScheduleDocument document;
    if (object.contains("schedule") && object["schedule"].is_string()) document.name = object["schedule"].get<std::string>();
    if (torch) {
        auto import = parseTorchCsv(lines, where);
        if (!import) return tl::unexpected<Error>(import.error());
        document.lists = std::move(import->lists);
        return document;
    }
    auto lists = parseScheduleText(lines, where);
    if (!lists) return tl::unexpected<Error>(lists.error());
    document.lists = std::move(*lists);
    if (const Result<void> done = readStatedPlacement(object, document.lists, where); !done)
        return tl::unexpected<Error>(done.error());
    return document;
}

Result<UnitTimes> parseTimesJson(std::string_view text, const std::string& where) {
    const auto parsed = parseJson(text, where, JsonDialect::strict);
    if (!parsed) return tl::unexpected<Error>(parsed.error());
    if (!parsed->is_object())
        return refuse(where, "",
                      "expected an object with times, for example {\"forward\": [1, 1.2], \"backward_input\": 1, "
                      "\"backward_weight\": 1, \"comm\": 0.1}");
    UnitTimes times;
    std::vector<double> hop;
    const std::pair<std::string_view, std::vector<double>*> columns[] = {
        {"forward", &times.forward},
        {"backward_input", &times.backwardInput},
        {"backward_weight", &times.backwardWeight},
        {"backward", &times.backward},
        {"recompute", &times.recompute},
        {"comm", &hop},
        {"comm_forward", &times.latencyForward},
        {"comm_backward", &times.latencyBackward},
        {"send_forward", &times.sendForward},
        {"send_backward", &times.sendBackward},
        {"all_gather", &times.allGather},
        {"reduce_scatter", &times.reduceScatter},
        {"all_reduce", &times.allReduce},
        {"optimizer", &times.optimizer},
        {"evict", &times.evict},
        {"load", &times.load},
        {"offload", &times.offload},
        {"reload", &times.reload},
        {"context_exchange", &times.contextExchange},
        {"slice_weight", &times.sliceWeight},
    };
    const auto isTime = [](const json& value) {
        return value.is_number() && std::isfinite(value.get<double>()) && value.get<double>() >= 0 && value.get<double>() <= 1e12;
    };
    for (const auto& [key, value] : parsed->items()) {
        const std::string pointer = "/" + pointerStep(key);
        if (key == "serialize_links") {
            if (!value.is_boolean())
                return refuse(where, pointer, fmt::format("expected true or false, found {}", describeJson(value)));
            times.serializeLinks = value.get<bool>();
            continue;
        }
        if (key == "fused_pair_factor") {
            if (!isTime(value))
                return refuse(where, pointer, fmt::format("expected a number of at least 0, found {}", describeJson(value)));
            times.fusedPairFactor = value.get<double>();
            continue;
        }
        if (key == "jitter") {
            if (!isTime(value) || value.get<double>() >= 1)
                return refuse(where, pointer, fmt::format("expected a share from 0 to below 1, found {}", describeJson(value)));
            times.jitter = value.get<double>();
            continue;
        }
        if (key == "jitter_seed") {
            const auto seed = exactInteger(value);
            if (!seed || *seed < 0 || *seed > 0xffffffff)
                return refuse(where, pointer,
                              fmt::format("expected a whole number from 0 to 4294967295, found {}", describeJson(value)));
            times.jitterSeed = static_cast<std::uint32_t>(*seed);
            continue;
        }
        const auto column =
            std::find_if(std::begin(columns), std::end(columns), [&key = key](const auto& c) { return c.first == key; });
        if (column == std::end(columns))
            return refuse(where, pointer,
                          fmt::format("there is no time called `{}`; known are forward, backward_input, backward_weight, "
                                      "backward, recompute, comm, ...",
                                      key));
        column->second->clear();
        const json list = value.is_array() ? value : json::array({value});
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (!isTime(list[i]))
                return refuse(where, value.is_array() ? fmt::format("{}/{}", pointer, i) : pointer,
                              fmt::format("expected a finite number of at least 0, found {}", describeJson(list[i])));
            column->second->push_back(list[i].get<double>());
        }
    }
    if (times.latencyForward.empty()) times.latencyForward = hop;
    if (times.latencyBackward.empty()) times.latencyBackward = hop;
    return times;
}

Result<ScheduleDocument> parseAnySchedule(std::string_view text, const std::string& where) {
    const std::size_t start = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (start == std::string_view::npos) return failure(Error::Kind::unreadable, "schedule-empty", where, "the file is empty");
    const char c = text[start];
    if (c == '{' && text.substr(start + 1, 64).find('"') != std::string_view::npos) return parseScheduleJson(text, where);
    ScheduleDocument document;
    if ((c >= '0' && c <= '9') || c == '(' || c == ',') {
        auto import = parseTorchCsv(text, where);
        if (!import) return tl::unexpected<Error>(import.error());
        document.lists = std::move(import->lists);
        return document;
    }
    auto lists = parseScheduleText(text, where);
    if (!lists) return tl::unexpected<Error>(lists.error());
    document.lists = std::move(*lists);
    return document;
}

}  // namespace trainyard
