#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace trainyard {

/// Largest text file any reader accepts.
inline constexpr std::size_t kMaxTextFileBytes = std::size_t{64} << 20;

/// The whole file. A directory, a missing or unreadable file, or one above `maxBytes` is an `unreadable` error naming it.
/// `-` reads standard input.
[[nodiscard]] Result<std::string> readTextFile(const std::string& path, std::size_t maxBytes = kMaxTextFileBytes);

/// Replaces the file in one step: the text goes to a new file beside it, reaches the disk, and takes the name. A reader
/// sees the old text or the new one, never a part; on failure the old file is untouched. Links are followed.
[[nodiscard]] Result<void> writeFileAtomically(const std::string& path, std::string_view text);

}  // namespace trainyard
