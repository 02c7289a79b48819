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
    std::optional<QSize> size;
    double scale = 1;
    ThemeKind theme = ThemeKind::dark;
};

/// Draws the picture; the result is the exit status of the contract. Messages go to standard error.
[[nodiscard]] int exportImage(const ExportRequest& request);

}  // namespace trainyard
