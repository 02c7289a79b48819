#include "core/io/import/yaml_text.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "core/io/import/scalar_text.h"

namespace trainyard {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = std::size_t{16} << 20;
constexpr std::size_t kMaxDocuments = 4'096;
constexpr int kDeepest = 64;

/// A cap was passed; thrown through yaml-cpp's parser and caught beside its own exceptions.
struct TooMuch {};

/// Builds JSON from the parser's events. Written out, every value takes a character of the text at least; more values or
/// characters than that come from aliases of aliases, which a configuration has no use for. yaml-cpp's own tree is not used: on
/// some broken input its parser returns documents without end.
class JsonBuilder final : public YAML::EventHandler {
  public:
    JsonBuilder(std::vector<json>& documents, std::size_t textBytes)
        : documents_(documents), mostValues_(textBytes + 1'000), mostCharacters_(4 * textBytes + 65'536) {}

    void OnDocumentStart(const YAML::Mark&) override {
        if (documents_.size() >= kMaxDocuments) throw TooMuch{};
        documents_.emplace_back();
        anchors_.clear();
        open_.clear();
    }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark&, YAML::anchor_t anchor) override {
        count(1, 0);
        place(nullptr, std::nullopt, {anchor, 1, 0});
    }
    void OnScalar(const YAML::Mark&, const std::string& tag, YAML::anchor_t anchor, const std::string& value) override {
        count(1, value.size());
        place(tag == "!" ? json(value) : scalarFromText(value), value, {anchor, 1, value.size()});
    }
    void OnAlias(const YAML::Mark&, YAML::anchor_t anchor) override {
        const auto found = anchors_.find(anchor);
        if (found == anchors_.end()) throw TooMuch{};  // of something that is still open
        count(found->second.values, found->second.characters);
        const json& value = found->second.value;
        place(value, value.is_string() ? std::optional(value.get<std::string>()) : std::nullopt, {});
    }
    void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t anchor, YAML::EmitterStyle::value) override { begin(json::array(), anchor); }
    void OnSequenceEnd() override { end(); }
    void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t anchor, YAML::EmitterStyle::value) override { begin(json::object(), anchor); }
    void OnMapEnd() override { end(); }

  private:
    struct Anchor {
        YAML::anchor_t id = 0;
        std::size_t values = 0;
        std::size_t characters = 0;
        json value;
    };
    struct Open {
        json value;
        YAML::anchor_t anchor = 0;
        std::size_t values = 0;      ///< seen before it began
        std::size_t characters = 0;
        bool atKey = true;
        std::optional<std::string> key;  ///< of the value that comes next; absent: the key is no scalar, no configuration has such
    };

    void count(std::size_t values, std::size_t characters) {
        values_ += values;
        characters_ += characters;
        if (values_ > mostValues_ || characters_ > mostCharacters_) throw TooMuch{};
    }
    void begin(json value, YAML::anchor_t anchor) {
        if (open_.size() >= static_cast<std::size_t>(kDeepest)) throw TooMuch{};
        open_.push_back({std::move(value), anchor, values_, characters_, true, std::nullopt});
        count(1, 0);
    }
    void end() {
        Open done = std::move(open_.back());
        open_.pop_back();
        place(std::move(done.value), std::nullopt, {done.anchor, values_ - done.values, characters_ - done.characters});
    }
    /// `text`: the value as a key.
    void place(json value, std::optional<std::string> text, Anchor anchor) {
        if (anchor.id != 0) {
            anchor.value = value;
            anchors_[anchor.id] = std::move(anchor);
        }
        if (open_.empty()) {
            documents_.back() = std::move(value);
            return;
        }
        Open& parent = open_.back();
        if (parent.value.is_array()) {
            parent.value.push_back(std::move(value));
        } else if (parent.atKey) {
            parent.key = std::move(text);
            parent.atKey = false;
        } else {
            if (parent.key) parent.value[*parent.key] = std::move(value);
            parent.atKey = true;
        }
    }

    std::vector<json>& documents_;
    std::map<YAML::anchor_t, Anchor> anchors_;
    std::vector<Open> open_;
    std::size_t values_ = 0;
    std::size_t characters_ = 0;
    std::size_t mostValues_;
    std::size_t mostCharacters_;
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
        std::istringstream stream{std::string(text)};
        YAML::Parser parser(stream);
        JsonBuilder builder(documents, text.size());
        while (parser.HandleNextDocument(builder)) {}
    } catch (const TooMuch&) {
        return refuse(where, fmt::format("comes to more values than it has characters, to more than {} documents or {} levels", kMaxDocuments, kDeepest));
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
