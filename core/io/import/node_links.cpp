#include "core/io/import/node_links.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/io/import/cluster_groups.h"

namespace trainyard {

using nlohmann::json;

double nvlinkBytesPerS(int computeCapability) {
    if (computeCapability >= 100) return 50e9;  // NVLink 5
    if (computeCapability >= 70) return 25e9;   // NVLink 2 to 4: more links, not faster ones
    return 20e9;
}

void takeNodeDump(ImportBuilder& builder, const NodeDump& dump) {
    const PresetLibrary& presets = *builder.context().presets;
    std::string id = acceleratorIdFromName(presets, dump.acceleratorName);
    if (!id.empty()) {
        builder.understand(fmt::format("{} x {} ({})", dump.gpus, dump.acceleratorName, id));
    } else if (builder.context().variables.contains("ACCELERATOR") || dump.acceleratorGuess.empty()) {
        id = settleAccelerator(builder, dump.acceleratorName);
        builder.understand(fmt::format("{} accelerators", dump.gpus));
    } else {
        id = dump.acceleratorGuess;
        builder.report().assumed.push_back({"/cluster/nodes/0/accelerators/0/accelerator", "\"" + id + "\"",
                                            dump.guessReason + "; say which with --define ACCELERATOR=NAME"});
        builder.understand(fmt::format("{} accelerators", dump.gpus));
    }
    json node = {{"id", "node"},
                 {"count", std::max<std::int64_t>(1, dump.nodes)},
                 {"accelerators", json::array({{{"accelerator", id}, {"count", dump.gpus}}})}};
    const bool direct =
        std::any_of(dump.matrixBytesPerS.begin(), dump.matrixBytesPerS.end(), [](double rate) { return rate > 0; });
    if (dump.switchedBytesPerS > 0) {
        node["intra"] = {{"shape", "switched"}, {"kind", "nvswitch"}, {"bandwidth_bytes_per_s", dump.switchedBytesPerS}};
        builder.understand(fmt::format("NVSwitch, {:.0f} GB/s out of each accelerator", dump.switchedBytesPerS * 1e-9));
    } else if (direct) {
        json rows = json::array();
        double host = dump.pcieBytesPerS > 0 ? dump.pcieBytesPerS : 16e9;
        for (std::size_t a = 0; a < dump.gpus; ++a) {
            json row = json::array();
            for (std::size_t b = 0; b < dump.gpus; ++b) {
                const double rate = dump.matrixBytesPerS[a * dump.gpus + b];
                row.push_back(a == b ? 0.0 : rate > 0 ? rate : host);
            }
            rows.push_back(std::move(row));
        }
        node["intra"] = {{"shape", "mesh"}, {"kind", "nvlink"}, {"matrix_bytes_per_s", std::move(rows)}};
        builder.understand("NVLinks between accelerators, pair by pair; other pairs go over PCIe");
    } else if (dump.gpus > 1) {
        const double rate = dump.pcieBytesPerS > 0 ? dump.pcieBytesPerS : 25e9;
        node["intra"] = {{"shape", "pcie_tree"}, {"kind", "pcie"}, {"bandwidth_bytes_per_s", rate}};
        builder.understand("no NVLink: accelerators talk over PCIe");
        if (!(dump.pcieBytesPerS > 0))
            builder.report().assumed.push_back(
                {"/cluster/nodes/0/intra/bandwidth_bytes_per_s", "25e9", "PCIe 4 with 16 lanes; the dump gives no speed"});
    }
    const double nic = dump.nicBytesPerS > 0 ? dump.nicBytesPerS : 12.5e9;
    if (dump.nics > 0) {
        node["nics"] = {{"count", std::min<std::size_t>(dump.nics, 1024)}, {"bandwidth_bytes_per_s", nic}};
        builder.understand(fmt::format("{} network ports of {:.0f} Gb/s", dump.nics, nic * 8e-9));
    }
    json cluster = {{"nodes", json::array({std::move(node)})}};
    if (dump.nodes > 1) {
        cluster["switches"] = json::array({{{"id", "network"}}});
        cluster["links"] = json::array({{{"from", "node"},
                                         {"to", "network"},
                                         {"kind", "infiniband"},
                                         {"bandwidth_bytes_per_s", nic},
                                         {"count", std::clamp<std::size_t>(dump.nics, 1, 1024)}}});
        if (dump.nics == 0)
            builder.report().assumed.push_back(
                {"/cluster/links", "12.5e9", "100 Gb/s from every node; the dump shows no network"});
    }
    builder.scenario["cluster"] = std::move(cluster);
}

}  // namespace trainyard
