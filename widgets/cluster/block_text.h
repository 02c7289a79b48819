#pragma once

#include <QString>

#include "core/base/format_quantity.h"
#include "core/cluster/cluster_spec.h"

namespace trainyard {

[[nodiscard]] inline QString shown(const QuantityText& quantity) { return QString::fromStdString(quantity.joined()); }

/// "H100 80 GB" of "H100 SXM5 80GB": what fits on a block.
[[nodiscard]] QString shortName(const AcceleratorSpec& accelerator);
/// "8 × H100 80 GB" or, of mixed hosts, "2 × RTX 3090 + 2 × T4".
[[nodiscard]] QString deviceLine(const NodeSpec& node);
/// "NVLink 4", "PCIe through the host", ...
[[nodiscard]] QString innerLinkName(const NodeSpec& node);
[[nodiscard]] QString linkKindName(LinkKind kind);
/// Network rates as they are sold, in bits: "400 Gb/s"; links inside a node in bytes: "450 GB/s".
[[nodiscard]] QString rateText(LinkKind kind, double bytesPerS);
[[nodiscard]] bool soldInBits(LinkKind kind);
/// "8 × 400 Gb/s".
[[nodiscard]] QString cablesText(const LinkSpec& link);
[[nodiscard]] QString titleOf(const NodeSpec& node);
[[nodiscard]] QString titleOf(const SwitchSpec& item);

}  // namespace trainyard
