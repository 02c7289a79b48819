#include "core/schedule/trace_form.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "core/schedule/action_text.h"
#include "core/schedule/metrics.h"

namespace trainyard {

namespace {

constexpr double kMicrosecondsPerUnit = 1000;
constexpr std::size_t kMostFlows = 200'000;

template <class... Arguments>
void append(fmt::memory_buffer& out, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out), text, std::forward<Arguments>(arguments)...);
}

/// Spans of forward and input gradient by stage and micro-batch x slice.
class SpanIndex {
  public:
    SpanIndex(const ActionLists& lists, const Timeline& timeline)
        : slices_(static_cast<std::size_t>(lists.slices)),
          units_(static_cast<std::size_t>(lists.microBatches) * slices_),
          forward_(static_cast<std::size_t>(lists.stages) * units_, -1),
          gradient_(forward_) {
        for (std::size_t i = 0; i < timeline.spans(); ++i) {
            const Action& a = timeline.action[i];
            if (a.kind == ActionKind::forward) forward_[place(a, a.stage)] = static_cast<std::int32_t>(i);
            if (a.kind == ActionKind::backward || a.kind == ActionKind::backwardInput)
                gradient_[place(a, a.stage)] = static_cast<std::int32_t>(i);
        }
    }
    [[nodiscard]] std::int32_t forward(const Action& a, std::size_t stage) const { return forward_[place(a, stage)]; }
    [[nodiscard]] std::int32_t gradient(const Action& a, std::size_t stage) const { return gradient_[place(a, stage)]; }

  private:
    [[nodiscard]] std::size_t place(const Action& a, std::size_t stage) const {
        return stage * units_ + a.microBatch * slices_ + a.slice;
    }
    std::size_t slices_;
    std::size_t units_;
    std::vector<std::int32_t> forward_;
    std::vector<std::int32_t> gradient_;
};

std::vector<int> rankOfSpans(const Timeline& timeline) {
    std::vector<int> ranks(timeline.spans(), 0);
    for (int rank = 0; rank < timeline.ranks; ++rank)
        for (std::uint32_t i = timeline.laneBegin[static_cast<std::size_t>(rank) * kLaneCount];
             i < timeline.laneBegin[static_cast<std::size_t>(rank + 1) * kLaneCount]; ++i)
            ranks[i] = rank;
    return ranks;
}

std::string_view colourOf(ActionKind kind) {
    switch (kind) {
        case ActionKind::forward: return "#4c8bf5";
        case ActionKind::backward: return "#2f9e6e";
        case ActionKind::backwardInput: return "#3fb28a";
        case ActionKind::backwardWeight: return "#e0a030";
        case ActionKind::recompute: return "#9b8ce0";
        case ActionKind::optimizer: return "#7d8590";
        default: return "#c7689b";
    }
}

}  // namespace

std::string_view laneKey(Lane lane) {
    constexpr std::string_view kNames[] = {"compute", "tensor", "context", "expert", "data", "pipeline", "host"};
    return kNames[static_cast<std::size_t>(lane)];
}

fmt::memory_buffer traceForm(const ActionLists& lists, const Timeline& timeline, const ScheduleHeading& heading) {
    fmt::memory_buffer out;
    out.reserve(timeline.spans() * 160 + 4096);
    const double scale = kMicrosecondsPerUnit / heading.ticksPerUnit;
    const bool slices = lists.slices > 1;
    append(out,
           "{{\"displayTimeUnit\":\"ms\",\"otherData\":{{\"schedule\":\"{}\",\"unit\":\"1 ms = 1 unit\"}},\"traceEvents\":[\n",
           heading.name);
    bool first = true;
    const auto next = [&] {
        if (!first) append(out, ",\n");
        first = false;
    };
    for (int rank = 0; rank < timeline.ranks; ++rank) {
        next();
        append(out, "{{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":{},\"args\":{{\"name\":\"rank {}\"}}}},\n", rank, rank);
        append(out, "{{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":{},\"args\":{{\"sort_index\":{}}}}}", rank, rank);
        for (int lane = 0; lane < kLaneCount; ++lane) {
            const std::uint32_t begin = timeline.begin(rank, static_cast<Lane>(lane));
            const std::uint32_t finish = timeline.finish(rank, static_cast<Lane>(lane));
            if (begin == finish) continue;
            next();
            append(out, "{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":\"{}\"}}}}", rank,
                   lane, laneKey(static_cast<Lane>(lane)));
            for (std::uint32_t i = begin; i < finish; ++i) {
                const Action& a = timeline.action[i];
                next();
                append(out, "{{\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"name\":\"", rank, lane,
                       static_cast<double>(timeline.start[i]) * scale,
                       static_cast<double>(timeline.end[i] - timeline.start[i]) * scale);
                appendActionText(out, a, slices);
                append(out, "\",\"cat\":\"{}\",\"args\":{{\"micro_batch\":{},\"stage\":{},\"slice\":{}}}}}", mark(a.kind),
                       a.microBatch, a.stage, a.slice);
            }
        }
        int held = 0;
        for (std::uint32_t i = timeline.begin(rank, Lane::compute); i < timeline.finish(rank, Lane::compute); ++i) {
            const Action& a = timeline.action[i];
            const bool takes = a.kind == ActionKind::recompute || (a.kind == ActionKind::forward && (a.flags & kRecomputed) == 0);
            const bool frees = a.kind == ActionKind::backward || a.kind == ActionKind::backwardInput;
            if (!takes && !frees) continue;
            held += takes ? 1 : -1;
            next();
            append(out, "{{\"ph\":\"C\",\"pid\":{},\"name\":\"in flight\",\"ts\":{},\"args\":{{\"activations\":{}}}}}", rank,
                   static_cast<double>(takes ? timeline.start[i] : timeline.end[i]) * scale, held);
        }
    }
    const SpanIndex index(lists, timeline);
    const std::vector<int> rankOf = rankOfSpans(timeline);
    std::size_t flows = 0;
    for (std::size_t i = 0; i < timeline.spans() && flows < kMostFlows; ++i) {
        const Action& a = timeline.action[i];
        std::int32_t from = -1;
        if (a.kind == ActionKind::forward && a.stage > 0) from = index.forward(a, a.stage - std::size_t{1});
        if ((a.kind == ActionKind::backward || a.kind == ActionKind::backwardInput) &&
            a.stage + std::size_t{1} < lists.rankOfStage[a.pipe].size())
            from = index.gradient(a, a.stage + std::size_t{1});
        if (from < 0 || rankOf[static_cast<std::size_t>(from)] == rankOf[i]) continue;
        ++flows;
        // The arrow leaves inside the producer's slice, else the viewer binds it to the next one.
        const std::size_t f = static_cast<std::size_t>(from);
        const double leave =
            (static_cast<double>(timeline.start[f]) + 0.99 * static_cast<double>(timeline.end[f] - timeline.start[f])) * scale;
        next();
        append(out, "{{\"ph\":\"s\",\"id\":{},\"pid\":{},\"tid\":0,\"ts\":{},\"name\":\"transfer\",\"cat\":\"transfer\"}},\n", i,
               rankOf[f], leave);
        append(
            out,
            "{{\"ph\":\"f\",\"bp\":\"e\",\"id\":{},\"pid\":{},\"tid\":0,\"ts\":{},\"name\":\"transfer\",\"cat\":\"transfer\"}}",
            i, rankOf[i], static_cast<double>(timeline.start[i]) * scale);
    }
    append(out, "\n]}}\n");
    return out;
}

fmt::memory_buffer tableForm(const ActionLists&, const Timeline& timeline, const ScheduleHeading& heading) {
    fmt::memory_buffer out;
    out.reserve(timeline.spans() * 40 + 256);
    append(out, "rank,lane,action,micro_batch,slice,stage,start,end\n");
    for (int rank = 0; rank < timeline.ranks; ++rank)
        for (int lane = 0; lane < kLaneCount; ++lane)
            for (std::uint32_t i = timeline.begin(rank, static_cast<Lane>(lane));
                 i < timeline.finish(rank, static_cast<Lane>(lane)); ++i) {
                const Action& a = timeline.action[i];
                append(out, "{},{},{},{},{},{},", rank, laneKey(static_cast<Lane>(lane)), mark(a.kind), a.microBatch, a.slice,
                       a.stage);
                appendUnits(out, timeline.start[i], heading.ticksPerUnit);
                out.push_back(',');
                appendUnits(out, timeline.end[i], heading.ticksPerUnit);
                out.push_back('\n');
            }
    return out;
}

fmt::memory_buffer svgForm(const ActionLists& lists, const Timeline& timeline, const ScheduleHeading& heading) {
    constexpr double kLeft = 64;
    constexpr double kTop = 56;
    constexpr double kRow = 26;
    constexpr double kLaneRow = 12;
    constexpr double kGap = 4;
    constexpr double kDigit = 6.2;  // width of a digit at the label's size
    fmt::memory_buffer out;
    std::vector<double> rowTop;
    double height = kTop;
    std::vector<std::vector<double>> laneTop(static_cast<std::size_t>(timeline.ranks), std::vector<double>(kLaneCount, 0));
    for (int rank = 0; rank < timeline.ranks; ++rank) {
        rowTop.push_back(height);
        for (int lane = 0; lane < kLaneCount; ++lane) {
            if (lane > 0 && timeline.begin(rank, static_cast<Lane>(lane)) == timeline.finish(rank, static_cast<Lane>(lane)))
                continue;
            laneTop[static_cast<std::size_t>(rank)][static_cast<std::size_t>(lane)] = height;
            height += lane == 0 ? kRow : kLaneRow;
        }
        height += kGap;
    }
    std::size_t widest = 0;
    for (int rank = 0; rank < timeline.ranks; ++rank)
        widest = std::max<std::size_t>(widest, timeline.finish(rank, Lane::compute) - timeline.begin(rank, Lane::compute));
    const double plot = std::clamp(static_cast<double>(widest) * 22.0, 640.0, 4000.0);
    const double perTick = timeline.makespan > 0 ? plot / static_cast<double>(timeline.makespan) : 0;
    const Bubbles bubbles = bubblesOf(timeline);
    append(out,
           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
           "font-family=\"Inter, Helvetica, Arial, sans-serif\" font-size=\"11\">\n",
           kLeft + plot + 16, height + 32);
    append(out,
           "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<text x=\"16\" y=\"22\" font-size=\"14\" "
           "font-weight=\"600\" fill=\"#1f2328\">{}</text>\n",
           heading.name);
    fmt::memory_buffer makespan;
    appendUnits(makespan, timeline.makespan, heading.ticksPerUnit);
    append(out,
           "<text x=\"16\" y=\"40\" fill=\"#57606a\">{} ranks, {} micro-batches; makespan {}; bubble {:.1f} % idle share, {:.1f} "
           "% overhead, {:.1f} % of the span</text>\n",
           lists.ranks(), lists.microBatches, fmt::to_string(makespan), 100 * bubbles.idleShare, 100 * bubbles.overhead,
           100 * bubbles.span);
    for (int rank = 0; rank < timeline.ranks; ++rank) {
        const double top = rowTop[static_cast<std::size_t>(rank)];
        append(out,
               "<text x=\"16\" y=\"{:.1f}\" fill=\"#57606a\">rank {}</text>\n<rect x=\"{}\" y=\"{:.1f}\" width=\"{:.1f}\" "
               "height=\"{}\" fill=\"#f0f2f4\"/>\n",
               top + kRow / 2 + 4, rank, kLeft, top, plot, kRow);
        for (int lane = 0; lane < kLaneCount; ++lane)
            for (std::uint32_t i = timeline.begin(rank, static_cast<Lane>(lane));
                 i < timeline.finish(rank, static_cast<Lane>(lane)); ++i) {
                const double x = kLeft + static_cast<double>(timeline.start[i]) * perTick;
                const double width = static_cast<double>(timeline.end[i] - timeline.start[i]) * perTick;
                if (width <= 0) continue;
                const double y = laneTop[static_cast<std::size_t>(rank)][static_cast<std::size_t>(lane)];
                const Action& a = timeline.action[i];
                append(out,
                       "<rect x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{}\" fill=\"{}\" stroke=\"#ffffff\" "
                       "stroke-width=\"0.5\"><title>",
                       x, y, width, lane == 0 ? kRow : kLaneRow - 1, colourOf(a.kind));
                appendActionText(out, a, lists.slices > 1);
                append(out, "</title></rect>\n");
                const std::size_t digits = fmt::format_int(a.microBatch).size();
                if (lane == 0 && isPerMicroBatch(a.kind) && width > static_cast<double>(digits) * kDigit + 3)
                    append(out, "<text x=\"{:.2f}\" y=\"{:.1f}\" fill=\"#ffffff\" text-anchor=\"middle\">{}</text>\n",
                           x + width / 2, y + kRow / 2 + 4, a.microBatch);
            }
    }
    double x = kLeft;
    for (const ActionKind kind : {ActionKind::forward, ActionKind::backward, ActionKind::backwardInput,
                                  ActionKind::backwardWeight, ActionKind::recompute}) {
        if (std::none_of(lists.actions.begin(), lists.actions.end(), [kind](const Action& a) { return a.kind == kind; }))
            continue;
        constexpr std::string_view kNames[] = {"forward", "input gradient", "weight gradient", "backward", "recompute"};
        append(out,
               "<rect x=\"{}\" y=\"{:.1f}\" width=\"12\" height=\"12\" fill=\"{}\"/><text x=\"{}\" y=\"{:.1f}\" "
               "fill=\"#57606a\">{}</text>\n",
               x, height + 8, colourOf(kind), x + 18, height + 18, kNames[static_cast<std::size_t>(kind)]);
        x += 130;
    }
    append(out, "</svg>\n");
    return out;
}

}  // namespace trainyard
