#pragma once

#include <QObject>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "core/engine/evaluate.h"

namespace trainyard {

/// Evaluates snapshots away from the GUI thread. A mailbox of one: the running job finishes, only the newest request
/// waits, so that a drag shows as many pictures as the engine can make (cancelling on every event would show only the last).
class EvaluationService : public QObject {
    Q_OBJECT
  public:
    using Evaluator = std::function<Evaluation(const Scenario&, Depth, std::stop_token)>;
    enum class Executor : std::uint8_t {
        worker,  ///< one thread of its own
        inLine,  ///< during request(), for tests and pictures
    };

    explicit EvaluationService(Evaluator evaluator, Executor executor = Executor::worker, QObject* parent = nullptr);
    ~EvaluationService() override;

    /// Replaces a waiting request. `evaluated` follows on the GUI thread, or never if a newer request came first.
    void request(quint64 revision, Snapshot snapshot, Depth depth = Depth::simulated);
    /// Drops the waiting request and stops the running job: its result will not be delivered.
    void abandon();
    [[nodiscard]] bool isBusy() const;

  signals:
    void evaluated(quint64 revision, std::shared_ptr<const trainyard::Evaluation> evaluation);

  private:
    struct Request {
        quint64 revision = 0;
        Snapshot snapshot;
        Depth depth = Depth::simulated;
    };
    void loop(const std::stop_token& stop);

    Evaluator evaluator_;
    Executor executor_;
    mutable std::mutex mutex_;
    std::condition_variable_any wake_;
    std::optional<Request> pending_;
    bool running_ = false;
    std::chrono::steady_clock::time_point startedAt_;
    std::stop_source jobStop_;
    std::jthread thread_;  ///< last: joined before what it uses goes
};

}  // namespace trainyard
