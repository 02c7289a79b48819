#include "widgets/timeline/time_text.h"

#include <array>
#include <cmath>

#include "core/base/format_quantity.h"
#include "widgets/timeline/time_scale.h"

namespace trainyard {
namespace {

struct Prefix {
    double factor;
    const char16_t* name;
};

constexpr std::array<Prefix, 5> kPrefixes{{{1, u"s"}, {1e-3, u"ms"}, {1e-6, u"µs"}, {1e-9, u"ns"}, {1e-12, u"ps"}}};
constexpr QChar kNarrowSpace(0x202F);
constexpr QChar kMinus(0x2212);

/// The largest prefix in which `seconds` is at least one.
const Prefix& prefixFor(double seconds) {
    for (const Prefix& prefix : kPrefixes) {
        if (std::abs(seconds) >= prefix.factor * (1 - 1e-9)) return prefix;
    }
    return kPrefixes.back();
}

QString number(double value, int decimals) {
    QString text = QString::number(std::abs(value), 'f', decimals);
    if (value < 0 && std::abs(value) >= 0.5 * std::pow(10.0, -decimals)) text.prepend(kMinus);
    return text;
}

int decimalsForDigits(double value, int digits) {
    if (value == 0) return 0;
    const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
    return std::clamp(digits - magnitude, 0, 6);
}

}  // namespace

QString durationText(double ticks, TimeUnit unit) {
    const double value = ticks * unit.perTick;
    if (!unit.isSeconds) {
        QString text = number(value, decimalsForDigits(value, 4));
        if (text.contains(QLatin1Char('.'))) {
            while (text.endsWith(QLatin1Char('0'))) text.chop(1);
            if (text.endsWith(QLatin1Char('.'))) text.chop(1);
        }
        return text;
    }
    return QString::fromStdString(secondsText(value).joined());
}

QString rulerText(double ticks, double stepTicks, TimeUnit unit) {
    const double value = ticks * unit.perTick;
    const double step = stepTicks * unit.perTick;
    // A prefix in which the step needs at most two decimals, so that labels stay short when zoomed in.
    const Prefix& prefix = prefixFor(unit.isSeconds ? std::max(step * 100, 1e-12) : 1.0);
    const double shownStep = step / prefix.factor;
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(shownStep) - 1e-9)), 0, 6);
    const QString text = number(value / prefix.factor, decimals);
    return unit.isSeconds ? text + kNarrowSpace + QString::fromUtf16(prefix.name) : text;
}

double rulerStep(double leastTicks, TimeUnit unit) { return niceStep(leastTicks * unit.perTick) / unit.perTick; }

QString shareText(double share) { return QString::fromStdString(percentText(share).joined()); }

QString amountText(double count) {
    const double rounded = std::round(count * 100) / 100;
    const int decimals =
        std::abs(rounded - std::round(rounded)) < 1e-9 ? 0 : (std::abs(rounded * 10 - std::round(rounded * 10)) < 1e-9 ? 1 : 2);
    return number(rounded, decimals);
}

}  // namespace trainyard
