#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/io/import/measured_trace.h"
#include "widgets/timeline/timeline_model.h"

namespace trainyard {

/// Measured actions laid over a planned timeline: same rows, same lanes, same time axis.
struct MeasuredOverlay {
    std::shared_ptr<const TimelineModel> model;  ///< in ticks of the plan
    std::vector<int> rowOfPlanRow;               ///< -1: not measured
    double planPerMeasured = 1;                  ///< factor on the measured times; 1 where both are seconds
    QString summary;                             ///< `measured 12.3 ms, 4.1 % longer than planned; 96 of 96 actions matched`

    [[nodiscard]] int rowOf(int planRow) const {
        return static_cast<std::size_t>(planRow) < rowOfPlanRow.size() ? rowOfPlanRow[static_cast<std::size_t>(planRow)] : -1;
    }
};

/// Rows go by the number in the trace's process names (`rank 3`), lanes by the thread names. Where the plan has no seconds
/// (playground), measured times are scaled so that both do the same work in the same time.
[[nodiscard]] MeasuredOverlay overlayOf(const TimelineModel& plan, const MeasuredTrace& trace);

/// How the measured action compares with the planned one: `Measured 1.20 ms from 3.40 ms: 9.1 % longer`; empty if not measured.
[[nodiscard]] QString measuredLine(const TimelineModel& plan, std::uint32_t span, const MeasuredOverlay& overlay);

}  // namespace trainyard
