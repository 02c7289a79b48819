#include "core/schedule/text_form.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

#include "core/schedule/action_text.h"
#include "core/schedule/golden_form.h"
#include "core/schedule/infer_placement.h"

namespace trainyard {

namespace {

constexpr ActionKind kKinds[] = {
    ActionKind::forward,   ActionKind::backwardInput, ActionKind::backwardWeight, ActionKind::backward,
    ActionKind::recompute, ActionKind::optimizer,     ActionKind::allGather,      ActionKind::reduceScatter,
    ActionKind::allReduce, ActionKind::evict,         ActionKind::load,           ActionKind::offload,
    ActionKind::reload,    ActionKind::send,          ActionKind::receive,        ActionKind::barrier,
};

Lane laneOf(ActionKind kind) {
    switch (kind) {
        case ActionKind::allGather:
        case ActionKind::reduceScatter:
        case ActionKind::allReduce: return Lane::data;
        case ActionKind::evict:
        case ActionKind::load:
        case ActionKind::send:
        case ActionKind::receive: return Lane::pipeline;
        case ActionKind::offload:
        case ActionKind::reload: return Lane::host;
        default: return Lane::compute;
    }
}

tl::unexpected<Error> unreadable(std::string_view cell) {
    return failure(Error::Kind::unreadable, "schedule-cell", "",
                   fmt::format("`{}` is no action; expected for example F3.2, I0:1.4, {{F7.0|B3.7}} or OPT", cell));
}

/// Reads a number of at most `largest` and moves `text` behind it.
bool takeNumber(std::string_view& text, std::uint32_t largest, std::uint32_t& value) {
    const auto [next, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value > largest) return false;
    text.remove_prefix(static_cast<std::size_t>(next - text.data()));
    return true;
}

bool takeChar(std::string_view& text, char c) {
    if (text.empty() || text.front() != c) return false;
    text.remove_prefix(1);
    return true;
}

Result<void> parseAction(std::string_view cell, std::vector<Action>& out) {
    constexpr std::uint32_t kLargestMicroBatch = 16'000'000;
    std::size_t letters = 0;
    while (letters < cell.size() && cell[letters] >= 'A' && cell[letters] <= 'Z') ++letters;
    std::string_view name = cell.substr(0, letters);
    const bool gradient = name == "SENDB" || name == "RECVB";
    if (gradient) name.remove_suffix(1);
    const auto kind = std::find_if(std::begin(kKinds), std::end(kKinds), [&](ActionKind k) { return mark(k) == name; });
    if (kind == std::end(kKinds)) return unreadable(cell);
    Action a;
    a.kind = *kind;
    a.lane = laneOf(*kind);
    if (gradient) a.flags |= kGradient;
    std::string_view rest = cell.substr(letters);
    std::uint32_t value = 0;
    if (isPerMicroBatch(a.kind)) {
        if (!takeNumber(rest, kLargestMicroBatch, value)) return unreadable(cell);
        a.microBatch = value;
        if (takeChar(rest, ':')) {
            if (!takeNumber(rest, std::numeric_limits<std::uint16_t>::max() - 1u, value)) return unreadable(cell);
            a.slice = static_cast<std::uint16_t>(value);
        }
    }
    if (takeChar(rest, '.')) {
        if (!takeNumber(rest, std::numeric_limits<std::uint16_t>::max() - 1u, value)) return unreadable(cell);
        a.stage = static_cast<std::uint16_t>(value);
    } else if (isPerMicroBatch(a.kind)) {
        return unreadable(cell);
    }
    if (!rest.empty()) return unreadable(cell);
    out.push_back(a);
    return {};
}

/// A forward that is recomputed keeps nothing; the notation says so only by the recompute itself.
void markRecomputed(ActionLists& lists) {
    const std::size_t units = static_cast<std::size_t>(lists.microBatches) * static_cast<std::size_t>(lists.slices);
    std::vector<char> recomputed;
    const auto place = [&](const Action& a) {
        return a.stage * units + a.microBatch * static_cast<std::size_t>(lists.slices) + a.slice;
    };
    for (const Action& a : lists.actions) {
        if (a.kind != ActionKind::recompute) continue;
        if (recomputed.empty()) recomputed.assign(static_cast<std::size_t>(lists.stages) * units, 0);
        recomputed[place(a)] = 1;
    }
    if (recomputed.empty()) return;
    for (Action& a : lists.actions)
        if (a.kind == ActionKind::forward && recomputed[place(a)] != 0) a.flags |= kRecomputed;
}

}  // namespace

Result<void> parseCell(std::string_view cell, std::vector<Action>& out) {
    if (cell.size() < 2 || cell.front() != '{') return parseAction(cell, out);
    const std::size_t bar = cell.find('|');
    if (cell.back() != '}' || bar == std::string_view::npos) return unreadable(cell);
    for (const std::string_view half : {cell.substr(1, bar - 1), cell.substr(bar + 1, cell.size() - bar - 2)})
        if (const Result<void> done = parseAction(half, out); !done) return done;
    out[out.size() - 2].flags |= kPairHead;
    out[out.size() - 1].flags |= kPairTail;
    return {};
}

Result<ActionLists> parseScheduleText(std::string_view text, std::string_view where) {
    ActionLists lists;
    std::size_t lineNumber = 0;
    while (!text.empty()) {
        ++lineNumber;
        const std::size_t lineEnd = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, lineEnd);
        text.remove_prefix(std::min(lineEnd + 1, text.size()));
        line = line.substr(0, line.find('#'));
        std::size_t column = 0;
        const auto isSeparator = [](char c) { return c == ' ' || c == ',' || c == '\t' || c == '\r' || c == ';'; };
        if (const std::size_t colon = line.find(':'); line.substr(0, 5) == "rank " && colon != std::string_view::npos)
            column = colon + 1;
        bool begun = false;
        while (column < line.size()) {
            if (isSeparator(line[column])) {
                ++column;
                continue;
            }
            std::size_t end = column;
            while (end < line.size() && !isSeparator(line[end])) ++end;
            std::string_view cell = line.substr(column, end - column);
            cell = cell.substr(0, cell.find('@'));
            if (!begun) lists.rankBegin.push_back(static_cast<std::uint32_t>(lists.actions.size()));
            begun = true;
            if (cell != "-") {
                Result<void> done = parseCell(cell, lists.actions);
                if (!done) {
                    done.error().where = fmt::format("{}:{}:{}", where, lineNumber, column + 1);
                    return tl::unexpected<Error>(done.error());
                }
            }
            column = end;
        }
    }
    if (lists.rankBegin.empty())
        return failure(Error::Kind::unreadable, "schedule-empty", std::string(where),
                       "there is no line with actions; expected one line per rank");
    lists.rankBegin.push_back(static_cast<std::uint32_t>(lists.actions.size()));
    if (Result<void> done = inferPlacement(lists); !done) {
        done.error().where = std::string(where) + (done.error().where.empty() ? "" : ": ") + done.error().where;
        return tl::unexpected<Error>(done.error());
    }
    markRecomputed(lists);
    return lists;
}

fmt::memory_buffer orderText(const ActionLists& lists) {
    fmt::memory_buffer out;
    for (int rank = 0; rank < lists.ranks(); ++rank) {
        bool first = true;
        forEachCell(lists, rank, [&](std::uint32_t i, std::uint32_t count) {
            if (!first) out.push_back(' ');
            first = false;
            appendCell(out, lists, i, count);
        });
        out.push_back('\n');
    }
    return out;
}

}  // namespace trainyard
