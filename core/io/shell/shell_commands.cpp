#include <fmt/format.h>

#include <algorithm>

#include "core/io/shell/shell_interpreter.h"

// Single commands: assignments, redirections, started shells, and what a batch scheduler's directives put into the environment.

namespace trainyard {
namespace {

using Kind = ShellToken::Kind;

constexpr std::size_t kMostWords = 200'000;

/// True for commands whose arguments may be assignments.
bool declares(const std::string& word) {
    return word == "export" || word == "declare" || word == "local" || word == "readonly" || word == "typeset" || word == "env" ||
           word == "set";
}

}  // namespace

Result<void> ShellInterpreter::simpleCommand(Frame& frame) {
    ShellCommand command;
    command.line = frame.token().line;
    bool onlyAssignments = true;
    std::vector<std::pair<std::string, std::string>> assignments;
    while (!frame.atEnd() && frame.token().kind != Kind::newline) {
        const ShellToken& token = frame.token();
        if (token.kind == Kind::op) {
            if (token.text == ">" || token.text == ">>" || token.text == "<" || token.text == "<<<" || token.text == ">&" ||
                token.text == "<&" || token.text == "&>") {
                frame.at += 2;  // the operator and its target
                if (!command.words.empty() && (command.words.back() == "1" || command.words.back() == "2"))
                    command.words.pop_back();
                continue;
            }
            if (token.text == "<<" || token.text == "<<-") {
                ++frame.at;
                continue;
            }
            break;
        }
        if (token.kind == Kind::array) {
            assignArray(token);
            ++frame.at;
            continue;
        }
        const auto equals = token.text.find('=');
        std::string name = equals == std::string::npos ? "" : token.text.substr(0, equals);
        const bool append = name.ends_with('+');
        if (append) name.pop_back();
        const bool isAssignment = !name.empty() && isShellNameStart(name[0]) &&
                                  std::all_of(name.begin(), name.end(), isShellNameCharacter) &&
                                  (onlyAssignments || (!command.words.empty() && declares(command.words[0])));
        if (isAssignment) {
            std::string value = expander_.single(std::string_view(token.text).substr(equals + 1));
            if (append) value = state_.textOf(name) + value;
            if (value.size() > kLongestShellWord) return refuse("shell-too-large", fmt::format("{} grows without bound", name));
            if (onlyAssignments)
                assignments.emplace_back(name, value);
            else
                state_.assign(name, value);
            ++frame.at;
            continue;
        }
        onlyAssignments = false;
        for (auto& word : expander_.expand(token.text)) {
            if (++words_ > kMostWords) return refuse("shell-too-large", "comes to more words than are worked out");
            command.words.push_back(std::move(word));
        }
        ++frame.at;
    }
    if (expander_.overflowed() || overflow_) return refuse("shell-too-large", "a variable grows without bound");
    if (command.words.empty()) {
        for (auto& [name, value] : assignments) state_.assign(name, value);
        return {};
    }
    for (auto& [name, value] : assignments) command.environment[name] = value;
    return execute(std::move(command), frame.depth);
}

Result<void> ShellInterpreter::execute(ShellCommand command, int depth) {
    if (const auto function = functions_.find(command.words[0]); function != functions_.end() && depth < kDeepestShellNesting) {
        Frame frame{function->second, 0, depth + 1};
        for (std::size_t i = 1; i < command.words.size() && i < 10; ++i) state_.provide(std::to_string(i), command.words[i]);
        return list(frame, {});
    }
    const std::string& first = command.words[0];
    if (first == "eval" || first == "exec" || first == "time" || first == "nohup") {
        if (first == "eval") {
            std::string text;
            for (std::size_t i = 1; i < command.words.size(); ++i) text += command.words[i] + " ";
            return run(text, depth + 1);
        }
        command.words.erase(command.words.begin());
        return command.words.empty() ? Result<void>{} : execute(std::move(command), depth);
    }
    if (first == "source" || first == ".") {
        state_.note(fmt::format("the sourced file {} was not read", command.words.size() > 1 ? readable(command.words[1]) : ""));
        return {};
    }
    // a shell started with its program on the line, also behind srun, ssh or mpirun
    for (std::size_t i = 0; i + 2 < command.words.size(); ++i) {
        const std::string& word = command.words[i];
        const bool shell = word == "bash" || word == "sh" || word == "/bin/bash" || word == "/bin/sh" || word.ends_with("/bash");
        const std::string& flag = command.words[i + 1];
        if (!shell || flag.size() < 2 || flag[0] != '-' || flag.find('c') == std::string::npos || flag[1] == '-') continue;
        const std::string inner = command.words[i + 2];
        command.words.resize(i);
        if (!command.words.empty()) script_.commands.push_back(std::move(command));
        return run(inner, depth + 1);
    }
    if (script_.commands.size() < 10'000) script_.commands.push_back(std::move(command));
    return {};
}

void ShellInterpreter::assignArray(const ShellToken& token) {
    std::string name = token.text.substr(0, token.text.size() - 1);
    const bool append = name.ends_with('+');
    if (append) name.pop_back();
    std::vector<std::string> values;
    if (append)
        if (const auto* before = state_.valuesOrNull(name)) values = *before;
    for (const auto& item : token.items)
        for (auto& word : expander_.expand(item)) {
            if (++words_ > kMostWords) {
                overflow_ = true;
                return;
            }
            values.push_back(std::move(word));
        }
    state_.assignList(name, std::move(values));
}

void ShellInterpreter::takeDirective(const std::string& body) {
    std::vector<std::string> words;
    std::string word;
    for (const char c : body) {
        if (c == '#') break;
        if (c == ' ' || c == '\t' || c == '\r') {
            if (!word.empty()) words.push_back(std::move(word));
            word.clear();
        } else {
            word += c;
        }
    }
    if (!word.empty()) words.push_back(std::move(word));
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string key = words[i], value;
        if (const auto equals = key.find('='); equals != std::string::npos) {
            value = key.substr(equals + 1);
            key.resize(equals);
        } else if (i + 1 < words.size() && !words[i + 1].starts_with("-")) {
            value = words[++i];
        }
        if (key == "--nodes" || key == "-N") {
            value = value.substr(0, value.find('-'));
            state_.provide("SLURM_NNODES", value);
            state_.provide("SLURM_JOB_NUM_NODES", value);
        } else if (key == "--ntasks-per-node") {
            state_.provide("SLURM_NTASKS_PER_NODE", value);
            state_.provide("SLURM_TASKS_PER_NODE", value);
        } else if (key == "--ntasks" || key == "-n") {
            state_.provide("SLURM_NTASKS", value);
        } else if (key == "--gpus-per-node" || key == "--gres") {
            const auto colon = value.rfind(':');
            const std::string count = colon == std::string::npos ? value : value.substr(colon + 1);
            if (!count.empty() && count.find_first_not_of("0123456789") == std::string::npos) {
                state_.provide("SLURM_GPUS_ON_NODE", count);
                state_.provide("SLURM_GPUS_PER_NODE", count);
            }
        } else if (key == "--cpus-per-task" || key == "-c") {
            state_.provide("SLURM_CPUS_PER_TASK", value);
        }
    }
}

}  // namespace trainyard
