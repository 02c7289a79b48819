#include "core/io/import/chrome_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include "core/io/json/json_text.h"
#include "core/schedule/text_form.h"
#include "core/schedule/trace_form.h"

namespace trainyard {

namespace {

using nlohmann::json;

constexpr double kTicksPerMicrosecond = 1000;
constexpr double kLongestMicroseconds = 4e15;

std::string lowered(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

bool takeNumber(std::string_view& text, std::uint32_t& value) {
    const auto [next, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) return false;
    text.remove_prefix(static_cast<std::size_t>(next - text.data()));
    return true;
}

std::optional<ActionKind> kindOfLetter(char letter) {
    switch (letter) {
        case 'F': return ActionKind::forward;
        case 'I': return ActionKind::backwardInput;
        case 'W': return ActionKind::backwardWeight;
        case 'B': return ActionKind::backward;
        case 'R': return ActionKind::recompute;
        default: return std::nullopt;
    }
}

/// torch: `2F3` is forward of micro-batch 3 on stage 2.
bool parseTorchName(std::string_view name, Action& action) {
    std::uint32_t stage = 0;
    if (!takeNumber(name, stage) || stage > 65535 || name.empty()) return false;
    const auto kind = kindOfLetter(name.front());
    name.remove_prefix(1);
    std::uint32_t microBatch = 0;
    if (!kind || !takeNumber(name, microBatch) || !name.empty()) return false;
    action.kind = *kind;
    action.stage = static_cast<std::uint16_t>(stage);
    action.microBatch = microBatch;
    return true;
}

/// Words that profiles use for kinds of work, the more special first; what follows may be the micro-batch.
constexpr std::pair<std::string_view, ActionKind> kWords[] = {
    {"backward input", ActionKind::backwardInput},
    {"backward_input", ActionKind::backwardInput},
    {"backward weight", ActionKind::backwardWeight},
    {"backward_weight", ActionKind::backwardWeight},
    {"input gradient", ActionKind::backwardInput},
    {"weight gradient", ActionKind::backwardWeight},
    {"recompute", ActionKind::recompute},
    {"forward", ActionKind::forward},
    {"backward", ActionKind::backward},
    {"optimizer", ActionKind::optimizer},
    {"all-gather", ActionKind::allGather},
    {"allgather", ActionKind::allGather},
    {"reduce-scatter", ActionKind::reduceScatter},
    {"reducescatter", ActionKind::reduceScatter},
    {"all-reduce", ActionKind::allReduce},
    {"allreduce", ActionKind::allReduce},
};

bool parseWords(std::string_view name, Action& action) {
    const std::string text = lowered(name);
    const bool isKernel = text.rfind("nccl", 0) == 0;
    for (const auto& [word, kind] : kWords) {
        const bool isCollective =
            kind == ActionKind::allGather || kind == ActionKind::reduceScatter || kind == ActionKind::allReduce;
        const std::size_t at = text.find(word);
        // Kernels and annotations of all sorts have `forward` in their names: it must be the name.
        if (at == std::string::npos || (!(isKernel && isCollective) && at != 0)) continue;
        std::string_view rest = std::string_view(text).substr(at + word.size());
        while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
        std::uint32_t number = 0;
        if (!rest.empty() && !(takeNumber(rest, number) && rest.empty()) && !isKernel) return false;
        action.kind = kind;
        action.microBatch = number;
        return true;
    }
    return false;
}

struct Event {
    int row = 0;
    int lane = 0;
    Ticks start = 0;
    Ticks end = 0;
    Action action;
};

std::optional<double> number(const json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end()) return std::nullopt;
    if (found->is_number()) return found->get<double>();
    return std::nullopt;
}

std::string idOf(const json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end()) return "0";
    return found->is_string() ? found->get<std::string>() : compactJson(*found);
}

/// The number in `rank 3` and the like.
std::optional<int> numberInName(const std::string& name) {
    const std::string text = lowered(name);
    for (const std::string_view word : {"rank", "stage", "device", "gpu", "pp"}) {
        const std::size_t at = text.find(word);
        if (at == std::string::npos) continue;
        std::size_t digit = at + word.size();
        while (digit < text.size() && (text[digit] == ' ' || text[digit] == '_' || text[digit] == ':' || text[digit] == '-'))
            ++digit;
        std::string_view rest = std::string_view(text).substr(digit);
        std::uint32_t value = 0;
        if (takeNumber(rest, value) && value < 65536) return static_cast<int>(value);
    }
    return std::nullopt;
}

class TraceReading {
  public:
    explicit TraceReading(const json& events) {
        readNames(events);
        for (const json& event : events) read(event);
    }

    Result<MeasuredTrace> result(const std::string& where) {
        if (events_.empty())
            return failure(Error::Kind::invalid, "trace-no-actions", where,
                           fmt::format("none of {} events names a pipeline action; expected for example F3.2, PP:2F3, or "
                                       "`forward 3` with the stage in its args",
                                       trace_.ignored));
        numberRows();
        std::stable_sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) {
            return std::tie(a.row, a.lane, a.start, b.end) < std::tie(b.row, b.lane, b.start, a.end);
        });
        layOut();
        return std::move(trace_);
    }

  private:
    struct Process {
        std::string name;
        int row = -1;
    };

    void readNames(const json& events) {
        for (const json& event : events) {
            if (!event.is_object() || event.value("ph", "") != "M" || !event.contains("args") || !event["args"].is_object())
                continue;
            const std::string name = event["args"].value("name", "");
            if (event.value("name", "") == "process_name") processes_[idOf(event, "pid")].name = name;
            if (event.value("name", "") == "thread_name") threads_[{idOf(event, "pid"), idOf(event, "tid")}] = name;
        }
    }

    void read(const json& event) {
        if (!event.is_object() || !event.contains("ph") || !event["ph"].is_string()) return;
        const std::string& phase = event["ph"].get_ref<const std::string&>();
        if (phase != "X" && phase != "B" && phase != "E") return;
        const auto start = number(event, "ts");
        if (!start || !std::isfinite(*start) || std::abs(*start) > kLongestMicroseconds) return;
        const std::pair<std::string, std::string> thread{idOf(event, "pid"), idOf(event, "tid")};
        if (phase == "B") {
            open_[thread].push_back(&event);
            return;
        }
        if (phase == "E") {
            auto& stack = open_[thread];
            if (stack.empty()) return;
            const json& begin = *stack.back();
            stack.pop_back();
            add(begin, thread, *number(begin, "ts"), *start);
            return;
        }
        const double length = number(event, "dur").value_or(0);
        if (std::isfinite(length) && length >= 0 && length < kLongestMicroseconds) add(event, thread, *start, *start + length);
    }

    void add(const json& event, const std::pair<std::string, std::string>& thread, double start, double end) {
        Event result;
        const bool isNamed = event.contains("name") && event["name"].is_string() &&
                             parseTraceAction(event["name"].get_ref<const std::string&>(), result.action);
        const std::optional<int> lane = isNamed ? laneOf(thread, result.action) : std::nullopt;
        if (!lane || end < start) {
            ++trace_.ignored;
            return;
        }
        if (event.contains("args") && event["args"].is_object()) {
            const json& args = event["args"];
            if (const auto value = number(args, "micro_batch"); value && *value >= 0 && *value < 1e9)
                result.action.microBatch = static_cast<std::uint32_t>(*value);
            if (const auto value = number(args, "stage"); value && *value >= 0 && *value < 65536)
                result.action.stage = static_cast<std::uint16_t>(*value);
            if (const auto value = number(args, "slice"); value && *value >= 0 && *value < 65536)
                result.action.slice = static_cast<std::uint16_t>(*value);
        }
        result.row = rowOf(thread.first);
        result.lane = *lane;
        result.action.lane = static_cast<Lane>(*lane);
        result.start = static_cast<Ticks>(std::llround(start * kTicksPerMicrosecond));
        result.end = static_cast<Ticks>(std::llround(end * kTicksPerMicrosecond));
        events_.push_back(result);
    }

    /// By the thread's name; without one that is known, compute actions go to the compute lane and collectives to the data lane.
    std::optional<int> laneOf(const std::pair<std::string, std::string>& thread, const Action& action) const {
        const auto named = threads_.find(thread);
        if (named != threads_.end()) {
            const std::string name = lowered(named->second);
            for (int lane = 0; lane < kLaneCount; ++lane)
                if (name == laneKey(static_cast<Lane>(lane))) return lane;
        }
        return action.kind <= ActionKind::optimizer ? static_cast<int>(Lane::compute) : static_cast<int>(Lane::data);
    }

    int rowOf(const std::string& process) {
        Process& entry = processes_[process];
        if (entry.row < 0) {
            entry.row = static_cast<int>(order_.size());
            order_.push_back(process);
        }
        return entry.row;
    }

    /// Rows in the order of the numbers in the processes' names; unnamed ones by their id.
    void numberRows() {
        std::vector<std::tuple<int, std::size_t, std::string>> keyed;
        for (std::size_t i = 0; i < order_.size(); ++i) {
            const std::string& name = processes_[order_[i]].name;
            std::string_view digits = order_[i];
            std::uint32_t id = 0;
            const bool isNumber = takeNumber(digits, id) && digits.empty() && id < 65536;
            const auto inName = numberInName(name);
            keyed.emplace_back(inName ? *inName : isNumber ? static_cast<int>(id) : 65536, i, name);
        }
        std::sort(keyed.begin(), keyed.end());
        std::vector<int> newRow(order_.size());
        for (std::size_t row = 0; row < keyed.size(); ++row) {
            const auto& [key, old, name] = keyed[row];
            newRow[old] = static_cast<int>(row);
            trace_.rowNames.push_back(name.empty() ? order_[old] : name);
            trace_.rowNumbers.push_back(numberInName(name).value_or(static_cast<int>(row)));
        }
        for (Event& event : events_) event.row = newRow[static_cast<std::size_t>(event.row)];
    }

    void layOut() {
        Timeline& out = trace_.timeline;
        out.ranks = static_cast<int>(order_.size());
        out.secondsPerTick = 1e-6 / kTicksPerMicrosecond;
        Ticks origin = std::numeric_limits<Ticks>::max();
        for (const Event& event : events_) origin = std::min(origin, event.start);
        out.busy.assign(order_.size(), 0);
        std::size_t next = 0;
        for (int row = 0; row < out.ranks; ++row)
            for (int lane = 0; lane < kLaneCount; ++lane) {
                out.laneBegin.push_back(static_cast<std::uint32_t>(out.start.size()));
                const std::size_t first = out.start.size();
                for (; next < events_.size() && events_[next].row == row && events_[next].lane == lane; ++next)
                    place(events_[next], first, origin);
                for (std::size_t i = first; i < out.start.size(); ++i) {
                    out.binding.push_back(lane == 0 && i > first ? static_cast<std::int32_t>(i) - 1 : -1);
                    out.makespan = std::max(out.makespan, out.end[i]);
                    if (lane == 0) out.busy[static_cast<std::size_t>(row)] += out.end[i] - out.start[i];
                }
            }
        out.laneBegin.push_back(static_cast<std::uint32_t>(out.start.size()));
        out.peakInFlightB.assign(order_.size(), 0);
        out.peakInFlightW = out.peakInFlightB;
        trace_.understood = out.start.size();
    }

    /// Appends one event behind the others of its lane; an outer event that holds others gives way to them.
    void place(const Event& event, std::size_t first, Ticks origin) {
        Timeline& out = trace_.timeline;
        Ticks start = event.start - origin;
        const Ticks end = event.end - origin;
        if (out.start.size() > first && start < out.end.back()) {
            ++trace_.overlapping;
            if (end <= out.end.back()) {
                // Nested: the outer one ends where the inner one begins.
                out.end.back() = std::max(out.start.back(), start);
                if (out.end.back() == out.start.back()) {
                    out.start.pop_back();
                    out.end.pop_back();
                    out.action.pop_back();
                }
            } else {
                start = out.end.back();
            }
        }
        out.start.push_back(start);
        out.end.push_back(end);
        out.action.push_back(event.action);
    }

    MeasuredTrace trace_;
    std::map<std::string, Process> processes_;
    std::map<std::pair<std::string, std::string>, std::string> threads_;
    std::map<std::pair<std::string, std::string>, std::vector<const json*>> open_;
    std::vector<std::string> order_;
    std::vector<Event> events_;
};

}  // namespace

bool parseTraceAction(std::string_view name, Action& action) {
    if (name.size() > 200) return false;
    if (name.rfind("PP:", 0) == 0) name.remove_prefix(3);
    if (parseTorchName(name, action)) return true;
    std::vector<Action> cell;
    if (name.find('{') == std::string_view::npos && parseCell(name, cell) && cell.size() == 1 &&
        cell[0].kind <= ActionKind::reload) {
        action = cell[0];
        return true;
    }
    return parseWords(name, action);
}

Result<MeasuredTrace> readChromeTrace(std::string_view text, const std::string& where) {
    const auto parsed = parseJson(text, where, JsonDialect::tolerant);
    if (!parsed) return tl::unexpected<Error>(parsed.error());
    const json* events = &*parsed;
    if (events->is_object()) {
        const auto found = events->find("traceEvents");
        if (found == events->end())
            return failure(Error::Kind::invalid, "trace-events", where + "#/traceEvents",
                           "is missing; expected a Chrome trace: an object with `traceEvents`, or the bare list of events");
        events = &*found;
    }
    if (!events->is_array())
        return failure(Error::Kind::invalid, "trace-events", where + "#/traceEvents",
                       fmt::format("expected a list of events, found {}", describeJson(*events)));
    if (events->size() > kMostTraceEvents)
        return failure(Error::Kind::invalid, "trace-too-large", where,
                       fmt::format("{} events are more than the {} that are read; a trace of one step is enough", events->size(),
                                   kMostTraceEvents));
    return TraceReading(*events).result(where);
}

}  // namespace trainyard
