#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace trainyard {

/// Why an input could not be used. `where` is a file, optionally followed by `:line:column` or `#/json/pointer`;
/// `message` says what was found and what was expected; it reads as one sentence.
struct Error {
    enum class Kind {
        unreadable,   ///< file missing, not readable, not parsable: exit status 3
        invalid,      ///< well formed but wrong types, values or version: exit status 1
        commandLine,  ///< the command line is wrong: exit status 2
    };
    Kind kind = Kind::invalid;
    std::string code;
    std::string where;
    std::string message;

    bool operator==(const Error&) const = default;
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> failure(Error::Kind kind, std::string code, std::string where, std::string message) {
    return tl::unexpected<Error>(Error{kind, std::move(code), std::move(where), std::move(message)});
}

}  // namespace trainyard
