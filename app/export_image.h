#pragma once

#include <QSize>
#include <QString>
#include <optional>

#include "widgets/style/theme.h"

namespace trainyard {

/// `trainyard FILE --export-image VIEW OUT [--size WxH] [--theme light|dark]`
struct ExportRequest {
    QString file;  ///< empty: the default scenario
    QString baselineFile;
    QString view;
    QString output;
    QString quantity;  ///< of the explain view: JSON pointer; empty: the step time
    QString schedules;  ///< of the playground: names with commas between, `own=FILE` for one of one's own; empty: as it opens
    QString work;       ///< of the playground: `p=8,m=32,v=2,k=4`; empty: as it opens
    QString trace;      ///< laid over a timeline: Chrome trace of a profiler
    bool folds = false;        ///< the repeating part of a timeline once
    bool idleByCause = false;  ///< idle time of a timeline in the colour of what it waits for
    std::optional<QSize> size;
    double scale = 1;
    ThemeKind theme = ThemeKind::dark;
};

/// Draws the picture; the result is the exit status of the contract. Messages go to standard error.
[[nodiscard]] int exportImage(const ExportRequest& request);

}  // namespace trainyard
