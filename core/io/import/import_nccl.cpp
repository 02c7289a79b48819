#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "core/io/import/importers.h"
#include "core/io/import/launch_flags.h"
#include "core/io/import/node_links.h"
#include "core/io/import/slurm_lists.h"
#include "core/io/import/xml_text.h"
#include "core/plan/limits.h"

// What NCCL knows of a node: the XML of NCCL_TOPO_DUMP_FILE, or the topology that NCCL_DEBUG=INFO with NCCL_DEBUG_SUBSYS=GRAPH
// prints.

namespace trainyard {
namespace {

constexpr std::size_t kMostGpus = 256;

double realOf(std::string_view text) {
    double value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    return parsed.ec == std::errc() && std::isfinite(value) && value > 0 && value < 1e12 ? value : 0;
}

/// The accelerator that a PCI device number stands for (pci.ids, vendor 10de).
std::string idOfPciDevice(std::string_view device) {
    static const std::map<std::string_view, std::string_view> kDevices = {
        {"0x1db1", "v100-sxm2-16"}, {"0x1db5", "v100-sxm2-32"}, {"0x1db6", "v100-pcie-32"}, {"0x20b0", "a100-sxm4-40"},
        {"0x20b2", "a100-sxm4-80"}, {"0x20b5", "a100-pcie-80"}, {"0x20f1", "a100-pcie-40"}, {"0x20f3", "a800-sxm4-80"},
        {"0x2330", "h100-sxm5-80"}, {"0x2331", "h100-pcie-80"}, {"0x2321", "h100-nvl-94"},  {"0x2324", "h800-sxm5-80"},
        {"0x2335", "h200-sxm-141"}, {"0x2329", "h20-96"},       {"0x2342", "gh200-96"},     {"0x2901", "b200-sxm-180"},
        {"0x2941", "gb200-186"},    {"0x26b9", "l40s"},         {"0x2235", "a40"}};
    const auto at = kDevices.find(device);
    return at == kDevices.end() ? std::string() : std::string(at->second);
}

void guess(NodeDump& dump, int capability) {
    const double total = dump.switchedBytesPerS * 1e-9;
    const bool blackwell = capability >= 100 || (capability == 0 && total > 800);
    const bool hopper = capability == 90 || (capability == 0 && total > 400);
    const bool ampere = capability == 80 || (capability == 0 && total > 250);
    const bool volta = capability == 70 || (capability == 0 && total > 100);
    dump.acceleratorGuess = blackwell ? "b200-sxm-180"
                            : hopper  ? "h100-sxm5-80"
                            : ampere  ? "a100-sxm4-80"
                            : volta   ? "v100-sxm2-32"
                                      : "";
    dump.guessReason = capability > 0 ? fmt::format("compute capability {}.{}", capability / 10, capability % 10)
                                      : "the bandwidth of its NVLinks";
}

Result<ImportResult> readXml(std::string_view text, const ImportContext& context) {
    pugi::xml_document document;
    if (const auto parsed = parseXml(text, context.where, document); !parsed) return tl::unexpected<Error>(parsed.error());
    const pugi::xml_node system = document.child("system");
    if (!system)
        return failure(Error::Kind::unreadable, "nccl-unreadable", context.where,
                       "has no element <system>; expected the file of NCCL_TOPO_DUMP_FILE");
    const auto gpus = elementsNamed(system, "gpu", kMostGpus + 1);
    if (gpus.empty() || gpus.size() > kMostGpus)
        return failure(Error::Kind::unreadable, "nccl-unreadable", context.where,
                       gpus.empty() ? "lists no GPU; dump the topology on a GPU node" : "lists more GPUs than a node can have");
    ImportBuilder builder("nccl", context);
    NodeDump dump;
    dump.gpus = gpus.size();
    const int capability = std::clamp(gpus.front().attribute("sm").as_int(), 0, 999);
    const double link = nvlinkBytesPerS(capability);
    std::map<std::string, std::size_t> gpuAt;
    for (std::size_t i = 0; i < gpus.size(); ++i) gpuAt[gpus[i].parent().attribute("busid").value()] = i;
    dump.matrixBytesPerS.assign(gpus.size() * gpus.size(), 0);
    std::size_t elsewhere = 0;
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        double switched = 0;
        for (pugi::xml_node nvlink = gpus[i].child("nvlink"); nvlink; nvlink = nvlink.next_sibling("nvlink")) {
            const double rate = link * std::clamp(nvlink.attribute("count").as_int(1), 0, 64);
            const auto target = gpuAt.find(nvlink.attribute("target").value());
            if (std::string_view(nvlink.attribute("tclass").value()).starts_with("0x0680"))
                switched += rate;
            else if (target != gpuAt.end())
                dump.matrixBytesPerS[i * gpus.size() + target->second] = rate;
            else
                ++elsewhere;
        }
        dump.switchedBytesPerS = std::max(dump.switchedBytesPerS, switched);
        const pugi::xml_node pci = gpus[i].parent();
        const double lanes = std::clamp(pci.attribute("link_width").as_int(), 0, 32);
        dump.pcieBytesPerS = std::max(dump.pcieBytesPerS, realOf(pci.attribute("link_speed").value()) * lanes / 8 * 1e9);
    }
    if (elsewhere > 0)
        builder.note("partial-dump", fmt::format("{} NVLinks end at GPUs that this file does not list", elsewhere),
                     "/cluster/nodes/0/intra");
    for (const pugi::xml_node net : elementsNamed(system, "net", 1024)) {
        ++dump.nics;
        dump.nicBytesPerS =
            std::max(dump.nicBytesPerS, std::clamp(net.attribute("speed").as_double(), 0.0, 1e8) * 1e6 / 8);  // Mb/s
    }
    guess(dump, capability);
    if (const std::string exact = idOfPciDevice(gpus.front().parent().attribute("device").value()); !exact.empty()) {
        dump.acceleratorName = exact;
        builder.understand(fmt::format("PCI device {} is {}", gpus.front().parent().attribute("device").value(), exact));
    }
    takeNodeDump(builder, dump);
    builder.ignore("CPUs and the tree of PCI bridges (no effect on the plan)");
    return builder.finish();
}

/// `+ NVL[240.0] - NVS/0`: kind, rate and target.
struct PrintedLink {
    std::string kind, target;
    double rate = 0;
};
std::optional<PrintedLink> linkOf(std::string_view line) {
    const auto plus = line.find("+ ");
    if (plus == std::string_view::npos) return std::nullopt;
    const auto open = line.find('[', plus), close = line.find(']', plus), dash = line.find(" - ", plus);
    if (open == std::string_view::npos || close == std::string_view::npos || dash == std::string_view::npos || open > close ||
        close > dash)
        return std::nullopt;
    PrintedLink link;
    link.kind = std::string(line.substr(plus + 2, open - plus - 2));
    link.rate = realOf(line.substr(open + 1, close - open - 1)) * 1e9;
    const std::string_view rest = line.substr(dash + 3);
    link.target = std::string(rest.substr(0, rest.find_first_of(" \t(")));
    return link;
}

Result<ImportResult> readLog(std::string_view text, const ImportContext& context) {
    ImportBuilder builder("nccl", context);
    NodeDump dump;
    std::vector<std::string> gpus;
    std::map<std::pair<std::string, std::string>, double> direct;
    std::set<std::string> nets;
    std::string owner;
    std::int64_t ranks = 0, nodes = 0;
    const auto numberAfter = [](std::string_view line, std::string_view key) -> std::int64_t {
        const auto at = line.find(key);
        if (at == std::string_view::npos) return 0;
        const std::string_view rest = line.substr(at + key.size());
        return integerOf(rest.substr(0, rest.find_first_not_of("0123456789"))).value_or(0);
    };
    bool first = true;  // every rank prints the system; the first printing is enough
    for (const auto& line : linesOf(text)) {
        ranks = std::max(ranks, numberAfter(line.text, "nranks "));
        ranks = std::max(ranks, numberAfter(line.text, "nRanks "));
        nodes = std::max(nodes, numberAfter(line.text, "nNodes "));
        if (line.text.find("=== System") != std::string_view::npos) {
            if (!gpus.empty()) first = false;
            owner.clear();
        }
        if (!first) continue;
        const auto link = linkOf(line.text);
        if (!link) continue;
        if (link->target.starts_with("GPU/") && link->kind != "NVL") {
            owner = link->target;
            if (std::find(gpus.begin(), gpus.end(), owner) == gpus.end() && gpus.size() < kMostGpus) gpus.push_back(owner);
            dump.pcieBytesPerS = std::max(dump.pcieBytesPerS, link->rate);
        } else if (link->kind == "NVL" && !owner.empty()) {
            if (link->target.starts_with("NVS"))
                dump.switchedBytesPerS = std::max(dump.switchedBytesPerS, link->rate);
            else
                direct[{owner, link->target}] = link->rate;
        } else if (link->kind == "NET" && nets.size() < 1024 && nets.insert(link->target).second) {
            dump.nicBytesPerS = std::max(dump.nicBytesPerS, link->rate);
        }
    }
    if (gpus.empty())
        return failure(
            Error::Kind::unreadable, "nccl-no-topology", context.where,
            "prints no topology; run with NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,GRAPH, or give the file of NCCL_TOPO_DUMP_FILE");
    dump.gpus = gpus.size();
    dump.nics = nets.size();
    // NCCL plans with 20 of the 25 GB/s of a link (40 of 50 from NVLink 5 on); the plan wants what the link states
    const double nominal = dump.switchedBytesPerS > 0 ? std::round(dump.switchedBytesPerS / 20e9) * 25e9 : 0;
    if (nominal > 0)
        builder.understand(
            fmt::format("NCCL counts {:.0f} GB/s of {:.0f} on NVLink", dump.switchedBytesPerS * 1e-9, nominal * 1e-9));
    dump.switchedBytesPerS = nominal;
    dump.matrixBytesPerS.assign(gpus.size() * gpus.size(), 0);
    for (const auto& [pair, rate] : direct) {
        const auto a = std::find(gpus.begin(), gpus.end(), pair.first), b = std::find(gpus.begin(), gpus.end(), pair.second);
        if (a != gpus.end() && b != gpus.end())
            dump.matrixBytesPerS[static_cast<std::size_t>(a - gpus.begin()) * gpus.size() +
                                 static_cast<std::size_t>(b - gpus.begin())] = std::round(rate / 20e9) * 25e9;
    }
    if (nodes == 0 && ranks > static_cast<std::int64_t>(gpus.size()) && ranks % static_cast<std::int64_t>(gpus.size()) == 0)
        nodes = ranks / static_cast<std::int64_t>(gpus.size());
    dump.nodes = std::clamp<std::int64_t>(nodes, 1, limits::kDevices / static_cast<std::int64_t>(gpus.size()));
    if (dump.nodes > 1) builder.understand(fmt::format("{} nodes, {} ranks", dump.nodes, ranks));
    guess(dump, 0);
    takeNodeDump(builder, dump);
    builder.ignore("rings, trees and channels that NCCL chose");
    return builder.finish();
}

Result<ImportResult> read(std::string_view text, const ImportContext& context) {
    if (text.size() > (std::size_t{64} << 20))
        return failure(Error::Kind::unreadable, "nccl-too-large", context.where,
                       "is larger than 64 MiB; cut the log down to its first minute");
    const auto start = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (start != std::string_view::npos && text[start] == '<') return readXml(text, context);
    return readLog(text, context);
}

double likeness(std::string_view text) {
    const auto has = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
    if (has("<system") && (has("<cpu") || has("<gpu"))) return 0.97;
    return has("NCCL INFO") && !has("out-of-place") ? 0.85 : 0;
}

}  // namespace

const Importer kNcclImporter{"nccl", "NCCL topology (XML, NCCL_DEBUG=INFO)", "cluster of one node", read, likeness};

}  // namespace trainyard
