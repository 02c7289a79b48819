#include "core/io/import/launch_flags.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace trainyard {
namespace {

bool looksLikeFlag(std::string_view word) {
    if (word.size() > 2 && word.starts_with("--")) return true;
    return word.size() > 1 && word[0] == '-' && ((word[1] >= 'a' && word[1] <= 'z') || (word[1] >= 'A' && word[1] <= 'Z'));
}

std::string normalName(std::string_view word) {
    while (word.starts_with('-')) word.remove_prefix(1);
    std::string name(word);
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

std::string lowered(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

bool isOverride(std::string_view word) {
    const auto equals = word.find('=');
    if (equals == std::string_view::npos || equals == 0 || word.starts_with("-")) return false;
    std::string_view key = word.substr(0, equals);
    while (key.starts_with('+') || key.starts_with('~')) key.remove_prefix(1);
    if (key.find('.') == std::string_view::npos) return false;
    return std::all_of(key.begin(), key.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
    });
}

/// True for a word that starts distributed work.
bool isLauncher(std::string_view word) {
    if (const auto slash = word.rfind('/'); slash != std::string_view::npos) word.remove_prefix(slash + 1);
    for (const std::string_view name :
         {"torchrun", "deepspeed", "accelerate", "srun", "mpirun", "mpiexec", "megatron", "swift", "python", "python3",
          "torch.distributed.run", "torch.distributed.launch", "composer", "ray", "nemo", "sbatch", "horovodrun"})
        if (word == name) return true;
    return word.ends_with(".py");
}

}  // namespace

std::optional<std::int64_t> integerOf(std::string_view text) {
    std::string digits;
    for (const char c : text)
        if (c != '_' && c != '\'' && c != '"') digits += c;
    if (digits.ends_with(".0")) digits.resize(digits.size() - 2);
    std::int64_t value = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size() && !digits.empty()) return value;
    double real = 0;
    const auto floating = std::from_chars(digits.data(), digits.data() + digits.size(), real);
    if (floating.ec == std::errc() && floating.ptr == digits.data() + digits.size() && real == std::floor(real) &&
        std::fabs(real) < 9e15)
        return static_cast<std::int64_t>(real);
    return std::nullopt;
}

void FlagSet::addWords(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (!looksLikeFlag(words[i]) || !words[i].starts_with("--")) continue;
        std::string_view word = words[i];
        std::vector<std::string> values;
        if (const auto equals = word.find('='); equals != std::string_view::npos) {
            values.emplace_back(word.substr(equals + 1));
            word = word.substr(0, equals);
        }
        for (std::size_t k = i + 1; values.size() < 4096 && k < words.size() && !looksLikeFlag(words[k]); ++k)
            values.push_back(words[k]);
        set(normalName(word), std::move(values));
    }
}

void FlagSet::set(std::string name, std::vector<std::string> values) { flags_[std::move(name)] = std::move(values); }

bool FlagSet::has(std::string_view name) const {
    asked_.emplace(name);
    return flags_.contains(std::string(name));
}

std::vector<std::string> FlagSet::values(std::string_view name) const {
    asked_.emplace(name);
    const auto at = flags_.find(std::string(name));
    return at == flags_.end() ? std::vector<std::string>() : at->second;
}

std::optional<std::string> FlagSet::text(std::string_view name) const {
    const auto list = values(name);
    if (list.empty() || list.front().empty()) return std::nullopt;
    const std::string low = lowered(list.front());
    if (low == "none" || low == "null") return std::nullopt;
    return list.front();
}

bool FlagSet::on(std::string_view name) const {
    if (!has(name)) return false;
    const auto list = values(name);
    if (list.empty()) return true;
    const std::string low = lowered(list.front());
    return low != "false" && low != "0" && low != "none" && low != "null" && low != "no" && low != "off";
}

bool FlagSet::off(std::string_view name) const { return has(name) && !on(name); }

std::optional<std::int64_t> FlagSet::integer(std::string_view name) const {
    const auto value = text(name);
    return value ? integerOf(*value) : std::nullopt;
}

std::vector<std::string> FlagSet::unused() const {
    std::vector<std::string> names;
    for (const auto& [name, values] : flags_)
        if (!asked_.contains(name)) names.push_back(name);
    return names;
}

Launch findLaunch(const ShellScript& script) {
    Launch launch;
    const auto takeCount = [&](std::optional<std::int64_t>& target, std::optional<std::int64_t> value, const char* source) {
        if (!value || *value < 1 || target) return;
        target = value;
        if (launch.source.find(source) == std::string::npos)
            launch.source += (launch.source.empty() ? "" : ", ") + std::string(source);
    };
    bool torchrun = false;
    std::optional<std::int64_t> processes;
    for (const auto& command : script.commands) {
        const auto starts =
            std::any_of(command.words.begin(), command.words.end(), [](const std::string& word) { return isLauncher(word); });
        const bool bare = !command.words.empty() && (command.words[0].starts_with("--") || isOverride(command.words[0]));
        const bool pip = !command.words.empty() && (command.words[0] == "pip" || command.words[0] == "git" ||
                                                    command.words[0] == "echo" || command.words[0] == "docker");
        if ((!starts && !bare) || pip) continue;
        launch.flags.addWords(command.words);
        launch.words.insert(launch.words.end(), command.words.begin(), command.words.end());
        for (std::size_t i = 0; i < command.words.size(); ++i) {
            const std::string& word = command.words[i];
            if (isOverride(word)) {
                const auto equals = word.find('=');
                std::string key = word.substr(0, equals);
                while (key.starts_with('+') || key.starts_with('~')) key.erase(0, 1);
                launch.overrides[key] = word.substr(equals + 1);
            }
            if (word == "torchrun" || word == "torch.distributed.run" || word == "torch.distributed.launch" ||
                word.ends_with("/torchrun"))
                torchrun = true;
            if ((word == "-np" || word == "-n") && i + 1 < command.words.size() && !command.words[0].empty() &&
                (command.words[0].ends_with("mpirun") || command.words[0].ends_with("mpiexec") || command.words[0] == "srun"))
                processes = integerOf(command.words[i + 1]);
            if (word == "-N" && i + 1 < command.words.size() && command.words[0] == "srun")
                takeCount(launch.nodes, integerOf(command.words[i + 1]), "srun -N");
        }
        for (const auto& [name, value] : command.environment) {
            if (name == "NPROC_PER_NODE" || name == "GPUS_PER_NODE")
                takeCount(launch.perNode, integerOf(value), "the environment of the command");
            if (name == "NNODES" || name == "NUM_NODES")
                takeCount(launch.nodes, integerOf(value), "the environment of the command");
        }
    }
    const FlagSet& flags = launch.flags;
    const auto override_ = [&](const char* key) {
        const auto at = launch.overrides.find(key);
        return at == launch.overrides.end() ? std::nullopt : integerOf(at->second);
    };
    for (const char* name : {"nproc-per-node", "gpus-per-node", "num-gpus", "ntasks-per-node"}) {
        if (std::string_view(name) == "ntasks-per-node" && torchrun) continue;
        if (const auto value = flags.text(name)) {
            const auto colon = value->rfind(':');
            takeCount(launch.perNode, integerOf(colon == std::string::npos ? *value : value->substr(colon + 1)),
                      "the launcher's arguments");
            if (colon != std::string::npos && launch.accelerator.empty()) launch.accelerator = value->substr(0, colon);
        }
    }
    if (const auto value = flags.text("nnodes")) {
        const auto colon = value->rfind(':');  // an elastic range MIN:MAX
        takeCount(launch.nodes, integerOf(colon == std::string::npos ? *value : value->substr(colon + 1)),
                  "the launcher's arguments");
    }
    for (const char* name : {"num-nodes", "nodes", "num-machines"})
        takeCount(launch.nodes, flags.integer(name), "the launcher's arguments");
    if (const auto value = flags.integer("num-processes")) processes = value;
    for (const char* key : {"trainer.n_gpus_per_node", "trainer.devices", "trainer.num_gpus"})
        takeCount(launch.perNode, override_(key), "trainer settings");
    for (const char* key : {"trainer.nnodes", "trainer.num_nodes"}) takeCount(launch.nodes, override_(key), "trainer settings");
    static_cast<void>(flags.has("master-addr") || flags.has("master-port") || flags.has("node-rank") ||
                      flags.has("rdzv-endpoint") || flags.has("rdzv-backend") || flags.has("rdzv-id"));

    for (const auto& [body, line] : script.directives) {
        for (const std::string_view key :
             {"--gres=gpu:", "--gpus-per-node=", "--gpus=", "--constraint=", "-C ", "--partition=", "-p "}) {
            const auto at = body.find(key);
            if (at == std::string::npos) continue;
            const auto start = at + key.size();
            std::string value = body.substr(start, body.find_first_of(" \t#,", start) - start);
            const auto colon = value.rfind(':');
            if (key.find("gpu") != std::string_view::npos && colon != std::string::npos && launch.accelerator.empty())
                launch.accelerator = value.substr(0, colon);
            if (key.find("gpu") == std::string_view::npos && launch.accelerator.empty() &&
                value.find_first_of("0123456789") != std::string::npos) {
                for (const std::string_view known :
                     {"h100", "h200", "a100", "v100", "b200", "mi300", "mi250", "l40s", "gh200", "a40"})
                    if (lowered(value).find(known) != std::string::npos) launch.accelerator = std::string(known);
            }
        }
    }
    const auto variable = [&](const char* name) {
        const auto at = script.variables.find(name);
        return at == script.variables.end() ? std::nullopt : integerOf(at->second);
    };
    takeCount(launch.perNode, variable("SLURM_GPUS_ON_NODE"), "#SBATCH");
    takeCount(launch.nodes, variable("SLURM_NNODES"), "#SBATCH");
    for (const char* name : {"GPUS_PER_NODE", "NPROC_PER_NODE", "NUM_GPUS", "GPU_PER_NODE", "NGPUS_PER_NODE"})
        takeCount(launch.perNode, variable(name), "variables");
    for (const char* name : {"NNODES", "NUM_NODES", "NODES"}) takeCount(launch.nodes, variable(name), "variables");
    if (launch.accelerator.empty())
        for (const char* name : {"GPU_TYPE", "ACCELERATOR", "GPU_MODEL"})
            if (const auto at = script.variables.find(name); at != script.variables.end() && !hasUnknown(at->second))
                launch.accelerator = at->second;
    if (!launch.nodes && launch.perNode && torchrun && !flags.has("nnodes")) takeCount(launch.nodes, 1, "torchrun on one node");
    if (processes && *processes > 0) {
        if (!launch.perNode && launch.nodes && *processes % *launch.nodes == 0)
            takeCount(launch.perNode, *processes / *launch.nodes, "the number of processes");
        if (!launch.perNode) takeCount(launch.perNode, std::min<std::int64_t>(8, *processes), "the number of processes");
        if (launch.perNode && *processes % *launch.perNode == 0)
            takeCount(launch.nodes, *processes / *launch.perNode, "the number of processes");
    }
    if (!launch.nodes && launch.perNode)
        if (const auto world = variable("WORLD_SIZE"); world && *world % *launch.perNode == 0)
            takeCount(launch.nodes, *world / *launch.perNode, "WORLD_SIZE");
    if (launch.source.empty()) launch.source = "the script";
    return launch;
}

}  // namespace trainyard
