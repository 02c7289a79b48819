#include "widgets/timeline/span_style.h"

#include <QCoreApplication>
#include <cmath>

namespace trainyard {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("Timeline", text); }

double luminance(const QColor& color) {
    const auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

}  // namespace

QColor spanColor(const Theme& theme, SpanStyle style) {
    switch (style) {
        case SpanStyle::forward: return theme.forward;
        case SpanStyle::backwardInput: return theme.backwardInput;
        case SpanStyle::backwardWeight: return theme.backwardWeight;
        case SpanStyle::recompute: return theme.recompute;
        case SpanStyle::communication: return theme.communication;
        case SpanStyle::optimizer: return theme.optimizer;
        case SpanStyle::hostCopy: return theme.idle;
    }
    return theme.idle;
}

QColor idleColor(const Theme& theme, IdleCause cause) {
    switch (cause) {
        case IdleCause::fill: return theme.idle;
        case IdleCause::drain: return theme.idle;
        case IdleCause::dependency: return theme.outOfMemory;
        case IdleCause::transfer: return theme.communication;
    }
    return theme.idle;
}

QString idleName(IdleCause cause) {
    switch (cause) {
        case IdleCause::fill: return tr("fill");
        case IdleCause::drain: return tr("drain");
        case IdleCause::dependency: return tr("waits for another stage");
        case IdleCause::transfer: return tr("waits for a transfer");
    }
    return {};
}

QColor inkOn(const QColor& background) {
    // Contrast with near black against contrast with white (WCAG); 0.179 is where the two are equal.
    return luminance(background) > 0.179 ? QColor(0x10, 0x14, 0x1a) : QColor(0xff, 0xff, 0xff);
}

QColor mixed(const QColor& a, const QColor& b, double share) {
    const auto part = [share](double x, double y) { return static_cast<float>(x + (y - x) * share); };
    return QColor::fromRgbF(part(a.redF(), b.redF()), part(a.greenF(), b.greenF()), part(a.blueF(), b.blueF()),
                            part(a.alphaF(), b.alphaF()));
}

QString kindName(ActionKind kind) {
    switch (kind) {
        case ActionKind::forward: return tr("Forward");
        case ActionKind::backwardInput: return tr("Backward, input");
        case ActionKind::backwardWeight: return tr("Weight gradient");
        case ActionKind::backward: return tr("Backward");
        case ActionKind::recompute: return tr("Recompute");
        case ActionKind::optimizer: return tr("Optimizer step");
        case ActionKind::allGather: return tr("All-gather");
        case ActionKind::reduceScatter: return tr("Reduce-scatter");
        case ActionKind::allReduce: return tr("All-reduce");
        case ActionKind::evict: return tr("Evict activations");
        case ActionKind::load: return tr("Load activations back");
        case ActionKind::offload: return tr("Copy to host");
        case ActionKind::reload: return tr("Copy from host");
        case ActionKind::send: return tr("Send");
        case ActionKind::receive: return tr("Receive");
        case ActionKind::barrier: return tr("Barrier");
    }
    return {};
}

QString laneLabel(Lane lane) {
    switch (lane) {
        case Lane::compute: return tr("compute");
        case Lane::tensor: return tr("tensor");
        case Lane::context: return tr("context");
        case Lane::expert: return tr("expert");
        case Lane::data: return tr("data");
        case Lane::pipeline: return tr("pipeline");
        case Lane::host: return tr("host copies");
    }
    return {};
}

QString styleName(SpanStyle style, bool hasFullBackward, bool hasInputBackward) {
    switch (style) {
        case SpanStyle::forward: return tr("forward");
        case SpanStyle::backwardInput:
            if (hasFullBackward && hasInputBackward) return tr("backward (whole or input)");
            return hasFullBackward ? tr("backward") : tr("backward input");
        case SpanStyle::backwardWeight: return tr("weight gradient");
        case SpanStyle::recompute: return tr("recompute");
        case SpanStyle::communication: return tr("communication");
        case SpanStyle::optimizer: return tr("optimizer");
        case SpanStyle::hostCopy: return tr("host copies");
    }
    return {};
}

QString actionCode(const Action& action, bool withSlice) {
    const auto letter = [&]() -> QString {
        switch (action.kind) {
            case ActionKind::forward: return QStringLiteral("F");
            case ActionKind::backwardInput: return QStringLiteral("I");
            case ActionKind::backwardWeight: return QStringLiteral("W");
            case ActionKind::backward: return QStringLiteral("B");
            case ActionKind::recompute: return QStringLiteral("R");
            case ActionKind::optimizer: return QStringLiteral("OPT");
            case ActionKind::allGather: return QStringLiteral("AG");
            case ActionKind::reduceScatter: return QStringLiteral("RS");
            case ActionKind::allReduce: return QStringLiteral("AR");
            default: return kindName(action.kind) + QLatin1Char(' ');
        }
    }();
    QString text = letter + QString::number(action.microBatch);
    if (withSlice) text += QLatin1Char(':') + QString::number(action.slice);
    return text + QLatin1Char('.') + QString::number(action.stage);
}

}  // namespace trainyard
