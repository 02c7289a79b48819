#include "core/schedule/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>

namespace trainyard {

namespace {

struct Registry {
    std::vector<std::pair<int, const ScheduleDefinition*>> ordered;
    std::vector<const ScheduleDefinition*> definitions;
};

// Filled only by the ScheduleRegistration objects before main; a local static because those objects are constructed in
// an order nobody fixes.
Registry& registry() {
    static Registry instance;
    return instance;
}

std::string normalized(std::string_view name) {
    std::string text(name);
    for (char& c : text) c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0u : 1u)});
            diagonal = above;
        }
    }
    return row[b.size()];
}

std::string nearNames(const std::string& name) {
    std::vector<std::pair<std::size_t, std::string_view>> distances;
    for (const ScheduleDefinition* definition : allSchedules())
        distances.emplace_back(editDistance(name, definition->id), definition->id);
    std::stable_sort(distances.begin(), distances.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, distances.size()); ++i)
        text += (i ? ", " : "") + std::string(distances[i].second);
    return text;
}

}  // namespace

ScheduleRegistration::ScheduleRegistration(int order, const ScheduleDefinition& definition) {
    Registry& all = registry();
    const auto place = std::upper_bound(all.ordered.begin(), all.ordered.end(), order,
                                        [](int value, const auto& entry) { return value < entry.first; });
    all.definitions.insert(all.definitions.begin() + (place - all.ordered.begin()), &definition);
    all.ordered.insert(place, {order, &definition});
}

std::span<const ScheduleDefinition* const> allSchedules() { return registry().definitions; }

const ScheduleDefinition* findScheduleOrNull(std::string_view name) {
    for (const ScheduleDefinition* definition : allSchedules())
        if (definition->id == name) return definition;
    const std::string wanted = normalized(name);
    for (const ScheduleDefinition* definition : allSchedules()) {
        if (definition->id == wanted) return definition;
        for (const std::string_view alias : definition->aliases)
            if (normalized(alias) == wanted) return definition;
    }
    return nullptr;
}

std::optional<std::int64_t> ScheduleRequest::parameter(std::string_view key) const {
    for (const auto& [name, value] : parameters)
        if (name == key) return value;
    return std::nullopt;
}

int effectiveChunks(const ScheduleDefinition& definition, const ScheduleRequest& request) {
    return definition.fixedChunks > 0 ? definition.fixedChunks : request.chunks;
}

std::optional<std::int64_t> unitMakespan(const ScheduleDefinition& definition, const ScheduleRequest& request) {
    if (definition.unitMakespanClosedForm != nullptr) return definition.unitMakespanClosedForm(request);
    if (definition.idleClosedForm == nullptr) return std::nullopt;
    const double share = static_cast<double>(effectiveChunks(definition, request)) * request.slices;
    return std::llround(3 * share * request.microBatches + definition.idleClosedForm(request, share, share, share));
}

std::string_view semanticsBadge(ScheduleSemantics semantics) {
    switch (semantics) {
        case ScheduleSemantics::staleWeights: return "stale weights";
        case ScheduleSemantics::localLosses: return "local losses";
        case ScheduleSemantics::synchronous: break;
    }
    return {};
}

std::vector<std::string> checkSchedule(const ScheduleDefinition& definition, const ScheduleRequest& request) {
    std::vector<std::string> messages;
    const auto atLeastOne = [&messages](std::string_view what, int value) {
        if (value < 1) messages.push_back(fmt::format("{} is {}; it must be at least 1", what, value));
    };
    atLeastOne("the number of ranks", request.ranks);
    atLeastOne("the number of micro-batches", request.microBatches);
    atLeastOne("the number of chunks per rank", request.chunks);
    atLeastOne("the number of sequence slices", request.slices);
    if (!messages.empty()) return messages;

    const int chunks = effectiveChunks(definition, request);
    if (definition.fixedChunks > 0 && request.chunks != 1 && request.chunks != definition.fixedChunks)
        messages.push_back(
            fmt::format("{} has {} per rank, not {}", definition.id,
                        definition.fixedChunks == 1 ? std::string("1 chunk") : fmt::format("{} chunks", definition.fixedChunks),
                        request.chunks));
    if (request.slices > 1 && !definition.takesSlices)
        messages.push_back(
            fmt::format("{} does not cut sequences into slices (asked for {}); terapipe, seq1f1b, slimpipe and sppo do",
                        definition.id, request.slices));
    if (definition.needsChunks && chunks < 2)
        messages.push_back(
            fmt::format("{} needs at least 2 chunks per rank (virtual stages), asked for {}", definition.id, chunks));
    if (static_cast<std::int64_t>(request.ranks) * chunks > 65535)
        messages.push_back(fmt::format("{} ranks x {} chunks are more than 65535 stages", request.ranks, chunks));
    if (request.slices > 65535) messages.push_back(fmt::format("{} sequence slices are more than 65535", request.slices));
    const double actions = (definition.splitsBackward ? 3.0 : 2.0) * request.ranks * chunks *
                           static_cast<double>(request.microBatches) * request.slices;
    if (actions > static_cast<double>(kMaximumActions))
        messages.push_back(
            fmt::format("{:.0f} actions are more than the {} that one schedule may have", actions, kMaximumActions));
    for (const auto& [key, value] : request.parameters) {
        const auto known = std::find_if(definition.parameters.begin(), definition.parameters.end(),
                                        [&key = key](const ScheduleParameter& p) { return p.key == key; });
        if (known == definition.parameters.end()) {
            std::string names;
            for (const ScheduleParameter& parameter : definition.parameters)
                names += (names.empty() ? "" : ", ") + std::string(parameter.key);
            messages.push_back(
                fmt::format("{} has no parameter `{}`; it has {}", definition.id, key, names.empty() ? "none" : names));
        } else if (value < known->minimum || value > known->maximum) {
            messages.push_back(fmt::format("parameter `{}` is {}; allowed {} to {}", key, value, known->minimum, known->maximum));
        }
    }
    if (messages.empty()) messages = definition.check(request);
    return messages;
}

Result<ActionLists> buildSchedule(std::string_view name, const ScheduleRequest& request) {
    const ScheduleDefinition* definition = findScheduleOrNull(name);
    if (definition == nullptr)
        return failure(Error::Kind::invalid, "schedule-unknown", std::string(name),
                       fmt::format("there is no schedule `{}`; near it: {}", name, nearNames(normalized(name))));
    const std::vector<std::string> messages = checkSchedule(*definition, request);
    if (!messages.empty())
        return failure(Error::Kind::invalid, "schedule-not-legal", std::string(definition->id), messages.front());
    return definition->emit(request);
}

}  // namespace trainyard
