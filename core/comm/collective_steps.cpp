#include "core/comm/collective_steps.h"

#include <algorithm>

namespace trainyard {
namespace {

using Phase = CollectiveStep::Phase;
using Holds = std::vector<std::vector<PartState>>;
constexpr int kLayers = 2;  ///< that ZeRO gathers one after the other

Holds table(int members, int parts, PartState state) {
    return Holds(static_cast<std::size_t>(members), std::vector<PartState>(static_cast<std::size_t>(parts), state));
}

PartState& at(Holds& holds, int member, int part) {
    return holds[static_cast<std::size_t>(member)][static_cast<std::size_t>(part)];
}

int wrapped(int value, int n) { return ((value % n) + n) % n; }

std::vector<CollectiveStep> allReduce(int n) {
    std::vector<CollectiveStep> steps;
    Holds holds = table(n, n, PartState::own);
    steps.push_back({Phase::start, {}, holds});
    for (int step = 0; step < n - 1; ++step) {
        CollectiveStep next{Phase::reduceScatter, {}, {}};
        for (int member = 0; member < n; ++member)
            next.transfers.push_back({member, wrapped(member + 1, n), wrapped(member - step, n), true});
        for (const StepTransfer& t : next.transfers)
            at(holds, t.to, t.part) = step == n - 2 ? PartState::complete : PartState::partial;
        next.holds = holds;
        steps.push_back(std::move(next));
    }
    for (int step = 0; step < n - 1; ++step) {
        CollectiveStep next{Phase::allGather, {}, {}};
        for (int member = 0; member < n; ++member)
            next.transfers.push_back({member, wrapped(member + 1, n), wrapped(member + 1 - step, n), false});
        for (const StepTransfer& t : next.transfers) at(holds, t.to, t.part) = PartState::complete;
        next.holds = holds;
        steps.push_back(std::move(next));
    }
    return steps;
}

/// Part p of a member is what it has for member p; afterwards part p is what member p had for it.
std::vector<CollectiveStep> allToAll(int n) {
    std::vector<CollectiveStep> steps;
    Holds holds = table(n, n, PartState::own);
    for (int member = 0; member < n; ++member) at(holds, member, member) = PartState::complete;
    steps.push_back({Phase::start, {}, holds});
    for (int distance = 1; distance < n; ++distance) {
        CollectiveStep next{Phase::allToAll, {}, {}};
        for (int member = 0; member < n; ++member) {
            const int to = wrapped(member + distance, n);
            next.transfers.push_back({member, to, member, false});
        }
        for (const StepTransfer& t : next.transfers) at(holds, t.to, t.part) = PartState::complete;
        next.holds = holds;
        steps.push_back(std::move(next));
    }
    return steps;
}

std::vector<CollectiveStep> ringAttention(int n) {
    std::vector<CollectiveStep> steps;
    Holds done = table(n, n, PartState::none);
    for (int member = 0; member < n; ++member) at(done, member, member) = PartState::working;
    steps.push_back({Phase::start, {}, done});
    for (int step = 1; step < n; ++step) {
        CollectiveStep next{Phase::attend, {}, {}};
        for (int member = 0; member < n; ++member)
            next.transfers.push_back({member, wrapped(member + 1, n), wrapped(member - step + 1, n), false});
        for (auto& row : done)
            for (PartState& state : row)
                if (state == PartState::working) state = PartState::complete;
        for (const StepTransfer& t : next.transfers) at(done, t.to, t.part) = PartState::working;
        next.holds = done;
        steps.push_back(std::move(next));
    }
    for (auto& row : done)
        for (PartState& state : row) state = PartState::complete;
    steps.push_back({Phase::attend, {}, done});
    return steps;
}

std::vector<CollectiveStep> zeroGather(int n) {
    std::vector<CollectiveStep> steps;
    const auto shards = [n] {
        Holds holds = table(n, n, PartState::none);
        for (int member = 0; member < n; ++member) at(holds, member, member) = PartState::own;
        return holds;
    };
    steps.push_back({Phase::start, {}, shards()});
    for (int layer = 0; layer < kLayers; ++layer) {
        Holds holds = shards();
        for (int step = 0; step < n - 1; ++step) {
            CollectiveStep next{Phase::gather, {}, {}};
            for (int member = 0; member < n; ++member)
                next.transfers.push_back({member, wrapped(member + 1, n), wrapped(member - step, n), false});
            for (const StepTransfer& t : next.transfers)
                if (at(holds, t.to, t.part) == PartState::none) at(holds, t.to, t.part) = PartState::complete;
            next.holds = holds;
            steps.push_back(std::move(next));
        }
        for (auto& row : holds)
            for (PartState& state : row) state = PartState::working;
        steps.push_back({Phase::compute, {}, holds});
        steps.push_back({Phase::free, {}, shards()});
    }
    return steps;
}

}  // namespace

std::vector<CollectiveStep> collectiveSteps(CollectivePlay kind, int members) {
    const int n = std::clamp(members, 2, kMostMembers);
    switch (kind) {
        case CollectivePlay::allReduce: return allReduce(n);
        case CollectivePlay::allToAll: return allToAll(n);
        case CollectivePlay::ringAttention: return ringAttention(n);
        case CollectivePlay::zeroGather: return zeroGather(n);
    }
    return {};
}

}  // namespace trainyard
