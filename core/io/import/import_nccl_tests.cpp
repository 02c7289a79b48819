#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "core/cluster/topology.h"
#include "core/comm/collectives.h"
#include "core/io/import/cluster_groups.h"
#include "core/io/import/importers.h"
#include "core/io/import/launch_flags.h"
#include "core/io/import/slurm_lists.h"
#include "core/io/json/cluster_json.h"
#include "core/plan/limits.h"

// Tables of nccl-tests (all_reduce_perf and its like; rccl-tests prints the same). The devices at the top give the cluster, the
// largest messages the bandwidth, which becomes the calibration's `communication.rate`.

namespace trainyard {
namespace {

using nlohmann::json;

struct Row {
    double bytes = 0, seconds = 0, busBytesPerS = 0;
};

std::optional<double> realOf(const std::string& text) {
    double value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || !std::isfinite(value) || value < 0)
        return std::nullopt;
    return value;
}

struct Table {
    std::string collective = "all_reduce";
    bool named = false;  ///< the collective stands in the text
    std::vector<Row> rows;
    std::map<std::string, std::set<std::string>> devicesOfHost;
    std::string accelerator;
    std::int64_t ranks = 0;
    std::size_t errors = 0;
};

Table parse(std::string_view text) {
    Table table;
    for (const char* name : {"all_reduce", "all_gather", "reduce_scatter", "alltoall", "sendrecv", "broadcast", "reduce"})
        if (!table.named && text.find(std::string(name) + "_perf") != std::string_view::npos) {
            table.collective = name;
            table.named = true;
        }
    while (!text.empty() && table.rows.size() < 10'000) {
        const auto end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (const auto rank = line.find("Rank "); line.find('#') != std::string_view::npos && rank != std::string_view::npos) {
            // #  Rank  0 Group  0 Pid 1234 on   node-1 device  0 [0000:1b:00] NVIDIA H100 80GB HBM3
            const auto on = line.find(" on "), device = line.find(" device ", on == std::string_view::npos ? 0 : on),
                       bracket = line.find(']');
            if (on == std::string_view::npos || device == std::string_view::npos) continue;
            const auto host = wordsOfLine(line.substr(on + 4, device - on - 4));
            const auto number = wordsOfLine(line.substr(device + 8));
            if (!host.empty() && !number.empty() && table.ranks < limits::kDevices) {
                ++table.ranks;
                table.devicesOfHost[host.front()].insert(number.front());
            }
            if (bracket != std::string_view::npos && table.accelerator.empty()) {
                const auto begin = line.find_first_not_of(" \t", bracket + 1);
                if (begin != std::string_view::npos) table.accelerator = std::string(line.substr(begin, 80));
                while (!table.accelerator.empty() && (table.accelerator.back() == ' ' || table.accelerator.back() == '\r'))
                    table.accelerator.pop_back();
            }
            continue;
        }
        if (line.find('#') != std::string_view::npos && line.find_first_not_of(" \t") == line.find('#')) continue;
        // size count type redop root | time algbw busbw #wrong | time algbw busbw #wrong; some tables have no redop or root
        const auto words = wordsOfLine(line);
        if (words.size() < 6) continue;
        const auto bytes = realOf(words[0]), count = realOf(words[1]);
        if (!bytes || !count || *bytes <= 0 || realOf(words[2])) continue;
        std::size_t at = 3;
        if (at < words.size() && !realOf(words[at])) ++at;  // redop
        std::vector<double> figures;
        for (; at < words.size(); ++at) {
            const auto value = realOf(words[at]);
            if (!value && words[at] != "N/A" && words[at] != "none" && words[at] != "-1") break;
            figures.push_back(value.value_or(-1));
        }
        if (figures.size() == 5 || figures.size() == 9 || figures.size() == 4 + 3 || figures.size() == 4) {
            const std::size_t first = figures.size() == 5 || figures.size() == 9 || figures.size() == 7 ? 1 : 0;  // root
            if (first + 2 >= figures.size()) continue;
            const double us = figures[first], bus = figures[first + 2];
            if (us > 0 && bus > 0) table.rows.push_back({*bytes, us * 1e-6, bus * 1e9});
        }
    }
    std::sort(table.rows.begin(), table.rows.end(), [](const Row& a, const Row& b) { return a.bytes < b.bytes; });
    return table;
}

/// What the engine expects of this collective over all devices of the cluster, busbw in bytes per second; 0 if it cannot say.
double expected(const json& cluster, const Table& table, const Row& row, const PresetLibrary& presets) {
    ReadState state;
    const auto spec = readCluster(cluster, "/cluster", state, presets);
    if (!spec || state.error) return 0;
    const Topology topology(spec);
    std::vector<std::int32_t> devices(static_cast<std::size_t>(std::min<std::int64_t>(table.ranks, topology.devices())));
    std::iota(devices.begin(), devices.end(), 0);
    if (devices.size() < 2) return 0;
    const CollectiveKind kind = table.collective == "all_gather"       ? CollectiveKind::allGather
                                : table.collective == "reduce_scatter" ? CollectiveKind::reduceScatter
                                : table.collective == "alltoall"       ? CollectiveKind::allToAll
                                                                       : CollectiveKind::allReduce;
    CommunicationConstants constants;
    constants.trainingShare = 1;  // a benchmark, not a training run
    const auto time = collectiveTime(kind, row.bytes, groupShape(topology, devices), constants);
    const double n = static_cast<double>(devices.size());
    return time.totalS > 0 ? row.bytes / time.totalS * (kind == CollectiveKind::allReduce ? 2 : 1) * (n - 1) / n : 0;
}

Result<ImportResult> read(std::string_view text, const ImportContext& context) {
    if (text.size() > (std::size_t{16} << 20))
        return failure(Error::Kind::unreadable, "nccl-tests-too-large", context.where,
                       "is larger than 16 MiB; give the table of one test");
    Table table = parse(text);
    if (table.rows.empty())
        return failure(Error::Kind::unreadable, "nccl-tests-unreadable", context.where,
                       "has no rows of a table of nccl-tests; expected columns size, count, type, ..., time, algbw, busbw");
    ImportBuilder builder("nccl-tests", context);
    if (!table.named)
        builder.report().assumed.push_back(
            {"/calibration", "\"all_reduce\"", "the text does not name the test; all_reduce_perf is taken"});
    const Row& largest = table.rows.back();
    const Row& best = *std::max_element(table.rows.begin(), table.rows.end(),
                                        [](const Row& a, const Row& b) { return a.busBytesPerS < b.busBytesPerS; });
    builder.understand(
        fmt::format("{}: {} message sizes up to {:.4g} MiB", table.collective, table.rows.size(), largest.bytes / 1048576));
    builder.understand(fmt::format("bus bandwidth {:.4g} GB/s at {:.4g} MiB, at best {:.4g} GB/s", largest.busBytesPerS * 1e-9,
                                   largest.bytes / 1048576, best.busBytesPerS * 1e-9));
    builder.understand(
        fmt::format("latency {:.3g} us at {:.0f} bytes", table.rows.front().seconds * 1e6, table.rows.front().bytes));
    if (table.ranks == 0) {
        builder.warn("no-devices",
                     "the text does not list the devices (\"# Using devices\"); give the whole output to take over the cluster "
                     "and its bandwidth",
                     "/cluster");
        return builder.finish();
    }
    std::map<std::int64_t, std::int64_t> bySize;
    for (const auto& [host, devices] : table.devicesOfHost) ++bySize[static_cast<std::int64_t>(devices.size())];
    const std::string id = settleAccelerator(builder, table.accelerator);
    std::vector<NodeGroup> groups;
    for (const auto& [perNode, hosts] : bySize) {
        builder.understand(fmt::format("{} node{} of {} {}", hosts, hosts == 1 ? "" : "s", perNode,
                                       table.accelerator.empty() ? "accelerators" : table.accelerator));
        groups.push_back({fmt::format("hosts-of-{}", perNode), id, hosts, std::min(perNode, limits::kDevicesPerNode)});
    }
    if (groups.size() > 64)
        return failure(Error::Kind::unreadable, "nccl-tests-unreadable", context.where,
                       "lists hosts of more than 64 different sizes");
    takeClusterOfGroups(builder, groups);
    if (largest.bytes < 32 << 20) {
        builder.warn("small-messages",
                     "the largest message is below 32 MiB: latency decides, not bandwidth; run the test with -e 4G",
                     "/calibration");
        return builder.finish();
    }
    const double modelled = expected(builder.scenario["cluster"], table, largest, *context.presets);
    const double factor = modelled > 0 ? largest.busBytesPerS / modelled : 0;
    if (factor >= 0.2 && factor <= 1.5)
        builder.take("/calibration", json{{"communication.rate", std::round(factor * 1e4) / 1e4}},
                     fmt::format("measured over modelled bus bandwidth, {:.4g} of {:.4g} GB/s", largest.busBytesPerS * 1e-9,
                                 modelled * 1e-9));
    else if (modelled > 0)
        builder.warn(
            "far-off",
            fmt::format("{:.4g} GB/s were measured where {:.4g} are expected of this cluster; check the network that is drawn",
                        largest.busBytesPerS * 1e-9, modelled * 1e-9),
            "/cluster");
    return builder.finish();
}

double likeness(std::string_view text) {
    const auto has = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
    if (has("busbw") && has("algbw")) return 0.97;
    return has("Avg bus bandwidth") ? 0.9 : 0;
}

}  // namespace

const Importer kNcclTestsImporter{"nccl-tests", "Bandwidths measured with nccl-tests", "cluster, calibration of communication",
                                  read, likeness};

}  // namespace trainyard
