#include "core/schedule/trace_form.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <vector>

#include "core/schedule/action_text.h"
#include "core/schedule/metrics.h"

namespace trainyard {

namespace {

template <class... Arguments>
void append(fmt::memory_buffer& out, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out), text, std::forward<Arguments>(arguments)...);
}

/// Producers of each span on other ranks: the forward of the stage before, the gradient of the stage after.
class SpanIndex {
  public:
    explicit SpanIndex(const Timeline& timeline) {
        std::size_t microBatches = 0;
        for (const Action& a : timeline.action) {
            stages_ = std::max(stages_, a.stage + std::size_t{1});
            slices_ = std::max(slices_, a.slice + std::size_t{1});
            microBatches = std::max(microBatches, a.microBatch + std::size_t{1});
        }
        units_ = microBatches * slices_;
        forward_.assign(stages_ * units_, -1);
        gradient_ = forward_;
        for (std::size_t i = 0; i < timeline.spans(); ++i) {
            const Action& a = timeline.action[i];
            if (a.kind == ActionKind::forward) forward_[place(a, a.stage)] = static_cast<std::int32_t>(i);
            if (isGradient(a)) gradient_[place(a, a.stage)] = static_cast<std::int32_t>(i);
        }
    }
    [[nodiscard]] bool hasSlices() const { return slices_ > 1; }
    /// -1: none.
    [[nodiscard]] std::int32_t producerOf(const Action& a) const {
        if (a.kind == ActionKind::forward && a.stage > 0) return forward_[place(a, a.stage - std::size_t{1})];
        if (isGradient(a) && a.stage + std::size_t{1} < stages_) return gradient_[place(a, a.stage + std::size_t{1})];
        return -1;
    }

  private:
    static bool isGradient(const Action& a) { return a.kind == ActionKind::backward || a.kind == ActionKind::backwardInput; }
    [[nodiscard]] std::size_t place(const Action& a, std::size_t stage) const {
        return stage * units_ + a.microBatch * slices_ + a.slice;
    }
    std::size_t stages_ = 0;
    std::size_t slices_ = 1;
    std::size_t units_ = 0;
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

std::string_view kindInWords(ActionKind kind) {
    constexpr std::string_view kNames[] = {"forward",   "backward input", "backward weight", "backward",   "recompute",
                                           "optimizer", "all-gather",     "reduce-scatter",  "all-reduce", "evict",
                                           "load",      "offload",        "reload",          "send",       "receive",
                                           "barrier"};
    return kNames[static_cast<std::size_t>(kind)];
}

/// A name as the content of a JSON string.
std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (static_cast<unsigned char>(c) >= 0x20) result += c;
    }
    return result;
}

std::string_view colourOf(ActionKind kind) {
    switch (kind) {
        case ActionKind::forward: return "#4b9cd3";
        case ActionKind::backward: return "#e69f00";
        case ActionKind::backwardInput: return "#e69f00";
        case ActionKind::backwardWeight: return "#2a9d78";
        case ActionKind::recompute: return "#8e7cc3";
        case ActionKind::optimizer: return "#d95f02";
        default: return "#cc79a7";
    }
}

}  // namespace

std::string_view laneKey(Lane lane) {
    constexpr std::string_view kNames[] = {"compute", "tensor", "context", "expert", "data", "pipeline", "host"};
    return kNames[static_cast<std::size_t>(lane)];
}

namespace {

class TraceWriting {
  public:
    TraceWriting(const Timeline& timeline, const TraceHeading& heading)
        : timeline_(timeline), heading_(heading), index_(timeline), rankOf_(rankOfSpans(timeline)) {}

    fmt::memory_buffer written() {
        out_.reserve(timeline_.spans() * 160 + 4096);
        append(out_, "{{\"displayTimeUnit\":\"ms\",\"otherData\":{{\"schedule\":\"{}\"", escaped(heading_.title));
        if (!heading_.note.empty()) append(out_, ",\"unit\":\"{}\"", escaped(heading_.note));
        append(out_, "}},\"traceEvents\":[\n");
        for (int rank = 0; rank < timeline_.ranks; ++rank) writeRank(rank);
        writeFlows();
        append(out_, "\n]}}\n");
        return std::move(out_);
    }

  private:
    void next() {
        if (!isFirst_) append(out_, ",\n");
        isFirst_ = false;
    }
    [[nodiscard]] double time(Ticks ticks) const { return static_cast<double>(ticks) * heading_.microsecondsPerTick; }
    /// Nanoseconds are as fine as trace viewers go; more digits would make rounded neighbours overlap.
    void writeTime(double microseconds) { append(out_, "{:.3f}", microseconds); }

    void beginSlice(int rank, int lane, Ticks start, Ticks end) {
        next();
        append(out_, "{{\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":", rank, lane);
        // The end is rounded, not the length: what follows starts exactly there.
        const double from = std::round(time(start) * 1000) / 1000;
        const double to = std::round(time(end) * 1000) / 1000;
        writeTime(from);
        append(out_, ",\"dur\":");
        writeTime(to - from);
    }
    void writeGroup(int rank, std::uint32_t begin, std::uint32_t finish, std::string_view name, std::string_view category) {
        if (begin >= finish) return;
        beginSlice(rank, 0, timeline_.start[begin], timeline_.end[finish - 1]);
        append(out_, ",\"name\":\"{}\",\"cat\":\"{}\"}}", name, category);
    }

    void writeName(const Action& a) {
        if (heading_.inWords) {
            append(out_, "{}", kindInWords(a.kind));
            if (a.kind <= ActionKind::recompute) append(out_, " {}", a.microBatch);
        } else {
            appendActionText(out_, a, index_.hasSlices());
        }
    }

    void writeRank(int rank) {
        next();
        append(out_, "{{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":{},\"args\":{{\"name\":\"{} {}\"}}}},\n", rank,
               heading_.row, rank);
        append(out_, "{{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":{},\"args\":{{\"sort_index\":{}}}}}", rank, rank);
        for (int lane = 0; lane < kLaneCount; ++lane) {
            const std::uint32_t begin = timeline_.begin(rank, static_cast<Lane>(lane));
            const std::uint32_t finish = timeline_.finish(rank, static_cast<Lane>(lane));
            if (begin == finish) continue;
            next();
            append(out_, "{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":\"{}\"}}}}", rank,
                   lane, laneKey(static_cast<Lane>(lane)));
            if (lane == 0) writePhases(rank, begin, finish);
            for (std::uint32_t i = begin; i < finish; ++i) {
                const Action& a = timeline_.action[i];
                if ((a.flags & kPairHead) != 0 && i + 1 < finish) {
                    beginSlice(rank, lane, timeline_.start[i], timeline_.end[i + 1]);
                    append(out_, ",\"name\":\"");
                    writeName(a);
                    append(out_, " + ");
                    writeName(timeline_.action[i + 1]);
                    append(out_, "\",\"cat\":\"pair\"}}");
                }
                beginSlice(rank, lane, timeline_.start[i], timeline_.end[i]);
                append(out_, ",\"name\":\"");
                writeName(a);
                append(out_, "\",\"cat\":\"{}\",\"args\":{{\"micro_batch\":{},\"stage\":{},\"slice\":{}}}}}",
                       heading_.inWords ? kindInWords(a.kind) : mark(a.kind), a.microBatch, a.stage, a.slice);
            }
        }
        writeCounter(rank);
    }

    /// The step and its three phases: until the first gradient, until the last forward, and the rest.
    void writePhases(int rank, std::uint32_t begin, std::uint32_t finish) {
        const auto isGradient = [&](std::uint32_t i) {
            return timeline_.action[i].kind == ActionKind::backward || timeline_.action[i].kind == ActionKind::backwardInput;
        };
        std::uint32_t steady = begin;
        while (steady < finish && !isGradient(steady)) ++steady;
        std::uint32_t coolDown = finish;
        while (coolDown > steady && timeline_.action[coolDown - 1].kind != ActionKind::forward) --coolDown;
        // A cell of two is not cut.
        if (steady > begin && steady < finish && (timeline_.action[steady].flags & kPairTail) != 0) --steady;
        if (coolDown < finish && (timeline_.action[coolDown].flags & kPairTail) != 0) ++coolDown;
        writeGroup(rank, begin, finish, "step", "step");
        writeGroup(rank, begin, steady, "warm-up", "phase");
        writeGroup(rank, steady, coolDown, "steady", "phase");
        writeGroup(rank, coolDown, finish, "cool-down", "phase");
    }

    void writeCounter(int rank) {
        int held = 0;
        for (std::uint32_t i = timeline_.begin(rank, Lane::compute); i < timeline_.finish(rank, Lane::compute); ++i) {
            const Action& a = timeline_.action[i];
            const bool takes = a.kind == ActionKind::recompute || (a.kind == ActionKind::forward && (a.flags & kRecomputed) == 0);
            const bool frees = a.kind == ActionKind::backward || a.kind == ActionKind::backwardInput;
            if (!takes && !frees) continue;
            held += takes ? 1 : -1;
            next();
            append(out_, "{{\"ph\":\"C\",\"pid\":{},\"name\":\"in flight\",\"ts\":", rank);
            writeTime(time(takes ? timeline_.start[i] : timeline_.end[i]));
            append(out_, ",\"args\":{{\"activations\":{}}}}}", held);
        }
    }

    void writeFlows() {
        std::size_t flows = 0;
        for (std::size_t i = 0; i < timeline_.spans() && flows < kMostTraceFlows; ++i) {
            const std::int32_t from = index_.producerOf(timeline_.action[i]);
            if (from < 0 || rankOf_[static_cast<std::size_t>(from)] == rankOf_[i]) continue;
            const std::size_t f = static_cast<std::size_t>(from);
            if (timeline_.end[f] > timeline_.start[i]) continue;  // a stage with a loss of its own waits for nobody
            ++flows;
            // The arrow leaves inside the producer's slice, else the viewer binds it to the next one.
            const double leave = time(timeline_.start[f]) + 0.99 * time(timeline_.end[f] - timeline_.start[f]);
            next();
            append(out_,
                   "{{\"ph\":\"s\",\"id\":{},\"pid\":{},\"tid\":0,\"ts\":{:.3f},\"name\":\"transfer\",\"cat\":\"transfer\"}},\n",
                   i, rankOf_[f], leave);
            append(out_,
                   "{{\"ph\":\"f\",\"bp\":\"e\",\"id\":{},\"pid\":{},\"tid\":0,\"ts\":{:.3f},\"name\":\"transfer\",\"cat\":"
                   "\"transfer\"}}",
                   i, rankOf_[i], time(timeline_.start[i]));
        }
    }

    const Timeline& timeline_;
    const TraceHeading& heading_;
    SpanIndex index_;
    std::vector<int> rankOf_;
    fmt::memory_buffer out_;
    bool isFirst_ = true;
};

}  // namespace

fmt::memory_buffer traceForm(const Timeline& timeline, const TraceHeading& heading) {
    return TraceWriting(timeline, heading).written();
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
