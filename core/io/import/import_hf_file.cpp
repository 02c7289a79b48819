#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/io/import/import_hf.h"
#include "core/io/import/importers.h"
#include "core/io/json/json_text.h"
#include "core/io/json/model_json.h"

namespace trainyard {
namespace {

using nlohmann::json;

/// An index of weight files says how many bytes the weights take, which is a check on a model's size.
std::optional<ImportResult> weightIndex(std::string_view text, const ImportContext& context) {
    const auto document = parseJson(text, context.where, JsonDialect::tolerant);
    if (!document || !document->is_object() || !document->contains("weight_map") || !document->contains("metadata"))
        return std::nullopt;
    const json& metadata = (*document)["metadata"];
    if (!metadata.is_object() || !metadata.contains("total_size") || !metadata["total_size"].is_number() ||
        !(metadata["total_size"].get<double>() > 0) || metadata["total_size"].get<double>() > 1e16)
        return std::nullopt;
    const auto bytes = static_cast<std::int64_t>(metadata["total_size"].get<double>());
    ImportResult result;
    result.kind = "hf";
    result.parameters = ParameterCounts{bytes / 2, bytes / 2, 0};
    result.report.understood.push_back(fmt::format("metadata.total_size {} bytes of weights", bytes));
    result.report.assumed.push_back(
        {"/parameters/total", fmt::format("{}", bytes / 2), "two bytes per parameter (bf16 or fp16), as such files usually are"});
    result.report.diagnostics.push_back(
        {Severity::warning,
         "hf-weight-index",
         "this is an index of weight files: it says how large the model is, not its shape; import the config.json beside it",
         "/model",
         {},
         ""});
    return result;
}

Result<ImportResult> read(std::string_view text, const ImportContext& context) {
    if (auto index = weightIndex(text, context)) return *std::move(index);
    auto imported = importHfConfig(text, context.where);
    if (!imported) return tl::unexpected<Error>(imported.error());
    ImportResult result;
    result.kind = "hf";
    json model = architectureJson(imported->model);
    if (imported->model.vocabSize > 0)
        result.parameters = countParameters(imported->model, 4096);
    else
        model.erase("vocab_size");
    result.scenario = compactJson({{"model", std::move(model)}});
    result.report = std::move(imported->report);
    return result;
}

double likeness(std::string_view text) {
    const auto has = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
    if (text.find('{') == std::string_view::npos) return 0;
    if (has("\"model_type\"") && (has("\"num_hidden_layers\"") || has("\"n_layer\"") || has("_config\""))) return 0.95;
    if (has("\"architectures\"") || has("\"hidden_size\"")) return has("\"zero_optimization\"") ? 0 : 0.8;
    if (has("\"n_heads\"") && has("\"dim\"")) return 0.7;
    return has("\"weight_map\"") || has("\"peft_type\"") ? 0.6 : 0;
}

}  // namespace

const Importer kHfImporter{"hf", "Hugging Face config.json", "model", read, likeness};

}  // namespace trainyard
