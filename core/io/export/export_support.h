#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/export/exporter.h"
#include "core/plan/resolve.h"

namespace trainyard {

/// A plan as frameworks speak of it: everything filled in.
struct LaunchPlan {
    ResolvedPlan resolved;
    std::int64_t nodes = 1;
    std::int64_t devicesPerNode = 1;
    bool equalNodes = true;                         ///< every node has the same number of devices
    bool evenLayers = true;                         ///< every stage has the same number of layers
    std::int64_t accumulation = 1;                  ///< micro-batches per step and replica
    RecomputeMode recompute = RecomputeMode::none;  ///< what remains where selective recomputation has no effect
    std::int64_t steps = 0;                         ///< of the training run; 0: not said
    bool blackwell = false;
};
[[nodiscard]] LaunchPlan launchPlan(const Scenario& scenario);

/// Collects what stands in the way.
class ExportNotes {
  public:
    explicit ExportNotes(std::string_view framework) : framework_(framework) {}
    /// The framework cannot run this at all.
    void refuse(std::string reason) { refusals_.push_back(std::move(reason)); }
    /// It runs, but this part of the plan is not in the text.
    void leaveOut(std::string what) { left_.push_back(std::move(what)); }
    [[nodiscard]] bool refused() const { return !refusals_.empty(); }
    [[nodiscard]] const std::vector<std::string>& leftOut() const { return left_; }
    [[nodiscard]] Result<Exported> result(std::string text, std::string command = "") const;

  private:
    std::string_view framework_;
    std::vector<std::string> refusals_;
    std::vector<std::string> left_;
};

/// Comment lines at the top of a file: what it is, for what version, what is not in it, each behind `mark`.
[[nodiscard]] std::string exportHeading(std::string_view mark, std::string_view title, std::string_view target,
                                        const Scenario& scenario, const ExportNotes& notes);

/// Runs of equal layer counts as Megatron's layout text: `Ettt|(tt|)*29,t|L`, stages in model order.
[[nodiscard]] std::string layoutText(const std::vector<std::int64_t>& layersOfStage);

/// `text` as one word of a shell.
[[nodiscard]] std::string shellWord(std::string_view text);
/// `text` as a double-quoted scalar that YAML, TOML and JSON read alike.
[[nodiscard]] std::string quotedScalar(std::string_view text);

/// What differs from one framework to the next is refused here: linear mixers, per-layer shapes, explicit device lists.
void refuseUncommonShapes(const Scenario& scenario, ExportNotes& notes);

}  // namespace trainyard
