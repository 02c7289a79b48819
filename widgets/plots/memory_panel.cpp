#include "widgets/plots/memory_panel.h"

#include <QContextMenuEvent>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPointer>
#include <QStackedLayout>
#include <QThreadPool>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "core/base/format_quantity.h"
#include "core/engine/evaluation.h"
#include "core/engine/what_if.h"
#include "widgets/document/plan_document.h"
#include "widgets/document/selection.h"
#include "widgets/panels/empty_state.h"
#include "widgets/plots/figure_table.h"
#include "widgets/plots/memory_plot.h"
#include "widgets/plots/plot_base.h"
#include "widgets/plots/what_if_list.h"
#include "widgets/style/byte_units.h"
#include "widgets/style/icons.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

/// Of the stage that is fullest for its capacity: with mixed cards the largest total may stand on another.
double fullestBytes(const MemorySummary& memory) {
    const auto fullest = static_cast<std::size_t>(memory.peakStage);
    return fullest < memory.stages.size() ? memory.stages[fullest].totalBytes : memory.peakBytes;
}

constexpr int kWideFrom = 700;       ///< pixels; from here on the table stands beside the bars
constexpr int kWhatIfDelayMs = 250;  ///< after the last change, so that a drag is not slowed
constexpr std::size_t kMostChanges = 6;

QString gib(double bytes) { return QString::fromStdString(threeDigits(bytes / gigaBytes())); }
QString both(double bytes) {
    return bothBytes(bytes);
}

}  // namespace

MemoryPanel::MemoryPanel(PlanDocument* document, Selection* selection, QWidget* parent)
    : QWidget(parent), document_(document), selection_(selection), stack_(new QStackedLayout(this)) {
    setAccessibleName(tr("Memory"));
    content_ = new QWidget(this);
    empty_ =
        new EmptyState(QStringLiteral("memory-stick"), tr("Memory per stage appears here once the plan can be evaluated."), this);
    stack_->addWidget(empty_);
    stack_->addWidget(content_);

    header_ = new QWidget(content_);
    title_ = new QLabel(tr("MEMORY BY STAGE"), header_);
    title_->setFont(type::font(type::kSecondary, QFont::DemiBold));
    verdict_ = new QLabel(header_);
    verdict_->setFont(type::font(type::kSecondary));
    verdict_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* headerLayout = new QHBoxLayout(header_);
    headerLayout->setContentsMargins(space::kPanelPadding, 6, space::kPanelPadding, 2);
    headerLayout->addWidget(title_);
    headerLayout->addWidget(verdict_, 1);
    plot_ = new MemoryPlot(content_);
    table_ = new FigureTable(content_);
    table_->setAccessibleName(tr("Memory per stage, all figures"));
    whatIf_ = new WhatIfList(content_);

    whatIfDelay_.setSingleShot(true);
    whatIfDelay_.setInterval(kWhatIfDelayMs);
    connect(&whatIfDelay_, &QTimer::timeout, this, &MemoryPanel::askWhatIf);
    connect(document_, &PlanDocument::evaluationChanged, this, &MemoryPanel::refresh);
    connect(selection_, &Selection::selectionChanged, this, &MemoryPanel::takeSelection);
    connect(selection_, &Selection::hoverChanged, this, [this] { plot_->setHoveredStage(selection_->hovered().stage); });
    const auto choose = [this](int stage) {
        SelectionState state;
        state.stage = stage;
        selection_->select(state);
    };
    const auto hover = [this](std::optional<int> stage) {
        SelectionState state;
        state.stage = stage;
        selection_->hover(state);
    };
    connect(plot_, &MemoryPlot::stageClicked, this, choose);
    connect(plot_, &MemoryPlot::stageHovered, this, hover);
    connect(table_, &FigureTable::rowChosen, this, [choose](int row) {
        if (row >= 0) choose(row);
    });
    connect(table_, &FigureTable::rowHovered, this,
            [hover](int row) { hover(row >= 0 ? std::optional<int>(row) : std::nullopt); });
    connect(whatIf_, &WhatIfList::previewed, this, [this](std::optional<int> index) {
        plot_->setPreview(index ? whatIf_->changes()[static_cast<std::size_t>(*index)].stageBytes : std::vector<double>{});
    });
    connect(whatIf_, &WhatIfList::chosen, this, [this](int index) {
        const WhatIf change = whatIf_->changes()[static_cast<std::size_t>(index)];
        plot_->setPreview({});
        document_->edit(std::make_shared<const Scenario>(change.scenario), QString::fromStdString(change.label));
    });
    refresh();
}

void MemoryPanel::refresh() {
    const auto evaluation = document_->evaluation();
    if (!evaluation || !evaluation->computed) {
        plot_->clearMemory();
        whatIf_->setChanges({});
        stack_->setCurrentWidget(empty_);
        return;
    }
    const MemorySummary& memory = evaluation->memory;
    const Theme& theme = Theme::current();
    plot_->setMemory(memory);
    fillTable(memory);
    const QString share =
        QString::fromStdString(percentText(memory.capacityBytes > 0 ? fullestBytes(memory) / memory.capacityBytes : 0).joined());
    const QColor color = memory.verdict == MemoryVerdict::fits    ? theme.fits
                         : memory.verdict == MemoryVerdict::tight ? theme.tight
                                                                  : theme.outOfMemory;
    verdict_->setText(tr("fullest: stage %1, <span style='color:%2;font-weight:600'>%3</span> of %4")
                          .arg(memory.peakStage)
                          .arg(color.name(), share, QString::fromStdString(shownBytes(memory.capacityBytes).joined())));
    QPalette quiet = title_->palette();
    quiet.setColor(QPalette::WindowText, theme.secondaryText);
    title_->setPalette(quiet);
    verdict_->setPalette(quiet);
    stack_->setCurrentWidget(content_);
    takeSelection();
    arrange();
    whatIfDelay_.start();
}

void MemoryPanel::fillTable(const MemorySummary& memory) {
    const Theme& theme = Theme::current();
    std::vector<FigureTable::Column> columns{{tr("Stage"), {}, true},
                                             {tr("Device"), tr("Accelerator of the fullest device"), true}};
    columns.push_back({tr("Total"), tr("Steady peak, %1").arg(gigaName()), false});
    columns.push_back({tr("Usable"), tr("What the device can use, %1").arg(gigaName()), false});
    columns.push_back({tr("Filled"), tr("Total over usable"), false});
    std::vector<int> parts;
    const std::array<QString, kMemoryParts> shortNames{tr("Params"), tr("Grads"), tr("Optim."), tr("Activ."),
                                                       tr("Logits"), tr("Temp."), tr("Comm."),  tr("Framew.")};
    for (int part = 0; part < kMemoryParts; ++part) {
        const bool occurs = std::any_of(memory.stages.begin(), memory.stages.end(),
                                        [&](const StageMemory& stage) { return memoryPartBytes(stage, part) > 0; });
        if (!occurs) continue;
        parts.push_back(part);
        columns.push_back({shortNames[static_cast<std::size_t>(part)], tr("%1, %2").arg(memoryPartName(part), gigaName()), false});
    }
    columns.push_back({tr("In flight"), tr("Micro-batches whose activations are held at the peak"), false});
    columns.push_back({tr("Loading"), tr("Peak while loading, %1").arg(gigaName()), false});
    columns.push_back({tr("First step"), tr("Peak of the first optimizer step, %1").arg(gigaName()), false});
    std::vector<std::vector<FigureTable::Cell>> rows;
    const auto count = static_cast<int>(memory.stages.size());
    for (const StageMemory& stage : memory.stages) {
        std::vector<FigureTable::Cell> row;
        row.push_back({QString::number(stage.stage), {}, {}, theme.category(stage.stage, count), true});
        row.push_back({QString::fromStdString(stage.accelerator), {}, theme.secondaryText, {}, false});
        const double filled = stage.capacityBytes > 0 ? stage.totalBytes / stage.capacityBytes : 0;
        const QColor color = filled > 1 ? theme.outOfMemory : (filled > kSafeMemoryShare ? theme.tight : theme.fits);
        row.push_back({gib(stage.totalBytes), both(stage.totalBytes), {}, {}, true});
        row.push_back({gib(stage.capacityBytes), both(stage.capacityBytes), theme.secondaryText, {}, false});
        row.push_back({QString::fromStdString(percentText(filled).joined()), {}, color, {}, true});
        for (const int part : parts)
            row.push_back({gib(memoryPartBytes(stage, part)), both(memoryPartBytes(stage, part)), {}, {}, false});
        row.push_back({QString::number(stage.inFlightMicrobatches, 'g', 3), {}, {}, {}, false});
        row.push_back({gib(stage.loadPeakBytes), both(stage.loadPeakBytes), {}, {}, false});
        row.push_back({gib(stage.optimizerPeakBytes), both(stage.optimizerPeakBytes), {}, {}, false});
        rows.push_back(std::move(row));
    }
    table_->setFigures(columns, rows);
}

void MemoryPanel::takeSelection() {
    plot_->setSelectedStage(selection_->selected().stage);
    table_->selectFigureRow(selection_->selected().stage.value_or(-1));
}

void MemoryPanel::arrange() {
    const int width = content_->width();
    const int height = content_->height();
    const bool isWide = width >= kWideFrom;
    table_->setVisible(isWide);
    int top = 0;
    const int headerHeight = header_->sizeHint().height();
    header_->setGeometry(0, 0, width, headerHeight);
    top = headerHeight;
    plot_->setLegendVisible(height >= 230);
    const bool hasChanges = !whatIf_->changes().empty() && height >= 260;
    whatIf_->setMostRows(isWide ? static_cast<int>(kMostChanges) : (height >= 420 ? 4 : (height >= 320 ? 2 : 1)));
    whatIf_->setVisible(hasChanges);
    const int listHeight = hasChanges ? whatIf_->sizeHint().height() : 0;
    if (isWide) {
        const int left = std::clamp(width * 38 / 100, 320, 760);
        plot_->setGeometry(0, top, left, height - top);
        const int tableHeight = height - top - listHeight;
        table_->setGeometry(left + space::kPanelPadding, top, width - left - 2 * space::kPanelPadding, tableHeight);
        whatIf_->setGeometry(left + space::kPanelPadding, top + tableHeight,
                             std::min(460, width - left - 2 * space::kPanelPadding), listHeight);
        return;
    }
    plot_->setGeometry(0, top, width, std::max(40, height - top - listHeight));
    whatIf_->setGeometry(0, height - listHeight, width, listHeight);
}

void MemoryPanel::askWhatIf() {
    const auto evaluation = document_->evaluation();
    if (!isVisible() || !evaluation || !evaluation->computed || whatIfAsked_ == document_->revision()) return;
    whatIfAsked_ = document_->revision();
    const quint64 revision = whatIfAsked_;
    const Snapshot snapshot = document_->snapshot();
    // A handful of closed-form evaluations, away from the window's thread; an answer that comes too late is dropped.
    QThreadPool::globalInstance()->start([snapshot, revision, panel = QPointer<MemoryPanel>(this)] {
        auto changes = whatWouldFreeMost(*snapshot, kMostChanges);
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [revision, panel, found = std::move(changes)]() mutable {
                if (panel.isNull() || panel->document_->revision() != revision) return;
                panel->whatIf_->setChanges(std::move(found));
                panel->arrange();
            },
            Qt::QueuedConnection);
    });
}

void MemoryPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    stack_->activate();
    arrange();
}

void MemoryPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    whatIfDelay_.start();
}

void MemoryPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && plot_ != nullptr) refresh();
    QWidget::changeEvent(event);
}

void MemoryPanel::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.addAction(icon(QStringLiteral("copy")), tr("Copy picture"), this, [this] { copyFigure(*plot_); });
    menu.addAction(icon(QStringLiteral("table-2")), tr("Copy table"), this, [this] { table_->copy(); });
    menu.addAction(icon(QStringLiteral("image")), tr("Export picture…"), this, [this] {
        exportFigureInteractively(*plot_, QStringLiteral("memory"), {tr("Memory by stage"), {}});
    });
    menu.exec(event->globalPos());
}

void MemoryPanel::paintFigure(QPainter& painter, const QRectF& area) {
    const Theme& theme = Theme::current();
    painter.fillRect(area, theme.panel);
    const auto evaluation = document_->evaluation();
    if (!evaluation || !evaluation->computed) return;
    const MemorySummary& memory = evaluation->memory;
    painter.setFont(type::font(type::kSecondary));
    painter.setPen(theme.secondaryText);
    const QString line = tr("Peak memory per device by stage. Fullest: stage %1 with %2 of %3 usable.")
                             .arg(memory.peakStage)
                             .arg(QString::fromStdString(shownBytes(fullestBytes(memory)).joined()),
                                  QString::fromStdString(shownBytes(memory.capacityBytes).joined()));
    painter.drawText(area.adjusted(16, 4, -16, 0), Qt::AlignTop | Qt::AlignLeft | Qt::TextWordWrap, line);
    plot_->setLegendVisible(true);
    plot_->paintFigure(painter, area.adjusted(4, 30, -4, -4));
}

}  // namespace trainyard
