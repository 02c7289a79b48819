#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/io/import/import_builder.h"
#include "core/io/import/importers.h"
#include "core/plan/limits.h"

// `nvidia-smi topo -m` and `rocm-smi --showtopo`, as they come out of a terminal or a ticket: with escapes, wrapped, cut.

namespace trainyard {
namespace {

using nlohmann::json;

constexpr double kNvlinkBytesPerS = 25e9;           ///< one NVLink of generations 2 to 4, one direction
constexpr double kNvlinkBlackwellBytesPerS = 50e9;  ///< generation 5

struct Matrix {
    std::vector<std::string> columns;             ///< GPU0.., NIC0.. or mlx5_0..
    std::vector<std::vector<std::string>> cells;  ///< one row per device; an empty text where the paste was cut
    std::map<std::string, std::string> nicNames;
    std::vector<std::string> gpuNames;  ///< from `nvidia-smi -L` or a query pasted along
    bool wrapped = false;
    int cut = 0;
};

std::string withoutEscapes(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\x1b' && i + 1 < text.size() && text[i + 1] == '[') {
            i += 2;
            while (i < text.size() && !(text[i] >= '@' && text[i] <= '~')) ++i;
        } else if (text[i] != '\r') {
            out += text[i];
        }
    }
    return out;
}

std::vector<std::string> wordsOf(std::string_view line) {
    std::vector<std::string> words;
    std::string word;
    for (const char c : line) {
        if (c == ' ' || c == '\t') {
            if (!word.empty()) words.push_back(std::move(word));
            word.clear();
        } else {
            word += c;
        }
    }
    if (!word.empty()) words.push_back(std::move(word));
    return words;
}

bool numbered(std::string_view word, std::string_view prefix) {
    return word.size() > prefix.size() && word.starts_with(prefix) &&
           word.substr(prefix.size()).find_first_not_of("0123456789") == std::string_view::npos;
}
bool isGpu(std::string_view word) { return numbered(word, "GPU") && word.size() < 8; }
bool isNic(std::string_view word) {
    for (const std::string_view prefix :
         {"NIC", "mlx5_", "mlx4_", "bnxt_re", "rocep", "irdma", "hfi1_", "efa_", "rdmap", "ibp", "hns_", "cxi"})
        if (word.starts_with(prefix) && word.size() > prefix.size() && word.size() < 24) return true;
    return false;
}
bool isLink(std::string_view word) {
    return word == "X" || word == "PIX" || word == "PXB" || word == "PHB" || word == "NODE" || word == "SYS" || word == "SOC" ||
           numbered(word, "NV");
}

Result<Matrix> readMatrix(const std::string& text, const std::string& where) {
    const auto refuse = [&](std::size_t line, std::string message) {
        return failure(Error::Kind::unreadable, "topo-unreadable", line == 0 ? where : fmt::format("{}:{}", where, line),
                       std::move(message));
    };
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin <= text.size();) {
        const auto end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    Matrix matrix;
    std::vector<std::string> rowNames;
    bool inNicLegend = false;
    std::size_t headerLine = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto words = wordsOf(lines[i]);
        if (words.empty()) continue;
        if (words[0].find("GPU0GPU1") != std::string::npos || (words[0].starts_with("GPU0X")))
            return refuse(
                i + 1, "the columns run together, as when a table is copied from a web page; paste the raw text of the terminal");
        if (words[0] == "GPU" && words.size() > 2 && words[1].ends_with(':')) {  // nvidia-smi -L
            const auto colon = lines[i].find(": ");
            const auto end = lines[i].find(" (UUID");
            if (colon != std::string::npos)
                matrix.gpuNames.push_back(lines[i].substr(colon + 2, end == std::string::npos ? end : end - colon - 2));
            continue;
        }
        if (lines[i].find(", NVIDIA ") != std::string::npos ||
            lines[i].find(", Tesla ") != std::string::npos) {  // a query as CSV
            const auto first = lines[i].find(", ");
            const auto second = lines[i].find(',', first + 2);
            matrix.gpuNames.push_back(lines[i].substr(first + 2, second == std::string::npos ? second : second - first - 2));
            continue;
        }
        if (matrix.columns.empty() && isGpu(words[0]) && (words.size() == 1 || !isLink(words[1]))) {
            for (const auto& word : words) {
                if (!isGpu(word) && !isNic(word)) break;
                matrix.columns.push_back(word);
            }
            headerLine = i + 1;
            continue;
        }
        if (words[0] == "NIC" && words.size() > 1 && words[1] == "Legend:") {
            inNicLegend = true;
            continue;
        }
        if (inNicLegend && words.size() == 2 && words[0].ends_with(':')) {
            matrix.nicNames[words[0].substr(0, words[0].size() - 1)] = words[1];
            continue;
        }
        const bool rowStarts = (isGpu(words[0]) || isNic(words[0])) && words.size() > 1 && isLink(words[1]);
        if (rowStarts && matrix.columns.empty())
            return refuse(i + 1,
                          "rows come before the line of column names (GPU0 GPU1 ...); paste the table from its first line");
        if (rowStarts) {
            rowNames.push_back(words[0]);
            matrix.cells.emplace_back();
        }
        if (matrix.cells.empty()) continue;
        auto& row = matrix.cells.back();
        std::size_t taken = rowStarts ? 1 : 0;
        const bool goesOn =
            !rowStarts && i > headerLine && row.size() < matrix.columns.size() && isLink(words[0]) && words.size() > 1;
        if (!rowStarts && !goesOn) {
            // the end of a row that the terminal broke: affinities alone on a line
            if (words.size() <= 3 && i > 0 && !inNicLegend && words[0].find_first_not_of("0123456789-,N/A") == std::string::npos)
                matrix.wrapped = true;
            continue;
        }
        if (goesOn) matrix.wrapped = true;
        while (taken < words.size() && row.size() < matrix.columns.size() && isLink(words[taken])) row.push_back(words[taken++]);
    }
    if (matrix.columns.empty() || matrix.cells.empty())
        return refuse(0,
                      "holds no table of GPU0, GPU1, ... with X, NV#, PIX, PXB, PHB, NODE, SYS; expected the output of "
                      "`nvidia-smi topo -m` or `rocm-smi --showtopo`");
    const auto gpus = static_cast<std::size_t>(std::count_if(matrix.columns.begin(), matrix.columns.end(), isGpu));
    if (gpus > 256 || matrix.columns.size() > 1024)
        return refuse(headerLine, fmt::format("has {} GPUs; at most 256 in one node are read", gpus));
    // rows in the order of the columns; what was cut stays empty
    std::vector<std::vector<std::string>> ordered(matrix.columns.size());
    for (std::size_t r = 0; r < rowNames.size(); ++r) {
        const auto at = std::find(matrix.columns.begin(), matrix.columns.end(), rowNames[r]);
        if (at != matrix.columns.end()) ordered[static_cast<std::size_t>(at - matrix.columns.begin())] = matrix.cells[r];
    }
    for (auto& row : ordered) {
        if (row.size() < matrix.columns.size())
            matrix.cut += isGpu(matrix.columns[static_cast<std::size_t>(&row - ordered.data())]) ? 1 : 0;
        row.resize(matrix.columns.size());
    }
    matrix.cells = std::move(ordered);
    return matrix;
}

/// The cell or, where it was cut, the one across the diagonal.
std::string cell(const Matrix& matrix, std::size_t row, std::size_t column) {
    const std::string& here = matrix.cells[row][column];
    return here.empty() ? matrix.cells[column][row] : here;
}

int nvlinks(std::string_view link) {
    return numbered(link, "NV") && link.size() < 6 ? std::stoi(std::string(link.substr(2))) : 0;
}

/// Share of the host link that a peer copy over this path reaches, a rule of thumb.
double pcieShare(std::string_view link) {
    if (link == "PIX" || link == "PXB") return 1.0;
    if (link == "PHB") return 0.85;
    if (link == "NODE") return 0.75;
    return 0.6;
}

int closeness(std::string_view link) {
    constexpr std::string_view kOrder[] = {"PIX", "PXB", "PHB", "NODE", "SYS"};
    for (int i = 0; i < 5; ++i)
        if (link == kOrder[i]) return i;
    return 5;
}

struct Guess {
    std::string id;
    std::string reason;
};

Guess guessAccelerator(std::size_t gpus, int most, int least) {
    if (most == 18) return {"h100-sxm5-80", "18 NVLinks: H100 or H200 (Blackwell shows 18 as well)"};
    if (most == 12) return {"a100-sxm4-80", "12 NVLinks: A100"};
    if (most == 8) return {"h800-sxm5-80", "8 NVLinks: H800 or A800"};
    if (most == 6 && gpus > 8) return {"v100-sxm2-32", "6 NVLinks over a switch: V100 in a DGX-2"};
    if (most == 6) return {"h100-sxm5-80", "6 NVLinks between four: an H100 board"};
    if (most == 4 && least == 4) return {"a100-sxm4-80", "4 NVLinks between four: an A100 board"};
    if (most > 0)
        return {most <= 2 ? "v100-sxm2-32" : "a100-pcie-80",
                most <= 2 ? "single and double NVLinks: V100" : "NVLink bridges between pairs"};
    return {"a100-pcie-80", "no NVLink is shown; PCIe cards"};
}

void addNics(const Matrix& matrix, std::size_t gpus, double nicBytesPerS, ImportBuilder& builder, json& node) {
    std::vector<std::string> fabric, storage;
    for (std::size_t column = 0; column < matrix.columns.size(); ++column) {
        if (!isNic(matrix.columns[column])) continue;
        int best = 5;
        for (std::size_t gpu = 0; gpu < gpus; ++gpu) best = std::min(best, closeness(cell(matrix, gpu, column)));
        const auto name = matrix.nicNames.find(matrix.columns[column]);
        const std::string shown =
            name == matrix.nicNames.end() ? matrix.columns[column] : fmt::format("{} ({})", matrix.columns[column], name->second);
        (best <= 2 || matrix.cut > 0 ? fabric : storage).push_back(shown);
    }
    if (fabric.empty() && storage.empty()) return;
    if (fabric.empty()) std::swap(fabric, storage);
    if (!storage.empty())
        builder.note("topo-far-nics",
                     fmt::format("{} near no GPU {} left out: storage or management", fmt::join(storage, ", "),
                                 storage.size() == 1 ? "is" : "are"),
                     "/cluster/nodes/0/nics");
    node["nics"] = {{"count", fabric.size()}, {"bandwidth_bytes_per_s", nicBytesPerS}};
    builder.report().assumed.push_back({"/cluster/nodes/0/nics/bandwidth_bytes_per_s", fmt::format("{:.0f}", nicBytesPerS),
                                        "the table does not say how fast the network cards are"});
    for (std::size_t gpu = 0; gpu < gpus; ++gpu) {
        std::string nearest;
        int best = 5;
        for (std::size_t column = 0; column < matrix.columns.size(); ++column)
            if (isNic(matrix.columns[column]) && closeness(cell(matrix, gpu, column)) < best) {
                best = closeness(cell(matrix, gpu, column));
                nearest = fmt::format("{} over {}", matrix.columns[column], cell(matrix, gpu, column));
            }
        if (!nearest.empty()) builder.understand(fmt::format("GPU{}: nearest network card {}", gpu, nearest));
    }
}

void addIntra(const Matrix& matrix, std::size_t gpus, const AcceleratorSpec& accelerator, ImportBuilder& builder, json& node) {
    if (gpus < 2) return;
    const double perLink = accelerator.architecture == "Blackwell" ? kNvlinkBlackwellBytesPerS : kNvlinkBytesPerS;
    const double host = accelerator.hostLinkBytesPerS > 0 ? accelerator.hostLinkBytesPerS : 25e9;
    std::set<std::string> kinds;
    std::vector<std::string> odd;
    for (std::size_t a = 0; a < gpus; ++a)
        for (std::size_t b = a + 1; b < gpus; ++b) {
            kinds.insert(cell(matrix, a, b));
            const std::string &there = matrix.cells[a][b], &back = matrix.cells[b][a];
            if (!there.empty() && !back.empty() && there != back)
                odd.push_back(fmt::format("GPU{}-GPU{} is {} one way and {} the other", a, b, there, back));
        }
    if (!odd.empty())
        builder.warn("topo-not-symmetric",
                     fmt::format("the matrix is not symmetric: {}; the slower is taken", fmt::join(odd, "; ")),
                     "/cluster/nodes/0/intra");
    kinds.erase("");
    if (kinds.size() == 1 && odd.empty()) {
        const std::string& link = *kinds.begin();
        const int count = nvlinks(link);
        builder.understand(fmt::format("{} between all {} GPUs", link, gpus));
        if (count > 0)
            node["intra"] = {{"shape", "switched"}, {"kind", "nvswitch"}, {"bandwidth_bytes_per_s", count * perLink}};
        else
            node["intra"] = {
                {"shape", "pcie_tree"}, {"kind", "pcie"}, {"bandwidth_bytes_per_s", std::round(host * pcieShare(link))}};
        return;
    }
    std::map<std::string, int> pairs;
    json rows = json::array();
    for (std::size_t a = 0; a < gpus; ++a) {
        json row = json::array();
        for (std::size_t b = 0; b < gpus; ++b) {
            double bandwidth = 0;
            if (a != b) {
                for (const std::string& link : {matrix.cells[a][b], matrix.cells[b][a]}) {
                    if (link.empty()) continue;
                    const double one = nvlinks(link) > 0 ? nvlinks(link) * perLink : std::round(host * pcieShare(link));
                    bandwidth = bandwidth == 0 ? one : std::min(bandwidth, one);
                }
                if (bandwidth == 0) bandwidth = std::round(host * pcieShare("SYS"));
                if (a < b) ++pairs[cell(matrix, a, b)];
            }
            row.push_back(bandwidth);
        }
        rows.push_back(std::move(row));
    }
    bool anyNvlink = false;
    std::vector<std::string> shown;
    for (const auto& [link, count] : pairs) {
        shown.push_back(fmt::format("{} x {}", count, link.empty() ? "not shown" : link));
        anyNvlink = anyNvlink || nvlinks(link) > 0;
    }
    builder.understand(fmt::format("pairs of GPUs: {}", fmt::join(shown, ", ")));
    node["intra"] = {{"shape", "mesh"}, {"kind", anyNvlink ? "nvlink" : "pcie"}, {"matrix_bytes_per_s", std::move(rows)}};
    builder.report().assumed.push_back(
        {"/cluster/nodes/0/intra/matrix_bytes_per_s", "\"rates\"",
         fmt::format(
             "{:.0f} GB/s per NVLink; over PCIe {:.0f} GB/s for PIX and PXB, less for PHB (85 %), NODE (75 %) and SYS (60 %)",
             perLink / 1e9, host / 1e9)});
}

Result<ImportResult> readNvidia(const std::string& text, const ImportContext& context) {
    auto matrix = readMatrix(text, context.where);
    if (!matrix) return tl::unexpected<Error>(matrix.error());
    ImportBuilder builder("topo", context);
    const auto gpus = static_cast<std::size_t>(std::count_if(matrix->columns.begin(), matrix->columns.end(), isGpu));
    int most = 0, least = 1000;
    for (std::size_t a = 0; a < gpus; ++a)
        for (std::size_t b = a + 1; b < gpus; ++b) {
            most = std::max(most, nvlinks(cell(*matrix, a, b)));
            least = std::min(least, nvlinks(cell(*matrix, a, b)));
        }
    std::string id;
    const auto given = context.variables.find("ACCELERATOR");
    const std::string named = given != context.variables.end() ? given->second
                              : matrix->gpuNames.empty()       ? ""
                                                               : matrix->gpuNames.front();
    if (!named.empty()) id = acceleratorIdFromName(*context.presets, named);
    if (!named.empty() && id.empty())
        builder.warn("unknown-accelerator", fmt::format("the accelerator \"{}\" is not known; choose one in the cluster", named),
                     "/cluster/nodes/0/accelerators/0");
    const bool known = !id.empty();
    const Guess guess = guessAccelerator(gpus, most, least);
    if (!known) id = guess.id;
    const auto accelerator = context.presets->accelerator(id);
    if (!accelerator) return tl::unexpected<Error>(accelerator.error());

    json node = {{"id", "node"}, {"count", 1}, {"accelerators", json::array({{{"accelerator", id}, {"count", gpus}}})}};
    builder.understand(fmt::format("{} GPU{}", gpus, gpus == 1 ? "" : "s"));
    if (known)
        builder.understand(fmt::format("the accelerator is {} ({})", named, id));
    else
        builder.report().assumed.push_back({"/cluster/nodes/0/accelerators/0/accelerator", "\"" + id + "\"",
                                            guess.reason + "; say which with --define ACCELERATOR=NAME"});
    addIntra(*matrix, gpus, **accelerator, builder, node);
    const double nic = id.starts_with("h") || id.starts_with("b") || id.starts_with("g") ? 50e9
                       : id.starts_with("a100-sxm")                                      ? 25e9
                                                                                         : 12.5e9;
    addNics(*matrix, gpus, nic, builder, node);
    if (matrix->cut > 0)
        builder.warn(
            "topo-cut",
            fmt::format("{} row{} of the table {} cut; what is missing was taken from across the diagonal, the rest as SYS",
                        matrix->cut, matrix->cut == 1 ? "" : "s", matrix->cut == 1 ? "is" : "are"),
            "/cluster/nodes/0/intra");
    if (matrix->wrapped)
        builder.warn("topo-wrapped", "lines were wrapped by the terminal; columns after the GPU matrix could not be read",
                     "/cluster/nodes/0");
    builder.ignore("CPU and NUMA affinity (no effect on the plan)");
    builder.scenario["cluster"] = {{"nodes", json::array({std::move(node)})}};
    return builder.finish();
}

Result<ImportResult> readRocm(const std::string& text, const ImportContext& context) {
    std::size_t gpus = 0;
    bool inTypes = false;
    std::vector<std::vector<std::string>> types;
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        begin = end + 1;
        if (line.find("Link Type") != std::string::npos) {
            inTypes = true;
            continue;
        }
        if (line.find("====") != std::string::npos) inTypes = false;
        const auto words = wordsOf(line);
        if (words.empty()) continue;
        if (isGpu(words[0]) && words.size() > 1 && isGpu(words[1])) gpus = std::max(gpus, words.size());
        if (isGpu(words[0]) && words.size() > 1 && !isGpu(words[1]) && inTypes)
            types.emplace_back(words.begin() + 1, words.end());
    }
    if (gpus == 0 && !types.empty()) gpus = types.size();
    if (gpus == 0 || gpus > 256 || types.empty())
        return failure(Error::Kind::unreadable, "topo-unreadable", context.where,
                       "the table \"Link Type between two GPUs\" was not found; expected the output of `rocm-smi --showtopo`");
    ImportBuilder builder("topo", context);
    bool allXgmi = true, symmetric = true, anyXgmi = false;
    for (std::size_t a = 0; a < types.size(); ++a)
        for (std::size_t b = 0; b < types[a].size(); ++b) {
            if (a == b) continue;
            allXgmi = allXgmi && types[a][b] == "XGMI";
            anyXgmi = anyXgmi || types[a][b] == "XGMI";
            if (b < types.size() && a < types[b].size() && types[a][b] != types[b][a]) symmetric = false;
        }
    const auto given = context.variables.find("ACCELERATOR");
    std::string id = given != context.variables.end() ? acceleratorIdFromName(*context.presets, given->second) : "";
    const bool known = !id.empty();
    if (!known) id = anyXgmi ? "mi300x" : "mi210";
    json node = {{"id", "node"}, {"count", 1}, {"accelerators", json::array({{{"accelerator", id}, {"count", gpus}}})}};
    builder.understand(fmt::format("{} GPUs, {}", gpus,
                                   allXgmi   ? "xGMI between all"
                                   : anyXgmi ? "xGMI between some, PCIe between the others"
                                             : "PCIe between all"));
    if (!known)
        builder.report().assumed.push_back({"/cluster/nodes/0/accelerators/0/accelerator", "\"" + id + "\"",
                                            "the tables do not name the accelerator; say which with --define ACCELERATOR=NAME"});
    if (!symmetric)
        builder.warn("topo-not-symmetric", "the table of link types is not symmetric; the upper half is taken",
                     "/cluster/nodes/0/intra");
    const auto accelerator = context.presets->accelerator(id);
    const double total = accelerator && (*accelerator)->scaleUpBytesPerS > 0 ? (*accelerator)->scaleUpBytesPerS : 450e9;
    const double host = accelerator && (*accelerator)->hostLinkBytesPerS > 0 ? (*accelerator)->hostLinkBytesPerS : 32e9;
    if (allXgmi && gpus > 1) {
        node["intra"] = {{"shape", "mesh"},
                         {"kind", "xgmi"},
                         {"bandwidth_bytes_per_s", std::round(total / static_cast<double>(std::max<std::size_t>(gpus - 1, 7)))}};
    } else if (gpus > 1 && !anyXgmi) {
        node["intra"] = {{"shape", "pcie_tree"}, {"kind", "pcie"}, {"bandwidth_bytes_per_s", host}};
    } else if (gpus > 1) {
        json rows = json::array();
        for (std::size_t a = 0; a < gpus; ++a) {
            json row = json::array();
            for (std::size_t b = 0; b < gpus; ++b) {
                const std::size_t first = std::min(a, b), second = std::max(a, b);
                const bool xgmi = first < types.size() && second < types[first].size() && types[first][second] == "XGMI";
                row.push_back(a == b ? 0.0 : xgmi ? std::round(total / 7) : host);
            }
            rows.push_back(std::move(row));
        }
        node["intra"] = {{"shape", "mesh"}, {"kind", "xgmi"}, {"matrix_bytes_per_s", std::move(rows)}};
    }
    builder.ignore("weights, hops and NUMA nodes (they follow from the links)");
    builder.scenario["cluster"] = {{"nodes", json::array({std::move(node)})}};
    return builder.finish();
}

Result<ImportResult> read(std::string_view text, const ImportContext& context) {
    const std::string plain = withoutEscapes(text.substr(0, std::size_t{1} << 20));
    if (plain.find("between two GPUs") != std::string::npos || plain.find("(Topology)") != std::string::npos)
        return readRocm(plain, context);
    return readNvidia(plain, context);
}

double likeness(std::string_view text) {
    if (text.find("between two GPUs") != std::string_view::npos) return 0.95;
    const bool matrix = text.find("GPU0") != std::string_view::npos && text.find('{') == std::string_view::npos &&
                        text.find('<') == std::string_view::npos;
    return matrix && text.find('X') != std::string_view::npos ? 0.9 : 0;
}

}  // namespace

const Importer kTopologyMatrixImporter{"topo", "nvidia-smi topo -m, rocm-smi --showtopo", "cluster", read, likeness};

}  // namespace trainyard
