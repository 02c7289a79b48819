#include <fmt/format.h>

#include "core/io/export/exporter.h"
#include "core/schedule/trace_form.h"

namespace trainyard {

Result<Exported> exportTrace(const Scenario& scenario, const Evaluation& e) {
    if (!e.timeline)
        return failure(Error::Kind::invalid, "trace-not-simulated", "/plan/schedule",
                       "this plan was not simulated (too many actions), so there is no timeline to write");
    const TraceHeading heading{.title = scenario.plan.schedule,
                               .note = {},
                               .microsecondsPerTick = e.timeline->secondsPerTick * 1e6,
                               .row = "stage",
                               .inWords = true};
    return Exported{fmt::to_string(traceForm(*e.timeline, heading)), {}};
}

}  // namespace trainyard
