#include "core/io/shell/shell_state.h"

#include <algorithm>

#include "core/io/shell/shell_arithmetic.h"

namespace trainyard {

ShellState::ShellState(const std::map<std::string, std::string>& given) : given_(given) {
    for (const auto& [name, value] : given_) variables_[name] = {value};
}

const std::vector<std::string>* ShellState::valuesOrNull(const std::string& name) const {
    const auto at = variables_.find(name);
    return at == variables_.end() ? nullptr : &at->second;
}

std::string ShellState::textOf(const std::string& name) const {
    const auto* values = valuesOrNull(name);
    return values == nullptr || values->empty() ? std::string() : values->front();
}

void ShellState::assign(const std::string& name, std::string value) {
    if (given_.contains(name)) return;
    variables_[name] = {std::move(value)};
    hangsOn_.erase(name);
}

void ShellState::assignList(const std::string& name, std::vector<std::string> values) {
    if (given_.contains(name)) return;
    variables_[name] = std::move(values);
    hangsOn_.erase(name);
}

void ShellState::provide(const std::string& name, const std::string& value) {
    if (!given_.contains(name)) variables_[name] = {value};
}

std::string ShellState::cause(const std::string& name) const {
    const auto at = hangsOn_.find(name);
    return at == hangsOn_.end() ? name : at->second;
}

void ShellState::compare(const std::string& name, const std::string& value) {
    if (name.empty() || value.size() > 60) return;
    auto& entry = miss(name);
    if (entry.comparedWith.size() < 24) entry.comparedWith.insert(value);
}

UnknownVariable& ShellState::miss(const std::string& name) {
    auto [at, fresh] = unknown_.try_emplace(name);
    if (fresh) {
        at->second.name = name;
        at->second.line = line_;
    }
    return at->second;
}

std::string ShellState::unknown(const std::string& name) {
    const std::string root = cause(name);
    miss(root);
    return unknownMark(root);
}

std::optional<std::int64_t> ShellState::arithmetic(std::string_view body, std::string& root) {
    std::string missing;
    const auto value = shellArithmetic(body, [&](std::string_view name) -> std::optional<std::string> {
        const auto at = variables_.find(std::string(name));
        if (at == variables_.end()) {
            if (missing.empty()) missing = cause(std::string(name));
            return std::nullopt;
        }
        const std::string text = at->second.empty() ? "" : at->second.front();
        if (hasUnknown(text)) {
            if (missing.empty()) missing = rootOfUnknown(text);
            return std::nullopt;
        }
        return text;
    });
    if (!value && !missing.empty()) {
        miss(missing);
        if (root.empty()) root = missing;
    }
    return value;
}

void ShellState::note(std::string text) {
    if (std::find(notes_.begin(), notes_.end(), text) == notes_.end() && notes_.size() < 50) notes_.push_back(std::move(text));
}

void ShellState::finish(ShellScript& script) {
    for (const auto& [name, values] : variables_) {
        std::string joined;
        for (const auto& value : values) joined += (joined.empty() ? "" : " ") + value;
        if (joined.size() <= 4096) script.variables[name] = joined;
    }
    for (auto& [name, entry] : unknown_) script.unknown.push_back(entry);
    script.notes = std::move(notes_);
}

std::string unknownMark(std::string_view name) {
    std::string mark(1, kUnknownBegin);
    mark += name;
    mark += kUnknownEnd;
    return mark;
}

std::string rootOfUnknown(const std::string& text) {
    const auto begin = text.find(kUnknownBegin);
    const auto end = text.find(kUnknownEnd, begin == std::string::npos ? 0 : begin);
    return begin == std::string::npos || end == std::string::npos ? std::string() : text.substr(begin + 1, end - begin - 1);
}

}  // namespace trainyard
