#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// Which peak a source prints.
enum class PeakKind : std::uint8_t { device, reserved, allocated };

/// What a published run left open and several scenarios stand for.
enum class Assumed : std::uint8_t {
    nothing,
    recompute,  ///< none, selective, full: the least that the engine says fits; its memory is not scored
    nearer,     ///< sequence parallelism: whichever is nearer to the published memory
};

/// One published, measured run.
struct ValidationRun {
    std::string id;
    std::vector<Result<Scenario>> scenarios;  ///< one, or one per alternative
    Assumed assumed = Assumed::nothing;
    std::optional<double> stepS;              ///< published, or worked out from the throughput that was
    bool isTimed = false;                     ///< its step time counts (not out of memory, MFU of at least 5 %)
    std::optional<double> peak;               ///< published, in units of the source
    bool isWeighed = false;                   ///< its memory counts
    std::vector<PeakKind> peakKinds;          ///< what the source may have meant
    double unitBytes = 1e9;
    double rounding = 0;                      ///< half the last printed digit, in units of the source
    bool outOfMemory = false;
    bool failed = false;                      ///< crashed for another or an unknown reason
    std::string sweep;                        ///< runs with the same key differ only in the plan
    // for words
    std::string accelerator;
    std::string modelName;
};

/// All runs of one publication.
struct ValidationSource {
    std::string name;     ///< file name without its ending
    std::string title;
    std::string licence;
    std::string origin;   ///< repository or paper
    std::vector<ValidationRun> runs;
    std::map<std::string, int> skipped;  ///< reason -> rows that cannot be evaluated
};

}  // namespace trainyard
