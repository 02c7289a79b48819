#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace trainyard {

/// Parses XML into `document`. Entities of a DTD are not expanded. Error: the line where it stops being XML, or it is too large
/// or nested too deep.
[[nodiscard]] Result<void> parseXml(std::string_view text, const std::string& where, pugi::xml_document& document);

/// All elements of this name below `root` in document order, at most `most`, without recursion.
[[nodiscard]] std::vector<pugi::xml_node> elementsNamed(pugi::xml_node root, const char* name, std::size_t most);

}  // namespace trainyard
