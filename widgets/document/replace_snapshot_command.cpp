#include "widgets/document/replace_snapshot_command.h"

#include <utility>

#include "widgets/document/plan_document.h"

namespace trainyard {

ReplaceSnapshotCommand::ReplaceSnapshotCommand(PlanDocument& document, Snapshot before, Snapshot after, quint64 gesture,
                                               const QString& text)
    : QUndoCommand(text), document_(document), before_(std::move(before)), after_(std::move(after)), gesture_(gesture) {}

void ReplaceSnapshotCommand::undo() { document_.apply(before_); }
void ReplaceSnapshotCommand::redo() { document_.apply(after_); }

int ReplaceSnapshotCommand::id() const { return gesture_ == 0 ? -1 : 1; }

bool ReplaceSnapshotCommand::mergeWith(const QUndoCommand* other) {
    const auto* next = static_cast<const ReplaceSnapshotCommand*>(other);  // same id, hence same type
    if (next->gesture_ != gesture_) return false;
    after_ = next->after_;
    setObsolete(*before_ == *after_);
    return true;
}

}  // namespace trainyard
