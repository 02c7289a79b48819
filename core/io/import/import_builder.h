#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/import/importer.h"

namespace trainyard {

/// Collects what an importer finds: the partial scenario, and the report beside it.
class ImportBuilder {
  public:
    ImportBuilder(std::string kind, const ImportContext& context);

    /// Sets `pointer` and reports `source -> pointer value`.
    void take(std::string_view pointer, nlohmann::json value, std::string_view source);
    /// Sets `pointer` to something the input does not say.
    void assume(std::string_view pointer, nlohmann::json value, std::string reason);
    /// Reports without setting anything.
    void understand(std::string text);
    void ignore(std::string text);
    void error(std::string code, std::string message, std::string pointer = "", std::vector<std::int64_t> legalValues = {});
    void warn(std::string code, std::string message, std::string pointer = "");
    void note(std::string code, std::string message, std::string pointer = "");

    [[nodiscard]] bool has(std::string_view pointer) const;
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view pointer) const;
    [[nodiscard]] std::optional<std::string> text(std::string_view pointer) const;
    [[nodiscard]] bool flag(std::string_view pointer) const;
    void erase(std::string_view pointer);

    [[nodiscard]] const ImportContext& context() const { return context_; }
    [[nodiscard]] ImportReport& report() { return report_; }

    /// Says what the run used: the cluster, and data_parallel from what the other degrees leave (an error with legal values if
    /// they leave no whole number). `accelerator` is a name as people write it; empty: assumed.
    void settleDevices(std::optional<std::int64_t> nodes, std::optional<std::int64_t> perNode, const std::string& accelerator,
                       std::string_view source);
    /// Only data_parallel, from a device count.
    void settleDataParallel(std::int64_t devices, std::string_view source);
    /// Takes the shape of the model preset whose name the text contains; false if there is none.
    bool takeModelByName(std::string_view text, std::string_view source);

    /// Counts parameters where a whole model is described, and hands over.
    [[nodiscard]] ImportResult finish();

    nlohmann::json scenario = nlohmann::json::object();

  private:
    void add(Severity severity, std::string code, std::string message, std::string pointer,
             std::vector<std::int64_t> legalValues);

    std::string kind_;
    const ImportContext& context_;
    ImportReport report_;
};

/// The accelerator preset that a name of a driver, scheduler or cloud means ("h100", "NVIDIA A100-SXM4-80GB", "a100_80gb");
/// empty if there is none.
[[nodiscard]] std::string acceleratorIdFromName(const PresetLibrary& presets, std::string_view name);
/// The model preset whose name stands in the text, the longest one; empty if there is none.
[[nodiscard]] std::string modelIdFromText(const PresetLibrary& presets, std::string_view text);
/// A cluster object of nodes with so many accelerators of this id each: the node preset that has them, else a drawn block.
[[nodiscard]] nlohmann::json clusterOf(const PresetLibrary& presets, const std::string& acceleratorId, std::int64_t nodes,
                                       std::int64_t perNode);

}  // namespace trainyard
