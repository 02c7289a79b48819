#include "core/io/import/measured_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include "core/schedule/text_form.h"
#include "core/schedule/trace_form.h"

namespace trainyard {

namespace {

constexpr double kTicksPerSecond = 1e9;

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
    explicit TraceReading(const TraceFile& file) {
        for (const TraceLane& lane : file.lanes)
            for (const TraceSpan& span : lane.spans) add(file, lane, span);
    }

    Result<MeasuredTrace> result(const std::string& where) {
        if (events_.empty())
            return failure(Error::Kind::invalid, "trace-no-actions", where,
                           fmt::format("none of {} slices names a pipeline action; expected for example F3.2, PP:2F3, or "
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
    void add(const TraceFile& file, const TraceLane& lane, const TraceSpan& span) {
        Event event;
        if (!parseTraceAction(file.names[span.name], event.action)) {
            ++trace_.ignored;
            return;
        }
        if (span.microBatch >= 0) event.action.microBatch = static_cast<std::uint32_t>(span.microBatch);
        if (span.stage >= 0 && span.stage < 65536) event.action.stage = static_cast<std::uint16_t>(span.stage);
        if (span.slice >= 0 && span.slice < 65536) event.action.slice = static_cast<std::uint16_t>(span.slice);
        event.row = rowOf(lane);
        event.lane = laneOf(lane.threadName, event.action);
        event.action.lane = static_cast<Lane>(event.lane);
        event.start = static_cast<Ticks>(std::llround(span.startS * kTicksPerSecond));
        event.end = static_cast<Ticks>(std::llround((span.startS + span.durationS) * kTicksPerSecond));
        events_.push_back(event);
    }

    /// By the thread's name; without one that is known, compute actions go to the compute lane and collectives to the data lane.
    static int laneOf(const std::string& thread, const Action& action) {
        const std::string name = lowered(thread);
        for (int lane = 0; lane < kLaneCount; ++lane)
            if (name == laneKey(static_cast<Lane>(lane))) return lane;
        return static_cast<int>(action.kind <= ActionKind::optimizer ? Lane::compute : Lane::data);
    }

    int rowOf(const TraceLane& lane) {
        const auto [place, isNew] = rows_.try_emplace(lane.process, static_cast<int>(processes_.size()));
        if (isNew) processes_.emplace_back(lane.process, lane.processName);
        return place->second;
    }

    /// Rows in the order of the numbers in the processes' names; unnamed ones by their id.
    void numberRows() {
        std::vector<std::tuple<std::int64_t, std::size_t>> keyed;
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            const auto inName = numberInName(processes_[i].second);
            keyed.emplace_back(inName ? *inName : processes_[i].first, i);
        }
        std::sort(keyed.begin(), keyed.end());
        std::vector<int> newRow(processes_.size());
        for (std::size_t row = 0; row < keyed.size(); ++row) {
            const std::size_t old = std::get<1>(keyed[row]);
            const auto& [id, name] = processes_[old];
            newRow[old] = static_cast<int>(row);
            trace_.rowNames.push_back(name.empty() ? fmt::format("process {}", id) : name);
            trace_.rowNumbers.push_back(numberInName(name).value_or(static_cast<int>(row)));
        }
        for (Event& event : events_) event.row = newRow[static_cast<std::size_t>(event.row)];
    }

    void layOut() {
        Timeline& out = trace_.timeline;
        out.ranks = static_cast<int>(processes_.size());
        out.secondsPerTick = 1 / kTicksPerSecond;
        Ticks origin = std::numeric_limits<Ticks>::max();
        for (const Event& event : events_) origin = std::min(origin, event.start);
        out.busy.assign(processes_.size(), 0);
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
        out.peakInFlightB.assign(processes_.size(), 0);
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
    std::map<std::int64_t, int> rows_;
    std::vector<std::pair<std::int64_t, std::string>> processes_;  ///< id and name by row
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

Result<MeasuredTrace> measuredTraceOf(const TraceFile& file, const std::string& where) {
    return TraceReading(file).result(where);
}

Result<MeasuredTrace> readMeasuredTrace(std::string_view text, const std::string& where) {
    const Result<TraceFile> file = readTraceFile(text, where);
    if (!file) return tl::unexpected<Error>(file.error());
    return measuredTraceOf(*file, where);
}

}  // namespace trainyard
