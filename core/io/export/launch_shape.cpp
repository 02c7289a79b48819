#include "core/io/export/launch_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace trainyard {

LaunchShape launchShape(const ClusterSpec& cluster) {
    LaunchShape shape;
    shape.nodes = 0;
    for (const NodeSpec& node : cluster.nodes) {
        if (shape.nodes > 0 && node.devicesPerNode() != shape.perNode) shape.uniform = false;
        shape.nodes += node.count;
        shape.perNode = node.devicesPerNode();
    }
    return shape;
}

std::optional<std::string> megatronLayout(const ModelSpec& model, const ResolvedPlan& plan) {
    const auto& layers = plan.layersOfStage;
    if (layers.size() < 2 || std::all_of(layers.begin(), layers.end(), [&](std::int64_t n) { return n == layers.front(); }))
        return std::nullopt;
    std::string layout;
    for (std::size_t stage = 0; stage < layers.size(); ++stage) {
        if (stage > 0) layout += '|';
        if (stage == 0) layout += 'E';
        if (layers[stage] == 1) layout += 't';
        if (layers[stage] > 1) layout += fmt::format("t*{}", layers[stage]);
        if (stage + 1 == layers.size()) layout += 'L';
    }
    static_cast<void>(model);
    return layout;
}

std::string shellWord(const std::string& text) {
    const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.' || c == '/' || c == ':' ||
               c == '=' || c == ',' || c == '+';
    });
    if (plain) return text;
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

}  // namespace trainyard
