#pragma once

#include <string>

namespace trainyard {

/// Language of the interface, "en" or "de", for texts that are data (lessons, glossary). Set once at start.
[[nodiscard]] std::string uiLanguage();
void setUiLanguage(const std::string& language);

}  // namespace trainyard
