#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/base/format_quantity.h"
#include "core/io/import/import_builder.h"
#include "core/io/import/importers.h"
#include "core/io/import/trace_file.h"

// A recording of a run as a Chrome trace. It describes no plan; the report says what stands in it, and the timeline can lay it
// under the computed one.

namespace trainyard {
namespace {

Result<ImportResult> read(std::string_view text, const ImportContext& context) {
    const auto file = readTraceFile(text, context.where);
    if (!file) return tl::unexpected<Error>(file.error());
    ImportBuilder builder("trace", context);
    std::map<std::int64_t, std::size_t> lanesOf;
    for (const TraceLane& lane : file->lanes) ++lanesOf[lane.process];
    builder.understand(fmt::format("{} slices on {} lane{} of {} process{}, {} long", file->spans(), file->lanes.size(),
                                   file->lanes.size() == 1 ? "" : "s", lanesOf.size(), lanesOf.size() == 1 ? "" : "es",
                                   secondsText(file->spanS).joined()));
    std::size_t listed = 0;
    for (const TraceLane& lane : file->lanes) {
        if (++listed > 64) break;
        const std::string process = lane.processName.empty() ? fmt::format("process {}", lane.process) : lane.processName;
        builder.understand(fmt::format("{}, {}: {} slices, busy {} ({:.1f} %)", process,
                                       lane.threadName.empty() ? "thread " + lane.thread : lane.threadName, lane.spans.size(),
                                       secondsText(lane.busyS).joined(), file->spanS > 0 ? 100 * lane.busyS / file->spanS : 0.0));
    }
    if (listed > 64) builder.understand(fmt::format("{} more lanes", file->lanes.size() - 64));
    std::vector<double> secondsOf(file->names.size(), 0);
    for (const TraceLane& lane : file->lanes)
        for (const TraceSpan& span : lane.spans) secondsOf[span.name] += span.durationS;
    std::vector<std::size_t> order(secondsOf.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return secondsOf[a] > secondsOf[b]; });
    for (std::size_t i = 0; i < order.size() && i < 12 && secondsOf[order[i]] > 0; ++i)
        builder.understand(fmt::format("{}: {} in all",
                                       file->names[order[i]].empty() ? "(no name)" : file->names[order[i]].substr(0, 80),
                                       secondsText(secondsOf[order[i]]).joined()));
    for (const auto& note : file->notes) builder.note("trace", note);
    if (file->skipped > 0) builder.ignore(fmt::format("{} flows, counters and instants", file->skipped));
    builder.note("no-plan", "a trace says how long things took, not how the work is split; lay it over the timeline to compare",
                 "/plan");
    return builder.finish();
}

double likeness(std::string_view text) {
    const auto has = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
    if (has("\"traceEvents\"")) return 0.97;
    return has("\"ph\"") && has("\"ts\"") && has("\"pid\"") ? 0.9 : 0;
}

}  // namespace

const Importer kTraceImporter{"trace", "Recorded timeline (Chrome trace)", "nothing of a plan: lanes and durations", read,
                              likeness};

}  // namespace trainyard
