#pragma once

#include <QString>

#include "core/base/format_quantity.h"

namespace trainyard {

/// In which units every view shows memory: the one switch View, Bytes in GB. Kept with the application object.
[[nodiscard]] ByteUnits displayUnits();
void setDisplayUnits(ByteUnits units);

/// "59.8 GiB" or "64.2 GB", by the switch.
[[nodiscard]] QuantityText shownBytes(double bytes);
/// Both forms, for tooltips: "59.8 GiB = 64.2 GB", the one of the switch first.
[[nodiscard]] QString bothBytes(double bytes);
/// Bytes of the unit of axes and tables, and its name: GiB or GB.
[[nodiscard]] double gigaBytes();
[[nodiscard]] QString gigaName();

}  // namespace trainyard
