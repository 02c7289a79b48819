#include "core/schedule/schedules/one_f_one_b_order.h"

#include <algorithm>

#include "core/schedule/list_builder.h"

namespace trainyard {

ActionLists emitOneForwardOneBackward(const ScheduleRequest& request, int (*warmup)(const ScheduleRequest&, int rank),
                                      SteadyOrder order) {
    const int m = request.microBatches;
    ListBuilder out(request, linearPlacement(request.ranks));
    out.reservePerUnit(2);
    for (int rank = 0; rank < request.ranks; ++rank) {
        out.beginRank();
        const int first = std::min(m, warmup(request, rank));
        for (int mb = 0; mb < first; ++mb) out.forward(mb, rank);
        for (int mb = first; mb < m; ++mb) {
            if (order == SteadyOrder::backwardFirst) {
                out.backward(mb - first, rank);
                out.forward(mb, rank);
            } else {
                out.forward(mb, rank);
                out.backward(mb - first, rank);
                if (order == SteadyOrder::pairs) out.pairLastTwo();
            }
        }
        for (int mb = m - first; mb < m; ++mb) out.backward(mb, rank);
    }
    return out.take();
}

}  // namespace trainyard
