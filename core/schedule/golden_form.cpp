#include "core/schedule/golden_form.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <vector>

#include "core/schedule/action_text.h"
#include "core/schedule/metrics.h"
#include "core/schedule/placement.h"

namespace trainyard {

namespace {

void append(fmt::memory_buffer& out, std::string_view text) { out.append(text.data(), text.data() + text.size()); }

void appendNumber(fmt::memory_buffer& out, std::int64_t value) {
    const fmt::format_int digits(value);
    out.append(digits.data(), digits.data() + digits.size());
}

void appendDecimal(fmt::memory_buffer& out, double value) {
    if (value == std::floor(value) && std::abs(value) < 1e15)
        appendNumber(out, static_cast<std::int64_t>(value));
    else
        fmt::format_to(std::back_inserter(out), "{}", value);
}

template <class Values, class Write>
void appendList(fmt::memory_buffer& out, const Values& values, Write write) {
    out.push_back('[');
    bool first = true;
    for (const auto& value : values) {
        if (!first) out.push_back(',');
        first = false;
        write(value);
    }
    out.push_back(']');
}

void appendText(fmt::memory_buffer& out, std::string_view text) {
    out.push_back('"');
    for (const char c : text) {
        if (c == '"' || c == '\\') out.push_back('\\');
        if (static_cast<unsigned char>(c) >= 0x20) out.push_back(c);
    }
    out.push_back('"');
}

/// Of asynchronous schedules: the version that each forward uses, and how many a rank keeps at most.
void appendWeightVersions(fmt::memory_buffer& out, const ActionLists& lists) {
    if (std::all_of(lists.actions.begin(), lists.actions.end(), [](const Action& a) { return a.weightVersion == 0; })) return;
    append(out, ",\n \"fwd_weight_version\": [");
    std::vector<std::int64_t> kept;
    for (int rank = 0; rank < lists.ranks(); ++rank) {
        append(out, rank == 0 ? "[" : ",[");
        bool first = true;
        std::vector<std::uint32_t> live;  // versions of forwards whose backward is still to come
        std::int64_t most = 1;
        for (std::uint32_t i = lists.rankBegin[static_cast<std::size_t>(rank)];
             i < lists.rankBegin[static_cast<std::size_t>(rank) + 1]; ++i) {
            const Action& a = lists.actions[i];
            if (a.kind == ActionKind::forward) {
                if (!first) out.push_back(',');
                first = false;
                appendNumber(out, a.weightVersion);
                live.push_back(a.weightVersion);
                // The newest version exists beside those still needed.
                const auto [oldest, newest] = std::minmax_element(live.begin(), live.end());
                most = std::max<std::int64_t>(most, static_cast<std::int64_t>(*newest) - static_cast<std::int64_t>(*oldest) + 1);
            } else if (a.kind == ActionKind::backward || a.kind == ActionKind::backwardWeight) {
                const auto used = std::find(live.begin(), live.end(), a.weightVersion);
                if (used != live.end()) live.erase(used);
            }
        }
        kept.push_back(most);
        out.push_back(']');
    }
    append(out, "],\n \"weight_versions_per_rank\": ");
    appendList(out, kept, [&out](std::int64_t value) { appendNumber(out, value); });
}

}  // namespace

std::string_view placementName(const ActionLists& lists) {
    if (lists.rankOfStage.size() > 1) {
        std::vector<int> pipesOnRank(static_cast<std::size_t>(lists.ranks()), 0);
        for (const StagePlacement& placement : lists.rankOfStage)
            for (const std::uint16_t rank : placement) ++pipesOnRank[rank];
        return std::all_of(pipesOnRank.begin(), pipesOnRank.end(), [](int pipes) { return pipes == 1; }) ? "replicas"
                                                                                                         : "bidirectional";
    }
    const int ranks = lists.ranks();
    if (lists.rankOfStage.empty() || ranks < 1 || lists.stages % ranks != 0) return "custom";
    const int chunks = lists.stages / ranks;
    const StagePlacement& placement = lists.rankOfStage[0];
    if (placement == loopedPlacement(ranks, chunks)) return chunks == 1 ? "linear" : "looped";
    if (placement == wavePlacement(ranks, chunks)) return chunks == 2 ? "v" : "wave";
    return "custom";
}

int chunksPerRank(const ActionLists& lists) {
    std::vector<int> chunks(static_cast<std::size_t>(lists.ranks()), 0);
    for (const StagePlacement& placement : lists.rankOfStage)
        for (const std::uint16_t rank : placement) ++chunks[rank];
    return chunks.empty() ? 0 : *std::max_element(chunks.begin(), chunks.end());
}

void appendUnits(fmt::memory_buffer& out, Ticks ticks, double ticksPerUnit) {
    const Ticks whole = static_cast<Ticks>(ticksPerUnit);
    if (whole > 0 && static_cast<double>(whole) == ticksPerUnit && ticks % whole == 0)
        appendNumber(out, ticks / whole);
    else
        fmt::format_to(std::back_inserter(out), "{}", static_cast<double>(ticks) / ticksPerUnit);
}

void appendCell(fmt::memory_buffer& out, const ActionLists& lists, std::uint32_t first, std::uint32_t count) {
    const bool slices = lists.slices > 1;
    if (count == 1) return appendActionText(out, lists.actions[first], slices);
    out.push_back('{');
    appendActionText(out, lists.actions[first], slices);
    out.push_back('|');
    appendActionText(out, lists.actions[first + 1], slices);
    out.push_back('}');
}

fmt::memory_buffer goldenForm(const ActionLists& lists, const Timeline& timeline, const ScheduleHeading& heading) {
    fmt::memory_buffer out;
    out.reserve(lists.actions.size() * 24 + 1024);
    const auto units = [&](Ticks ticks) { appendUnits(out, ticks, heading.ticksPerUnit); };
    const auto decimal = [&](double value) { appendDecimal(out, value); };
    const auto number = [&](std::int64_t value) { appendNumber(out, value); };

    append(out, "{\n \"schedule\": ");
    appendText(out, heading.name);
    fmt::format_to(std::back_inserter(out),
                   ",\n \"p\": {}, \"m\": {}, \"v\": {}, \"slices\": {}, \"stages\": {}, \"placement\": \"{}\",\n", lists.ranks(),
                   lists.microBatches, heading.chunks, lists.slices, lists.stages, placementName(lists));
    if (!heading.semantics.empty()) fmt::format_to(std::back_inserter(out), " \"semantics\": \"{}\",\n", heading.semantics);
    append(out, " \"stage_to_rank\": ");
    const auto stageList = [&](const std::vector<std::uint16_t>& ranks) { appendList(out, ranks, number); };
    if (lists.rankOfStage.size() == 1)
        stageList(lists.rankOfStage[0]);
    else
        appendList(out, lists.rankOfStage, stageList);
    if (!lists.pipeOfMicroBatch.empty()) {
        append(out, ",\n \"mb_pipe\": ");
        appendList(out, lists.pipeOfMicroBatch, number);
    }

    const Bubbles bubbles = bubblesOf(timeline);
    append(out, ",\n \"makespan\": ");
    units(timeline.makespan);
    if (heading.closedFormMakespan)
        fmt::format_to(std::back_inserter(out), ", \"closed_form_makespan\": {}", *heading.closedFormMakespan);
    append(out, ", \"bubble\": ");
    decimal(bubbles.idleShare);
    append(out, ", \"max_span\": ");
    units(maximumSpan(timeline));
    append(out, ",\n \"bubbles\": {\"idle_share\": ");
    decimal(bubbles.idleShare);
    append(out, ", \"overhead\": ");
    decimal(bubbles.overhead);
    append(out, ", \"span\": ");
    decimal(bubbles.span);
    append(out, "},\n \"busy\": ");
    appendList(out, timeline.busy, units);
    append(out, ",\n \"peak_b\": ");
    appendList(out, timeline.peakInFlightB, decimal);
    append(out, ",\n \"peak_w\": ");
    appendList(out, timeline.peakInFlightW, decimal);

    appendWeightVersions(out, lists);
    append(out, ",\n \"ranks\": [");
    for (int rank = 0; rank < lists.ranks(); ++rank) {
        append(out, rank == 0 ? "\n  [" : ",\n  [");
        bool first = true;
        forEachCell(lists, rank, [&](std::uint32_t i, std::uint32_t count) {
            append(out, first ? "\"" : ",\"");
            first = false;
            appendCell(out, lists, i, count);
            out.push_back('"');
        });
        out.push_back(']');
    }
    append(out, "],\n \"starts\": [");
    for (int rank = 0; rank < lists.ranks(); ++rank) {
        append(out, rank == 0 ? "\n  [" : ",\n  [");
        bool first = true;
        forEachCell(lists, rank, [&](std::uint32_t i, std::uint32_t) {
            if (!first) out.push_back(',');
            first = false;
            units(timeline.start[i]);
        });
        out.push_back(']');
    }
    append(out, "]\n}\n");
    return out;
}

fmt::memory_buffer timedText(const ActionLists& lists, const Timeline& timeline, const ScheduleHeading& heading) {
    fmt::memory_buffer out;
    out.reserve(lists.actions.size() * 16 + 1024);
    const Bubbles bubbles = bubblesOf(timeline);
    fmt::format_to(std::back_inserter(out), "# {}{}: {} ranks, {} micro-batches, {} chunks, {} slices, placement {}\n# makespan ",
                   heading.name, heading.semantics.empty() ? std::string() : fmt::format(" [{}]", heading.semantics),
                   lists.ranks(), lists.microBatches, heading.chunks, lists.slices, placementName(lists));
    appendUnits(out, timeline.makespan, heading.ticksPerUnit);
    if (heading.closedFormMakespan) fmt::format_to(std::back_inserter(out), " (closed form {})", *heading.closedFormMakespan);
    fmt::format_to(std::back_inserter(out),
                   "; bubble: idle share {:.6g}, overhead {:.6g}, span {:.6g}\n# in flight (chunks), until input gradient:",
                   bubbles.idleShare, bubbles.overhead, bubbles.span);
    for (const double peak : timeline.peakInFlightB) fmt::format_to(std::back_inserter(out), " {}", peak);
    append(out, "\n# in flight (chunks), until weight gradient:");
    for (const double peak : timeline.peakInFlightW) fmt::format_to(std::back_inserter(out), " {}", peak);
    append(out, "\n# one line per rank: action micro-batch [:slice] .stage @start\n");
    for (int rank = 0; rank < lists.ranks(); ++rank) {
        bool first = true;
        forEachCell(lists, rank, [&](std::uint32_t i, std::uint32_t count) {
            if (!first) out.push_back(' ');
            first = false;
            appendCell(out, lists, i, count);
            out.push_back('@');
            appendUnits(out, timeline.start[i], heading.ticksPerUnit);
        });
        out.push_back('\n');
    }
    return out;
}

}  // namespace trainyard
