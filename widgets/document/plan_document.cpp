#include "widgets/document/plan_document.h"

#include <utility>

#include "widgets/document/evaluation_service.h"
#include "widgets/document/replace_snapshot_command.h"

namespace trainyard {

PlanDocument::PlanDocument(Snapshot snapshot, QObject* parent)
    : PlanDocument(std::move(snapshot), std::make_unique<EvaluationService>(&evaluate), parent) {}

PlanDocument::PlanDocument(Snapshot snapshot, std::unique_ptr<EvaluationService> service, QObject* parent)
    : QObject(parent), snapshot_(std::move(snapshot)), service_(std::move(service)) {
    connect(service_.get(), &EvaluationService::evaluated, this, &PlanDocument::setEvaluation);
    request();
}

PlanDocument::~PlanDocument() = default;

void PlanDocument::beginGesture(const QString& text) {
    if (inGesture_) endGesture();
    ++gesture_;
    inGesture_ = true;
    gestureStart_ = snapshot_;
    gestureText_ = text;
}

void PlanDocument::endGesture() {
    inGesture_ = false;
    gestureStart_.reset();
}

void PlanDocument::cancelGesture() {
    if (!inGesture_) return;
    edit(gestureStart_, gestureText_);  // merges into a command that ends where it began, which the stack then drops
    endGesture();
}

void PlanDocument::edit(Snapshot next, const QString& text) {
    if (next == snapshot_ || *next == *snapshot_) return;
    const quint64 gesture = inGesture_ ? gesture_ : 0;
    const QString& label = inGesture_ && !gestureText_.isEmpty() ? gestureText_ : text;
    undoStack_.push(new ReplaceSnapshotCommand(*this, snapshot_, std::move(next), gesture, label));
}

void PlanDocument::replace(Snapshot snapshot) {
    endGesture();
    service_->abandon();
    firstRevision_ = revision_ + 1;
    evaluation_.reset();
    evaluatedRevision_ = ~quint64{0};
    clearBaseline();
    apply(snapshot);
    undoStack_.clear();
    emit evaluationChanged();
}

void PlanDocument::pinBaseline() {
    baselineSnapshot_ = snapshot_;
    baseline_ = isUpToDate() ? evaluation_ : nullptr;
    baselineWaits_ = !isUpToDate();
    baselineRevision_ = revision_;
    emit baselineChanged();
}

void PlanDocument::clearBaseline() {
    if (!baselineSnapshot_) return;
    baselineSnapshot_.reset();
    baseline_.reset();
    baselineWaits_ = false;
    emit baselineChanged();
}

void PlanDocument::setEvaluation(quint64 revision, std::shared_ptr<const Evaluation> evaluation) {
    if (revision < firstRevision_) return;
    if (evaluation_ && revision < evaluatedRevision_) return;
    const bool wasUpToDate = isUpToDate();
    evaluatedRevision_ = revision;
    evaluation_ = std::move(evaluation);
    if (baselineWaits_ && revision >= baselineRevision_) {
        // A newer plan may have overtaken the pinned one; then the pinned snapshot is the nearest known state.
        baselineWaits_ = false;
        baseline_ = evaluation_;
        emit baselineChanged();
    }
    emit evaluationChanged();
    if (isUpToDate() != wasUpToDate) emit freshnessChanged();
}

void PlanDocument::apply(const Snapshot& snapshot) {
    const bool wasUpToDate = isUpToDate();
    snapshot_ = snapshot;
    ++revision_;
    emit snapshotChanged();
    if (wasUpToDate) emit freshnessChanged();
    request();
}

void PlanDocument::request() { service_->request(revision_, snapshot_, Depth::simulated); }

}  // namespace trainyard
