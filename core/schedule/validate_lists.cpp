#include "core/schedule/validate_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "core/schedule/action_text.h"
#include "core/schedule/simulate.h"

namespace trainyard {

namespace {

/// What was seen so far of one micro-batch, slice and stage.
struct Seen {
    std::uint8_t forward = 0;
    std::uint8_t input = 0;
    std::uint8_t whole = 0;
    std::uint8_t weight = 0;
    std::uint8_t recompute = 0;
    std::uint8_t announcesRecompute = 0;
};

class Validation {
  public:
    Validation(const ActionLists& lists, std::size_t most) : lists_(lists), most_(most) {}

    std::vector<Error> run() {
        if (!checkShape()) return std::move(errors_);
        seen_.assign(static_cast<std::size_t>(lists_.stages) * static_cast<std::size_t>(lists_.microBatches) *
                         static_cast<std::size_t>(lists_.slices),
                     Seen{});
        for (int rank = 0; rank < lists_.ranks() && !full(); ++rank)
            for (std::uint32_t i = lists_.rankBegin[static_cast<std::size_t>(rank)];
                 i < lists_.rankBegin[static_cast<std::size_t>(rank) + 1] && !full(); ++i)
                checkAction(rank, i);
        if (errors_.empty()) checkCounts();
        if (errors_.empty()) {
            const std::vector<Ticks> unit(static_cast<std::size_t>(lists_.stages), 1);
            StageTimes times;
            times.forward = times.backwardInput = times.backwardWeight = unit;
            const Result<Timeline> timeline = simulate(lists_, times);
            if (!timeline) errors_.push_back(timeline.error());
        }
        return std::move(errors_);
    }

  private:
    [[nodiscard]] bool full() const { return errors_.size() >= most_; }

    void report(std::string_view code, int rank, const Action& a, std::string message) {
        if (!full())
            errors_.push_back(
                {Error::Kind::invalid, std::string(code), fmt::format("rank {}: {}", rank, text(a)), std::move(message)});
    }

    [[nodiscard]] std::string text(const Action& a) const { return actionText(a, lists_.slices > 1); }

    bool checkShape() {
        const bool sound =
            lists_.ranks() >= 1 && lists_.stages >= 1 && lists_.microBatches >= 1 && lists_.slices >= 1 &&
            !lists_.rankOfStage.empty() && lists_.rankBegin.back() == lists_.actions.size() &&
            (lists_.pipeOfMicroBatch.empty() || lists_.pipeOfMicroBatch.size() == static_cast<std::size_t>(lists_.microBatches));
        if (!sound)
            errors_.push_back({Error::Kind::invalid, "schedule-shape", "",
                               "the schedule has no ranks, stages or micro-batches, or its parts do not fit together"});
        return sound;
    }

    void checkAction(int rank, std::uint32_t i) {
        const Action& a = lists_.actions[i];
        if (a.stage >= static_cast<std::size_t>(lists_.stages) ||
            (isPerMicroBatch(a.kind) && (a.microBatch >= static_cast<std::uint32_t>(lists_.microBatches) ||
                                         a.slice >= static_cast<std::size_t>(lists_.slices)))) {
            report("schedule-out-of-range", rank, a,
                   fmt::format("{} lies outside {} stages, {} micro-batches and {} slices (all counted from 0)", text(a),
                               lists_.stages, lists_.microBatches, lists_.slices));
            return;
        }
        if (!isPerMicroBatch(a.kind)) return;
        const std::uint8_t pipe = lists_.pipeOf(a.microBatch);
        if (pipe != a.pipe || pipe >= lists_.rankOfStage.size() || a.stage >= lists_.rankOfStage[pipe].size() ||
            lists_.rankOfStage[pipe][a.stage] != rank) {
            const bool known = pipe < lists_.rankOfStage.size() && a.stage < lists_.rankOfStage[pipe].size();
            report("schedule-wrong-rank", rank, a,
                   known ? fmt::format("{} runs on rank {}, but stage {} of micro-batch {} lives on rank {}", text(a), rank,
                                       a.stage, a.microBatch, lists_.rankOfStage[pipe][a.stage])
                         : fmt::format("{} runs on rank {}, but micro-batch {} has no stage {}", text(a), rank, a.microBatch,
                                       a.stage));
            return;
        }
        Seen& seen = at(a);
        const auto count = [&](std::uint8_t& times) {
            if (times != 0) report("schedule-twice", rank, a, fmt::format("{} stands twice", text(a)));
            times = 1;
        };
        const auto needs = [&](bool there, std::string_view what) {
            if (!there) report("schedule-order", rank, a, fmt::format("{} stands before its {} on rank {}", text(a), what, rank));
        };
        switch (a.kind) {
            case ActionKind::forward:
                count(seen.forward);
                seen.announcesRecompute = (a.flags & kRecomputed) != 0 ? 1 : 0;
                break;
            case ActionKind::recompute:
                needs(seen.forward != 0, "forward");
                count(seen.recompute);
                break;
            case ActionKind::backward:
            case ActionKind::backwardInput:
                needs(seen.forward != 0, "forward");
                if (seen.announcesRecompute != 0) needs(seen.recompute != 0, "recompute");
                count(a.kind == ActionKind::backward ? seen.whole : seen.input);
                break;
            case ActionKind::backwardWeight:
                needs(seen.input != 0, "input gradient");
                count(seen.weight);
                break;
            default: break;
        }
        if ((a.flags & kPairHead) != 0 &&
            (i + 1 >= lists_.rankBegin[static_cast<std::size_t>(rank) + 1] || (lists_.actions[i + 1].flags & kPairTail) == 0))
            report("schedule-pair", rank, a, fmt::format("{} opens a cell of two actions that nothing closes", text(a)));
    }

    void checkCounts() {
        for (int mb = 0; mb < lists_.microBatches && !full(); ++mb) {
            const std::uint8_t pipe = lists_.pipeOf(static_cast<std::uint32_t>(mb));
            for (std::size_t stage = 0; stage < lists_.rankOfStage[pipe].size() && !full(); ++stage)
                for (int slice = 0; slice < lists_.slices && !full(); ++slice) {
                    Action a;
                    a.microBatch = static_cast<std::uint32_t>(mb);
                    a.stage = static_cast<std::uint16_t>(stage);
                    a.slice = static_cast<std::uint16_t>(slice);
                    a.pipe = pipe;
                    checkCell(a, lists_.rankOfStage[pipe][stage]);
                }
        }
    }

    void checkCell(Action a, int rank) {
        const Seen& seen = at(a);
        const auto missing = [&](ActionKind kind) {
            a.kind = kind;
            report("schedule-missing", rank, a, fmt::format("{} is missing on rank {}", text(a), rank));
        };
        if (seen.forward == 0) missing(ActionKind::forward);
        if (seen.input + seen.whole == 0) missing(ActionKind::backward);
        if (seen.input + seen.whole == 2) {
            a.kind = ActionKind::backward;
            report("schedule-twice", rank, a,
                   fmt::format("{} stands beside the input gradient of the same micro-batch and stage; only one of the two may",
                               text(a)));
        }
        if (seen.input > seen.weight) missing(ActionKind::backwardWeight);
        if (seen.announcesRecompute > seen.recompute) missing(ActionKind::recompute);
    }

    Seen& at(const Action& a) {
        return seen_[(static_cast<std::size_t>(a.stage) * static_cast<std::size_t>(lists_.microBatches) + a.microBatch) *
                         static_cast<std::size_t>(lists_.slices) +
                     a.slice];
    }

    const ActionLists& lists_;
    std::size_t most_;
    std::vector<Seen> seen_;
    std::vector<Error> errors_;
};

}  // namespace

std::vector<Error> validateLists(const ActionLists& lists, std::size_t most) { return Validation(lists, most).run(); }

}  // namespace trainyard
