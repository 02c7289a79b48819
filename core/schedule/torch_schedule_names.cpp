#include "core/schedule/torch_schedule_names.h"

#include <string>

namespace trainyard {
namespace {

struct Row {
    std::string_view ours;
    std::string_view theirs;
    bool looped;
};
// pytorch, torch/distributed/pipelining/schedules.py; of two of ours with one name the first is taken on import
constexpr Row kRows[] = {{"1f1b", "1F1B", false},
                         {"gpipe", "GPipe", false},
                         {"interleaved-1f1b", "Interleaved1F1B", true},
                         {"interleaved-1f1b-torch", "Interleaved1F1B", true},
                         {"looped-bfs", "LoopedBFS", true},
                         {"interleaved-zb", "InterleavedZeroBubble", true},
                         {"zb-v", "ZBVZeroBubble", true},
                         {"dualpipe-v", "DualPipeV", true}};

std::string lowered(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

}  // namespace

std::string_view scheduleFromTorchName(std::string_view torchName) {
    std::string wanted = lowered(torchName);
    if (wanted.starts_with("schedule")) wanted.erase(0, 8);
    for (const Row& row : kRows)
        if (lowered(row.theirs) == wanted) return row.ours;
    return {};
}

std::string_view torchNameOfSchedule(std::string_view schedule) {
    for (const Row& row : kRows)
        if (row.ours == schedule) return row.theirs;
    return {};
}

bool torchScheduleHasVirtualStages(std::string_view schedule) {
    for (const Row& row : kRows)
        if (row.ours == schedule) return row.looped;
    return false;
}

}  // namespace trainyard
