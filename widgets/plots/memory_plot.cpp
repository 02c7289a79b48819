#include "widgets/plots/memory_plot.h"

#include <qcustomplot.h>

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "core/base/format_quantity.h"
#include "widgets/plots/plot_base.h"
#include "widgets/style/byte_units.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

constexpr std::array<double StageMemory::*, kMemoryParts> kParts{
    &StageMemory::parametersBytes, &StageMemory::gradientsBytes, &StageMemory::optimizerBytes,     &StageMemory::activationsBytes,
    &StageMemory::logitsBytes,     &StageMemory::temporaryBytes, &StageMemory::communicationBytes, &StageMemory::frameworkBytes};
constexpr double kBarWidth = 0.62;
constexpr double kMarkOffset = 0.41;  ///< of the peaks' marks: beside the bar
constexpr int kMostValues = 20;       ///< more bars than this: only the fullest carries its value
constexpr double kSameShare = 0.005;  ///< peaks closer than this are one
constexpr double kSwatch = 9;
constexpr double kLegendLine = 18;

QString tr(const char* text) { return QCoreApplication::translate("Memory", text); }

QString sizeText(double bytes) { return QString::fromStdString(shownBytes(bytes).joined()); }

}  // namespace

QString memoryPartName(int part) {
    switch (part) {
        case 0: return tr("parameters");
        case 1: return tr("gradients");
        case 2: return tr("optimizer");
        case 3: return tr("activations");
        case 4: return tr("logits");
        case 5: return tr("temporary");
        case 6: return tr("communication");
        default: return tr("framework");
    }
}

double memoryPartBytes(const StageMemory& stage, int part) { return stage.*kParts[static_cast<std::size_t>(part)]; }

QColor memoryPartColor(int part) {
    const Theme& theme = Theme::current();
    const std::array<QColor, kMemoryParts> colors{theme.parameters,           theme.gradients, theme.optimizer,
                                                  theme.activations,          theme.logits,    theme.temporary,
                                                  theme.communicationBuffers, theme.framework};
    return theme.fill(colors[static_cast<std::size_t>(part)]);
}

struct MemoryPlot::Parts {
    std::vector<QCPBars*> bars;
    QCPBars* preview = nullptr;
    QCPGraph* load = nullptr;
    QCPGraph* optimizer = nullptr;
    QCPItemRect* selectedBand = nullptr;
    QCPItemRect* hoveredBand = nullptr;
    QCPItemText* unit = nullptr;
};

MemoryPlot::MemoryPlot(QWidget* parent) : QWidget(parent), plot_(new QCustomPlot(this)), parts_(std::make_unique<Parts>()) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Memory per stage"));
    plot_->setFocusPolicy(Qt::NoFocus);
    plot_->setMinimumSize(2, 2);  // on a hidden page it would else be drawn into an empty picture
    plot_->setMouseTracking(true);
    plot_->installEventFilter(this);
    plot_->plotLayout()->setAutoMargins(QCP::msAll);
    plot_->axisRect()->setMinimumMargins(QMargins(34, 22, 8, 8));
    useByteAxis(*plot_);
    rebuild();
}

MemoryPlot::~MemoryPlot() = default;

void MemoryPlot::setMemory(const MemorySummary& memory) {
    memory_ = memory;
    QStringList said;
    for (const StageMemory& stage : memory_.stages) said << tr("stage %1: %2").arg(stage.stage).arg(sizeText(stage.totalBytes));
    setAccessibleDescription(said.mid(0, 16).join(QStringLiteral("; ")));
    rebuild();
}

void MemoryPlot::clearMemory() {
    memory_ = {};
    rebuild();
}

void MemoryPlot::setPreview(std::vector<double> stageBytes) {
    if (preview_ == stageBytes) return;
    preview_ = std::move(stageBytes);
    rebuild();
}

void MemoryPlot::setSelectedStage(std::optional<int> stage) {
    if (selected_ == stage) return;
    selected_ = stage;
    refreshBands();
    plot_->replot(QCustomPlot::rpQueuedRefresh);
}

void MemoryPlot::setHoveredStage(std::optional<int> stage) {
    if (hovered_ == stage) return;
    hovered_ = stage;
    refreshBands();
    plot_->replot(QCustomPlot::rpQueuedRefresh);
}

void MemoryPlot::setLegendVisible(bool isVisible) {
    hasLegend_ = isVisible;
    resizeEvent(nullptr);
}

void MemoryPlot::rebuild() {
    const Theme& theme = Theme::current();
    plot_->clearPlottables();
    plot_->clearItems();
    *parts_ = {};
    themePlot(*plot_);
    const auto count = static_cast<int>(memory_.stages.size());
    QVector<double> keys;
    for (int index = 0; index < count; ++index) keys << index;

    const auto band = [&](double alpha) {
        auto* rect = new QCPItemRect(plot_);  // the plot owns its items and plottables
        rect->setLayer(QStringLiteral("background"));
        QColor tint = theme.accent;
        tint.setAlphaF(static_cast<float>(alpha));
        rect->setPen(Qt::NoPen);
        rect->setBrush(tint);
        rect->topLeft->setTypeX(QCPItemPosition::ptPlotCoords);
        rect->topLeft->setTypeY(QCPItemPosition::ptAxisRectRatio);
        rect->bottomRight->setTypeX(QCPItemPosition::ptPlotCoords);
        rect->bottomRight->setTypeY(QCPItemPosition::ptAxisRectRatio);
        rect->setVisible(false);
        return rect;
    };
    parts_->selectedBand = band(0.18);
    parts_->hoveredBand = band(0.08);

    QCPBars* below = nullptr;
    double top = 0;
    for (int part = 0; part < kMemoryParts; ++part) {
        QVector<double> values;
        double most = 0;
        for (const StageMemory& stage : memory_.stages) {
            values << memoryPartBytes(stage, part);
            most = std::max(most, values.back());
        }
        if (most <= 0) continue;
        auto* bars = new QCPBars(plot_->xAxis, plot_->yAxis);
        bars->setWidth(kBarWidth);
        bars->setAntialiased(false);
        bars->setPen(count <= 40 ? QPen(theme.panel, 1) : QPen(Qt::NoPen));
        bars->setBrush(memoryPartColor(part));
        bars->setStackingGap(0);
        bars->setData(keys, values, true);
        if (below != nullptr) bars->moveAbove(below);
        below = bars;
        parts_->bars.push_back(bars);
    }
    for (const StageMemory& stage : memory_.stages) {
        top = std::max({top, stage.totalBytes, stage.capacityBytes, stage.loadPeakBytes, stage.optimizerPeakBytes});
    }
    for (const double bytes : preview_) top = std::max(top, bytes);

    const auto marks = [&](double StageMemory::*bytes, QCPScatterStyle::ScatterShape shape, double offset) {
        auto* graph = plot_->addGraph();
        graph->setLineStyle(QCPGraph::lsNone);
        QCPScatterStyle style(shape, QPen(theme.text, 1.3), QBrush(theme.panel), count <= 24 ? 8 : 5);
        graph->setScatterStyle(style);
        for (int index = 0; index < count; ++index) {
            const StageMemory& stage = memory_.stages[static_cast<std::size_t>(index)];
            const double value = stage.*bytes;
            if (value > 0 && std::abs(value - stage.totalBytes) > kSameShare * stage.totalBytes)
                graph->addData(index + offset, value);
        }
        return graph;
    };
    QColor backing = theme.panel;  // behind figures that may stand on lines and bars
    backing.setAlphaF(0.8F);
    // What a device can use may differ from stage to stage: one line per run of equal devices.
    for (int begin = 0; begin < count;) {
        int end = begin + 1;
        const double capacity = memory_.stages[static_cast<std::size_t>(begin)].capacityBytes;
        while (end < count && memory_.stages[static_cast<std::size_t>(end)].capacityBytes == capacity) ++end;
        const auto line = [&](double bytes, const QPen& pen) {
            auto* item = new QCPItemLine(plot_);
            item->setPen(pen);
            item->start->setCoords(begin - 0.5, bytes);
            item->end->setCoords(end - 0.5, bytes);
            item->setAntialiased(false);
        };
        line(capacity, QPen(theme.outOfMemory, 2));
        line(capacity * kSafeMemoryShare, QPen(theme.tight, 1, Qt::DashLine));
        if (end == count) {
            auto* label = new QCPItemText(plot_);
            label->setText(QStringLiteral("80\u00a0%"));
            label->setFont(type::font(type::kCaption));
            label->setColor(theme.tight);
            label->setBrush(backing);
            label->setPadding(QMargins(2, 0, 2, 0));
            label->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
            label->position->setCoords(count - 0.5, capacity * kSafeMemoryShare);
        }
        begin = end;
    }
    parts_->load = marks(&StageMemory::loadPeakBytes, QCPScatterStyle::ssTriangleInverted, -kMarkOffset);
    parts_->optimizer = marks(&StageMemory::optimizerPeakBytes, QCPScatterStyle::ssTriangle, kMarkOffset);

    if (preview_.size() == memory_.stages.size() && !preview_.empty()) {
        auto* bars = new QCPBars(plot_->xAxis, plot_->yAxis);
        bars->setWidth(kBarWidth + 0.08);
        bars->setPen(QPen(theme.text, 1.5, Qt::DashLine));
        bars->setBrush(Qt::NoBrush);
        bars->setData(keys, QVector<double>(preview_.begin(), preview_.end()), true);
        parts_->preview = bars;
    }
    for (int index = 0; index < count; ++index) {
        const StageMemory& stage = memory_.stages[static_cast<std::size_t>(index)];
        if (count > kMostValues && index != memory_.peakStage) continue;
        auto* value = new QCPItemText(plot_);
        value->setText(QString::fromStdString(threeDigits(stage.totalBytes / gigaBytes())));
        value->setFont(type::font(count > 12 ? type::kCaption : type::kSecondary, QFont::DemiBold));
        value->setColor(stage.totalBytes > stage.capacityBytes ? theme.outOfMemory : theme.text);
        const bool isFirst = count > kMostValues && index == 0;
        value->setPositionAlignment((isFirst ? Qt::AlignLeft : Qt::AlignHCenter) | Qt::AlignBottom);
        value->setPadding(QMargins(1, 0, 1, 1));
        value->setClipToAxisRect(false);
        if (stage.totalBytes > 0.7 * stage.capacityBytes) value->setBrush(backing);
        value->position->setCoords(isFirst ? index - kBarWidth / 2 : index, stage.totalBytes + top * 0.008);
    }
    auto* unit = new QCPItemText(plot_);
    unit->setText(gigaName());
    unit->setFont(type::font(type::kCaption));
    unit->setColor(theme.secondaryText);
    unit->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
    unit->position->setType(QCPItemPosition::ptAxisRectRatio);
    unit->position->setCoords(0, 0);
    unit->setPadding(QMargins(0, 0, 6, 4));
    unit->setClipToAxisRect(false);
    parts_->unit = unit;

    plot_->xAxis->setRange(-0.5, std::max(0.5, count - 0.5));
    plot_->yAxis->setRange(0, top > 0 ? top * 1.10 : kGib);
    layoutLabels(width());
    refreshBands();
    plot_->replot(QCustomPlot::rpQueuedRefresh);
    update();
}

void MemoryPlot::layoutLabels(double width) {
    const auto count = static_cast<int>(memory_.stages.size());
    const auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    const double perBar = (width - 60) / std::max(1, count);
    const bool isLong = perBar >= 50;
    const int every = std::max(1, static_cast<int>(std::ceil(24.0 / std::max(1.0, perBar))));
    for (int index = 0; index < count; ++index) {
        if (index % every != 0) continue;
        ticker->addTick(index, isLong ? tr("stage %1").arg(index) : QString::number(index));
    }
    plot_->xAxis->setTicker(ticker);
    plot_->xAxis->setLabel(isLong || count == 0 ? QString() : tr("stage"));
}

void MemoryPlot::refreshBands() {
    const auto place = [&](QCPItemRect* band, std::optional<int> stage) {
        const bool isShown = stage && *stage >= 0 && *stage < static_cast<int>(memory_.stages.size());
        band->setVisible(isShown);
        if (!isShown) return;
        band->topLeft->setCoords(*stage - 0.5, 0);
        band->bottomRight->setCoords(*stage + 0.5, 1);
    };
    place(parts_->selectedBand, selected_);
    place(parts_->hoveredBand, hovered_ == selected_ ? std::nullopt : hovered_);
}

double MemoryPlot::paintMemoryLegend(QPainter& painter, const QRectF& area, bool isMeasuring) const {
    const Theme& theme = Theme::current();
    const QFont font = type::font(type::kCaption);
    const QFontMetricsF metrics(font);
    double x = area.left();
    double y = area.top();
    const auto entry = [&](const QString& name, auto&& mark) {
        const double width = kSwatch + 5 + std::ceil(metrics.horizontalAdvance(name)) + 12;
        if (x + width - 12 > area.right() && x > area.left()) {
            x = area.left();
            y += kLegendLine;
        }
        if (!isMeasuring) {
            mark(QRectF(x, y + (kLegendLine - kSwatch) / 2, kSwatch, kSwatch));
            painter.setFont(font);
            painter.setPen(theme.secondaryText);
            painter.drawText(QRectF(x + kSwatch + 5, y, width, kLegendLine), Qt::AlignVCenter | Qt::AlignLeft, name);
        }
        x += width;
    };
    for (int part = 0; part < kMemoryParts; ++part) {
        const bool occurs = std::any_of(memory_.stages.begin(), memory_.stages.end(),
                                        [&](const StageMemory& stage) { return memoryPartBytes(stage, part) > 0; });
        if (!occurs) continue;
        entry(memoryPartName(part), [&](const QRectF& box) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(memoryPartColor(part));
            painter.drawRoundedRect(box, 2, 2);
        });
    }
    const auto triangle = [&](const QRectF& box, bool isUp) {
        const double tip = isUp ? box.top() + 1 : box.bottom() - 1;
        const double base = isUp ? box.bottom() - 1 : box.top() + 1;
        painter.setPen(QPen(theme.text, 1.3));
        painter.setBrush(theme.panel);
        painter.drawPolygon(QPolygonF{QPointF(box.left(), base), QPointF(box.right(), base), QPointF(box.center().x(), tip)});
    };
    if (parts_->load != nullptr && parts_->load->dataCount() > 0) {
        entry(tr("peak while loading"), [&](const QRectF& box) { triangle(box, false); });
    }
    if (parts_->optimizer != nullptr && parts_->optimizer->dataCount() > 0) {
        entry(tr("peak of the first optimizer step"), [&](const QRectF& box) { triangle(box, true); });
    }
    return y + kLegendLine - area.top();
}

double MemoryPlot::legendHeight(double width) const {
    if (!hasLegend_ || memory_.stages.empty()) return 0;
    QPixmap dummy(1, 1);
    QPainter painter(&dummy);
    return paintMemoryLegend(painter, QRectF(12, 0, width - 24, 1000), true) + 6;
}

void MemoryPlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), Theme::current().panel);
    const double legend = legendHeight(width());
    if (std::abs(plot_->height() - (height() - legend)) >= 1) resizeEvent(nullptr);
    if (legend > 0) paintMemoryLegend(painter, QRectF(12, height() - legend + 2, width() - 24, legend), false);
    if (isVectorPainter(painter)) paintPlot(*plot_, painter, QRectF(0, 0, width(), height() - legend));
}

void MemoryPlot::paintFigure(QPainter& painter, const QRectF& area) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(area, Theme::current().panel);
    const double legend = legendHeight(area.width());
    layoutLabels(area.width());
    paintPlot(*plot_, painter, area.adjusted(0, 0, 0, -legend));
    if (legend > 0)
        paintMemoryLegend(painter, QRectF(area.left() + 12, area.bottom() - legend + 2, area.width() - 24, legend), false);
    layoutLabels(width());
}

void MemoryPlot::resizeEvent(QResizeEvent*) {
    const int legend = static_cast<int>(std::ceil(legendHeight(width())));
    plot_->setGeometry(0, 0, width(), std::max(20, height() - legend));
    layoutLabels(width());
    plot_->replot(QCustomPlot::rpQueuedRefresh);
    update();
}

void MemoryPlot::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) rebuild();
    QWidget::changeEvent(event);
}

std::optional<int> MemoryPlot::stageAt(QPointF point) const {
    if (!plot_->axisRect()->rect().adjusted(0, 0, 0, 24).contains(point.toPoint())) return std::nullopt;
    const int stage = static_cast<int>(std::lround(plot_->xAxis->pixelToCoord(point.x())));
    if (stage < 0 || stage >= static_cast<int>(memory_.stages.size())) return std::nullopt;
    return stage;
}

QString MemoryPlot::toolTipOf(int index) const {
    const StageMemory& stage = memory_.stages[static_cast<std::size_t>(index)];
    const Theme& theme = Theme::current();
    QString rows;
    const auto row = [&](const QString& mark, const QString& name, double bytes, bool isStrong) {
        const QString weight = isStrong ? QStringLiteral("font-weight:600;") : QString();
        rows += QStringLiteral(
                    "<tr><td style='%5'>%1 %2&nbsp;&nbsp;</td><td align='right' style='%5'>%3</td><td align='right' "
                    "style='color:%4'>&nbsp;&nbsp;%6</td></tr>")
                    .arg(mark, name, sizeText(bytes), theme.secondaryText.name(), weight,
                         QString::fromStdString(bytesText(bytes, ByteUnits::decimal).joined()));
    };
    for (int part = kMemoryParts - 1; part >= 0; --part) {
        const double bytes = memoryPartBytes(stage, part);
        if (bytes <= 0) continue;
        row(QStringLiteral("<span style='color:%1'>\u25a0</span>").arg(memoryPartColor(part).name()), memoryPartName(part), bytes,
            false);
    }
    row(QString(), tr("steady peak"), stage.totalBytes, true);
    row(QString(), tr("usable"), stage.capacityBytes, false);
    if (stage.loadPeakBytes > 0) row(QString(), tr("peak while loading"), stage.loadPeakBytes, false);
    if (stage.optimizerPeakBytes > 0) row(QString(), tr("first optimizer step"), stage.optimizerPeakBytes, false);
    return QStringLiteral("<b>%1</b> <span style='color:%4'>%2</span><table cellspacing='0'>%3</table>")
        .arg(tr("Stage %1").arg(index), QString::fromStdString(stage.accelerator).toHtmlEscaped(), rows,
             theme.secondaryText.name());
}

bool MemoryPlot::eventFilter(QObject* watched, QEvent* event) {
    if (watched != plot_) return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::MouseMove) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const auto stage = stageAt(mouse->position());
        if (stage != hovered_) {
            setHoveredStage(stage);
            emit stageHovered(stage);
        }
        if (stage) {
            QToolTip::showText(mouse->globalPosition().toPoint() + QPoint(12, 12), toolTipOf(*stage), plot_);
        } else {
            QToolTip::hideText();
        }
    } else if (event->type() == QEvent::Leave) {
        setHoveredStage(std::nullopt);
        emit stageHovered(std::nullopt);
    } else if (event->type() == QEvent::MouseButtonPress) {
        if (const auto stage = stageAt(static_cast<QMouseEvent*>(event)->position())) emit stageClicked(*stage);
        setFocus(Qt::MouseFocusReason);
    }
    return QWidget::eventFilter(watched, event);
}

void MemoryPlot::keyPressEvent(QKeyEvent* event) {
    const auto count = static_cast<int>(memory_.stages.size());
    const int direction = event->key() == Qt::Key_Right ? 1 : (event->key() == Qt::Key_Left ? -1 : 0);
    if (direction == 0 || count == 0) {
        QWidget::keyPressEvent(event);
        return;
    }
    emit stageClicked(selected_ ? std::clamp(*selected_ + direction, 0, count - 1) : 0);
}

}  // namespace trainyard
