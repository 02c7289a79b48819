#include "core/io/shell/shell_script.h"

#include <fmt/format.h>

#include "core/io/shell/shell_interpreter.h"

namespace trainyard {
namespace {

bool launches(const ShellScript& script) {
    for (const auto& command : script.commands)
        for (const auto& word : command.words)
            if (word.starts_with("--") || word.find(".py") != std::string::npos) return true;
    return false;
}

}  // namespace

bool hasUnknown(std::string_view word) { return word.find(kUnknownBegin) != std::string_view::npos; }

std::string readable(std::string_view word) {
    std::string out;
    for (std::size_t i = 0; i < word.size(); ++i) {
        if (word[i] == kUnknownBegin) {
            const auto end = word.find(kUnknownEnd, i);
            const std::string_view name = word.substr(i + 1, end == std::string_view::npos ? end : end - i - 1);
            out += name.starts_with('$') || name.starts_with('[') ? std::string(name) : fmt::format("${{{}}}", name);
            if (end == std::string_view::npos) break;
            i = end;
        } else {
            out += word[i];
        }
    }
    return out;
}

Result<ShellScript> readShellScript(std::string_view text, const std::string& where,
                                    const std::map<std::string, std::string>& variables) {
    constexpr std::size_t kMaxScriptBytes = std::size_t{4} << 20;
    if (text.size() > kMaxScriptBytes)
        return failure(Error::Kind::unreadable, "shell-too-large", where,
                       fmt::format("has {} bytes; a launch script of at most {} was expected", text.size(), kMaxScriptBytes));
    if (text.find('\0') != std::string_view::npos || text.find(kUnknownBegin) != std::string_view::npos)
        return failure(Error::Kind::unreadable, "shell-binary", where, "is not text; a launch script was expected");
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    ShellInterpreter first(where, variables);
    if (const auto done = first.run(text, 0); !done) return tl::unexpected<Error>(done.error());
    auto script = first.finish();
    if (launches(script)) return script;
    // nothing was started: the launch stands in a branch that hangs on something unknown
    ShellInterpreter second(where, variables);
    second.takeUndecidedBranches();
    if (const auto done = second.run(text, 0); !done) return script;
    return second.finish();
}

}  // namespace trainyard
