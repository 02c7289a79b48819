#include <fmt/format.h>

#include "core/io/export/exporter.h"
#include "core/schedule/trace_form.h"

namespace trainyard {
namespace {

std::string_view kindName(ActionKind kind) {
    switch (kind) {
        case ActionKind::forward: return "forward";
        case ActionKind::backward: return "backward";
        case ActionKind::backwardInput: return "backward input";
        case ActionKind::backwardWeight: return "backward weight";
        case ActionKind::recompute: return "recompute";
        case ActionKind::optimizer: return "optimizer";
        case ActionKind::allGather: return "all-gather";
        case ActionKind::reduceScatter: return "reduce-scatter";
        case ActionKind::allReduce: return "all-reduce";
        case ActionKind::send: return "send";
        case ActionKind::receive: return "receive";
        default: return "other";
    }
}

}  // namespace

// One process per pipeline rank, one thread per lane, so that slices of one thread never overlap; flow arrows follow the
// span that each one waited for on another rank.
Result<Exported> exportTrace(const Scenario& scenario, const Evaluation& e) {
    if (!e.timeline)
        return failure(Error::Kind::invalid, "trace-not-simulated", "/plan/schedule",
                       "this plan was not simulated (too many actions), so there is no timeline to write");
    const Timeline& timeline = *e.timeline;
    fmt::memory_buffer out;
    const auto put = [&]<class... Values>(fmt::format_string<Values...> format, Values&&... values) {
        fmt::format_to(std::back_inserter(out), format, std::forward<Values>(values)...);
    };
    put("{{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
    const double microseconds = timeline.secondsPerTick * 1e6;
    bool first = true;
    const auto comma = [&] {
        if (!first) put(",\n");
        first = false;
    };
    for (int rank = 0; rank < timeline.ranks; ++rank) {
        comma();
        put("{{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":{},\"args\":{{\"name\":\"stage {}\"}}}}", rank, rank);
        for (int lane = 0; lane < kLaneCount; ++lane) {
            const auto begin = timeline.begin(rank, static_cast<Lane>(lane));
            const auto end = timeline.finish(rank, static_cast<Lane>(lane));
            if (begin == end) continue;
            comma();
            put("{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":\"{}\"}}}}", rank, lane,
                laneKey(static_cast<Lane>(lane)));
            for (auto i = begin; i < end; ++i) {
                const Action& action = timeline.action[i];
                comma();
                put("{{\"ph\":\"X\",\"name\":\"{} "
                    "{}\",\"cat\":\"{}\",\"pid\":{},\"tid\":{},\"ts\":{:.3f},\"dur\":{:.3f},\"args\":{{\"micro_batch\":{},"
                    "\"stage\":{},\"slice\":{}}}}}",
                    kindName(action.kind), action.microBatch, kindName(action.kind), rank, lane,
                    static_cast<double>(timeline.start[i]) * microseconds,
                    static_cast<double>(timeline.end[i] - timeline.start[i]) * microseconds, action.microBatch, action.stage,
                    action.slice);
                const std::int32_t before = timeline.binding[i];
                if (before < 0) continue;
                int other = 0;
                while (other + 1 < timeline.ranks && timeline.laneBegin[static_cast<std::size_t>((other + 1) * kLaneCount)] <=
                                                         static_cast<std::uint32_t>(before))
                    ++other;
                if (other == rank) continue;
                const auto b = static_cast<std::size_t>(before);
                comma();
                put("{{\"ph\":\"s\",\"name\":\"waits\",\"cat\":\"dependency\",\"id\":{},\"pid\":{},\"tid\":0,\"ts\":{:.3f}}}", i,
                    other, static_cast<double>(timeline.end[b]) * microseconds - 0.001);
                comma();
                put("{{\"ph\":\"f\",\"bp\":\"e\",\"name\":\"waits\",\"cat\":\"dependency\",\"id\":{},\"pid\":{},\"tid\":{},"
                    "\"ts\":{:.3f}}}",
                    i, rank, lane, static_cast<double>(timeline.start[i]) * microseconds);
            }
        }
    }
    put("\n]}}\n");
    static_cast<void>(scenario);
    return Exported{fmt::to_string(out), {}};
}

}  // namespace trainyard
