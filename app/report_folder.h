#pragma once

#include <QString>
#include <functional>

#include "core/base/error.h"

class QWidget;

namespace trainyard {

/// Writes `report.md` and a PNG of each view that `view` gives for its name (cluster, timeline, memory, traffic) into the folder;
/// the report shows them. The result is the report's file. Error: what could not be written.
[[nodiscard]] Result<QString> writeReportFolder(const QString& folder, const QString& report,
                                                const std::function<QWidget*(const QString&)>& view);

}  // namespace trainyard
