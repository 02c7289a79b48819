#include "core/io/import/yaml_text.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "core/io/import/scalar_text.h"

namespace trainyard {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = std::size_t{16} << 20;
constexpr std::size_t kMaxValues = 400'000;
constexpr std::size_t kMaxDocuments = 4'096;
constexpr int kDeepest = 64;

/// Copies a YAML node; false once a cap is passed.
class Copier {
  public:
    bool copy(const YAML::Node& node, json& out, int depth) {
        if (++values_ > kMaxValues || depth > kDeepest) return false;
        switch (node.Type()) {
            case YAML::NodeType::Sequence:
                out = json::array();
                for (const auto& item : node) {
                    out.emplace_back();
                    if (!copy(item, out.back(), depth + 1)) return false;
                }
                return true;
            case YAML::NodeType::Map:
                out = json::object();
                for (const auto& pair : node) {
                    if (!pair.first.IsScalar()) continue;  // no configuration has lists as keys
                    if (!copy(pair.second, out[pair.first.Scalar()], depth + 1)) return false;
                }
                return true;
            case YAML::NodeType::Scalar:
                out = node.Tag() == "!" ? json(node.Scalar()) : scalarFromText(node.Scalar());
                return true;
            default: out = nullptr; return true;
        }
    }

  private:
    std::size_t values_ = 0;
};

tl::unexpected<Error> refuse(const std::string& where, std::string message) {
    return failure(Error::Kind::unreadable, "yaml-unreadable", where, std::move(message));
}

/// yaml-cpp recurses once per level; brackets deeper than any configuration are refused before it sees them.
bool nestsTooDeep(std::string_view text) {
    int open = 0;
    for (const char c : text) {
        if (c == '[' || c == '{') ++open;
        if (c == ']' || c == '}') --open;
        if (open > 8 * kDeepest) return true;
    }
    return false;
}

}  // namespace

Result<std::vector<json>> parseYamlDocuments(std::string_view text, const std::string& where) {
    if (text.size() > kMaxBytes)
        return refuse(where, fmt::format("has {} bytes; a YAML file of at most {} was expected", text.size(), kMaxBytes));
    if (text.find('\0') != std::string_view::npos) return refuse(where, "is not text; a YAML file was expected");
    if (nestsTooDeep(text)) return refuse(where, "its brackets are nested too deep for a configuration");
    std::vector<json> documents;
    try {
        Copier copier;
        for (const YAML::Node& node : YAML::LoadAll(std::string(text))) {
            if (documents.size() >= kMaxDocuments) return refuse(where, fmt::format("has more than {} documents", kMaxDocuments));
            documents.emplace_back();
            if (!copier.copy(node, documents.back(), 0))
                return refuse(where, fmt::format("comes to more than {} values or {} levels", kMaxValues, kDeepest));
        }
    } catch (const YAML::Exception& error) {
        return refuse(fmt::format("{}:{}:{}", where, error.mark.line + 1, error.mark.column + 1),
                      fmt::format("is no YAML here: {}", error.msg));
    }
    return documents;
}

Result<json> parseYaml(std::string_view text, const std::string& where) {
    auto documents = parseYamlDocuments(text, where);
    if (!documents) return tl::unexpected<Error>(documents.error());
    for (json& document : *documents)
        if (!document.is_null()) return std::move(document);
    return refuse(where, "holds nothing; a YAML file with sections was expected");
}

}  // namespace trainyard
