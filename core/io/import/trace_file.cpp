#include "core/io/import/trace_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>

#include "core/io/json/json_text.h"

namespace trainyard {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = std::size_t{256} << 20;
constexpr std::size_t kMostSpans = 1'000'000;
constexpr std::size_t kMostLanes = 20'000;
constexpr std::size_t kLongestName = 200;

class Collector {
  public:
    bool take(const json& event) {
        if (!event.is_object()) return true;
        const auto phase = event.find("ph");
        if (phase == event.end() || !phase->is_string()) return true;
        const std::string& kind = phase->get_ref<const std::string&>();
        if (kind == "M") {
            takeName(event);
            return true;
        }
        const bool whole = kind == "X";
        if (!whole && kind != "B" && kind != "E") {
            ++file_.skipped;
            return true;
        }
        const auto start = number(event, "ts");
        if (!start) return true;
        TraceLane& lane = laneOf(event);
        if (kind == "E") {
            auto& open = open_[&lane - file_.lanes.data()];
            if (open.empty()) {
                ++file_.unfinished;
                return true;
            }
            TraceSpan span = open.back();
            open.pop_back();
            span.durationS = std::max(0.0, *start * 1e-6 - span.startS);
            lane.spans.push_back(span);
            return ++spans_ <= kMostSpans;
        }
        TraceSpan span;
        span.startS = *start * 1e-6;
        span.name = indexOf(event, "name");
        span.category = indexOf(event, "cat");
        takeAction(event, span);
        if (!whole) {
            open_[&lane - file_.lanes.data()].push_back(span);
            return ++spans_ <= kMostSpans;
        }
        const auto duration = number(event, "dur");
        if (!duration || *duration < 0) {
            ++file_.unfinished;
            return true;
        }
        span.durationS = *duration * 1e-6;
        lane.spans.push_back(span);
        return ++spans_ <= kMostSpans;
    }

    TraceFile finish() {
        for (auto& [lane, spans] : open_) file_.unfinished += spans.size();
        std::erase_if(file_.lanes, [](const TraceLane& lane) { return lane.spans.empty(); });
        double first = 0, last = 0;
        bool any = false;
        for (TraceLane& lane : file_.lanes) {
            std::stable_sort(lane.spans.begin(), lane.spans.end(), [](const TraceSpan& a, const TraceSpan& b) {
                return a.startS < b.startS || (a.startS == b.startS && a.durationS > b.durationS);
            });
            for (const TraceSpan& span : lane.spans) {
                first = any ? std::min(first, span.startS) : span.startS;
                last = any ? std::max(last, span.startS + span.durationS) : span.startS + span.durationS;
                any = true;
            }
            if (const auto at = processNames_.find(lane.process); at != processNames_.end()) lane.processName = at->second;
            if (const auto at = threadNames_.find({lane.process, lane.thread}); at != threadNames_.end())
                lane.threadName = at->second;
        }
        for (TraceLane& lane : file_.lanes) {
            double until = 0;
            for (TraceSpan& span : lane.spans) {
                span.startS -= first;
                const double end = span.startS + span.durationS;
                lane.busyS += std::max(0.0, end - std::max(until, span.startS));
                until = std::max(until, end);
            }
        }
        file_.spanS = any ? last - first : 0;
        std::stable_sort(file_.lanes.begin(), file_.lanes.end(), [](const TraceLane& a, const TraceLane& b) {
            if (a.process != b.process) return a.process < b.process;
            if (a.thread.size() != b.thread.size()) return a.thread.size() < b.thread.size();  // numbers in their order
            return a.thread < b.thread;
        });
        return std::move(file_);
    }

    [[nodiscard]] bool tooManyLanes() const { return tooManyLanes_; }

  private:
    static std::optional<double> number(const json& event, const char* key) {
        const auto at = event.find(key);
        if (at == event.end()) return std::nullopt;
        double value = 0;
        if (at->is_number())
            value = at->get<double>();
        else if (at->is_string()) {
            const std::string& text = at->get_ref<const std::string&>();
            char* end = nullptr;
            value = std::strtod(text.c_str(), &end);
            if (end == text.c_str() || *end != '\0') return std::nullopt;
        } else
            return std::nullopt;
        return std::isfinite(value) && std::fabs(value) < 1e18 ? std::optional(value) : std::nullopt;
    }
    static void takeAction(const json& event, TraceSpan& span) {
        const auto args = event.find("args");
        if (args == event.end() || !args->is_object()) return;
        constexpr double kLargest = 1e9;
        for (const auto& [key, target] :
             {std::pair<const char*, std::int32_t*>{"micro_batch", &span.microBatch}, {"stage", &span.stage}, {"slice", &span.slice}})
            if (const auto value = number(*args, key); value && *value >= 0 && *value < kLargest)
                *target = static_cast<std::int32_t>(*value);
    }
    static std::string idText(const json& event, const char* key) {
        const auto at = event.find(key);
        if (at == event.end()) return "0";
        return at->is_string() ? at->get<std::string>().substr(0, kLongestName) : at->is_number() ? at->dump() : "0";
    }
    std::int64_t processOf(const json& event) {
        const std::string text = idText(event, "pid");
        if (!text.empty() && text.size() < 16 && text.find_first_not_of("0123456789") == std::string::npos)
            return std::stoll(text);
        const auto [at, fresh] = namedProcesses_.try_emplace(text, -1 - static_cast<std::int64_t>(namedProcesses_.size()));
        if (fresh) processNames_[at->second] = text;
        return at->second;
    }
    TraceLane& laneOf(const json& event) {
        std::pair<std::int64_t, std::string> key{processOf(event), idText(event, "tid")};
        auto at = laneAt_.find(key);
        if (at == laneAt_.end()) {
            if (file_.lanes.size() >= kMostLanes) {
                tooManyLanes_ = true;
                return file_.lanes.back();
            }
            TraceLane lane;
            lane.process = key.first;
            lane.thread = key.second;
            at = laneAt_.emplace(std::move(key), file_.lanes.size()).first;
            file_.lanes.push_back(std::move(lane));
        }
        return file_.lanes[at->second];
    }
    std::uint32_t indexOf(const json& event, const char* key) {
        const auto at = event.find(key);
        const std::string text =
            at != event.end() && at->is_string() ? at->get_ref<const std::string&>().substr(0, kLongestName) : std::string();
        const auto [place, fresh] = nameAt_.try_emplace(text, static_cast<std::uint32_t>(file_.names.size()));
        if (fresh) file_.names.push_back(text);
        return place->second;
    }
    void takeName(const json& event) {
        const auto name = event.find("name"), args = event.find("args");
        if (name == event.end() || args == event.end() || !args->is_object() || !args->contains("name") ||
            !(*args)["name"].is_string())
            return;
        const std::string text = (*args)["name"].get<std::string>().substr(0, kLongestName);
        if (processNames_.size() + threadNames_.size() > 4 * kMostLanes) return;
        if (*name == "process_name") processNames_[processOf(event)] = text;
        if (*name == "thread_name") threadNames_[{processOf(event), idText(event, "tid")}] = text;
    }

    TraceFile file_;
    std::map<std::pair<std::int64_t, std::string>, std::size_t> laneAt_;
    std::map<std::ptrdiff_t, std::vector<TraceSpan>> open_;
    std::unordered_map<std::string, std::uint32_t> nameAt_;
    std::map<std::string, std::int64_t> namedProcesses_;
    std::map<std::int64_t, std::string> processNames_;
    std::map<std::pair<std::int64_t, std::string>, std::string> threadNames_;
    std::size_t spans_ = 0;
    bool tooManyLanes_ = false;
};

/// A run that is killed leaves `[{...},{...},` behind: what stands before the last whole event, closed.
std::string closed(std::string_view text) {
    const auto end = text.rfind('}');
    const auto open = text.find('[');
    if (end == std::string_view::npos || open == std::string_view::npos || open > end) return {};
    std::string out(text.substr(0, end + 1));
    out += text.substr(0, open).find('{') != std::string_view::npos ? "]}" : "]";
    return out;
}

}  // namespace

std::size_t TraceFile::spans() const {
    std::size_t total = 0;
    for (const TraceLane& lane : lanes) total += lane.spans.size();
    return total;
}

Result<TraceFile> readTraceFile(std::string_view text, const std::string& where) {
    if (text.size() > kMaxBytes)
        return failure(Error::Kind::unreadable, "trace-too-large", where, "is larger than 256 MiB; record fewer steps");
    auto document = parseJson(text, where, JsonDialect::tolerant);
    bool cut = false;
    if (!document) {
        if (const std::string mended = closed(text); !mended.empty()) {
            auto second = parseJson(mended, where, JsonDialect::tolerant);
            if (second) {
                cut = true;
                document = std::move(second);
            }
        }
        if (!document) return tl::unexpected<Error>(document.error());
    }
    const json* events = document->is_array()                                         ? &*document
                         : document->is_object() && document->contains("traceEvents") ? &(*document)["traceEvents"]
                                                                                      : nullptr;
    if (events == nullptr || !events->is_array())
        return failure(Error::Kind::unreadable, "trace-unreadable", where,
                       "has no list \"traceEvents\"; expected a Chrome trace (Perfetto, torch.profiler)");
    Collector collector;
    for (const json& event : *events)
        if (!collector.take(event))
            return failure(Error::Kind::unreadable, "trace-too-large", where,
                           fmt::format("has more than {} slices; record fewer steps", kMostSpans));
    TraceFile file = collector.finish();
    if (file.lanes.empty())
        return failure(Error::Kind::unreadable, "trace-empty", where,
                       "has no slices (events X, or B and E); expected a recording of a run");
    if (cut) file.notes.emplace_back("the file breaks off; what stands before its last whole event was read");
    if (collector.tooManyLanes()) file.notes.push_back(fmt::format("more than {} threads; the rest stands on one", kMostLanes));
    if (file.unfinished > 0)
        file.notes.push_back(fmt::format("{} events begin and do not end, or have no duration", file.unfinished));
    return file;
}

}  // namespace trainyard
