#include "app/cli_schedule_list.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/schedule/compare_schedules.h"

namespace trainyard {

namespace {

using json = nlohmann::ordered_json;

template <class... Arguments>
void append(fmt::memory_buffer& out, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out), text, std::forward<Arguments>(arguments)...);
}

json entryOf(const ScheduleDefinition& definition) {
    json parameters = json::array();
    for (const ScheduleParameter& p : definition.parameters)
        parameters.push_back({{"key", p.key}, {"help", p.help}, {"minimum", p.minimum}, {"maximum", p.maximum}});
    json entry{{"name", definition.id},
               {"title", definition.title},
               {"summary", definition.summary},
               {"reference", definition.reference},
               {"aliases", std::vector<std::string>(definition.aliases.begin(), definition.aliases.end())},
               {"parameters", parameters},
               {"takes_slices", definition.takesSlices},
               {"needs_chunks", definition.needsChunks},
               {"splits_backward", definition.splitsBackward},
               {"searched", definition.searched}};
    if (definition.fixedChunks > 0) entry["chunks"] = definition.fixedChunks;
    if (definition.semantics != ScheduleSemantics::synchronous) entry["semantics"] = semanticsBadge(definition.semantics);
    return entry;
}

json rowJson(const ScheduleRow& row) {
    json entry{{"schedule", row.definition->id}, {"chunks", row.chunks}, {"slices", row.slices}};
    if (row.definition->semantics != ScheduleSemantics::synchronous)
        entry["semantics"] = semanticsBadge(row.definition->semantics);
    if (!row.refusal.empty()) {
        entry["refused"] = row.refusal;
        return entry;
    }
    entry["makespan"] = row.makespan;
    entry["bubbles"] = {{"idle_share", row.idleShare}, {"overhead", row.overhead}, {"span", row.span}};
    entry["peak_b"] = row.peakInFlight;
    entry["peak_w"] = row.peakUntilWeight;
    entry["parameter_copies"] = row.parameterCopies;
    return entry;
}

/// Columns of text, first left, others right aligned, or Markdown.
void appendColumns(fmt::memory_buffer& out, const std::vector<std::vector<std::string>>& lines, bool markdown) {
    std::vector<std::size_t> widths(lines.front().size(), 0);
    for (const auto& line : lines)
        for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
    for (std::size_t l = 0; l < lines.size(); ++l) {
        if (markdown) append(out, "| ");
        for (std::size_t i = 0; i < lines[l].size(); ++i) {
            const bool isText = i == 0 || i + 1 == lines[l].size();
            if (isText && i + 1 == lines[l].size() && !markdown)
                append(out, "{}", lines[l][i]);
            else if (isText)
                append(out, "{:<{}}", lines[l][i], widths[i]);
            else
                append(out, "{:>{}}", lines[l][i], widths[i]);
            append(out, "{}", i + 1 < lines[l].size() ? (markdown ? " | " : "  ") : (markdown ? " |" : ""));
        }
        append(out, "\n");
        if (l > 0 || !markdown) continue;
        append(out, "|");
        for (std::size_t i = 0; i < widths.size(); ++i) append(out, "{}|", i == 0 || i + 1 == widths.size() ? "---" : "---:");
        append(out, "\n");
    }
}

std::string remarkOf(const ScheduleRow& row) {
    std::vector<std::string> parts;
    if (row.chunks > 1) parts.push_back(fmt::format("{} chunks", row.chunks));
    if (row.slices > 1) parts.push_back(fmt::format("{} slices", row.slices));
    if (row.parameterCopies > 1) parts.push_back(fmt::format("{} copies of the parameters", row.parameterCopies));
    if (const auto badge = semanticsBadge(row.definition->semantics); !badge.empty()) parts.emplace_back(badge);
    if (!row.refusal.empty()) parts.push_back("refused: " + row.refusal);
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<std::vector<std::string>> tableLines(const std::vector<ScheduleRow>& rows) {
    std::vector<std::vector<std::string>> lines{
        {"schedule", "makespan", "idle share", "above ideal", "in span", "peak", "peak to W", "remarks"}};
    for (const ScheduleRow& row : rows) {
        if (!row.refusal.empty()) {
            lines.push_back({std::string(row.definition->id), "-", "-", "-", "-", "-", "-", remarkOf(row)});
            continue;
        }
        const auto percent = [](double share) { return fmt::format("{:.1f} %", std::max(0.0, share) * 100); };
        lines.push_back({std::string(row.definition->id), fmt::format("{:.6g}", row.makespan), percent(row.idleShare),
                         percent(row.overhead), percent(row.span), fmt::format("{:.4g}", row.peakInFlight),
                         fmt::format("{:.4g}", row.peakUntilWeight), remarkOf(row)});
    }
    return lines;
}

}  // namespace

fmt::memory_buffer scheduleList(const std::string& format) {
    fmt::memory_buffer out;
    if (format == "json") {
        json list = json::array();
        for (const ScheduleDefinition* definition : allSchedules()) list.push_back(entryOf(*definition));
        append(out, "{}\n", list.dump(1));
        return out;
    }
    std::vector<std::vector<std::string>> lines{{"schedule", "title", "parameters", "reference"}};
    for (const ScheduleDefinition* definition : allSchedules()) {
        std::vector<std::string> keys;
        for (const ScheduleParameter& p : definition->parameters) keys.emplace_back(p.key);
        std::string title(definition->title);
        if (const auto badge = semanticsBadge(definition->semantics); !badge.empty()) title += fmt::format(" [{}]", badge);
        lines.push_back({std::string(definition->id), title, keys.empty() ? "-" : fmt::format("{}", fmt::join(keys, ", ")),
                         std::string(definition->reference)});
    }
    if (format == "csv") {
        for (const auto& line : lines) append(out, "\"{}\"\n", fmt::join(line, "\",\""));
        return out;
    }
    // The title reads better at the left too.
    std::vector<std::size_t> widths(4, 0);
    for (const auto& line : lines)
        for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
    for (const auto& line : lines)
        append(out, "{:<{}}  {:<{}}  {:<{}}  {}\n", line[0], widths[0], line[1], widths[1], line[2], widths[2], line[3]);
    return out;
}

fmt::memory_buffer scheduleTable(const ScheduleRequest& request, const std::string& format) {
    const std::vector<ScheduleRow> rows = compareSchedules(request);
    fmt::memory_buffer out;
    if (format == "json") {
        json list = json::array();
        for (const ScheduleRow& row : rows) list.push_back(rowJson(row));
        append(out, "{}\n", json{{"p", request.ranks}, {"m", request.microBatches}, {"schedules", list}}.dump(1));
        return out;
    }
    const auto lines = tableLines(rows);
    if (format == "csv") {
        for (const auto& line : lines) append(out, "\"{}\"\n", fmt::join(line, "\",\""));
        return out;
    }
    if (format != "markdown")
        append(out, "# {} ranks, {} micro-batches; forward, input and weight gradient 1 unit each on a rank's whole share\n",
               request.ranks, request.microBatches);
    appendColumns(out, lines, format == "markdown");
    return out;
}

}  // namespace trainyard
