#include "core/schedule/action_text.h"

namespace trainyard {

std::string_view mark(ActionKind kind) {
    switch (kind) {
        case ActionKind::forward: return "F";
        case ActionKind::backwardInput: return "I";
        case ActionKind::backwardWeight: return "W";
        case ActionKind::backward: return "B";
        case ActionKind::recompute: return "R";
        case ActionKind::optimizer: return "OPT";
        case ActionKind::allGather: return "AG";
        case ActionKind::reduceScatter: return "RS";
        case ActionKind::allReduce: return "AR";
        case ActionKind::evict: return "EVICT";
        case ActionKind::load: return "LOAD";
        case ActionKind::offload: return "OFFLOAD";
        case ActionKind::reload: return "RELOAD";
        case ActionKind::send: return "SEND";
        case ActionKind::receive: return "RECV";
        case ActionKind::barrier: return "BARRIER";
    }
    return "?";
}

bool isPerMicroBatch(ActionKind kind) {
    switch (kind) {
        case ActionKind::optimizer:
        case ActionKind::allGather:
        case ActionKind::reduceScatter:
        case ActionKind::allReduce:
        case ActionKind::barrier: return false;
        default: return true;
    }
}

void appendActionText(fmt::memory_buffer& out, const Action& action, bool showSlice) {
    const auto number = [&out](unsigned value) {
        const fmt::format_int digits(value);
        out.append(digits.data(), digits.data() + digits.size());
    };
    const std::string_view kind = mark(action.kind);
    out.append(kind.data(), kind.data() + kind.size());
    if ((action.kind == ActionKind::send || action.kind == ActionKind::receive) && (action.flags & kGradient) != 0)
        out.push_back('B');
    if (action.kind == ActionKind::optimizer || action.kind == ActionKind::barrier) return;
    if (isPerMicroBatch(action.kind)) {
        number(action.microBatch);
        if (showSlice) {
            out.push_back(':');
            number(action.slice);
        }
    }
    out.push_back('.');
    number(action.stage);
}

std::string actionText(const Action& action, bool showSlice) {
    fmt::memory_buffer buffer;
    appendActionText(buffer, action, showSlice);
    return fmt::to_string(buffer);
}

}  // namespace trainyard
