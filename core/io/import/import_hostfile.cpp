#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "core/io/import/cluster_groups.h"
#include "core/io/import/importers.h"
#include "core/plan/limits.h"

// Host lists of DeepSpeed and MPI: `name slots=8`, `name:8`, `name 8`, or a name alone.

namespace trainyard {
namespace {

struct Host {
    std::string name;
    std::int64_t slots = 0;
};

std::optional<std::int64_t> wholeNumber(std::string_view text) {
    std::int64_t value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || value < 0) return std::nullopt;
    return value;
}

std::vector<std::string> words(std::string_view line) {
    std::vector<std::string> out;
    std::string word;
    for (const char c : line) {
        if (c == ' ' || c == '\t' || c == '\r') {
            if (!word.empty()) out.push_back(std::move(word));
            word.clear();
        } else {
            word += c;
        }
    }
    if (!word.empty()) out.push_back(std::move(word));
    return out;
}

Result<ImportResult> read(std::string_view text, const ImportContext& context) {
    ImportBuilder builder("hostfile", context);
    std::vector<Host> hosts;
    int lineNumber = 0;
    while (!text.empty()) {
        ++lineNumber;
        const auto end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (const auto hash = line.find('#'); hash != std::string_view::npos) {
            if (line.find("slots") != std::string_view::npos) builder.ignore(fmt::format("line {}: commented out", lineNumber));
            line = line.substr(0, hash);
        }
        const auto parts = words(line);
        if (parts.empty()) continue;
        const auto refuse = [&](std::string message) {
            return failure(Error::Kind::unreadable, "hostfile-unreadable", fmt::format("{}:{}", context.where, lineNumber),
                           std::move(message));
        };
        Host host{parts[0], 0};
        if (host.name.find_first_of("{}<>\"'=;") != std::string::npos)
            return refuse("expected a host name and its slots, such as `worker-1 slots=8`");
        if (const auto colon = host.name.rfind(':'); colon != std::string::npos && host.name.find(':') == colon) {
            const auto slots = wholeNumber(std::string_view(host.name).substr(colon + 1));
            if (!slots)
                return refuse(
                    fmt::format("expected a number of slots after the colon, found \"{}\"", host.name.substr(colon + 1)));
            host.slots = *slots;
            host.name.resize(colon);
        }
        for (std::size_t i = 1; i < parts.size(); ++i) {
            const auto equals = parts[i].find('=');
            const std::string key = equals == std::string::npos ? "" : parts[i].substr(0, equals);
            if (equals == std::string::npos && i == 1) {
                if (const auto slots = wholeNumber(parts[i])) host.slots = *slots;
            } else if (key == "slots" || key == "max_slots" || key == "gpus") {
                const auto slots = wholeNumber(std::string_view(parts[i]).substr(equals + 1));
                if (!slots)
                    return refuse(fmt::format("expected a whole number of slots, found \"{}\"", parts[i].substr(equals + 1)));
                if (host.slots == 0 || key != "max_slots") host.slots = *slots;
            }
        }
        if (host.slots > limits::kDevicesPerNode)
            return refuse(fmt::format("has {} slots; at most {} are possible", host.slots, limits::kDevicesPerNode));
        hosts.push_back(std::move(host));
        if (hosts.size() > 65536) return refuse("has more than 65536 hosts");
    }
    if (hosts.empty())
        return failure(Error::Kind::unreadable, "hostfile-unreadable", context.where,
                       "names no host; expected lines such as `worker-1 slots=8`");

    std::map<std::int64_t, std::int64_t, std::greater<>> bySlots;
    std::int64_t devices = 0;
    bool assumedSlots = false;
    for (auto& host : hosts) {
        if (host.slots == 0) {
            host.slots = 8;
            assumedSlots = true;
        }
        ++bySlots[host.slots];
        devices += host.slots;
    }
    if (assumedSlots)
        builder.report().assumed.push_back({"/cluster/nodes", "8", "a host without slots is taken with 8 accelerators"});
    const std::string id = settleAccelerator(builder, "");
    builder.understand(fmt::format("{} host{}, {} slots", hosts.size(), hosts.size() == 1 ? "" : "s", devices));
    std::vector<NodeGroup> groups;
    for (const auto& [slots, count] : bySlots) {
        groups.push_back({fmt::format("hosts-of-{}", slots), id, count, slots});
        if (bySlots.size() > 1) builder.understand(fmt::format("{} host{} of {} slots", count, count == 1 ? "" : "s", slots));
    }
    takeClusterOfGroups(builder, groups);
    if (bySlots.size() > 1)
        builder.warn(
            "unequal-hosts",
            fmt::format("the hosts have unequal numbers of slots: a tensor group inside each host is only possible up to {}",
                        bySlots.rbegin()->first),
            "/cluster/nodes");
    return builder.finish();
}

double likeness(std::string_view text) {
    if (text.find(" slots=") != std::string_view::npos || text.find("\tslots=") != std::string_view::npos) return 0.95;
    return 0;
}

}  // namespace

const Importer kHostfileImporter{"hostfile", "host list of DeepSpeed or MPI", "cluster", read, likeness};

}  // namespace trainyard
