#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "core/io/import/cluster_groups.h"
#include "core/io/import/importers.h"
#include "core/io/import/launch_flags.h"
#include "core/io/import/slurm_lists.h"
#include "core/io/import/yaml_text.h"
#include "core/io/json/json_text.h"
#include "core/plan/limits.h"

// Nodes of Kubernetes as YAML or JSON (`kubectl get nodes -o yaml`), bare labels, or the table of `--show-labels`: the labels of
// NVIDIA's GPU feature discovery, or the capacity that AMD's device plug-in reports.

namespace trainyard {
namespace {

using nlohmann::json;
using Int = std::int64_t;
using Labels = std::map<std::string, std::string>;

constexpr std::size_t kMaxNodes = 100'000;

std::string textOf(const json& value) {
    return value.is_string() ? value.get<std::string>() : value.is_structured() ? std::string() : compactJson(value);
}

/// Labels and capacity of one node, capacity under `capacity/NAME`.
Labels labelsOf(const json& node) {
    Labels labels;
    const auto take = [&](const json& object, const std::string& prefix) {
        if (object.is_object())
            for (const auto& [key, value] : object.items())
                if (!value.is_structured()) labels[prefix + key] = textOf(value);
    };
    if (node.contains("metadata") && node["metadata"].is_object() && node["metadata"].contains("labels"))
        take(node["metadata"]["labels"], "");
    if (node.contains("labels")) take(node["labels"], "");
    if (node.contains("status") && node["status"].is_object() && node["status"].contains("capacity"))
        take(node["status"]["capacity"], "capacity/");
    take(node, "");  // bare labels
    return labels;
}

void collect(const json& document, std::vector<Labels>& nodes) {
    if (document.is_array() || (document.is_object() && document.contains("items") && document["items"].is_array())) {
        for (const json& item : document.is_array() ? document : document["items"])
            if (item.is_object() && nodes.size() < kMaxNodes) nodes.push_back(labelsOf(item));
    } else if (document.is_object() && nodes.size() < kMaxNodes) {
        nodes.push_back(labelsOf(document));
    }
}

/// `kubectl get nodes --show-labels`: labels as `key=value` parted by commas in the last column.
void collectTable(std::string_view text, std::vector<Labels>& nodes) {
    for (const auto& line : linesOf(text))
        for (const auto& word : wordsOfLine(line.text)) {
            if (word.find("nvidia.com/") == std::string::npos && word.find("amd.com/") == std::string::npos) continue;
            Labels labels;
            for (const auto& item : splitOutsideBrackets(word, ',')) {
                const auto equals = item.find('=');
                if (equals != std::string::npos) labels[item.substr(0, equals)] = item.substr(equals + 1);
            }
            if (!labels.empty() && nodes.size() < kMaxNodes) nodes.push_back(std::move(labels));
        }
}

std::string get(const Labels& labels, const std::string& key) {
    const auto at = labels.find(key);
    return at == labels.end() ? std::string() : at->second;
}

/// The accelerator's name and count of a node; count 0 if it has none.
std::pair<std::string, Int> acceleratorsOf(const Labels& labels, ImportBuilder& builder) {
    std::string product = get(labels, "nvidia.com/gpu.product");
    Int count = integerOf(get(labels, "nvidia.com/gpu.count")).value_or(0);
    if (count == 0) count = integerOf(get(labels, "capacity/nvidia.com/gpu")).value_or(0);
    if (count == 0) count = integerOf(get(labels, "capacity/amd.com/gpu")).value_or(0);
    for (const auto& [key, value] :
         labels) {  // amd.com/gpu.product-name=..., older with the name in the key and the count as value
        const auto at = key.find("amd.com/gpu.product-name");
        if (at == std::string::npos) continue;
        const std::string rest = key.substr(at + 24);
        product = rest.empty() ? value : rest.substr(1);
        if (count == 0) count = rest.empty() ? 8 : integerOf(value).value_or(0);
    }
    if (const Int replicas = integerOf(get(labels, "nvidia.com/gpu.replicas")).value_or(1); replicas > 1)
        builder.warn("shared-accelerators",
                     fmt::format("each accelerator is offered {} times (time slicing); training wants whole ones", replicas),
                     "/cluster");
    if (const auto mig = product.find("-MIG-"); mig != std::string::npos) {
        builder.warn("mig", fmt::format("{} is a slice of an accelerator; whole ones are planned", product.substr(0, 60)),
                     "/cluster");
        product.resize(mig);
    }
    if (product.ends_with("-SHARED")) product.resize(product.size() - 7);
    if (count > limits::kDevicesPerNode || count < 0) count = 0;
    return {product, count};
}

Result<ImportResult> read(std::string_view text, const ImportContext& context) {
    std::vector<Labels> nodes;
    const auto start = text.find_first_not_of(" \t\r\n");
    const bool table = text.find("nvidia.com/gpu.product=") != std::string_view::npos ||
                       text.find("amd.com/gpu.product-name=") != std::string_view::npos;
    if (start != std::string_view::npos && text[start] == '{') {
        const auto document = parseJson(text, context.where, JsonDialect::tolerant);
        if (!document) return tl::unexpected<Error>(document.error());
        collect(*document, nodes);
    } else if (table) {
        collectTable(text, nodes);
    } else {
        const auto documents = parseYamlDocuments(text, context.where);
        if (!documents) return tl::unexpected<Error>(documents.error());
        for (const json& document : *documents) collect(document, nodes);
    }
    ImportBuilder builder("kubernetes", context);
    std::map<std::tuple<std::string, Int>, Int> kinds;
    std::map<std::string, Int> cliques;
    Int without = 0;
    for (const Labels& labels : nodes) {
        const auto [product, count] = acceleratorsOf(labels, builder);
        if (count == 0) {
            ++without;
            continue;
        }
        ++kinds[{product, count}];
        if (const std::string clique = get(labels, "nvidia.com/gpu.clique"); !clique.empty()) ++cliques[clique];
        if (const std::string machine = get(labels, "nvidia.com/gpu.machine"); !machine.empty() && kinds[{product, count}] == 1)
            builder.understand("the machine is " + machine);
    }
    if (kinds.empty())
        return failure(Error::Kind::unreadable, "kubernetes-no-gpus", context.where,
                       "has no node with nvidia.com/gpu.count, nvidia.com/gpu or amd.com/gpu; expected `kubectl get nodes -o "
                       "yaml` or the labels of GPU feature discovery");
    if (kinds.size() > 64)
        return failure(Error::Kind::unreadable, "kubernetes-too-many", context.where,
                       "has more than 64 kinds of nodes; export a part of the cluster");
    std::vector<NodeGroup> groups;
    for (const auto& [key, count] : kinds) {
        const auto& [product, perNode] = key;
        builder.understand(
            fmt::format("{} node{} of {} {}", count, count == 1 ? "" : "s", perNode, product.empty() ? "accelerators" : product));
        groups.push_back({product.empty() ? "gpu-nodes" : product, settleAccelerator(builder, product), count, perNode});
    }
    for (const auto& [clique, count] : cliques)
        if (count > 1)
            builder.note(
                "nvlink-domain",
                fmt::format("{} nodes share the NVLink domain {}; draw one NVLink switch over them if the preset has none", count,
                            clique),
                "/cluster");
    if (without > 0) builder.ignore(fmt::format("{} node{} without accelerators", without, without == 1 ? "" : "s"));
    takeClusterOfGroups(builder, groups);
    return builder.finish();
}

double likeness(std::string_view text) {
    const auto has = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
    if (has("nvidia.com/gpu") || has("amd.com/gpu")) return 0.96;
    return has("kind: NodeList") || has("\"NodeList\"") ? 0.6 : 0;
}

}  // namespace

const Importer kKubernetesImporter{"kubernetes", "Kubernetes nodes and their labels (YAML, JSON)", "cluster", read, likeness};

}  // namespace trainyard
