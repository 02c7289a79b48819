#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/io/import/cluster_groups.h"
#include "core/io/import/importers.h"
#include "core/io/import/launch_script.h"
#include "core/io/import/megatron_arguments.h"
#include "core/io/import/slurm_lists.h"
#include "core/plan/limits.h"

// Slurm in its forms: batch scripts and srun or torchrun lines, `scontrol show node`, `sinfo`, topology.conf and the NodeName
// lines of slurm.conf.

namespace trainyard {
namespace {

using nlohmann::json;
using Int = std::int64_t;

constexpr std::size_t kMaxBytes = std::size_t{16} << 20;

struct Inventory {
    std::map<std::pair<std::string, Int>, Int> nodesOf;  ///< accelerator name and count per node -> nodes
    Int without = 0;                                     ///< nodes that have none
    std::vector<std::string> states;
};

/// `gpu:h100:8(S:0-1),gpu:a40:2` as (name, count); the first kind with the most.
std::pair<std::string, Int> gresOf(std::string_view gres, ImportBuilder& builder) {
    std::pair<std::string, Int> best{"", 0};
    int kinds = 0;
    for (const auto& item : splitOutsideBrackets(gres, ',')) {
        if (!item.starts_with("gpu")) continue;
        std::string body = item.substr(0, item.find('('));
        std::string kind;
        Int count = 1;
        std::vector<std::string> parts = splitOutsideBrackets(body, ':');
        if (parts.size() > 1) {
            const auto last = integerOf(parts.back());
            if (last) count = *last;
            if (parts.size() > (last ? 2U : 1U)) kind = parts[1];
        }
        if (count < 1 || count > limits::kDevicesPerNode) continue;
        ++kinds;
        if (count > best.second) best = {kind, count};
    }
    if (kinds > 1)
        builder.warn("two-kinds",
                     fmt::format("nodes with two kinds of accelerators ({}): the more numerous is taken", gres.substr(0, 80)),
                     "/cluster");
    return best;
}

void addNodes(Inventory& found, const std::string& gres, Int nodes, ImportBuilder& builder) {
    const auto [kind, count] = gresOf(gres, builder);
    if (count == 0)
        found.without += nodes;
    else
        found.nodesOf[{kind, count}] += nodes;
}

Result<ImportResult> finishInventory(const Inventory& found, ImportBuilder& builder, std::string_view what) {
    Int nodes = 0;
    std::vector<NodeGroup> groups;
    for (const auto& [key, count] : found.nodesOf) {
        const std::string id = settleAccelerator(builder, key.first);
        groups.push_back({key.first.empty() ? "gpu-nodes" : key.first, id, count, key.second});
        builder.understand(fmt::format("{} node{} of {} {}", count, count == 1 ? "" : "s", key.second,
                                       key.first.empty() ? "accelerators" : key.first));
        nodes += count;
    }
    if (groups.empty())
        return failure(Error::Kind::unreadable, "slurm-no-gpus", builder.context().where,
                       fmt::format("{} lists no node with accelerators (Gres=gpu:...)", what));
    if (groups.size() > 64 || nodes > limits::kDevices)
        return failure(Error::Kind::unreadable, "slurm-too-many", builder.context().where,
                       "lists more kinds of nodes than a cluster can be drawn of");
    takeClusterOfGroups(builder, groups);
    if (found.without > 0)
        builder.ignore(fmt::format("{} node{} without accelerators", found.without, found.without == 1 ? "" : "s"));
    return builder.finish();
}

/// `scontrol show node` and slurm.conf: `key=value` words, a record begins at NodeName.
Result<ImportResult> readRecords(std::string_view text, ImportBuilder& builder) {
    Inventory found;
    std::map<std::string, std::string> record;
    const auto close = [&] {
        const auto at = record.find("NodeName");
        if (at == record.end() || at->second == "DEFAULT") return;
        const Int nodes = std::max<Int>(1, hostCount(at->second));
        addNodes(found, record.contains("Gres") ? record["Gres"] : "", nodes, builder);
        if (const auto state = record.find("State"); state != record.end() && (state->second.find("DOWN") != std::string::npos ||
                                                                               state->second.find("DRAIN") != std::string::npos))
            builder.note(
                "node-down",
                fmt::format("{} is {}; it is counted all the same", at->second.substr(0, 60), state->second.substr(0, 40)),
                "/cluster");
    };
    for (const auto& line : linesOf(text))
        for (const auto& word : wordsOfLine(line.text)) {
            const auto equals = word.find('=');
            if (equals == std::string::npos || equals == 0) continue;
            const std::string key = word.substr(0, equals);
            if (key == "NodeName") {
                close();
                record.clear();
            }
            record[key] = word.substr(equals + 1);
        }
    close();
    builder.ignore("CPUs, memory and partitions of the nodes");
    return finishInventory(found, builder, "the list of nodes");
}

/// A table of `sinfo`, by its heading.
Result<ImportResult> readSinfo(std::string_view text, ImportBuilder& builder) {
    Inventory found;
    std::map<std::string, std::size_t> columns;
    std::map<std::string, std::string> seen;  // a node that stands in two partitions counts once
    for (const auto& line : linesOf(text)) {
        const auto words = wordsOfLine(line.text);
        if (words.empty()) continue;
        const bool heading = std::any_of(words.begin(), words.end(), [](const auto& word) {
            return word == "PARTITION" || word == "NODELIST" || word == "GRES";
        });
        if (heading) {
            columns.clear();
            for (std::size_t i = 0; i < words.size(); ++i) columns[words[i]] = i;
            continue;
        }
        const auto cell = [&](const char* name) {
            return columns.contains(name) && columns[name] < words.size() ? words[columns[name]] : std::string();
        };
        const std::string list = cell("NODELIST").empty() ? cell("HOSTNAMES") : cell("NODELIST");
        const std::string gres = cell("GRES");
        Int nodes = list.empty() ? integerOf(cell("NODES")).value_or(0) : hostCount(list);
        if (nodes < 1 || nodes > limits::kDevices) continue;
        if (!list.empty() && !seen.emplace(list, gres).second) continue;
        addNodes(found, gres, nodes, builder);
    }
    if (columns.empty())
        return failure(Error::Kind::unreadable, "slurm-unreadable", builder.context().where,
                       "has no heading of sinfo; expected columns such as NODES, NODELIST and GRES");
    if (!columns.contains("GRES")) {
        Int nodes = 0;
        for (const auto& [list, gres] : seen) nodes += hostCount(list);
        if (nodes < 1 || nodes > limits::kDevices)
            return failure(Error::Kind::unreadable, "slurm-unreadable", builder.context().where, "lists no nodes");
        const std::string id = settleAccelerator(builder, "");
        builder.report().assumed.push_back({"/cluster", "8", "accelerators per node; run sinfo -o \"%N %D %G\" to list them"});
        takeClusterOfGroups(builder, {{"nodes", id, nodes, 8}});
        return builder.finish();
    }
    return finishInventory(found, builder, "sinfo");
}

/// topology.conf: a tree of switches, or blocks that are NVLink domains.
Result<ImportResult> readTopology(std::string_view text, ImportBuilder& builder) {
    struct Switch {
        std::string name, nodes, switches;
        bool block = false;
        int line = 1;
    };
    std::vector<Switch> switches;
    for (const auto& line : linesOf(text)) {
        Switch entry;
        entry.line = line.number;
        for (const auto& word : wordsOfLine(line.text)) {
            const auto equals = word.find('=');
            if (equals == std::string::npos) continue;
            const std::string key = word.substr(0, equals), value = word.substr(equals + 1);
            if (key == "SwitchName") entry.name = value;
            if (key == "BlockName") {
                entry.name = value;
                entry.block = true;
            }
            if (key == "Nodes") entry.nodes = value;
            if (key == "Switches") entry.switches = value;
            if (key == "BlockSizes") builder.understand("jobs take blocks of " + value + " nodes");
        }
        if (!entry.name.empty()) switches.push_back(std::move(entry));
        if (switches.size() > 1'000)
            return failure(Error::Kind::unreadable, "slurm-too-many", fmt::format("{}:{}", builder.context().where, line.number),
                           "has more than 1000 switches; draw a part of the cluster");
    }
    const bool blocks = std::all_of(switches.begin(), switches.end(), [](const Switch& each) { return each.block; });
    std::string wanted = "h100-sxm5-80";
    const auto given = builder.context().variables.find("ACCELERATOR");
    if (given != builder.context().variables.end()) {
        wanted = settleAccelerator(builder, given->second);
    } else if (blocks) {
        wanted = "gb200-186";
        builder.report().assumed.push_back(
            {"/cluster", "\"gb200-186\"", "blocks are NVLink racks; say which accelerator with --define ACCELERATOR=NAME"});
    } else {
        wanted = settleAccelerator(builder, "");
    }
    const Int perNode = blocks ? 4 : 8;
    builder.report().assumed.push_back(
        {"/cluster", fmt::format("{}", perNode), "accelerators per node; topology.conf does not list them"});
    json nodes = json::array(), drawn = json::array(), links = json::array();
    Int devices = 0;
    for (const Switch& each : switches) {
        if (each.block != blocks && each.block) continue;  // the tree is drawn, blocks beside it only group nodes
        drawn.push_back({{"id", each.name}});
        const Int hosts = each.nodes.empty() ? 0 : hostCount(each.nodes);
        devices += hosts * perNode;
        if (hosts < 0 || devices > limits::kDevices)
            return failure(Error::Kind::unreadable, "slurm-host-list", fmt::format("{}:{}", builder.context().where, each.line),
                           fmt::format("\"{}\" is no list of hosts such as node[0-5]", each.nodes.substr(0, 60)));
        if (hosts > 0) {
            const std::string id = each.name + "-nodes";
            nodes.push_back(
                {{"id", id}, {"count", hosts}, {"accelerators", json::array({{{"accelerator", wanted}, {"count", perNode}}})}});
            links.push_back(
                {{"from", id}, {"to", each.name}, {"kind", "infiniband"}, {"bandwidth_bytes_per_s", 50e9}, {"count", perNode}});
            builder.understand(fmt::format("{}: {} node{}", each.name, hosts, hosts == 1 ? "" : "s"));
        }
        for (const auto& child : expandHosts(each.switches, 1'000))
            if (std::any_of(switches.begin(), switches.end(), [&](const Switch& other) { return other.name == child; }))
                links.push_back({{"from", child},
                                 {"to", each.name},
                                 {"kind", "infiniband"},
                                 {"bandwidth_bytes_per_s", 50e9},
                                 {"count", perNode}});
            else
                builder.warn("unknown-switch",
                             fmt::format("line {}: the switch {} is not described", each.line, child.substr(0, 60)),
                             "/cluster/switches");
    }
    if (nodes.empty())
        return failure(Error::Kind::unreadable, "slurm-unreadable", builder.context().where,
                       "names no nodes; expected lines such as SwitchName=leaf0 Nodes=node[0-5]");
    if (blocks && switches.size() > 1) {
        drawn.push_back({{"id", "between-blocks"}});
        for (const Switch& each : switches)
            links.push_back({{"from", each.name},
                             {"to", "between-blocks"},
                             {"kind", "infiniband"},
                             {"bandwidth_bytes_per_s", 50e9},
                             {"count", perNode}});
    }
    builder.report().assumed.push_back(
        {"/cluster/links", "50e9", "400 Gb/s per accelerator on every link; topology.conf gives no speeds that could be used"});
    builder.scenario["cluster"] = {{"nodes", std::move(nodes)}, {"switches", std::move(drawn)}, {"links", std::move(links)}};
    return builder.finish();
}

Result<ImportResult> readScript(std::string_view text, ImportBuilder& builder) {
    auto launch = readLaunchScript(text, builder);
    if (!launch) return tl::unexpected<Error>(launch.error());
    if (describesMegatron(launch->flags)) {
        readMegatronArguments(launch->flags, *launch, builder);
    } else {
        if (!launch->nodes && !launch->perNode)
            return failure(Error::Kind::unreadable, "slurm-unreadable", builder.context().where,
                           "says neither how many nodes nor how many accelerators are taken; expected #SBATCH --nodes and "
                           "--gpus-per-node, or a torchrun line");
        const bool whole = launch->nodes && launch->perNode;
        if (!whole)
            builder.report().assumed.push_back(
                {"/cluster", launch->nodes ? "8" : "1",
                 launch->nodes ? "accelerators per node; the script does not say" : "one node; the script does not say"});
        builder.settleDevices(launch->nodes ? *launch->nodes : 1, launch->perNode ? *launch->perNode : 8, launch->accelerator,
                              launch->source);
        std::string words;
        for (const auto& word : launch->words) words += word.substr(0, 200) + "\n";
        if (!builder.takeModelByName(words, "a name on the command line"))
            builder.note("model-unknown", "the script's program decides the model and the degrees; choose them", "/model");
    }
    for (const auto& name : launch->flags.unused()) builder.ignore("--" + name);
    return builder.finish();
}

Result<ImportResult> read(std::string_view text, const ImportContext& context) {
    if (text.size() > kMaxBytes)
        return failure(Error::Kind::unreadable, "slurm-too-large", context.where,
                       fmt::format("has {} bytes; at most {} were expected", text.size(), kMaxBytes));
    ImportBuilder builder("slurm", context);
    const auto has = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
    const bool script = has("#SBATCH") || has("srun ") || has("torchrun") || has("sbatch ");
    if (!script && (has("SwitchName=") || has("BlockName="))) return readTopology(text, builder);
    if (!script && has("NodeName=")) return readRecords(text, builder);
    if (!script && (has("PARTITION") || has("NODELIST") || has("GRES"))) return readSinfo(text, builder);
    return readScript(text, builder);
}

double likeness(std::string_view text) {
    const auto has = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
    if (has("SwitchName=") || has("BlockName=") || has("NodeName=")) return 0.93;
    if (has("PARTITION") && has("NODELIST")) return 0.9;
    if (has("#SBATCH")) return 0.8;
    return has("torchrun") || has("srun ") ? 0.5 : 0;
}

}  // namespace

const Importer kSlurmImporter{"slurm", "Slurm: batch script, scontrol show node, sinfo, topology.conf",
                              "cluster, plan of a script", read, likeness};

}  // namespace trainyard
