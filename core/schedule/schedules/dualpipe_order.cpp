#include "core/schedule/schedules/dualpipe_order.h"

#include <deque>

namespace trainyard {

namespace {

class Emitter {
  public:
    Emitter(ListBuilder& out, const DualPipeRank& rank) : out_(out), rank_(rank) {}

    void forward(int direction) {
        out_.forward(rank_.firstMicroBatch[direction] + forwards_[direction]++, rank_.stage[direction]);
    }

    void backward(int direction) {
        out_.backward(rank_.firstMicroBatch[direction] + backwards_[direction]++, rank_.stage[direction]);
    }

    void input(int direction) {
        const int microBatch = rank_.firstMicroBatch[direction] + backwards_[direction]++;
        out_.backwardInput(microBatch, rank_.stage[direction]);
        weights_.push_back({microBatch, rank_.stage[direction]});
    }

    void weight() {
        out_.backwardWeight(weights_.front().microBatch, weights_.front().stage);
        weights_.pop_front();
    }

    void pair(int forwardDirection) {
        forward(forwardDirection);
        backward(1 - forwardDirection);
        out_.pairLastTwo();
    }

  private:
    struct Weight {
        int microBatch;
        int stage;
    };
    ListBuilder& out_;
    const DualPipeRank& rank_;
    int forwards_[2] = {0, 0};
    int backwards_[2] = {0, 0};
    std::deque<Weight> weights_;
};

}  // namespace

void emitDualPipeRank(ListBuilder& out, const DualPipeRank& rank) {
    Emitter emitter(out, rank);
    const int outer = rank.half - 1 - rank.depth;
    const bool middle = outer == 0;
    for (int i = 0; i < 2 * outer; ++i) emitter.forward(0);
    for (int i = 0; i <= rank.depth; ++i) {
        emitter.forward(0);
        emitter.forward(1);
    }
    for (int i = 0; i < outer; ++i) {
        emitter.input(1);
        emitter.weight();
        emitter.forward(1);
    }
    const int steady = rank.perDirection - 2 * rank.half + rank.depth + 1;
    for (int i = 0; i < steady; ++i) {
        if (i == 0 && middle) {
            emitter.forward(0);
            emitter.backward(1);
        } else {
            emitter.pair(0);
        }
        emitter.pair(1);
    }
    for (int i = 0; i < outer; ++i) {
        emitter.backward(1);
        emitter.pair(1);
    }
    // Whole backwards until half-way, then the weight gradients are kept for the end.
    const int switchAt = (rank.depth + 1) / 2;
    bool split = false;
    for (int i = 0; i <= rank.depth; ++i) {
        if (i == switchAt && rank.depth % 2 == 1) split = true;
        split ? emitter.input(1) : emitter.backward(1);
        if (i == switchAt && rank.depth % 2 == 0) split = true;
        split ? emitter.input(0) : emitter.backward(0);
    }
    for (int i = 0; i < outer; ++i) {
        emitter.weight();
        emitter.input(0);
    }
    for (int i = 0; i <= rank.depth; ++i) emitter.weight();
}

}  // namespace trainyard
