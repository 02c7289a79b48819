#include "widgets/timeline/timeline_panel.h"

#include <QVBoxLayout>

#include "widgets/panels/empty_state.h"

namespace trainyard {

TimelinePanel::TimelinePanel(PlanDocument* document, Selection* selection, QWidget* parent) : QWidget(parent) {
    Q_UNUSED(document)
    Q_UNUSED(selection)
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(new EmptyState(QString(), tr("The pipeline schedule appears here once the plan can be evaluated."), this));
}

}  // namespace trainyard
