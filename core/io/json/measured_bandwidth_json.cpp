#include "core/io/json/measured_bandwidth_json.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/io/json/json_text.h"

namespace trainyard {
namespace {

using nlohmann::json;

constexpr std::size_t kMostNodes = 2'048;        ///< a larger table is no longer pasted by anyone
constexpr double kMostBytesPerS = 1e15;

}  // namespace

MeasuredBandwidth readMeasuredBandwidth(const json& value, const std::string& pointer, ReadState& state) {
    MeasuredBandwidth measured;
    ObjectReader reader(value, pointer, state);
    if (!reader.valid()) return measured;
    reader.take("source", measured.source);
    const json* rows = reader.findOrNull("bytes_per_s");
    if (rows == nullptr || !rows->is_array() || rows->empty() || rows->size() > kMostNodes) {
        reader.refuse("bytes_per_s", rows == nullptr ? "missing-key" : "wrong-type",
                      fmt::format("expected one row per node, 1 to {} rows", kMostNodes));
        return measured;
    }
    for (std::size_t row = 0; row < rows->size(); ++row) {
        const json& cells = (*rows)[row];
        if (!cells.is_array() || cells.size() != rows->size()) {
            state.refuse(fmt::format("{}/bytes_per_s/{}", pointer, row), "wrong-type",
                          fmt::format("expected {} numbers, as many as there are rows; found {}", rows->size(), describeJson(cells)));
            return {};
        }
        for (std::size_t column = 0; column < cells.size(); ++column) {
            if (!cells[column].is_number() || !(cells[column].get<double>() >= 0) || cells[column].get<double>() > kMostBytesPerS) {
                state.refuse(fmt::format("{}/bytes_per_s/{}/{}", pointer, row, column), "wrong-type",
                              fmt::format("expected bytes per second, 0 to {:g}; found {}", kMostBytesPerS, describeJson(cells[column])));
                return {};
            }
            measured.bytesPerS.push_back(cells[column].get<double>());
        }
    }
    reader.finish();
    return measured;
}

json measuredBandwidthJson(const MeasuredBandwidth& measured) {
    const auto nodes = static_cast<std::size_t>(std::llround(std::sqrt(static_cast<double>(measured.bytesPerS.size()))));
    json rows = json::array();
    for (std::size_t row = 0; row < nodes; ++row) {
        json cells = json::array();
        for (std::size_t column = 0; column < nodes; ++column) cells.push_back(measured.bytesPerS[row * nodes + column]);
        rows.push_back(std::move(cells));
    }
    json out = {{"bytes_per_s", std::move(rows)}};
    if (!measured.source.empty()) out["source"] = measured.source;
    return out;
}

}  // namespace trainyard
