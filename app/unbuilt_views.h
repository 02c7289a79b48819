#pragma once

#include <QString>

namespace trainyard {

/// What will stand in a view that is not built yet; empty if the view exists or is unknown.
[[nodiscard]] QString unbuiltSentence(const QString& view);

}  // namespace trainyard
