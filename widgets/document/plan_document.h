#pragma once

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <memory>

#include "core/engine/evaluation.h"
#include "core/plan/scenario.h"

namespace trainyard {

class EvaluationService;

/// The open scenario: current snapshot, undo stack, newest evaluation, pinned baseline. Lives on the GUI thread and is the
/// only owner of state; views read and send edits.
class PlanDocument : public QObject {
    Q_OBJECT
  public:
    /// Evaluates with the engine on a worker thread.
    explicit PlanDocument(Snapshot snapshot, QObject* parent = nullptr);
    /// With a service of the caller's choice (tests, pictures).
    PlanDocument(Snapshot snapshot, std::unique_ptr<EvaluationService> service, QObject* parent = nullptr);
    ~PlanDocument() override;

    [[nodiscard]] Snapshot snapshot() const { return snapshot_; }
    [[nodiscard]] std::shared_ptr<const Evaluation> evaluation() const { return evaluation_; }  ///< may be null
    [[nodiscard]] std::shared_ptr<const Evaluation> baseline() const { return baseline_; }      ///< may be null
    [[nodiscard]] Snapshot baselineSnapshot() const { return baselineSnapshot_; }
    [[nodiscard]] bool isUpToDate() const { return evaluatedRevision_ == revision_; }
    [[nodiscard]] quint64 revision() const { return revision_; }
    [[nodiscard]] bool isInGesture() const { return inGesture_; }
    [[nodiscard]] QUndoStack& undoStack() { return undoStack_; }
    [[nodiscard]] EvaluationService& evaluations() { return *service_; }

    /// One gesture = one undo step: call begin at press, end at release (or cancel to restore). Edits in between merge.
    void beginGesture(const QString& text);
    void endGesture();
    void cancelGesture();

    /// Makes `next` current as one undo step (merged while a gesture runs). No effect if equal.
    void edit(Snapshot next, const QString& text);
    /// Another file: no undo across it.
    void replace(Snapshot snapshot);
    void pinBaseline();
    void clearBaseline();

  public slots:
    void setEvaluation(quint64 revision, std::shared_ptr<const trainyard::Evaluation> evaluation);

  signals:
    void snapshotChanged();    ///< the scenario is another
    void evaluationChanged();  ///< newer figures are there
    void freshnessChanged();   ///< isUpToDate() changed
    void baselineChanged();

  private:
    friend class ReplaceSnapshotCommand;
    void apply(const Snapshot& snapshot);
    void request();

    Snapshot snapshot_;
    Snapshot baselineSnapshot_;
    std::shared_ptr<const Evaluation> evaluation_;
    std::shared_ptr<const Evaluation> baseline_;
    QUndoStack undoStack_;
    quint64 revision_ = 0;
    quint64 evaluatedRevision_ = ~quint64{0};
    quint64 firstRevision_ = 0;  ///< of this file; older results belong to another
    quint64 baselineRevision_ = 0;
    bool baselineWaits_ = false;
    quint64 gesture_ = 0;
    bool inGesture_ = false;
    Snapshot gestureStart_;
    QString gestureText_;
    std::unique_ptr<EvaluationService> service_;
};

}  // namespace trainyard
