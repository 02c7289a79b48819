#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/io/presets/preset_library.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// A scenario as one text that survives chats, mails and URLs: `trainyard1.LENGTH.CHECKSUM.DATA`, where DATA is the scenario
/// file, deflated (RFC 1951 in a zlib frame) and written in the URL's own base64 alphabet (RFC 4648 section 5), LENGTH its number
/// of characters and CHECKSUM its CRC-32 in hexadecimal. Nothing but letters, digits, `-`, `_` and `.` occurs.
inline constexpr int kScenarioLinkVersion = 1;
inline constexpr std::size_t kLongestScenarioLink = std::size_t{4} << 20;
inline constexpr std::size_t kLargestLinkedScenario = std::size_t{8} << 20;  ///< bytes when inflated

/// The link of a scenario. What the reader's program need not have (the sender's own presets) is written out in full.
[[nodiscard]] std::string scenarioLink(const Scenario& scenario);

/// True if the text holds a link (of any version), perhaps inside an address or with line breaks from a mail.
[[nodiscard]] bool holdsScenarioLink(std::string_view text);

/// The text of the scenario file in a link. Errors are `unreadable`: not a link, written by a newer program, truncated, damaged
/// (wrong checksum), or larger than any scenario.
[[nodiscard]] Result<std::string> scenarioTextOfLink(std::string_view text, const std::string& where);

}  // namespace trainyard
