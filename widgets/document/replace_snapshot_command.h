#pragma once

#include <QUndoCommand>

#include "core/plan/scenario.h"

namespace trainyard {

class PlanDocument;

/// The one undo command: another snapshot. Commands of one gesture merge; a gesture that ends where it began vanishes.
class ReplaceSnapshotCommand : public QUndoCommand {
  public:
    /// `gesture` 0: stands alone.
    ReplaceSnapshotCommand(PlanDocument& document, Snapshot before, Snapshot after, quint64 gesture, const QString& text);

    void undo() override;
    void redo() override;
    [[nodiscard]] int id() const override;
    bool mergeWith(const QUndoCommand* other) override;

  private:
    PlanDocument& document_;
    Snapshot before_;
    Snapshot after_;
    quint64 gesture_;
};

}  // namespace trainyard
