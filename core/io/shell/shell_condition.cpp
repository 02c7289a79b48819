#include "core/io/shell/shell_condition.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <tuple>

namespace trainyard {

ShellTruth ShellCondition::test(std::vector<std::string> words, std::string& root) {
    bool negated = false;
    while (!words.empty() && words[0] == "!") {
        negated = !negated;
        words.erase(words.begin());
    }
    if (words.empty()) return ShellTruth::unknown;
    ShellTruth truth = ShellTruth::unknown;
    if (words[0].starts_with("((")) {
        std::string body = words[0].substr(2);
        if (body.ends_with("))")) body.resize(body.size() - 2);
        const auto value = state_.arithmetic(body, root);
        truth = !value ? ShellTruth::unknown : *value != 0 ? ShellTruth::yes : ShellTruth::no;
    } else if (words[0] == "[" || words[0] == "[[" || words[0] == "test") {
        words.erase(words.begin());
        while (!words.empty() && (words.back() == "]" || words.back() == "]]")) words.pop_back();
        truth = bracketTest(words, 0, root);
    } else if (words[0] == "true" || words[0] == ":") {
        truth = ShellTruth::yes;
    } else if (words[0] == "false") {
        truth = ShellTruth::no;
    } else if (root.empty()) {
        root = "$(" + readable(words[0]) + ")";
    }
    if (!negated || truth == ShellTruth::unknown) return truth;
    return truth == ShellTruth::yes ? ShellTruth::no : ShellTruth::yes;
}

/// The inside of `[ ]` or `[[ ]]`, with -a, -o, && and || from the left.
ShellTruth ShellCondition::bracketTest(const std::vector<std::string>& words, std::size_t begin, std::string& root) {
    for (const auto& [joint, other, isAnd] : {std::tuple{"||", "-o", false}, std::tuple{"&&", "-a", true}}) {
        for (std::size_t i = begin + 1; i + 1 < words.size(); ++i) {
            if (words[i] != joint && words[i] != other) continue;
            if (++nesting_ > kDeepestShellNesting) {
                --nesting_;
                return ShellTruth::unknown;
            }
            const std::vector<std::string> left(words.begin() + static_cast<std::ptrdiff_t>(begin),
                                                words.begin() + static_cast<std::ptrdiff_t>(i));
            const ShellTruth a = bracketTest(left, 0, root);
            const ShellTruth b = bracketTest(words, i + 1, root);
            --nesting_;
            const ShellTruth decisive = isAnd ? ShellTruth::no : ShellTruth::yes;
            if (a == decisive || b == decisive) return decisive;
            return a == ShellTruth::unknown || b == ShellTruth::unknown ? ShellTruth::unknown
                   : isAnd                                              ? ShellTruth::yes
                                                                        : ShellTruth::no;
        }
    }
    const std::size_t count = words.size() - std::min(begin, words.size());
    if (count == 0) return ShellTruth::no;
    if (words[begin] == "!") {
        const ShellTruth truth = bracketTest(words, begin + 1, root);
        return truth == ShellTruth::unknown ? truth : truth == ShellTruth::yes ? ShellTruth::no : ShellTruth::yes;
    }
    if (count == 1) return hasUnknown(words[begin]) ? ShellTruth::no : words[begin].empty() ? ShellTruth::no : ShellTruth::yes;
    if (count == 2) return unaryTest(words[begin], words[begin + 1], root);
    return binaryTest(words[begin], words[begin + 1], words[begin + 2], root);
}

ShellTruth ShellCondition::unaryTest(const std::string& op, const std::string& operand, std::string& root) {
    // a variable that nobody set counts as empty here: the usual way to give it a default
    const bool empty = operand.empty() || hasUnknown(operand);
    if (op == "-z") return empty ? ShellTruth::yes : ShellTruth::no;
    if (op == "-n") return empty ? ShellTruth::no : ShellTruth::yes;
    if (op == "-v") return state_.has(operand) ? ShellTruth::yes : ShellTruth::no;
    if (root.empty()) root = fmt::format("[ {} {} ]", op, readable(operand));
    return ShellTruth::unknown;
}

ShellTruth ShellCondition::binaryTest(const std::string& a, const std::string& op, const std::string& b, std::string& root) {
    if (hasUnknown(a) || hasUnknown(b)) {
        const std::string name = rootOfUnknown(hasUnknown(a) ? a : b);
        state_.compare(name, readable(hasUnknown(a) ? b : a));
        if (root.empty()) root = name;
        return ShellTruth::unknown;
    }
    if (op == "=" || op == "==") return (::fnmatch(b.c_str(), a.c_str(), 0) == 0 || a == b) ? ShellTruth::yes : ShellTruth::no;
    if (op == "!=") return (::fnmatch(b.c_str(), a.c_str(), 0) == 0 || a == b) ? ShellTruth::no : ShellTruth::yes;
    for (const auto& [name, symbol] :
         {std::pair{"-eq", "=="}, {"-ne", "!="}, {"-lt", "<"}, {"-le", "<="}, {"-gt", ">"}, {"-ge", ">="}}) {
        if (op != name) continue;
        const auto value = state_.arithmetic(fmt::format("({}){}({})", a, symbol, b), root);
        return !value ? ShellTruth::unknown : *value != 0 ? ShellTruth::yes : ShellTruth::no;
    }
    if (root.empty()) root = fmt::format("[ {} {} {} ]", readable(a), op, readable(b));
    return ShellTruth::unknown;
}

}  // namespace trainyard
