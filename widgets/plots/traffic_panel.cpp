#include "widgets/plots/traffic_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QScrollArea>
#include <QStackedLayout>
#include <algorithm>
#include <numeric>

#include "core/base/format_quantity.h"
#include "core/engine/evaluation.h"
#include "widgets/document/plan_document.h"
#include "widgets/document/selection.h"
#include "widgets/panels/empty_state.h"
#include "widgets/plots/bar_list.h"
#include "widgets/plots/traffic_matrix.h"
#include "widgets/style/icons.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

constexpr int kWideFrom = 720;
constexpr int kTitleHeight = 28;
const QString kDot = QStringLiteral(" \u00b7 ");

QString text(const QuantityText& quantity) { return QString::fromStdString(quantity.joined()); }

QString groupName(Dimension group) {
    switch (group) {
        case Dimension::tensor: return TrafficPanel::tr("Tensor");
        case Dimension::context: return TrafficPanel::tr("Context");
        case Dimension::data: return TrafficPanel::tr("Data");
        case Dimension::pipeline: return TrafficPanel::tr("Pipeline");
        case Dimension::expert: return TrafficPanel::tr("Expert");
    }
    return {};
}

QString collectiveName(Collective collective) {
    switch (collective) {
        case Collective::all_reduce: return TrafficPanel::tr("all-reduce");
        case Collective::all_gather: return TrafficPanel::tr("all-gather");
        case Collective::reduce_scatter: return TrafficPanel::tr("reduce-scatter");
        case Collective::all_to_all: return TrafficPanel::tr("all-to-all");
        case Collective::send_recv: return TrafficPanel::tr("send and receive");
    }
    return {};
}

/// Cool to warm with utilisation, as links are drawn on the canvas.
QColor heat(double utilisation) {
    const Theme& theme = Theme::current();
    return utilisation > 0.8 ? theme.outOfMemory : (utilisation > 0.4 ? theme.backwardInput : theme.forward);
}

QString nodeName(const ClusterSpec& cluster, int node) {
    const NodeSpec& spec = cluster.nodes[static_cast<std::size_t>(node)];
    return QString::fromStdString(spec.name.empty() ? spec.id : spec.name);
}

QString endName(const ClusterSpec& cluster, const std::string& id) {
    for (const NodeSpec& node : cluster.nodes) {
        if (node.id == id) return QString::fromStdString(node.name.empty() ? node.id : node.name);
    }
    for (const SwitchSpec& hub : cluster.switches) {
        if (hub.id == id) return QString::fromStdString(hub.name.empty() ? hub.id : hub.name);
    }
    return QString::fromStdString(id);
}

QScrollArea* scrolled(QWidget* content, QWidget* parent) {
    auto* area = new QScrollArea(parent);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(content);
    area->setFocusPolicy(Qt::NoFocus);
    return area;
}

}  // namespace

TrafficPanel::TrafficPanel(PlanDocument* document, Selection* selection, QWidget* parent)
    : QWidget(parent), document_(document), selection_(selection), stack_(new QStackedLayout(this)) {
    setAccessibleName(tr("Traffic"));
    content_ = new QWidget(this);
    empty_ = new EmptyState(QStringLiteral("arrow-left-right"),
                            tr("Bytes and time of every collective appear here once the plan can be evaluated."), this);
    stack_->addWidget(empty_);
    stack_->addWidget(content_);
    const auto title = [this](const QString& name) {
        auto* label = new QLabel(name, content_);
        label->setFont(type::font(type::kSecondary, QFont::DemiBold));
        label->setContentsMargins(space::kPanelPadding, 0, 0, 0);
        return label;
    };
    collectiveTitle_ = title(tr("COLLECTIVES"));
    linkTitle_ = title(tr("LINKS"));
    matrixTitle_ = title(tr("WHO SENDS TO WHOM"));
    collectives_ = new BarList;
    collectives_->setAccessibleName(tr("Collectives by time"));
    links_ = new BarList;
    links_->setAccessibleName(tr("Links by utilisation"));
    collectiveArea_ = scrolled(collectives_, content_);
    linkArea_ = scrolled(links_, content_);
    matrix_ = new TrafficMatrix(content_);

    connect(document_, &PlanDocument::evaluationChanged, this, &TrafficPanel::refresh);
    connect(selection_, &Selection::selectionChanged, this, &TrafficPanel::takeSelection);
    connect(collectives_, &BarList::barClicked, this, [this](int bar) {
        SelectionState state;
        const int index = communicationOfBar_[static_cast<std::size_t>(bar)];
        if (selection_->selected().communication != index) state.communication = index;
        selection_->select(state);
    });
    connect(collectives_, &BarList::barHovered, this, [this](std::optional<int> bar) {
        SelectionState state;
        if (bar) state.communication = communicationOfBar_[static_cast<std::size_t>(*bar)];
        selection_->hover(state);
    });
    const auto linkState = [this](int bar) {
        SelectionState state;
        if (linkOfBar_[static_cast<std::size_t>(bar)] >= 0) {
            state.link = linkOfBar_[static_cast<std::size_t>(bar)];
        } else {
            state.nodeBlock = nodeOfBar_[static_cast<std::size_t>(bar)];
        }
        return state;
    };
    connect(links_, &BarList::barClicked, this, [this, linkState](int bar) {
        const SelectionState state = linkState(bar);
        selection_->select(selection_->selected() == state ? SelectionState{} : state);
    });
    connect(links_, &BarList::barHovered, this,
            [this, linkState](std::optional<int> bar) { selection_->hover(bar ? linkState(*bar) : SelectionState{}); });
    connect(matrix_, &TrafficMatrix::cellHovered, this, [this](std::optional<int> from) {
        const auto evaluation = document_->evaluation();
        if (!evaluation || evaluation->trafficBlocksAreNodes) return;
        SelectionState state;
        state.device = from;
        selection_->hover(state);
    });
    refresh();
}

void TrafficPanel::refresh() {
    const auto evaluation = document_->evaluation();
    if (!evaluation || !evaluation->computed) {
        stack_->setCurrentWidget(empty_);
        return;
    }
    const Theme& theme = Theme::current();
    const auto snapshot = document_->snapshot();
    double longest = 0;
    double total = 0;
    double exposed = 0;
    for (const CommunicationItem& item : evaluation->communication) {
        longest = std::max(longest, item.timeS);
        total += item.timeS;
        exposed += item.exposedS;
    }
    communicationOfBar_.resize(evaluation->communication.size());
    std::iota(communicationOfBar_.begin(), communicationOfBar_.end(), 0);
    std::stable_sort(communicationOfBar_.begin(), communicationOfBar_.end(), [&](int a, int b) {
        return evaluation->communication[static_cast<std::size_t>(a)].timeS >
               evaluation->communication[static_cast<std::size_t>(b)].timeS;
    });
    std::vector<BarList::Bar> bars;
    for (const int index : communicationOfBar_) {
        const CommunicationItem& item = evaluation->communication[static_cast<std::size_t>(index)];
        BarList::Bar bar;
        bar.title = groupName(item.group) + kDot + collectiveName(item.collective);
        QStringList note;
        note << tr("%1 sent per device").arg(text(bytesText(item.bytesPerDevicePerStep, ByteUnits::decimal)));
        const auto calls = static_cast<std::int64_t>(item.callsPerStep + 0.5);
        note << (calls == 1 ? tr("1 call") : tr("%1 calls").arg(QString::fromStdString(grouped(calls))));
        note << (item.algorithm.empty() ? tr("group of %1").arg(item.groupSize)
                                        : tr("%1 of %2").arg(QString::fromStdString(item.algorithm)).arg(item.groupSize));
        if (!item.link.empty()) note << QString::fromStdString(item.link);
        bar.note = note.join(kDot);
        const double felt = std::min(item.exposedS, item.timeS);
        if (longest > 0) {
            bar.segments.push_back({felt / longest, theme.communication, false});
            bar.segments.push_back({(item.timeS - felt) / longest, theme.communication, true});
        }
        bar.value = text(secondsText(item.timeS));
        bar.valueNote = item.exposedS > 0 ? tr("%1 exposed").arg(text(secondsText(item.exposedS))) : tr("all hidden");
        bar.tip =
            bar.title + QLatin1Char('\n') + note.join(QLatin1Char('\n')) + QLatin1Char('\n') +
            tr("%1 per step, of which %2 are felt and %3 hidden under compute")
                .arg(bar.value, text(secondsText(item.exposedS)), text(secondsText(std::max(0.0, item.timeS - item.exposedS))));
        bars.push_back(std::move(bar));
    }
    collectives_->setBars(std::move(bars));
    const double step = evaluation->time.stepS;
    collectiveTitle_->setText(evaluation->communication.empty()
                                  ? tr("COLLECTIVES: this plan sends nothing")
                                  : tr("COLLECTIVES") + QStringLiteral("&nbsp; <span style='font-weight:400;color:%1'>%2</span>")
                                                            .arg(theme.secondaryText.name(),
                                                                 tr("%1 per step, %2 exposed (%3 of the step)")
                                                                     .arg(text(secondsText(total)), text(secondsText(exposed)),
                                                                          text(percentText(step > 0 ? exposed / step : 0)))));

    std::vector<std::pair<LinkLoad, int>> loads;
    for (std::size_t index = 0; index < evaluation->links.size(); ++index)
        loads.emplace_back(evaluation->links[index], static_cast<int>(index));
    std::stable_sort(loads.begin(), loads.end(),
                     [](const auto& a, const auto& b) { return a.first.utilisation > b.first.utilisation; });
    std::vector<BarList::Bar> linkBars;
    linkOfBar_.clear();
    nodeOfBar_.clear();
    const ClusterSpec& cluster = *snapshot->cluster;
    for (const auto& [load, index] : loads) {
        BarList::Bar bar;
        if (load.link >= 0 && load.link < static_cast<int>(cluster.links.size())) {
            const LinkSpec& link = cluster.links[static_cast<std::size_t>(load.link)];
            bar.title = endName(cluster, link.from) + QStringLiteral(" \u2194 ") + endName(cluster, link.to);
            bar.note = tr("%1 \u00d7 %2").arg(link.count).arg(text(bytesPerSecondText(link.bandwidthBytesPerS)));
        } else if (load.nodeBlock >= 0 && load.nodeBlock < static_cast<int>(cluster.nodes.size())) {
            bar.title = tr("Inside %1").arg(nodeName(cluster, load.nodeBlock));
            const auto copies = cluster.nodes[static_cast<std::size_t>(load.nodeBlock)].count;
            if (copies > 1) bar.note = tr("%1 nodes").arg(copies);
        } else {
            continue;
        }
        bar.segments.push_back({std::clamp(load.utilisation, 0.0, 1.0), heat(load.utilisation), false});
        bar.value = text(percentText(load.utilisation));
        bar.valueNote = text(bytesText(load.bytesPerStep, ByteUnits::decimal));
        bar.tip = tr("%1\n%2 per step, busy %3 of the time").arg(bar.title, bar.valueNote, bar.value);
        linkBars.push_back(std::move(bar));
        linkOfBar_.push_back(load.link);
        nodeOfBar_.push_back(load.nodeBlock);
    }
    links_->setBars(std::move(linkBars));

    // A closed-form evaluation during a drag has no matrix; the last one stays.
    if (evaluation->trafficBlocks > 0 && !evaluation->trafficMatrix.empty()) {
        TrafficMatrix::Data traffic;
        traffic.bytes = evaluation->trafficMatrix;
        traffic.blocks = evaluation->trafficBlocks;
        traffic.areNodes = evaluation->trafficBlocksAreNodes;
        traffic.stages = static_cast<int>(snapshot->plan.pipelineParallel);
        if (evaluation->layout) {
            const RankLayout& layout = *evaluation->layout;
            const auto stageOf = [&layout](std::int32_t at) {
                const std::int32_t rank = layout.rankOnDevice(at);
                return rank < 0 ? 0 : layout.coordinates(rank).pipeline;
            };
            std::int32_t device = 0;
            if (!traffic.areNodes) {
                for (; device < std::min(layout.ranks(), traffic.blocks); ++device) {
                    traffic.stageOfBlock.push_back(stageOf(device));
                }
            } else {
                for (const NodeSpec& node : cluster.nodes) {
                    for (std::int64_t copy = 0; copy < node.count && device < layout.ranks(); ++copy) {
                        traffic.stageOfBlock.push_back(stageOf(device));
                        device += static_cast<std::int32_t>(node.devicesPerNode());
                    }
                }
            }
        }
        matrixTitle_->setText(tr("WHO SENDS TO WHOM") + QStringLiteral("&nbsp; <span style='font-weight:400;color:%1'>%2</span>")
                                                            .arg(theme.secondaryText.name(),
                                                                 traffic.areNodes ? tr("node by node") : tr("device by device")));
        matrix_->setTraffic(std::move(traffic));
    }
    for (QLabel* label : {collectiveTitle_, linkTitle_, matrixTitle_}) {
        QPalette quiet = label->palette();
        quiet.setColor(QPalette::WindowText, theme.secondaryText);
        label->setPalette(quiet);
    }
    stack_->setCurrentWidget(content_);
    takeSelection();
    arrange();
}

void TrafficPanel::takeSelection() {
    const SelectionState& state = selection_->selected();
    const auto find = [](const std::vector<int>& list, std::optional<int> wanted) -> std::optional<int> {
        if (!wanted) return std::nullopt;
        const auto found = std::find(list.begin(), list.end(), *wanted);
        if (found == list.end()) return std::nullopt;
        return static_cast<int>(found - list.begin());
    };
    collectives_->setSelected(find(communicationOfBar_, state.communication));
    auto link = find(linkOfBar_, state.link);
    if (!link) link = find(nodeOfBar_, state.nodeBlock);
    links_->setSelected(link);
    matrix_->setSelectedStage(state.stage);
}

void TrafficPanel::arrange() {
    const int width = content_->width();
    const int height = content_->height();
    const bool isWide = width >= kWideFrom;
    const int matrixWidth = isWide ? std::clamp(std::min(height + 20, width * 45 / 100), 240, 760) : 0;
    const int left = width - matrixWidth;
    matrix_->setVisible(isWide);
    matrixTitle_->setVisible(isWide);
    // Collectives get what they need, links the rest, at least a third.
    const int wanted = collectives_->sizeHint().height();
    const int room = height - 2 * kTitleHeight;
    const int top =
        std::clamp(wanted, std::min(wanted, 40), std::max(40, std::max(room * 6 / 10, room - links_->sizeHint().height())));
    collectiveTitle_->setGeometry(0, 0, left, kTitleHeight);
    collectiveArea_->setGeometry(0, kTitleHeight, left, top);
    linkTitle_->setGeometry(0, kTitleHeight + top, left, kTitleHeight);
    linkArea_->setGeometry(0, 2 * kTitleHeight + top, left, std::max(0, height - 2 * kTitleHeight - top));
    matrixTitle_->setGeometry(left, 0, matrixWidth, kTitleHeight);
    matrix_->setGeometry(left + space::kPanelPadding, kTitleHeight, std::max(0, matrixWidth - space::kPanelPadding),
                         height - kTitleHeight);
}

void TrafficPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    stack_->activate();
    arrange();
}

void TrafficPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && matrix_ != nullptr) refresh();
    QWidget::changeEvent(event);
}

void TrafficPanel::copyTable() const {
    const auto evaluation = document_->evaluation();
    if (!evaluation) return;
    QStringList lines{
        tr("group\tcollective\tcalls per step\tbytes per device and step\tlink\talgorithm\tgroup size\ttime s\texposed s")};
    for (const CommunicationItem& item : evaluation->communication) {
        lines << QStringList{groupName(item.group),
                             collectiveName(item.collective),
                             QString::number(item.callsPerStep, 'g', 12),
                             QString::number(item.bytesPerDevicePerStep, 'g', 15),
                             QString::fromStdString(item.link),
                             QString::fromStdString(item.algorithm),
                             QString::number(item.groupSize),
                             QString::number(item.timeS, 'g', 12),
                             QString::number(item.exposedS, 'g', 12)}
                     .join(QLatin1Char('\t'));
    }
    QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void TrafficPanel::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.addAction(icon(QStringLiteral("copy")), tr("Copy picture"), this, [this] { copyFigure(*this); });
    menu.addAction(icon(QStringLiteral("table-2")), tr("Copy table"), this, &TrafficPanel::copyTable);
    menu.addAction(icon(QStringLiteral("image")), tr("Export picture…"), this, [this] {
        exportFigureInteractively(*this, QStringLiteral("traffic"), {tr("Traffic"), {}});
    });
    menu.exec(event->globalPos());
}

void TrafficPanel::paintFigure(QPainter& painter, const QRectF& area) {
    const Theme& theme = Theme::current();
    painter.fillRect(area, theme.panel);
    const auto evaluation = document_->evaluation();
    if (!evaluation || !evaluation->computed) return;
    const double matrixWidth =
        area.width() >= kWideFrom ? std::clamp(std::min(area.height(), area.width() * 0.45), 240.0, 900.0) : 0;
    const QRectF left = area.adjusted(4, 4, -matrixWidth - 4, -4);
    const auto heading = [&](const QRectF& at, const QString& name) {
        painter.setFont(type::font(type::kSecondary, QFont::DemiBold));
        painter.setPen(theme.secondaryText);
        painter.drawText(QRectF(at.left() + space::kPanelPadding, at.top(), at.width(), kTitleHeight),
                         Qt::AlignLeft | Qt::AlignVCenter, name);
    };
    heading(left, tr("COLLECTIVES: time per step, solid where it is felt"));
    const double used = collectives_->paintBars(painter, left.adjusted(0, kTitleHeight, 0, 0));
    const double linkTop = left.top() + kTitleHeight + used + 8;
    if (linkTop + 2 * kTitleHeight < left.bottom()) {
        heading(QRectF(left.left(), linkTop, left.width(), kTitleHeight), tr("LINKS: utilisation over the step"));
        links_->paintBars(painter,
                          QRectF(left.left(), linkTop + kTitleHeight, left.width(), left.bottom() - linkTop - kTitleHeight));
    }
    if (matrixWidth > 0) {
        const QRectF right(area.right() - matrixWidth, area.top() + 4, matrixWidth - 8, area.height() - 8);
        heading(right, tr("WHO SENDS TO WHOM"));
        matrix_->paintMatrix(painter, right.adjusted(space::kPanelPadding, kTitleHeight, 0, 0), std::nullopt);
    }
}

}  // namespace trainyard
