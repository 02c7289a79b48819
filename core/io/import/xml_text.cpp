#include "core/io/import/xml_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace trainyard {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{16} << 20;
constexpr int kDeepest = 256;

tl::unexpected<Error> refuse(std::string where, std::string message) {
    return failure(Error::Kind::unreadable, "xml-unreadable", std::move(where), std::move(message));
}

}  // namespace

Result<void> parseXml(std::string_view text, const std::string& where, pugi::xml_document& document) {
    if (text.size() > kMaxBytes)
        return refuse(where, fmt::format("has {} bytes; an XML file of at most {} was expected", text.size(), kMaxBytes));
    const auto parsed = document.load_buffer(text.data(), text.size());
    if (!parsed) {
        const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, parsed.offset));
        const auto line =
            1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size())), '\n');
        return refuse(fmt::format("{}:{}", where, line), fmt::format("is no XML here: {}", parsed.description()));
    }
    int depth = 0;
    for (pugi::xml_node node = document.first_child(); node;) {
        if (node.first_child()) {
            if (++depth > kDeepest) return refuse(where, "its elements are nested too deep");
            node = node.first_child();
            continue;
        }
        while (node && !node.next_sibling()) {
            node = node.parent();
            --depth;
        }
        if (node) node = node.next_sibling();
    }
    return {};
}

std::vector<pugi::xml_node> elementsNamed(pugi::xml_node root, const char* name, std::size_t most) {
    std::vector<pugi::xml_node> found;
    for (pugi::xml_node node = root.first_child(); node && found.size() < most;) {
        if (std::strcmp(node.name(), name) == 0) found.push_back(node);
        if (node.first_child()) {
            node = node.first_child();
            continue;
        }
        while (node && node != root && !node.next_sibling()) node = node.parent();
        if (!node || node == root) break;
        node = node.next_sibling();
    }
    return found;
}

}  // namespace trainyard
