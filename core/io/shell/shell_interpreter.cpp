#include "core/io/shell/shell_interpreter.h"

#include <fmt/format.h>

namespace trainyard {

ShellInterpreter::ShellInterpreter(std::string where, const std::map<std::string, std::string>& given)
    : where_(std::move(where)), state_(given) {}

tl::unexpected<Error> ShellInterpreter::refuse(std::string code, std::string message) {
    return failure(Error::Kind::unreadable, std::move(code), fmt::format("{}:{}", where_, state_.line()), std::move(message));
}

Result<void> ShellInterpreter::run(std::string_view text, int depth) {
    if (depth > kDeepestShellNesting) return refuse("shell-too-deep", "is nested too deep to be worked out");
    auto lexed = tokenizeShell(text, where_);
    if (!lexed) return tl::unexpected<Error>(lexed.error());
    if (lexed->skippedHereDocument) state_.note("here-documents are not looked into");
    for (const auto& [body, line] : lexed->directives) {
        script_.directives.emplace_back(body, line);
        takeDirective(body);
    }
    Frame frame{std::move(lexed->tokens), 0, depth};
    return list(frame, {});
}

ShellScript ShellInterpreter::finish() {
    state_.finish(script_);
    return std::move(script_);
}

}  // namespace trainyard
