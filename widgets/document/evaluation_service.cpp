#include "widgets/document/evaluation_service.h"

#include <QMetaObject>
#include <utility>

namespace trainyard {
namespace {
/// A job whose input is outdated may run on this long before it is stopped.
constexpr std::chrono::milliseconds kPatience{1000};
}  // namespace

EvaluationService::EvaluationService(Evaluator evaluator, Executor executor, QObject* parent)
    : QObject(parent), evaluator_(std::move(evaluator)), executor_(executor) {
    if (executor_ == Executor::worker) thread_ = std::jthread([this](const std::stop_token& stop) { loop(stop); });
}

EvaluationService::~EvaluationService() {
    abandon();
    if (thread_.joinable()) {
        thread_.request_stop();
        thread_.join();
    }
}

void EvaluationService::request(quint64 revision, Snapshot snapshot, Depth depth) {
    if (executor_ == Executor::inLine) {
        emit evaluated(revision, std::make_shared<const Evaluation>(evaluator_(*snapshot, depth, {})));
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        pending_ = Request{revision, std::move(snapshot), depth};
        if (running_ && std::chrono::steady_clock::now() - startedAt_ > kPatience) jobStop_.request_stop();
    }
    wake_.notify_one();
}

void EvaluationService::abandon() {
    const std::lock_guard lock(mutex_);
    pending_.reset();
    if (running_) jobStop_.request_stop();
}

bool EvaluationService::isBusy() const {
    const std::lock_guard lock(mutex_);
    return running_ || pending_.has_value();
}

void EvaluationService::loop(const std::stop_token& stop) {
    while (true) {
        Request job;
        std::stop_token jobStop;
        {
            std::unique_lock lock(mutex_);
            running_ = false;
            if (!wake_.wait(lock, stop, [this] { return pending_.has_value(); })) return;
            job = std::move(*pending_);
            pending_.reset();
            running_ = true;
            startedAt_ = std::chrono::steady_clock::now();
            jobStop_ = std::stop_source();
            jobStop = jobStop_.get_token();
        }
        auto result = std::make_shared<const Evaluation>(evaluator_(*job.snapshot, job.depth, jobStop));
        if (jobStop.stop_requested()) continue;
        QMetaObject::invokeMethod(
            this, [this, revision = job.revision, result] { emit evaluated(revision, result); }, Qt::QueuedConnection);
    }
}

}  // namespace trainyard
