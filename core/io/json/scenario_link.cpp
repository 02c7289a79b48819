#include "core/io/json/scenario_link.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "core/io/json/json_text.h"
#include "core/io/json/scenario_json.h"
#include "core/io/presets/model_preset.h"

namespace trainyard {
namespace {

constexpr std::string_view kPrefix = "trainyard";
constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string encode(const std::vector<unsigned char>& bytes) {
    std::string text;
    text.reserve(bytes.size() * 4 / 3 + 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t here = std::min<std::size_t>(3, bytes.size() - i);
        unsigned group = 0;
        for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < here ? bytes[i + k] : 0U);
        for (std::size_t k = 0; k <= here; ++k) text += kAlphabet[group >> (18 - 6 * k) & 63];
    }
    return text;
}

std::optional<std::vector<unsigned char>> decode(std::string_view text) {
    static const std::array<int, 256> values = [] {
        std::array<int, 256> table{};
        table.fill(-1);
        for (std::size_t i = 0; i < kAlphabet.size(); ++i) table[static_cast<unsigned char>(kAlphabet[i])] = static_cast<int>(i);
        return table;
    }();
    if (text.size() % 4 == 1) return std::nullopt;
    std::vector<unsigned char> bytes;
    bytes.reserve(text.size() * 3 / 4);
    unsigned group = 0;
    int bits = 0;
    for (const char c : text) {
        const int value = values[static_cast<unsigned char>(c)];
        if (value < 0) return std::nullopt;
        group = (group << 6 | static_cast<unsigned>(value)) & 0xFFFFFF;
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes.push_back(static_cast<unsigned char>(group >> bits & 0xFF));
    }
    return bytes;
}

unsigned checksum(std::string_view text) {
    return static_cast<unsigned>(crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())));
}

std::vector<unsigned char> deflated(std::string_view text) {
    uLongf size = compressBound(static_cast<uLong>(text.size()));
    std::vector<unsigned char> bytes(size);
    compress2(bytes.data(), &size, reinterpret_cast<const Bytef*>(text.data()), static_cast<uLong>(text.size()),
              Z_BEST_COMPRESSION);
    bytes.resize(size);
    return bytes;
}

/// Nothing if the bytes are no deflated text or hold more than the limit; memory grows with what is really there.
std::optional<std::string> inflated(const std::vector<unsigned char>& bytes, bool& tooLarge) {
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) return std::nullopt;
    stream.next_in = const_cast<Bytef*>(bytes.data());
    stream.avail_in = static_cast<uInt>(bytes.size());
    std::string text;
    std::array<char, 65536> part{};
    int state = Z_OK;
    while (state == Z_OK) {
        stream.next_out = reinterpret_cast<Bytef*>(part.data());
        stream.avail_out = static_cast<uInt>(part.size());
        state = inflate(&stream, Z_NO_FLUSH);
        text.append(part.data(), part.size() - stream.avail_out);
        tooLarge = text.size() > kLargestLinkedScenario;
        if (tooLarge || (state == Z_OK && stream.avail_in == 0 && stream.avail_out > 0)) break;
    }
    const bool whole = state == Z_STREAM_END && stream.avail_in == 0;
    inflateEnd(&stream);
    if (!whole || tooLarge) return std::nullopt;
    return text;
}

/// Where "trainyard", a number and a point stand; npos if nowhere.
std::size_t linkBegin(std::string_view text) {
    for (std::size_t at = text.find(kPrefix); at != std::string_view::npos; at = text.find(kPrefix, at + 1)) {
        std::size_t end = at + kPrefix.size();
        while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
        if (end > at + kPrefix.size() && end < text.size() && text[end] == '.') return at;
    }
    return std::string_view::npos;
}

template <class Number>
std::optional<Number> number(std::string_view text, int base) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// The accelerator written out in full where the shipped library has no equal one of that id.
std::shared_ptr<const AcceleratorSpec> selfContained(std::shared_ptr<const AcceleratorSpec> spec, const PresetLibrary& shipped) {
    if (!spec) return spec;
    const std::string& needed = spec->base.empty() ? spec->id : spec->base;
    if (needed.empty()) return spec;
    const auto known = shipped.accelerator(needed);
    if (known && (!spec->base.empty() || **known == *spec)) return spec;
    auto copy = std::make_shared<AcceleratorSpec>(*spec);
    copy->base.clear();
    copy->id.clear();
    return copy;
}

Scenario selfContained(const Scenario& scenario, const PresetLibrary& shipped) {
    Scenario out = scenario;
    if (scenario.model && !scenario.model->preset.empty()) {
        const auto known = modelPreset(shipped, scenario.model->preset);
        if (!known || **known != *scenario.model) {
            auto model = std::make_shared<ModelSpec>(*scenario.model);
            model->preset.clear();
            out.model = std::move(model);
        }
    }
    if (!scenario.cluster) return out;
    auto cluster = std::make_shared<ClusterSpec>(*scenario.cluster);
    if (cluster->preset) {
        cluster->preset->accelerator = selfContained(cluster->preset->accelerator, shipped);
        const auto expanded = shipped.expand(*cluster->preset);
        if (!expanded || expanded->nodes.size() != cluster->nodes.size()) cluster->preset.reset();
    }
    for (NodeSpec& node : cluster->nodes)
        for (AcceleratorGroup& group : node.accelerators) group.accelerator = selfContained(group.accelerator, shipped);
    out.cluster = std::move(cluster);
    return out;
}

tl::unexpected<Error> unreadable(const std::string& where, std::string code, std::string message) {
    return failure(Error::Kind::unreadable, std::move(code), where, std::move(message));
}

}  // namespace

std::string scenarioLink(const Scenario& scenario) {
    const PresetLibrary shipped;
    const std::string data = encode(deflated(compactJson(scenarioJson(selfContained(scenario, shipped), &shipped))));
    return fmt::format("{}{}.{}.{:08x}.{}", kPrefix, kScenarioLinkVersion, data.size(), checksum(data), data);
}

bool holdsScenarioLink(std::string_view text) {
    // A scenario file may mention a link in its description: it begins with a brace, a link never stands after one.
    constexpr std::size_t kLookedAt = 4096;
    const std::string_view start = text.substr(0, kLookedAt);
    return start.find('{') == std::string_view::npos && linkBegin(start) != std::string_view::npos;
}

Result<std::string> scenarioTextOfLink(std::string_view text, const std::string& where) {
    if (text.size() > kLongestScenarioLink)
        return unreadable(where, "link-too-long",
                          fmt::format("is longer than {} characters; no scenario needs that", kLongestScenarioLink));
    const std::size_t begin = linkBegin(text);
    if (begin == std::string_view::npos)
        return unreadable(where, "not-a-link",
                          fmt::format("holds no link to a scenario; one begins with {}{}.", kPrefix, kScenarioLinkVersion));
    std::string link;  // mails and terminals break lines
    for (const char c : text.substr(begin))
        if (c != ' ' && c != '\n' && c != '\r' && c != '\t') link += c;
    std::array<std::string_view, 4> parts;
    std::string_view rest = link;
    std::size_t count = 0;
    while (count < 4) {
        const std::size_t point = count == 3 ? std::string_view::npos : rest.find('.');
        parts[count++] = rest.substr(0, point);
        if (point == std::string_view::npos) break;
        rest.remove_prefix(point + 1);
    }
    const auto version = number<unsigned>(parts[0].substr(kPrefix.size()), 10);
    if (!version || *version > static_cast<unsigned>(kScenarioLinkVersion))
        return unreadable(
            where, "newer-version",
            fmt::format(
                "the link is of version {}, written by a newer program; this one reads version {}. Install a newer Trainyard",
                parts[0].substr(kPrefix.size()), kScenarioLinkVersion));
    const auto length = number<std::size_t>(parts[1], 10);
    const auto sum = number<unsigned>(parts[2], 16);
    if (*version < 1 || count < 4 || !length || !sum)
        return unreadable(where, "link-truncated", "the link is cut off before its data; copy all of it, to the last character");
    std::string_view data = parts[3];
    if (data.size() < *length)
        return unreadable(
            where, "link-truncated",
            fmt::format("the link is cut off: {} of {} characters are there; copy all of it", data.size(), *length));
    data = data.substr(0, *length);  // an address may go on, a sentence may end
    if (checksum(data) != *sum)
        return unreadable(where, "link-damaged",
                          "the link is damaged: its checksum does not fit; copy it again from where it came");
    const auto bytes = decode(data);
    bool tooLarge = false;
    auto inside = bytes ? inflated(*bytes, tooLarge) : std::nullopt;
    if (tooLarge)
        return unreadable(where, "link-too-large",
                          fmt::format("the link holds more than {} bytes; no scenario needs that", kLargestLinkedScenario));
    if (!inside) return unreadable(where, "link-damaged", "the link is damaged: its data cannot be unpacked");
    return *std::move(inside);
}

}  // namespace trainyard
