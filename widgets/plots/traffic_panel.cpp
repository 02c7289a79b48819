#include "widgets/plots/traffic_panel.h"

#include <QVBoxLayout>

#include "widgets/panels/empty_state.h"

namespace trainyard {

TrafficPanel::TrafficPanel(PlanDocument* document, Selection* selection, QWidget* parent) : QWidget(parent) {
    Q_UNUSED(document)
    Q_UNUSED(selection)
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(
        new EmptyState(QString(), tr("Bytes and time of every collective appear here once the plan can be evaluated."), this));
}

}  // namespace trainyard
