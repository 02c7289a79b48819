#include "app/figure_caption.h"

#include <QCoreApplication>

#include "core/base/format_quantity.h"
#include "core/io/json/scenario_json.h"
#include "core/io/presets/preset_library.h"
#include "core/plan/resolve.h"
#include "widgets/document/plan_document.h"
#include "widgets/style/byte_units.h"

namespace trainyard {

FigureText figureText(const PlanDocument& document) {
    const Scenario& scenario = *document.snapshot();
    const ResolvedPlan plan = resolve(scenario);
    FigureText text;
    text.title = QString::fromStdString(scenario.name);
    text.caption = QCoreApplication::translate("FigureCaption", "%1 on %2 devices: tensor %3 × pipeline %4 × context %5 × data %6, schedule %7")
                       .arg(QString::fromStdString(scenario.model->name))
                       .arg(scenario.cluster->devices())
                       .arg(scenario.plan.tensorParallel)
                       .arg(scenario.plan.pipelineParallel)
                       .arg(scenario.plan.contextParallel)
                       .arg(plan.dataParallel)
                       .arg(QString::fromStdString(scenario.plan.schedule));
    if (const auto evaluation = document.evaluation(); evaluation && evaluation->computed)
        text.caption += QCoreApplication::translate("FigureCaption", "; step %1, memory %2 of %3, MFU %4")
                            .arg(QString::fromStdString(secondsText(evaluation->time.stepS).joined()),
                                 QString::fromStdString(shownBytes(evaluation->memory.peakBytes).joined()),
                                 QString::fromStdString(shownBytes(evaluation->memory.capacityBytes).joined()),
                                 QString::fromStdString(percentText(evaluation->throughput.mfu).joined()));
    text.scenario = QByteArray::fromStdString(writeScenario(scenario, &presetLibrary()));
    return text;
}

}  // namespace trainyard
