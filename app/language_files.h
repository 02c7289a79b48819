#pragma once

#include <QString>

class QCoreApplication;

namespace trainyard {

enum class SystemLanguage : std::uint8_t { used, ignored };

/// Installs the translators of a language, "en" or "de"; an empty one means the system's where that is used, else English.
/// Before the first window: texts are read when widgets are made.
void installLanguage(QCoreApplication& application, const QString& language, SystemLanguage system);

}  // namespace trainyard
