#include "widgets/timeline/step_curve.h"

#include <algorithm>
#include <utility>

namespace trainyard {
namespace {

constexpr std::size_t kBlock = 32;

}  // namespace

StepCurve::StepCurve(std::vector<Ticks> time, std::vector<float> value) : time_(std::move(time)), value_(std::move(value)) {
    blockPeak_.reserve(value_.size() / kBlock + 1);
    for (std::size_t index = 0; index < value_.size(); ++index) {
        if (index % kBlock == 0) blockPeak_.push_back(value_[index]);
        blockPeak_.back() = std::max(blockPeak_.back(), value_[index]);
        peak_ = std::max(peak_, value_[index]);
    }
}

std::size_t StepCurve::indexAfter(double time) const {
    const auto found =
        std::upper_bound(time_.begin(), time_.end(), time, [](double t, Ticks step) { return t < static_cast<double>(step); });
    return static_cast<std::size_t>(found - time_.begin());
}

float StepCurve::at(double time) const {
    const std::size_t index = indexAfter(time);
    return index == 0 ? 0.0F : value_[index - 1];
}

float StepCurve::largestBetween(double begin, double end) const {
    float largest = at(begin);
    std::size_t index = indexAfter(begin);
    const std::size_t stop = indexAfter(end);
    while (index < stop) {
        if (index % kBlock == 0 && index + kBlock <= stop) {
            largest = std::max(largest, blockPeak_[index / kBlock]);
            index += kBlock;
        } else {
            largest = std::max(largest, value_[index]);
            ++index;
        }
    }
    return largest;
}

void StepCurve::points(const TimeScale& scale, std::vector<Point>& out) const {
    out.clear();
    out.push_back({scale.left, at(scale.range.begin)});
    std::size_t index = indexAfter(scale.range.begin);
    const std::size_t stop = indexAfter(scale.range.end);
    if (static_cast<double>(stop - index) <= 0.7 * scale.width) {
        for (; index < stop; ++index) out.push_back({scale.toX(static_cast<double>(time_[index])), value_[index]});
        return;
    }
    const int columns = std::max(1, static_cast<int>(scale.width));
    const double ticks = scale.range.length() / columns;
    for (int column = 0; column < columns; ++column) {
        const double begin = scale.range.begin + column * ticks;
        const float value = largestBetween(begin, begin + ticks);
        if (out.back().value != value) out.push_back({scale.left + column * scale.width / columns, value});
    }
}

StepCurve inFlightCurve(const Timeline& timeline, int rank, double perAction) {
    struct Change {
        Ticks at;
        std::int64_t count;
    };
    std::vector<Change> changes;
    for (std::uint32_t span = timeline.begin(rank, Lane::compute); span < timeline.finish(rank, Lane::compute); ++span) {
        const Action& action = timeline.action[span];
        const bool recomputed = (action.flags & kRecomputed) != 0;
        if ((action.kind == ActionKind::forward && !recomputed) || action.kind == ActionKind::recompute) {
            changes.push_back({timeline.start[span], 1});
        }
        if (action.kind == ActionKind::backwardInput || action.kind == ActionKind::backward)
            changes.push_back({timeline.end[span], -1});
    }
    // Activations lent to a partner (BPipe) or to the host: those moves are on other lanes and must be sorted in.
    const std::size_t computed = changes.size();
    for (const Lane lane : {Lane::pipeline, Lane::host}) {
        // What leaves and does not come back is no activation (optimizer states).
        bool returns = false;
        for (std::uint32_t span = timeline.begin(rank, lane); span < timeline.finish(rank, lane) && !returns; ++span)
            returns = timeline.action[span].kind == ActionKind::load || timeline.action[span].kind == ActionKind::reload;
        if (!returns) continue;
        for (std::uint32_t span = timeline.begin(rank, lane); span < timeline.finish(rank, lane); ++span) {
            const ActionKind kind = timeline.action[span].kind;
            if (kind == ActionKind::evict || kind == ActionKind::offload) changes.push_back({timeline.end[span], -1});
            if (kind == ActionKind::load || kind == ActionKind::reload) changes.push_back({timeline.start[span], 1});
        }
    }
    if (changes.size() > computed) {
        std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.at < b.at; });
    }
    std::vector<Ticks> time;
    std::vector<float> value;
    std::int64_t count = 0;
    for (const Change& change : changes) {
        count += change.count;
        const auto level = static_cast<float>(static_cast<double>(count) * perAction);
        if (!time.empty() && time.back() == change.at) {
            value.back() = level;
        } else {
            time.push_back(change.at);
            value.push_back(level);
        }
    }
    return {std::move(time), std::move(value)};
}

}  // namespace trainyard
