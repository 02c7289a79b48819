#include "core/engine/evaluation.h"

namespace trainyard {

std::string_view name(MemoryVerdict verdict) {
    switch (verdict) {
        case MemoryVerdict::fits: return "fits";
        case MemoryVerdict::tight: return "tight";
        case MemoryVerdict::out_of_memory: return "out_of_memory";
    }
    return "fits";
}

std::string_view name(Collective collective) {
    switch (collective) {
        case Collective::all_reduce: return "all_reduce";
        case Collective::all_gather: return "all_gather";
        case Collective::reduce_scatter: return "reduce_scatter";
        case Collective::all_to_all: return "all_to_all";
        case Collective::send_recv: return "send_recv";
    }
    return "all_reduce";
}

}  // namespace trainyard
