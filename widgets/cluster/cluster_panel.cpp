#include "widgets/cluster/cluster_panel.h"

#include <QVBoxLayout>

#include "widgets/panels/empty_state.h"

namespace trainyard {

ClusterPanel::ClusterPanel(PlanDocument* document, Selection* selection, QWidget* parent) : QWidget(parent) {
    Q_UNUSED(document)
    Q_UNUSED(selection)
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(new EmptyState(QString(), tr("Drag accelerators, nodes and switches here to draw a cluster."), this));
}

}  // namespace trainyard
