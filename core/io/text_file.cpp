#include "core/io/text_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace trainyard {
namespace {

/// A descriptor that closes itself.
class Descriptor {
  public:
    explicit Descriptor(int value) : value_(value) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (value_ > 2) ::close(value_);
    }
    [[nodiscard]] int get() const { return value_; }
    [[nodiscard]] int release() {
        const int value = value_;
        value_ = -1;
        return value;
    }

  private:
    int value_;
};

tl::unexpected<Error> unreadable(const std::string& path, std::string message) {
    return failure(Error::Kind::unreadable, "file-unreadable", path, std::move(message));
}

std::string systemText() { return std::strerror(errno); }

/// The file a chain of symbolic links ends at; the path itself where it does not exist yet.
std::string linkTarget(const std::string& path) {
    char* resolved = ::realpath(path.c_str(), nullptr);
    if (resolved == nullptr) return path;
    std::string target = resolved;
    std::free(resolved);
    return target;
}

}  // namespace

Result<std::string> readTextFile(const std::string& path, std::size_t maxBytes) {
    const bool standardInput = path == "-";
    const Descriptor file(standardInput ? 0 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0) return unreadable(path, fmt::format("cannot be opened: {}", systemText()));
    // Opened without waiting, so that a pipe nobody writes to cannot hang; read with waiting, so that one is read to its end.
    if (!standardInput) ::fcntl(file.get(), F_SETFL, ::fcntl(file.get(), F_GETFL) & ~O_NONBLOCK);
    struct stat info {};
    if (::fstat(file.get(), &info) != 0) return unreadable(path, fmt::format("cannot be examined: {}", systemText()));
    if (S_ISDIR(info.st_mode)) return unreadable(path, "is a directory; a file was expected");

    std::string text;
    if (S_ISREG(info.st_mode)) {
        if (static_cast<std::size_t>(info.st_size) > maxBytes)
            return unreadable(path, fmt::format("has {} bytes; at most {} are read", info.st_size, maxBytes));
        text.reserve(static_cast<std::size_t>(info.st_size));
    }
    char buffer[65536];
    for (;;) {
        const ssize_t got = ::read(file.get(), buffer, sizeof buffer);
        if (got == 0) return text;
        if (got < 0) {
            if (errno == EINTR) continue;
            return unreadable(path, fmt::format("cannot be read: {}", systemText()));
        }
        if (text.size() + static_cast<std::size_t>(got) > maxBytes)
            return unreadable(path, fmt::format("has more than {} bytes, the most that is read", maxBytes));
        text.append(buffer, static_cast<std::size_t>(got));
    }
}

Result<void> writeFileAtomically(const std::string& path, std::string_view text) {
    const auto unwritable = [&](std::string message) {
        return failure(Error::Kind::unreadable, "file-unwritable", path, std::move(message));
    };
    const std::string target = linkTarget(path);
    struct stat info {};
    const bool exists = ::stat(target.c_str(), &info) == 0;
    if (exists && S_ISDIR(info.st_mode)) return unwritable("is a directory; a file name was expected");
    if (exists && !S_ISREG(info.st_mode)) {  // a device or pipe has no name to take over
        const Descriptor file(::open(target.c_str(), O_WRONLY | O_CLOEXEC));
        if (file.get() < 0) return unwritable(fmt::format("cannot be opened for writing: {}", systemText()));
        while (!text.empty()) {
            const ssize_t put = ::write(file.get(), text.data(), text.size());
            if (put < 0) return unwritable(fmt::format("cannot be written: {}", systemText()));
            text.remove_prefix(static_cast<std::size_t>(put));
        }
        return {};
    }

    std::string temporary = target + ".XXXXXX";
    Descriptor file(::mkstemp(temporary.data()));
    if (file.get() < 0) return unwritable(fmt::format("cannot be written: {}", systemText()));
    const auto giveUp = [&](const char* what) {
        auto error = unwritable(fmt::format("{}: {}", what, systemText()));
        ::unlink(temporary.c_str());
        return error;
    };
    const mode_t mask = ::umask(0);
    ::umask(mask);
    const mode_t mode = exists ? (info.st_mode & 07777) : (0666 & ~mask);
    if (::fchmod(file.get(), mode) != 0) return giveUp("cannot set its permissions");
    while (!text.empty()) {
        const ssize_t put = ::write(file.get(), text.data(), text.size());
        if (put < 0) {
            if (errno == EINTR) continue;
            return giveUp("cannot be written");
        }
        text.remove_prefix(static_cast<std::size_t>(put));
    }
    if (::fsync(file.get()) != 0) return giveUp("cannot be written to disk");
    if (::close(file.release()) != 0) return giveUp("cannot be written");
    if (::rename(temporary.c_str(), target.c_str()) != 0) return giveUp("cannot be replaced");
    return {};
}

}  // namespace trainyard
