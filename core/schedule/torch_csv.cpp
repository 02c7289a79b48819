#include "core/schedule/torch_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>
#include <utility>

#include "core/schedule/action_text.h"
#include "core/schedule/infer_placement.h"

namespace trainyard {

namespace {

enum class Op : std::uint8_t {
    forward,
    input,
    weight,
    whole,
    unshard,
    reshard,
    reduceGradient,
    sendForward,
    receiveForward,
    sendBackward,
    receiveBackward
};

struct Token {
    Op op = Op::forward;
    int stage = 0;
    int microBatch = -1;
};

struct OpName {
    std::string_view name;
    Op op;
    bool hasMicroBatch;
};
// Longer names first, so that BW is not read as B.
constexpr OpName kOps[] = {
    {"REDUCE_GRAD", Op::reduceGradient, false},
    {"UNSHARD", Op::unshard, false},
    {"RESHARD", Op::reshard, false},
    {"SEND_F", Op::sendForward, true},
    {"RECV_F", Op::receiveForward, true},
    {"SEND_B", Op::sendBackward, true},
    {"RECV_B", Op::receiveBackward, true},
    {"BW", Op::whole, true},
    {"F", Op::forward, true},
    {"I", Op::input, true},
    {"W", Op::weight, true},
    {"B", Op::whole, true},
};

constexpr std::string_view kOverlap = "OVERLAP_F_B";

bool takeNumber(std::string_view& text, int& value) {
    const auto [next, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value < 0 || value > 16'000'000) return false;
    text.remove_prefix(static_cast<std::size_t>(next - text.data()));
    return true;
}

/// One `<stage><op><micro-batch>`; the whole text must match.
bool parseToken(std::string_view text, TorchDialect dialect, Token& token) {
    if (!takeNumber(text, token.stage) || token.stage > 65534) return false;
    for (const OpName& op : kOps) {
        if (text.substr(0, op.name.size()) != op.name) continue;
        text.remove_prefix(op.name.size());
        token.op = dialect == TorchDialect::old && op.name == "B" ? Op::input : op.op;
        if (op.hasMicroBatch && !takeNumber(text, token.microBatch)) return false;
        return text.empty();
    }
    return false;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '"' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '"' || text.back() == '\r' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

/// Letters of a compute cell behind its stage number, empty for anything else.
std::string_view lettersOf(std::string_view cell) {
    while (!cell.empty() && cell.front() >= '0' && cell.front() <= '9') cell.remove_prefix(1);
    std::size_t end = 0;
    while (end < cell.size() && ((cell[end] >= 'A' && cell[end] <= 'Z') || cell[end] == '_')) ++end;
    return cell.substr(0, end);
}

std::vector<std::vector<std::string_view>> cellsOf(std::string_view text) {
    std::vector<std::vector<std::string_view>> rows;
    while (!text.empty()) {
        const std::size_t lineEnd = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, lineEnd);
        text.remove_prefix(std::min(lineEnd + 1, text.size()));
        if (trimmed(line).empty() && text.empty()) break;
        auto& row = rows.emplace_back();
        while (true) {
            const std::size_t comma = line.find(',');
            row.push_back(trimmed(line.substr(0, comma)));
            if (comma == std::string_view::npos) break;
            line.remove_prefix(comma + 1);
        }
    }
    while (!rows.empty() &&
           std::all_of(rows.back().begin(), rows.back().end(), [](std::string_view cell) { return cell.empty(); }))
        rows.pop_back();
    return rows;
}

TorchDialect dialectOf(const std::vector<std::vector<std::string_view>>& rows) {
    bool whole = false;
    bool weight = false;
    bool input = false;
    const auto look = [&](std::string_view cell) {
        const std::string_view letters = lettersOf(cell);
        if (letters == "BW") return true;
        whole = whole || letters == "B";
        weight = weight || letters == "W";
        input = input || letters == "I";
        return false;
    };
    for (const auto& row : rows)
        for (const std::string_view cell : row) {
            const std::size_t middle = cell.find(';');
            if (middle == std::string_view::npos ? look(cell)
                                                 : (look(cell.substr(1, middle - 1)) || look(cell.substr(middle + 1))))
                return TorchDialect::old;
        }
    return whole && weight && !input ? TorchDialect::old : TorchDialect::current;
}

Action actionOf(const Token& token) {
    Action a;
    a.stage = static_cast<std::uint16_t>(token.stage);
    a.microBatch = static_cast<std::uint32_t>(std::max(0, token.microBatch));
    switch (token.op) {
        case Op::forward: a.kind = ActionKind::forward; break;
        case Op::input: a.kind = ActionKind::backwardInput; break;
        case Op::weight: a.kind = ActionKind::backwardWeight; break;
        case Op::whole: a.kind = ActionKind::backward; break;
        case Op::unshard: a.kind = ActionKind::allGather; break;
        case Op::reshard: break;
        case Op::reduceGradient: a.kind = ActionKind::reduceScatter; break;
        case Op::sendForward:
        case Op::sendBackward: a.kind = ActionKind::send; break;
        case Op::receiveForward:
        case Op::receiveBackward: a.kind = ActionKind::receive; break;
    }
    if (token.op == Op::sendBackward || token.op == Op::receiveBackward) a.flags |= kGradient;
    if (token.op == Op::unshard || token.op == Op::reduceGradient) a.lane = Lane::data;
    if (a.kind == ActionKind::send || a.kind == ActionKind::receive) a.lane = Lane::pipeline;
    return a;
}

/// Sends and receives of every link must come in the same order on both sides, or the transfers cross.
Result<void> checkLinkOrder(const ActionLists& lists, std::string_view where) {
    struct Link {
        int from;
        int to;
        bool operator<(const Link& other) const { return std::pair(from, to) < std::pair(other.from, other.to); }
    };
    struct Transfer {
        std::uint32_t microBatch;
        int fromStage;
        bool gradient;
        bool operator==(const Transfer&) const = default;
    };
    std::vector<std::pair<Link, std::pair<Transfer, bool>>> transfers;
    const auto& rankOf = lists.rankOfStage[0];
    for (int rank = 0; rank < lists.ranks(); ++rank)
        for (std::uint32_t i = lists.rankBegin[static_cast<std::size_t>(rank)];
             i < lists.rankBegin[static_cast<std::size_t>(rank) + 1]; ++i) {
            const Action& a = lists.actions[i];
            const bool sends = a.kind == ActionKind::send;
            if (!sends && a.kind != ActionKind::receive) continue;
            const bool gradient = (a.flags & kGradient) != 0;
            const int step = gradient ? -1 : 1;
            const int fromStage = sends ? a.stage : a.stage - step;
            const int toStage = fromStage + step;
            if (fromStage < 0 || toStage < 0 || fromStage >= lists.stages || toStage >= lists.stages)
                return failure(Error::Kind::invalid, "schedule-transfer",
                               fmt::format("{}: rank {}: {}", where, rank, actionText(a, false)),
                               fmt::format("{} has no stage on its other side", actionText(a, false)));
            transfers.push_back({{rankOf[static_cast<std::size_t>(fromStage)], rankOf[static_cast<std::size_t>(toStage)]},
                                 {{a.microBatch, fromStage, gradient}, sends}});
        }
    std::stable_sort(transfers.begin(), transfers.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
    for (std::size_t begin = 0; begin < transfers.size();) {
        std::size_t end = begin;
        std::vector<Transfer> sent;
        std::vector<Transfer> received;
        for (; end < transfers.size() && !(transfers[begin].first < transfers[end].first); ++end)
            (transfers[end].second.second ? sent : received).push_back(transfers[end].second.first);
        const Link link = transfers[begin].first;
        begin = end;
        if (sent == received) continue;
        const std::size_t at = static_cast<std::size_t>(
            std::mismatch(sent.begin(), sent.end(), received.begin(), received.end()).first - sent.begin());
        const Transfer& culprit = at < sent.size() ? sent[at] : received[at];
        return failure(
            Error::Kind::invalid, "schedule-transfer-order", fmt::format("{}: rank {} to rank {}", where, link.from, link.to),
            fmt::format("transfer {} from rank {} to rank {} ({} of micro-batch {} from stage {}) is sent and received in "
                        "different order",
                        at, link.from, link.to, culprit.gradient ? "gradient" : "output", culprit.microBatch, culprit.fromStage));
    }
    return {};
}

}  // namespace

Result<TorchImport> parseTorchCsv(std::string_view text, std::string_view where) {
    TorchImport result;
    const auto rows = cellsOf(text);
    if (rows.empty())
        return failure(Error::Kind::unreadable, "schedule-empty", std::string(where),
                       "the file has no rows; expected one row of cells like 0F0 per rank");
    result.dialect = dialectOf(rows);
    std::size_t idle = 0;
    std::size_t reshards = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        result.lists.rankBegin.push_back(static_cast<std::uint32_t>(result.lists.actions.size()));
        for (std::size_t column = 0; column < rows[row].size(); ++column) {
            std::string_view cell = rows[row][column];
            if (cell.empty()) {
                ++idle;
                continue;
            }
            const auto refuse = [&] {
                return failure(Error::Kind::unreadable, "schedule-cell", fmt::format("{}:{}:cell {}", where, row + 1, column + 1),
                               fmt::format("`{}` is no cell of a torch schedule; expected for example 0F0, 3I1 or (0F7;7B3){}",
                                           rows[row][column], kOverlap));
            };
            Token token;
            if (cell.front() == '(') {
                const std::size_t middle = cell.find(';');
                const std::size_t close = cell.find(')');
                if (middle == std::string_view::npos || close == std::string_view::npos || close < middle ||
                    cell.substr(close + 1) != kOverlap)
                    return refuse();
                Token second;
                if (!parseToken(trimmed(cell.substr(1, middle - 1)), result.dialect, token) ||
                    !parseToken(trimmed(cell.substr(middle + 1, close - middle - 1)), result.dialect, second))
                    return refuse();
                result.lists.actions.push_back(actionOf(token));
                result.lists.actions.back().flags |= kPairHead;
                result.lists.actions.push_back(actionOf(second));
                result.lists.actions.back().flags |= kPairTail;
                continue;
            }
            if (!parseToken(cell, result.dialect, token)) return refuse();
            if (token.op >= Op::unshard) result.hasCommunication = true;
            if (token.op == Op::reshard) {
                ++reshards;
                continue;
            }
            result.lists.actions.push_back(actionOf(token));
        }
    }
    result.lists.rankBegin.push_back(static_cast<std::uint32_t>(result.lists.actions.size()));
    if (Result<void> done = inferPlacement(result.lists); !done) {
        done.error().where = fmt::format("{}: {}", where, done.error().where);
        return tl::unexpected<Error>(done.error());
    }
    if (result.lists.rankOfStage.size() > 1)
        return failure(Error::Kind::invalid, "schedule-stage-on-two-ranks", std::string(where),
                       "a stage runs on more than one rank, which a torch schedule may not");
    if (Result<void> done = checkLinkOrder(result.lists, where); !done) return tl::unexpected<Error>(done.error());
    result.notes.push_back(result.dialect == TorchDialect::old
                               ? "old letters: B is the input gradient, BW the whole backward"
                               : "current letters: I is the input gradient, B the whole backward");
    if (idle > 0)
        result.notes.push_back(fmt::format("{} empty cells (idle slots) were dropped, as torch does when it runs them", idle));
    if (reshards > 0)
        result.notes.push_back(fmt::format("{} RESHARD cells free weights and take no time; they were left out", reshards));
    return result;
}

namespace {

/// What the writer works on: one cell of the CSV.
struct Cell {
    Token token;
    Token second;
    bool pair = false;
};

bool isForward(const Token& t) { return t.op == Op::forward; }
bool givesGradient(const Token& t) { return t.op == Op::input || t.op == Op::whole; }

std::string_view nameOf(Op op) {
    for (const OpName& candidate : kOps)
        if (candidate.op == op && candidate.name != "BW") return candidate.name;
    return "?";
}

void appendToken(std::string& out, const Token& t) {
    out += fmt::format("{}{}", t.stage, nameOf(t.op));
    if (t.microBatch >= 0) out += fmt::format("{}", t.microBatch);
}

Token computeToken(const Action& a) {
    Token t;
    t.stage = a.stage;
    t.microBatch = static_cast<int>(a.microBatch);
    t.op = a.kind == ActionKind::forward          ? Op::forward
           : a.kind == ActionKind::backwardInput  ? Op::input
           : a.kind == ActionKind::backwardWeight ? Op::weight
                                                  : Op::whole;
    return t;
}

/// Gathers up to three stages ahead; what leaves that window is resharded.
std::vector<Cell> withGathers(const std::vector<Cell>& cells) {
    constexpr std::size_t kMaximumGathered = 3;
    std::vector<Cell> out;
    std::vector<int> gathered;
    const auto put = [&](int stage, Op op) { out.push_back({{op, stage, -1}, {}, false}); };
    for (std::size_t i = 0; i < cells.size(); ++i) {
        std::vector<int> ahead;
        const auto see = [&](int stage) {
            if (ahead.size() < kMaximumGathered && std::find(ahead.begin(), ahead.end(), stage) == ahead.end())
                ahead.push_back(stage);
        };
        for (std::size_t j = i; j < cells.size() && ahead.size() < kMaximumGathered; ++j) {
            see(cells[j].token.stage);
            if (cells[j].pair) see(cells[j].second.stage);
        }
        for (std::size_t k = 0; k < gathered.size();) {
            if (std::find(ahead.begin(), ahead.end(), gathered[k]) != ahead.end()) {
                ++k;
                continue;
            }
            put(gathered[k], Op::reshard);
            gathered.erase(gathered.begin() + static_cast<std::ptrdiff_t>(k));
        }
        for (const int stage : ahead)
            if (std::find(gathered.begin(), gathered.end(), stage) == gathered.end()) {
                put(stage, Op::unshard);
                gathered.push_back(stage);
            }
        out.push_back(cells[i]);
    }
    for (const int stage : gathered) put(stage, Op::reshard);
    return out;
}

/// A reduction after the last weight gradient of each stage.
std::vector<Cell> withReductions(const std::vector<Cell>& cells, int stages, int microBatches) {
    std::vector<Cell> out;
    std::vector<int> finished(static_cast<std::size_t>(stages), 0);
    for (const Cell& cell : cells) {
        out.push_back(cell);
        const auto count = [&](const Token& t) {
            if (t.op != Op::whole && t.op != Op::weight) return;
            if (++finished[static_cast<std::size_t>(t.stage)] == microBatches)
                out.push_back({{Op::reduceGradient, t.stage, -1}, {}, false});
        };
        count(cell.token);
        if (cell.pair) count(cell.second);
    }
    return out;
}

/// A send after each result that leaves the rank, and at the same moment the receive on the other side. Ranks are served in
/// turn, one cell each, as soon as the inputs of their next cell are there.
Result<std::vector<std::vector<Cell>>> withTransfers(const std::vector<std::vector<Cell>>& ranks,
                                                     const std::vector<std::uint16_t>& rankOf) {
    const int last = static_cast<int>(rankOf.size()) - 1;
    std::vector<std::vector<Cell>> out(ranks.size());
    std::vector<std::size_t> next(ranks.size(), 0);
    std::vector<std::set<std::pair<int, std::pair<int, int>>>> available(
        ranks.size());  // kind (0 input, 1 gradient), stage, micro-batch
    const auto isReady = [&](const Token& t, std::size_t rank) {
        if (isForward(t)) return t.stage == 0 || available[rank].count({0, {t.stage, t.microBatch}}) != 0;
        if (givesGradient(t)) return t.stage == last || available[rank].count({1, {t.stage, t.microBatch}}) != 0;
        return true;
    };
    const auto transfer = [&](const Token& t, std::size_t rank) {
        const bool gradient = givesGradient(t);
        if (!gradient && !isForward(t)) return;
        const int target = t.stage + (gradient ? -1 : 1);
        if (target < 0 || target > last) return;
        const std::size_t to = rankOf[static_cast<std::size_t>(target)];
        available[to].insert({gradient ? 1 : 0, {target, t.microBatch}});
        if (to == rank) return;
        out[rank].push_back({{gradient ? Op::sendBackward : Op::sendForward, t.stage, t.microBatch}, {}, false});
        out[to].push_back({{gradient ? Op::receiveBackward : Op::receiveForward, target, t.microBatch}, {}, false});
    };
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            if (next[rank] >= ranks[rank].size()) continue;
            const Cell& cell = ranks[rank][next[rank]];
            if (!isReady(cell.token, rank) || (cell.pair && !isReady(cell.second, rank))) continue;
            out[rank].push_back(cell);
            transfer(cell.token, rank);
            if (cell.pair) transfer(cell.second, rank);
            ++next[rank];
            moved = true;
        }
    }
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        if (next[rank] < ranks[rank].size()) {
            std::string cell;
            appendToken(cell, ranks[rank][next[rank]].token);
            return failure(Error::Kind::invalid, "schedule-deadlock", fmt::format("rank {}", rank),
                           fmt::format("the schedule does not run: rank {} waits at {}", rank, cell));
        }
    return out;
}

}  // namespace

Result<std::string> writeTorchCsv(const ActionLists& lists, TorchForm form) {
    const auto refuse = [](std::string reason) {
        return failure(Error::Kind::invalid, "torch-csv-not-expressible", "schedule-csv", std::move(reason));
    };
    if (lists.rankOfStage.size() > 1)
        return refuse(
            "a torch schedule cannot hold one stage on two ranks, as bidirectional schedules and replicas do; use the native "
            "format");
    if (lists.slices > 1) return refuse("a torch schedule has no sequence slices; use the native format");
    std::vector<std::vector<Cell>> ranks;
    for (int rank = 0; rank < lists.ranks(); ++rank) {
        auto& cells = ranks.emplace_back();
        const std::uint32_t finish = lists.rankBegin[static_cast<std::size_t>(rank) + 1];
        for (std::uint32_t i = lists.rankBegin[static_cast<std::size_t>(rank)]; i < finish; ++i) {
            const Action& a = lists.actions[i];
            switch (a.kind) {
                case ActionKind::forward:
                case ActionKind::backward:
                case ActionKind::backwardInput:
                case ActionKind::backwardWeight: break;
                case ActionKind::recompute:
                case ActionKind::evict:
                case ActionKind::load:
                case ActionKind::offload:
                case ActionKind::reload:
                    return refuse(
                        fmt::format("a torch schedule has no action like {}; use the native format", actionText(a, false)));
                default: continue;  // gathers, reductions, transfers and updates are torch's own to place
            }
            const bool pair = (a.flags & kPairHead) != 0 && i + 1 < finish;
            cells.push_back({computeToken(a), pair ? computeToken(lists.actions[i + 1]) : Token{}, pair});
            if (pair) ++i;
        }
        if (form == TorchForm::withCommunication) cells = withReductions(withGathers(cells), lists.stages, lists.microBatches);
    }
    if (form == TorchForm::withCommunication) {
        auto lowered = withTransfers(ranks, lists.rankOfStage[0]);
        if (!lowered) return tl::unexpected<Error>(lowered.error());
        ranks = std::move(*lowered);
    }
    std::string out;
    for (const auto& cells : ranks) {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (i > 0) out += ',';
            if (!cells[i].pair) {
                appendToken(out, cells[i].token);
                continue;
            }
            out += '(';
            appendToken(out, cells[i].token);
            out += ';';
            appendToken(out, cells[i].second);
            out += ')';
            out += kOverlap;
        }
        out += '\n';
    }
    return out;
}

}  // namespace trainyard
