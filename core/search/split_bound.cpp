#include "core/search/split_bound.h"

#include <algorithm>
#include <limits>

namespace trainyard {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kClose = 1e-4;  ///< relative width at which bisection of the bound stops

}  // namespace

SplitBound::SplitBound(SplitPricer& pricer)
    : microBatches_(static_cast<double>(pricer.plan().microBatches)), layers_(pricer.layers()), work_(pricer.stages()), passage_(pricer.stages()) {
    for (std::size_t stage = 0; stage < work_.size(); ++stage) {
        most_.push_back(std::min(layers_, pricer.mostLayers(stage)));
        work_[stage].reserve(static_cast<std::size_t>(layers_) + 1);
        for (std::int64_t l = 0; l <= layers_; ++l) {
            work_[stage].push_back(pricer.workS(stage, l));
            passage_[stage].push_back(pricer.passageS(stage, l));
        }
    }
    fillRest();
}

// rest[s][k] = smallest over the layers of s of the larger of its own time and what the others need for the remainder; both
// are monotonous in the layers of s, so the best is where they cross.
void SplitBound::fillRest() {
    const std::size_t stages = work_.size();
    rest_.assign(stages + 1, std::vector<double>(static_cast<std::size_t>(layers_) + 1, kInfinity));
    rest_[stages][0] = 0;
    for (std::size_t s = stages; s-- > 0;) {
        std::int64_t at = 0;
        for (std::int64_t k = 0; k <= layers_; ++k) {
            const auto value = [&](std::int64_t own) {
                if (own > most_[s] || own > k) return kInfinity;
                return std::max(microBatches_ * workS(s, own), rest_[s + 1][static_cast<std::size_t>(k - own)]);
            };
            // The crossing moves by at most one as k grows by one.
            while (at + 1 <= std::min(k, most_[s]) && (value(at + 1) <= value(at))) ++at;
            double least = value(at);
            if (at > 0) least = std::min(least, value(at - 1));
            rest_[s][static_cast<std::size_t>(k)] = least;
        }
    }
}

bool SplitBound::reachable(double limitS, LayerSplit& split) const {
    const std::size_t stages = work_.size();
    const auto width = static_cast<std::size_t>(layers_) + 1;
    std::vector<double> before(width, kInfinity);
    std::vector<double> after(width);
    std::vector<std::int16_t> taken(stages * width, -1);
    before[0] = 0;
    for (std::size_t s = 0; s < stages; ++s) {
        std::fill(after.begin(), after.end(), kInfinity);
        for (std::size_t k = 0; k < width; ++k) {
            if (before[k] == kInfinity) continue;
            const std::int64_t most = std::min<std::int64_t>(most_[s], layers_ - static_cast<std::int64_t>(k));
            for (std::int64_t own = 0; own <= most; ++own) {
                const double work = workS(s, own);
                if (before[k] + microBatches_ * work > limitS) break;
                const std::size_t to = k + static_cast<std::size_t>(own);
                const double waited = before[k] + passageS(s, own);
                if (waited >= after[to]) continue;
                after[to] = waited;
                taken[s * width + to] = static_cast<std::int16_t>(own);
            }
        }
        before.swap(after);
    }
    if (before[width - 1] == kInfinity) return false;
    split.assign(stages, 0);
    std::size_t at = width - 1;
    for (std::size_t s = stages; s-- > 0;) {
        split[s] = taken[s * width + at];
        at -= static_cast<std::size_t>(split[s]);
    }
    return true;
}

std::pair<double, LayerSplit> SplitBound::best() const {
    double low = rest_[0][static_cast<std::size_t>(layers_)];
    if (low == kInfinity) return {kInfinity, {}};
    LayerSplit split;
    double high = low;
    while (!reachable(high, split)) {
        low = high;
        high *= 1.25;
    }
    LayerSplit found = split;
    for (int i = 0; i < 40 && high - low > kClose * high; ++i) {
        const double middle = (low + high) / 2;
        if (reachable(middle, split)) {
            high = middle;
            found = split;
        } else {
            low = middle;
        }
    }
    return {low, found};
}

}  // namespace trainyard
