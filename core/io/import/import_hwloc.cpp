#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "core/io/import/importers.h"
#include "core/io/import/node_links.h"
#include "core/io/import/slurm_lists.h"
#include "core/io/import/xml_text.h"

// hwloc's XML (`lstopo --of xml`), versions 2 and 3. GPUs are OSDev objects of the NVML or RSMI backend; NVLink and xGMI stand in
// matrices of MB/s whose members may be NVSwitches.

namespace trainyard {
namespace {

constexpr std::size_t kMostGpus = 256;
constexpr std::size_t kMostObjects = 500'000;

std::string infoOf(pugi::xml_node object, const char* name) {
    for (pugi::xml_node info = object.child("info"); info; info = info.next_sibling("info"))
        if (std::string_view(info.attribute("name").value()) == name) return info.attribute("value").value();
    return {};
}

struct Gpu {
    std::string index;  ///< gp_index
    std::string model;
    double linkGBps = 0;
};

double numberOf(std::string_view text) {
    double value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    return parsed.ec == std::errc() && value > 0 && value < 1e9 ? value : 0;
}

/// One bandwidth matrix: `OSDev:802 PCIDev:703` and the values, row by row.
void takeMatrix(pugi::xml_node matrix, const std::vector<Gpu>& gpus, NodeDump& dump) {
    std::vector<std::string> members;
    for (pugi::xml_node part = matrix.child("indexes"); part; part = part.next_sibling("indexes"))
        for (auto& word : wordsOfLine(part.text().get())) {
            if (const auto colon = word.find(':'); colon != std::string::npos) word.erase(0, colon + 1);
            members.push_back(std::move(word));
        }
    std::vector<double> values;
    for (pugi::xml_node part = matrix.child("u64values"); part; part = part.next_sibling("u64values"))
        for (const auto& word : wordsOfLine(part.text().get())) values.push_back(numberOf(word));
    const std::size_t size = members.size();
    if (size == 0 || size > 1024 || values.size() != size * size) return;
    const auto gpuAt = [&](std::size_t member) -> std::ptrdiff_t {
        for (std::size_t g = 0; g < gpus.size(); ++g)
            if (gpus[g].index == members[member]) return static_cast<std::ptrdiff_t>(g);
        return -1;
    };
    if (dump.matrixBytesPerS.empty()) dump.matrixBytesPerS.assign(gpus.size() * gpus.size(), 0);
    for (std::size_t row = 0; row < size; ++row) {
        const auto from = gpuAt(row);
        if (from < 0) continue;
        double toSwitches = 0;
        for (std::size_t column = 0; column < size; ++column) {
            const double rate = values[row * size + column] * 1e6;
            const auto to = gpuAt(column);
            if (to < 0)
                toSwitches += rate;
            else if (to != from)
                dump.matrixBytesPerS[static_cast<std::size_t>(from) * gpus.size() + static_cast<std::size_t>(to)] = rate;
        }
        dump.switchedBytesPerS = std::max(dump.switchedBytesPerS, toSwitches);
    }
}

Result<ImportResult> read(std::string_view text, const ImportContext& context) {
    pugi::xml_document document;
    if (const auto parsed = parseXml(text, context.where, document); !parsed) return tl::unexpected<Error>(parsed.error());
    const pugi::xml_node topology = document.child("topology");
    if (!topology)
        return failure(Error::Kind::unreadable, "hwloc-unreadable", context.where,
                       "has no element <topology>; expected the output of `lstopo --of xml`");
    ImportBuilder builder("hwloc", context);
    std::vector<Gpu> gpus;
    NodeDump dump;
    std::size_t wide = 0;
    for (const pugi::xml_node object : elementsNamed(topology, "object", kMostObjects)) {
        const std::string_view type = object.attribute("type").value(), name = object.attribute("name").value();
        if (type == "Machine") {
            const std::string product = infoOf(object, "DMIProductName");
            if (!product.empty()) builder.understand("the machine is " + product.substr(0, 80));
        }
        if (type != "OSDev") continue;
        const std::string backend = infoOf(object, "Backend");
        if (name.starts_with("nvml") || name.starts_with("rsmi") || backend == "NVML" || backend == "RSMI") {
            if (gpus.size() >= kMostGpus)
                return failure(Error::Kind::unreadable, "hwloc-too-many", context.where,
                               fmt::format("has more than {} GPUs in one machine", kMostGpus));
            gpus.push_back({object.attribute("gp_index").value(), infoOf(object, "GPUModel"),
                            numberOf(object.parent().attribute("pci_link_speed").value())});
        } else if (name.starts_with("mlx") || name.starts_with("hfi") || name.starts_with("bnxt_re") || name.starts_with("efa") ||
                   name.starts_with("rdma")) {
            ++dump.nics;
            wide = std::max(wide, static_cast<std::size_t>(numberOf(object.parent().attribute("pci_link_speed").value())));
        }
    }
    if (gpus.empty())
        return failure(
            Error::Kind::unreadable, "hwloc-no-gpus", context.where,
            "lists no GPU of the NVML or RSMI backend; run lstopo on a GPU node, built with NVML or ROCm, as `lstopo --of xml`");
    dump.gpus = gpus.size();
    dump.acceleratorName = gpus.front().model;
    dump.pcieBytesPerS = gpus.front().linkGBps * 1e9;
    for (const Gpu& gpu : gpus)
        if (gpu.model != gpus.front().model) {
            builder.warn("two-kinds",
                         fmt::format("the node has {} and {}; all are taken as the first", gpus.front().model, gpu.model),
                         "/cluster/nodes/0/accelerators");
            break;
        }
    for (const char* element : {"distances2hetero", "distances2"})
        for (const pugi::xml_node matrix : elementsNamed(topology, element, 64)) {
            const std::string_view name = matrix.attribute("name").value();
            if (name == "NVLinkBandwidth" || name == "XGMIBandwidth") takeMatrix(matrix, gpus, dump);
        }
    if (dump.nics > 0) {
        dump.nicBytesPerS = wide >= 50 ? 50e9 : wide >= 25 ? 25e9 : 12.5e9;
        builder.report().assumed.push_back({"/cluster/nodes/0/nics/bandwidth_bytes_per_s", fmt::format("{:g}", dump.nicBytesPerS),
                                            "what the network card's PCIe link can carry; hwloc does not say the port's speed"});
    }
    takeNodeDump(builder, dump);
    builder.ignore("packages, caches, cores and NUMA nodes (no effect on the plan)");
    return builder.finish();
}

double likeness(std::string_view text) {
    const auto has = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
    return has("<topology") && has("<object") ? 0.97 : 0;
}

}  // namespace

const Importer kHwlocImporter{"hwloc", "hwloc topology (lstopo --of xml)", "cluster of one node", read, likeness};

}  // namespace trainyard
