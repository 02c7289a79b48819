#pragma once

#include <QString>
#include <string_view>

namespace trainyard {

/// A fixed text of the engine (names of figures, titles and summaries of schedules) in the language of the window. Numbers in
/// it stay; a text without a translation is shown as it is. The German is in translations/core_de.ts.
[[nodiscard]] QString coreText(std::string_view english);

}  // namespace trainyard
