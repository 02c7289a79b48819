#pragma once

#include <QColor>
#include <QString>
#include <array>

#include "core/schedule/action.h"
#include "widgets/style/theme.h"

namespace trainyard {

/// Kinds of work told apart by colour. A full backward has the colour of the input half.
enum class SpanStyle : std::uint8_t { forward, backwardInput, backwardWeight, recompute, communication, optimizer, hostCopy };
inline constexpr int kSpanStyles = 7;
inline constexpr std::array<SpanStyle, kSpanStyles> kAllSpanStyles{
    SpanStyle::forward,       SpanStyle::backwardInput, SpanStyle::backwardWeight, SpanStyle::recompute,
    SpanStyle::communication, SpanStyle::optimizer,     SpanStyle::hostCopy};

[[nodiscard]] constexpr SpanStyle styleOf(ActionKind kind) {
    switch (kind) {
        case ActionKind::forward: return SpanStyle::forward;
        case ActionKind::backwardInput:
        case ActionKind::backward: return SpanStyle::backwardInput;
        case ActionKind::backwardWeight: return SpanStyle::backwardWeight;
        case ActionKind::recompute: return SpanStyle::recompute;
        case ActionKind::optimizer: return SpanStyle::optimizer;
        case ActionKind::evict:
        case ActionKind::load:
        case ActionKind::offload:
        case ActionKind::reload: return SpanStyle::hostCopy;
        case ActionKind::allGather:
        case ActionKind::reduceScatter:
        case ActionKind::allReduce:
        case ActionKind::send:
        case ActionKind::receive:
        case ActionKind::barrier: return SpanStyle::communication;
    }
    return SpanStyle::communication;
}

/// Why a device does nothing: before its first action, after its last, waiting for the producer to finish, or for its result to
/// arrive.
enum class IdleCause : std::uint8_t { fill, drain, dependency, transfer };
inline constexpr int kIdleCauses = 4;
[[nodiscard]] QColor idleColor(const Theme& theme, IdleCause cause);
[[nodiscard]] QString idleName(IdleCause cause);

[[nodiscard]] QColor spanColor(const Theme& theme, SpanStyle style);
/// Black or white-ish, whichever reads better on this colour.
[[nodiscard]] QColor inkOn(const QColor& background);
/// a + (b - a) x share, per channel.
[[nodiscard]] QColor mixed(const QColor& a, const QColor& b, double share);

/// `forward`, `backward input`, ... as legends and cards show them.
[[nodiscard]] QString kindName(ActionKind kind);
[[nodiscard]] QString laneLabel(Lane lane);
/// Name of a style in a legend. `hasFullBackward` / `hasInputBackward`: which of the two actions of that colour occur.
[[nodiscard]] QString styleName(SpanStyle style, bool hasFullBackward, bool hasInputBackward);
/// Golden notation of an action, e.g. `F6.1`, `I3:1.0` with a slice.
[[nodiscard]] QString actionCode(const Action& action, bool withSlice);

}  // namespace trainyard
