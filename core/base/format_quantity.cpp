#include "core/base/format_quantity.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace trainyard {
namespace {

/// Scales by `step` until below it (rounded to three digits), and names the unit.
template <std::size_t Count>
QuantityText scaled(double value, double step, const std::array<std::string_view, Count>& units) {
    std::size_t unit = 0;
    while (unit + 1 < Count && std::abs(value) >= step * 0.9995) {
        value /= step;
        ++unit;
    }
    return {threeDigits(value), std::string(units[unit])};
}

}  // namespace

std::string QuantityText::joined() const { return unit.empty() ? number : number + "\u00a0" + unit; }

std::string threeDigits(double value) {
    if (!std::isfinite(value)) return "–";
    const double size = std::abs(value);
    if (size == 0) return "0";
    if (size >= 99.95) return fmt::format("{:.0f}", value);
    if (size >= 9.995) return fmt::format("{:.1f}", value);
    if (size >= 0.9995) return fmt::format("{:.2f}", value);
    const int decimals = std::min(9, 2 - static_cast<int>(std::floor(std::log10(size))));
    return fmt::format("{:.{}f}", value, decimals);
}

std::string grouped(std::int64_t value) {
    std::string digits = fmt::format("{}", value);
    const std::size_t first = value < 0 ? 1 : 0;
    for (std::size_t at = digits.size(); at > first + 3;) {
        at -= 3;
        digits.insert(at, "\u202f");
    }
    return digits;
}

QuantityText bytesText(double bytes, ByteUnits units) {
    if (units == ByteUnits::decimal)
        return scaled(bytes, 1000, std::array<std::string_view, 6>{"B", "kB", "MB", "GB", "TB", "PB"});
    return scaled(bytes, 1024, std::array<std::string_view, 6>{"B", "KiB", "MiB", "GiB", "TiB", "PiB"});
}

QuantityText bytesPerSecondText(double bytesPerS) {
    return scaled(bytesPerS, 1000, std::array<std::string_view, 6>{"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s"});
}

QuantityText secondsText(double seconds) {
    const double size = std::abs(seconds);
    if (size >= 2 * 86400.0) return {threeDigits(seconds / 86400), "days"};
    if (size >= 2 * 3600.0) return {threeDigits(seconds / 3600), "h"};
    if (size >= 120.0) return {threeDigits(seconds / 60), "min"};
    if (size >= 0.9995) return {threeDigits(seconds), "s"};
    if (size >= 0.9995e-3) return {threeDigits(seconds * 1e3), "ms"};
    if (size >= 0.9995e-6) return {threeDigits(seconds * 1e6), "µs"};
    if (size > 0) return {threeDigits(seconds * 1e9), "ns"};
    return {"0", "s"};
}

QuantityText countText(double count) { return scaled(count, 1000, std::array<std::string_view, 6>{"", "k", "M", "B", "T", "Q"}); }

QuantityText flopsPerSecondText(double flopsPerS) {
    return scaled(flopsPerS, 1000,
                  std::array<std::string_view, 7>{"FLOP/s", "kFLOP/s", "MFLOP/s", "GFLOP/s", "TFLOP/s", "PFLOP/s", "EFLOP/s"});
}

QuantityText energyText(double joules) {
    const double wattHours = joules / 3600;
    if (std::abs(wattHours) < 100) return scaled(joules, 1000, std::array<std::string_view, 3>{"J", "kJ", "MJ"});
    return scaled(wattHours / 1000, 1000, std::array<std::string_view, 4>{"kWh", "MWh", "GWh", "TWh"});
}

QuantityText percentText(double share) {
    const double percent = share * 100;
    if (!std::isfinite(percent)) return {"–", "%"};
    if (percent > 0 && percent < 0.05) return {"< 0.1", "%"};
    return {fmt::format("{:.1f}", percent), "%"};
}

QuantityText dollarsText(double dollars) {
    const QuantityText scaledText = scaled(dollars, 1000, std::array<std::string_view, 5>{"", "k", "M", "B", "T"});
    if (scaledText.unit.empty() && std::abs(dollars) < 10) return {fmt::format("$\u00a0{:.2f}", dollars), ""};
    return {"$\u00a0" + scaledText.number, scaledText.unit};
}

}  // namespace trainyard
