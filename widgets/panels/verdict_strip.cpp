#include "widgets/panels/verdict_strip.h"

#include <QHBoxLayout>
#include <QPainter>
#include <cmath>

#include "core/engine/calibration_constants.h"
#include "widgets/document/plan_document.h"
#include "widgets/panels/verdict_cell.h"
#include "widgets/style/theme.h"
#include "widgets/teach/term_help.h"

namespace trainyard {
namespace {

constexpr std::array<const char*, VerdictStrip::kCells> kPointers{
    "/memory/peak_bytes",    "/time/step_s",           "/throughput/tokens_per_s", "/throughput/mfu",
    "/time/bubble_fraction", "/time/exposed_tensor_s", "/cost/per_billion_tokens"};
constexpr int kStaleAfterMs = 100;

QString text(const std::string& s) { return QString::fromStdString(s); }

double exposedShare(const Evaluation& e) {
    const TimeSummary& t = e.time;
    const double exposed = t.exposedTensorS + t.exposedPipelineS + t.exposedContextS + t.exposedExpertS + t.exposedDataS;
    return t.stepS > 0 ? exposed / t.stepS : 0;
}

/// Fills in the difference if it is large enough to be seen in `now`'s three digits.
void setDifference(VerdictFigure& figure, double now, double before, bool lessIsBetter, const QString& shown) {
    if (std::abs(now - before) <= 0.0005 * std::max(std::abs(now), std::abs(before))) return;
    figure.rises = now > before;
    figure.difference = shown;
    figure.change = figure.rises == lessIsBetter ? VerdictFigure::Change::worse : VerdictFigure::Change::better;
}

QString points(double now, double before) { return QString::number(std::abs(now - before) * 100, 'f', 1); }

struct Pair {
    const Evaluation* now;
    const Evaluation* before;  ///< the baseline; may be null
    ByteUnits units;
    const Scenario* scenario;
};

/// The name people use for an accelerator of the drawing; its id if it is not there any more.
std::string acceleratorName(const ClusterSpec& cluster, const std::string& id) {
    for (const NodeSpec& node : cluster.nodes)
        for (const AcceleratorGroup& group : node.accelerators)
            if (group.accelerator && group.accelerator->id == id && !group.accelerator->name.empty()) return group.accelerator->name;
    return id;
}

VerdictFigure memoryFigure(const Pair& p) {
    const MemorySummary& m = p.now->memory;
    const Theme& theme = Theme::current();
    VerdictFigure f;
    std::string accelerator;
    for (const StageMemory& stage : m.stages)
        if (stage.stage == m.peakStage) accelerator = acceleratorName(*p.scenario->cluster, stage.accelerator);
    f.caption = VerdictStrip::tr("Memory · fullest: stage %1, %2").arg(m.peakStage).arg(text(accelerator));
    // Of the stage that is fullest for its capacity: with mixed cards the largest total may stand on another.
    const auto fullest = static_cast<std::size_t>(m.peakStage);
    const double peakBytes = fullest < m.stages.size() ? m.stages[fullest].totalBytes : m.peakBytes;
    const QuantityText peak = bytesText(peakBytes, p.units);
    const QuantityText capacity = bytesText(m.capacityBytes, p.units);
    f.number = text(peak.number);
    f.unit = text(peak.unit);
    const double free = m.capacityBytes > 0 ? 1 - peakBytes / m.capacityBytes : 0;
    f.secondary = free >= 0 ? VerdictStrip::tr("of %1 · %2 % free").arg(text(capacity.joined())).arg(free * 100, 0, 'f', 0)
                            : VerdictStrip::tr("of %1 · %2 too much")
                                  .arg(text(capacity.joined()), text(bytesText(peakBytes - m.capacityBytes, p.units).joined()));
    switch (m.verdict) {
        case MemoryVerdict::fits:
            f.badge = VerdictStrip::tr("Fits");
            f.badgeColour = theme.fits;
            break;
        case MemoryVerdict::tight:
            f.badge = VerdictStrip::tr("Tight");
            f.badgeColour = theme.tight;
            break;
        case MemoryVerdict::out_of_memory:
            f.badge = VerdictStrip::tr("Out of memory");
            f.badgeColour = theme.outOfMemory;
            break;
    }
    const ByteUnits other = p.units == ByteUnits::binary ? ByteUnits::decimal : ByteUnits::binary;
    f.toolTip = VerdictStrip::tr("%1 of %2 on the fullest device (%3 of %4)")
                    .arg(text(peak.joined()), text(capacity.joined()), text(bytesText(peakBytes, other).joined()),
                         text(bytesText(m.capacityBytes, other).joined()));
    if (p.before != nullptr) {
        const double before = p.before->memory.peakBytes;
        setDifference(f, m.peakBytes, before, true, text(bytesText(std::abs(m.peakBytes - before), p.units).number));
    }
    return f;
}

VerdictFigure stepFigure(const Pair& p) {
    VerdictFigure f;
    const double step = p.now->time.stepS;
    const QuantityText q = secondsText(step);
    f.caption = VerdictStrip::tr("Step time");
    f.number = text(q.number);
    f.unit = text(q.unit);
    f.secondary = VerdictStrip::tr("%1 compute").arg(text(secondsText(p.now->time.computeS).joined()));
    f.toolTip = VerdictStrip::tr("Time of one optimizer step");
    if (const std::string whose = calibrationSentence(p.scenario->calibration, CalibrationWords::briefly); !whose.empty()) {
        f.caption = VerdictStrip::tr("Step time · %1").arg(text(whose));
        f.toolTip += QLatin1Char('\n') + text(calibrationSentence(p.scenario->calibration, CalibrationWords::withConstants));
    }
    if (p.before != nullptr) {
        const double before = p.before->time.stepS;
        setDifference(f, step, before, true, text(secondsText(std::abs(step - before)).joined()));
    }
    return f;
}

VerdictFigure throughputFigure(const Pair& p) {
    VerdictFigure f;
    const Throughput& t = p.now->throughput;
    const QuantityText q = countText(t.tokensPerS);
    f.caption = VerdictStrip::tr("Throughput");
    f.number = text(q.number);
    f.unit = text(q.unit) + (q.unit.empty() ? QString() : QStringLiteral(" ")) + VerdictStrip::tr("tok/s");
    f.secondary = VerdictStrip::tr("%1 per device").arg(text(countText(t.tokensPerSPerDevice).joined()));
    f.toolTip = VerdictStrip::tr("Tokens trained per second, all devices together");
    if (p.before != nullptr) {
        const double before = p.before->throughput.tokensPerS;
        setDifference(f, t.tokensPerS, before, false, text(countText(std::abs(t.tokensPerS - before)).joined()));
    }
    return f;
}

VerdictFigure utilisationFigure(const Pair& p) {
    VerdictFigure f;
    const Throughput& t = p.now->throughput;
    f.caption = VerdictStrip::tr("Utilisation");
    f.number = QString::number(t.mfu * 100, 'f', 1);
    f.unit = VerdictStrip::tr("% MFU");
    f.secondary = VerdictStrip::tr("HFU %1 % · %2 TFLOP/s").arg(t.hfu * 100, 0, 'f', 1).arg(t.modelTflopsPerDevice, 0, 'f', 0);
    f.toolTip = t.causalFlopsHalved
                    ? VerdictStrip::tr("Model FLOPs over dense peak; causal attention counted half")
                    : VerdictStrip::tr("Model FLOPs over dense peak; attention counted in full, as Megatron-LM does");
    if (p.before != nullptr) setDifference(f, t.mfu, p.before->throughput.mfu, false, points(t.mfu, p.before->throughput.mfu));
    return f;
}

VerdictFigure bubbleFigure(const Pair& p) {
    VerdictFigure f;
    const TimeSummary& t = p.now->time;
    f.caption = VerdictStrip::tr("Bubble");
    f.number = QString::number(t.bubbleFraction * 100, 'f', 1);
    f.unit = QStringLiteral("%");
    f.secondary = VerdictStrip::tr("%1 idle").arg(text(secondsText(t.bubbleS).joined()));
    f.toolTip = VerdictStrip::tr("Idle time inside the pipeline, averaged over the devices");
    if (p.before != nullptr)
        setDifference(f, t.bubbleFraction, p.before->time.bubbleFraction, true,
                      points(t.bubbleFraction, p.before->time.bubbleFraction));
    return f;
}

VerdictFigure exposedFigure(const Pair& p) {
    VerdictFigure f;
    const TimeSummary& t = p.now->time;
    const double share = exposedShare(*p.now);
    f.caption = VerdictStrip::tr("Exposed traffic");
    f.number = QString::number(share * 100, 'f', 1);
    f.unit = QStringLiteral("%");
    const std::array<std::pair<QString, double>, 5> parts{{{VerdictStrip::tr("tensor"), t.exposedTensorS},
                                                           {VerdictStrip::tr("pipeline"), t.exposedPipelineS},
                                                           {VerdictStrip::tr("context"), t.exposedContextS},
                                                           {VerdictStrip::tr("expert"), t.exposedExpertS},
                                                           {VerdictStrip::tr("data"), t.exposedDataS}}};
    const auto* most = &parts[0];
    for (const auto& part : parts)
        if (part.second > most->second) most = &part;
    f.secondary = most->second > 0 ? VerdictStrip::tr("most: %1 %2").arg(most->first, text(secondsText(most->second).joined()))
                                   : VerdictStrip::tr("all hidden");
    QStringList lines;
    for (const auto& part : parts) lines << VerdictStrip::tr("%1: %2").arg(part.first, text(secondsText(part.second).joined()));
    f.toolTip =
        VerdictStrip::tr("Time the step waits for communication") + QStringLiteral("\n") + lines.join(QStringLiteral("\n"));
    if (p.before != nullptr) setDifference(f, share, exposedShare(*p.before), true, points(share, exposedShare(*p.before)));
    return f;
}

VerdictFigure costFigure(const Pair& p) {
    VerdictFigure f;
    f.caption = VerdictStrip::tr("Cost per 10⁹ tokens");
    const QuantityText energy = energyText(p.now->joulesPerToken * 1e9);
    if (p.now->costPerBillionTokens) {
        const QuantityText q = dollarsText(*p.now->costPerBillionTokens);
        f.number = text(q.number);
        f.unit = text(q.unit);
        f.secondary = text(energy.joined());
        if (p.before != nullptr && p.before->costPerBillionTokens) {
            const double before = *p.before->costPerBillionTokens;
            setDifference(f, *p.now->costPerBillionTokens, before, true,
                          text(dollarsText(std::abs(*p.now->costPerBillionTokens - before)).joined()));
        }
    } else {
        f.number = text(energy.number);
        f.unit = text(energy.unit);
        f.secondary = VerdictStrip::tr("no price known");
    }
    if (p.now->training) f.secondary += VerdictStrip::tr(" · run %1").arg(text(secondsText(p.now->training->seconds).joined()));
    f.toolTip = VerdictStrip::tr("Cost and energy of training on one billion tokens");
    return f;
}

}  // namespace

VerdictStrip::VerdictStrip(PlanDocument* document, QWidget* parent) : QWidget(parent), document_(document) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 1);
    layout->setSpacing(1);
    for (std::size_t i = 0; i < cells_.size(); ++i) {
        cells_[i] = new VerdictCell(this);
        setTerm(cells_[i], QString::fromLatin1(kPointers[i]));
        layout->addWidget(cells_[i], i == 0 ? 16 : 10);
        connect(cells_[i], &QAbstractButton::clicked, this,
                [this, i] { emit explainRequested(QString::fromLatin1(kPointers[i])); });
    }
    setAccessibleName(tr("Verdict"));
    staleTimer_.setSingleShot(true);
    staleTimer_.setInterval(kStaleAfterMs);
    connect(&staleTimer_, &QTimer::timeout, this, [this] {
        for (VerdictCell* cell : cells_) cell->setStale(!document_->isUpToDate());
    });
    connect(document_, &PlanDocument::evaluationChanged, this, &VerdictStrip::refresh);
    connect(document_, &PlanDocument::baselineChanged, this, &VerdictStrip::refresh);
    connect(document_, &PlanDocument::freshnessChanged, this, [this] {
        if (document_->isUpToDate()) {
            staleTimer_.stop();
            for (VerdictCell* cell : cells_) cell->setStale(false);
        } else if (!staleTimer_.isActive()) {
            staleTimer_.start();
        }
    });
    refresh();
}

void VerdictStrip::setByteUnits(ByteUnits units) {
    units_ = units;
    refresh();
}

void VerdictStrip::refresh() {
    const auto evaluation = document_->evaluation();
    const auto baseline = document_->baseline();
    if (!evaluation || !evaluation->computed) {
        const std::array<QString, kCells> captions{tr("Memory"),
                                                   tr("Step time"),
                                                   tr("Throughput"),
                                                   tr("Utilisation"),
                                                   tr("Bubble"),
                                                   tr("Exposed traffic"),
                                                   tr("Cost per 10⁹ tokens")};
        for (std::size_t i = 0; i < cells_.size(); ++i) {
            VerdictFigure f;
            f.caption = captions[i];
            f.number = QStringLiteral("–");
            if (i == 0 && evaluation) {
                f.badge = tr("Not runnable");
                f.badgeColour = Theme::current().outOfMemory;
                f.number.clear();
                f.secondary = tr("see the notices of the plan");
                f.toolTip = evaluation->diagnostics.empty() ? QString() : text(evaluation->diagnostics.front().message);
            }
            cells_[i]->setFigure(f);
        }
        return;
    }
    const Pair pair{evaluation.get(), baseline && baseline->computed ? baseline.get() : nullptr, units_, document_->snapshot().get()};
    const std::array<VerdictFigure, kCells> figures{memoryFigure(pair),      stepFigure(pair),   throughputFigure(pair),
                                                    utilisationFigure(pair), bubbleFigure(pair), exposedFigure(pair),
                                                    costFigure(pair)};
    for (std::size_t i = 0; i < cells_.size(); ++i) cells_[i]->setFigure(figures[i]);
}

void VerdictStrip::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.fillRect(rect(), theme.window);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.hairline);
    for (std::size_t i = 1; i < cells_.size(); ++i) painter.fillRect(QRect(cells_[i]->x() - 1, 0, 1, height()), theme.hairline);
}

}  // namespace trainyard
