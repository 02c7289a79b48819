#include "widgets/plots/memory_panel.h"

#include <QVBoxLayout>

#include "widgets/panels/empty_state.h"

namespace trainyard {

MemoryPanel::MemoryPanel(PlanDocument* document, Selection* selection, QWidget* parent) : QWidget(parent) {
    Q_UNUSED(document)
    Q_UNUSED(selection)
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(new EmptyState(QString(), tr("Memory per stage appears here once the plan can be evaluated."), this));
}

}  // namespace trainyard
