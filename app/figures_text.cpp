#include "app/figures_text.h"

#include <QStringList>

namespace trainyard {

QString figuresAsTable(const Evaluation& e) {
    QStringList lines{QStringLiteral("figure\tvalue\tunit")};
    const auto row = [&](const QString& name, double value, const char* unit) {
        lines << name + QLatin1Char('\t') + QString::number(value, 'g', 8) + QLatin1Char('\t') + QLatin1String(unit);
    };
    row(QStringLiteral("devices"), static_cast<double>(e.devices), "");
    if (!e.computed) return lines.join(QLatin1Char('\n'));
    row(QStringLiteral("peak memory"), e.memory.peakBytes, "B");
    row(QStringLiteral("capacity"), e.memory.capacityBytes, "B");
    row(QStringLiteral("step"), e.time.stepS, "s");
    row(QStringLiteral("compute"), e.time.computeS, "s");
    row(QStringLiteral("bubble"), e.time.bubbleS, "s");
    row(QStringLiteral("bubble fraction"), e.time.bubbleFraction, "");
    row(QStringLiteral("exposed tensor"), e.time.exposedTensorS, "s");
    row(QStringLiteral("exposed context"), e.time.exposedContextS, "s");
    row(QStringLiteral("exposed expert"), e.time.exposedExpertS, "s");
    row(QStringLiteral("exposed pipeline"), e.time.exposedPipelineS, "s");
    row(QStringLiteral("exposed data"), e.time.exposedDataS, "s");
    row(QStringLiteral("optimizer"), e.time.optimizerS, "s");
    row(QStringLiteral("tokens per second"), e.throughput.tokensPerS, "1/s");
    row(QStringLiteral("MFU"), e.throughput.mfu, "");
    row(QStringLiteral("HFU"), e.throughput.hfu, "");
    row(QStringLiteral("energy per token"), e.joulesPerToken, "J");
    if (e.costPerBillionTokens) row(QStringLiteral("cost per 10^9 tokens"), *e.costPerBillionTokens, "USD");
    for (const StageMemory& stage : e.memory.stages)
        row(QStringLiteral("memory of stage %1").arg(stage.stage), stage.totalBytes, "B");
    return lines.join(QLatin1Char('\n'));
}

}  // namespace trainyard
