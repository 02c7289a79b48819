#pragma once

#include <cstdint>
#include <string>

namespace trainyard {

/// A figure for people: the number and, apart, its unit (views print units smaller). `number` uses a point, never a group sign.
struct QuantityText {
    std::string number;
    std::string unit;

    /// "12.4 GiB": with a no-break space; the number alone if there is no unit.
    [[nodiscard]] std::string joined() const;
    bool operator==(const QuantityText&) const = default;
};

enum class ByteUnits : std::uint8_t { binary, decimal };

/// Three significant digits, never in scientific notation: "0.0312", "4.82", "59.8", "435", "12800".
[[nodiscard]] std::string threeDigits(double value);
/// The number with spaces between groups of three digits: "16 777 216".
[[nodiscard]] std::string grouped(std::int64_t value);

/// "59.8 GiB" or "64.2 GB", up to PiB and PB.
[[nodiscard]] QuantityText bytesText(double bytes, ByteUnits units = ByteUnits::binary);
/// Decimal, as links are sold: "450 GB/s".
[[nodiscard]] QuantityText bytesPerSecondText(double bytesPerS);
/// "310 µs", "4.82 s", "3.2 min", "7.5 h", "12.3 days".
[[nodiscard]] QuantityText secondsText(double seconds);
/// Plain counts: "435 k", "70.6 B", "1.2 T" (short scale, as models and tokens are counted).
[[nodiscard]] QuantityText countText(double count);
/// "989 TFLOP/s".
[[nodiscard]] QuantityText flopsPerSecondText(double flopsPerS);
/// Joules as "57 kWh" from 0.1 kWh on, "2.4 J" below.
[[nodiscard]] QuantityText energyText(double joules);
/// A share as "46.8 %"; below 10 with one decimal, "< 0.1 %" for what is not quite nothing.
[[nodiscard]] QuantityText percentText(double share);
/// "$ 204", "$ 1.42 M".
[[nodiscard]] QuantityText dollarsText(double dollars);

}  // namespace trainyard
