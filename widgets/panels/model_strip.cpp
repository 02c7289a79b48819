#include "widgets/panels/model_strip.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "core/base/format_quantity.h"
#include "core/plan/resolve.h"
#include "core/schedule/registry.h"
#include "widgets/document/plan_document.h"
#include "widgets/document/scenario_edits.h"
#include "widgets/document/selection.h"
#include "widgets/panels/layer_glyph.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {
constexpr int kPadding = 14;
constexpr int kCaptionHeight = 30;
constexpr int kBlockTop = 38;
constexpr int kBlockHeight = 26;
constexpr int kHeight = 82;
constexpr double kGap = 2;          ///< between blocks, where they are wide enough
constexpr double kMergedBelow = 4;  ///< layers narrower than this are drawn as one bar per stage
constexpr double kGrab = 6;

QColor blend(const QColor& a, const QColor& b, double share) {
    const auto channel = [share](int x, int y) { return static_cast<int>(std::lround(x * share + y * (1 - share))); };
    return {channel(a.red(), b.red()), channel(a.green(), b.green()), channel(a.blue(), b.blue())};
}

/// Rank of every global stage under the plan's schedule, so that a V shape colours both its arms alike.
std::vector<int> ranksOfStages(const Scenario& scenario, const ResolvedPlan& resolved) {
    const int ranks = static_cast<int>(std::max<std::int64_t>(1, scenario.plan.pipelineParallel));
    const ScheduleDefinition* schedule = findScheduleOrNull(scenario.plan.schedule);
    const bool wave = schedule != nullptr && schedule->fixedChunks == 2;
    std::vector<int> result;
    for (std::size_t stage = 0; stage < resolved.layersOfStage.size(); ++stage) {
        const int chunk = static_cast<int>(stage) / ranks;
        const int within = static_cast<int>(stage) % ranks;
        result.push_back(wave && chunk % 2 == 1 ? ranks - 1 - within : within);
    }
    return result;
}

}  // namespace

ModelStrip::ModelStrip(PlanDocument* document, Selection* selection, QWidget* parent)
    : QWidget(parent), document_(document), selection_(selection) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Layers and stage borders"));
    connect(document_, &PlanDocument::snapshotChanged, this, &ModelStrip::refresh);
    connect(selection_, &Selection::selectionChanged, this, qOverload<>(&QWidget::update));
    connect(selection_, &Selection::hoverChanged, this, qOverload<>(&QWidget::update));
    refresh();
}

QSize ModelStrip::sizeHint() const { return {640, kHeight}; }
QSize ModelStrip::minimumSizeHint() const { return {260, kHeight}; }

void ModelStrip::refresh() {
    const Scenario& s = *document_->snapshot();
    const ResolvedPlan resolved = resolve(s);
    layersOfStage_ = resolved.layersOfStage;
    firstLayer_.assign(1, 0);
    for (const std::int64_t layers : layersOfStage_) firstLayer_.push_back(firstLayer_.back() + layers);
    rankOfStage_ = ranksOfStages(s, resolved);
    ranks_ = static_cast<int>(std::max<std::int64_t>(1, s.plan.pipelineParallel));
    uneven_ = !layersOfStage_.empty() &&
              std::adjacent_find(layersOfStage_.begin(), layersOfStage_.end(), std::not_equal_to<>()) != layersOfStage_.end();
    currentBorder_ = std::clamp(currentBorder_, 0, std::max(0, borders() - 1));
    describe();
    update();
}

int ModelStrip::borders() const { return std::max(0, static_cast<int>(layersOfStage_.size()) - 1); }

ModelStrip::Geometry ModelStrip::geometry() const {
    Geometry g;
    const auto layers = static_cast<double>(std::max<std::int64_t>(1, firstLayer_.back()));
    const double inner = width() - 2.0 * kPadding;
    g.endWidth = std::clamp(inner * 0.03, 24.0, 40.0);
    g.embeddingLeft = kPadding;
    g.left = kPadding + g.endWidth + 6;
    g.headLeft = width() - kPadding - g.endWidth;
    g.layerWidth = std::min(34.0, std::max(0.05, (g.headLeft - 6 - g.left) / layers));
    g.headLeft = g.left + g.layerWidth * layers + 6;
    return g;
}

double ModelStrip::layerX(std::int64_t layer) const {
    const Geometry g = geometry();
    return g.left + g.layerWidth * static_cast<double>(layer);
}

QPoint ModelStrip::borderPosition(int border) const {
    return {static_cast<int>(std::lround(layerX(firstLayer_[static_cast<std::size_t>(border) + 1]) - kGap / 2)),
            kBlockTop + kBlockHeight / 2};
}

int ModelStrip::borderAt(const QPointF& at) const {
    if (at.y() < kBlockTop - 8 || at.y() > kBlockTop + kBlockHeight + 8) return -1;
    int best = -1;
    double distance = kGrab;
    for (int border = 0; border < borders(); ++border) {
        const double d = std::abs(borderPosition(border).x() - at.x());
        // Borders on the same place (an empty stage): the later one when pulling from its right.
        if (d < distance || (d <= distance && best >= 0 && at.x() > borderPosition(border).x())) {
            distance = d;
            best = border;
        }
    }
    return best;
}

std::int64_t ModelStrip::layerAt(double x) const {
    const Geometry g = geometry();
    const auto layer = static_cast<std::int64_t>(std::floor((x - g.left) / g.layerWidth));
    return layer < 0 || layer >= firstLayer_.back() ? -1 : layer;
}

int ModelStrip::globalStageOfLayer(std::int64_t layer) const {
    const auto after = std::upper_bound(firstLayer_.begin(), firstLayer_.end(), layer);
    return std::clamp(static_cast<int>(after - firstLayer_.begin()) - 1, 0, static_cast<int>(layersOfStage_.size()) - 1);
}

int ModelStrip::rankOfStage(int globalStage) const {
    return rankOfStage_.empty() ? 0 : rankOfStage_[static_cast<std::size_t>(globalStage)];
}

void ModelStrip::moveBorder(int border, std::int64_t layer) {
    const auto left = static_cast<std::size_t>(border);
    const std::int64_t target = std::clamp(layer, firstLayer_[left], firstLayer_[left + 2]);
    if (target == firstLayer_[left + 1]) return;
    std::vector<std::int64_t> split = layersOfStage_;
    split[left] = target - firstLayer_[left];
    split[left + 1] = firstLayer_[left + 2] - target;
    editScenario(*document_, tr("Move stage border"), [&](Scenario& s) { s.plan.layersPerStage = std::move(split); });
}

void ModelStrip::resetSplit() {
    editScenario(*document_, tr("Even layer split"), [](Scenario& s) { s.plan.layersPerStage.clear(); });
}

void ModelStrip::describe() {
    if (borders() == 0) {
        setAccessibleDescription(tr("One stage with all layers"));
        return;
    }
    const auto border = static_cast<std::size_t>(currentBorder_);
    setAccessibleDescription(tr("Border %1 of %2: %3 layers before it, %4 after it")
                                 .arg(currentBorder_ + 1)
                                 .arg(borders())
                                 .arg(layersOfStage_[border])
                                 .arg(layersOfStage_[border + 1]));
}

void ModelStrip::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const int border = borderAt(event->position());
    if (border >= 0) {
        draggedBorder_ = border;
        currentBorder_ = border;
        document_->beginGesture(tr("Move stage border"));
        describe();
        update();
        return;
    }
    const std::int64_t layer = event->position().y() >= kBlockTop - 4 ? layerAt(event->position().x()) : -1;
    SelectionState state;
    if (layer >= 0) {
        state.layer = static_cast<int>(layer);
        state.stage = rankOfStage(globalStageOfLayer(layer));
    }
    selection_->select(state);
}

void ModelStrip::mouseMoveEvent(QMouseEvent* event) {
    if (draggedBorder_ >= 0) {
        const Geometry g = geometry();
        moveBorder(draggedBorder_, static_cast<std::int64_t>(std::lround((event->position().x() - g.left) / g.layerWidth)));
        return;
    }
    const int border = borderAt(event->position());
    if (border != hoveredBorder_) {
        hoveredBorder_ = border;
        setCursor(border >= 0 ? Qt::SplitHCursor : Qt::ArrowCursor);
        update();
    }
    SelectionState state;
    const std::int64_t layer = event->position().y() >= kBlockTop - 4 ? layerAt(event->position().x()) : -1;
    if (layer >= 0) {
        state.layer = static_cast<int>(layer);
        state.stage = rankOfStage(globalStageOfLayer(layer));
    }
    selection_->hover(state);
}

void ModelStrip::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || draggedBorder_ < 0) return;
    draggedBorder_ = -1;
    document_->endGesture();
    update();
}

void ModelStrip::mouseDoubleClickEvent(QMouseEvent* event) {
    if (borderAt(event->position()) >= 0) resetSplit();
}

void ModelStrip::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && draggedBorder_ >= 0) {
        draggedBorder_ = -1;
        document_->cancelGesture();
        return;
    }
    if (borders() == 0) return event->ignore();
    const auto choose = [this](int border) {
        currentBorder_ = std::clamp(border, 0, borders() - 1);
        describe();
        update();
    };
    const std::int64_t at = firstLayer_[static_cast<std::size_t>(currentBorder_) + 1];
    switch (event->key()) {
        case Qt::Key_Up: return choose(currentBorder_ - 1);
        case Qt::Key_Down: return choose(currentBorder_ + 1);
        case Qt::Key_Home: return choose(0);
        case Qt::Key_End: return choose(borders() - 1);
        case Qt::Key_Left: return moveBorder(currentBorder_, at - 1);
        case Qt::Key_Right: return moveBorder(currentBorder_, at + 1);
        case Qt::Key_Delete:
        case Qt::Key_Backspace: return resetSplit();
        default: event->ignore();
    }
}

void ModelStrip::leaveEvent(QEvent*) {
    hoveredBorder_ = -1;
    selection_->hover({});
    update();
}

bool ModelStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const std::int64_t layer = help->pos().y() >= kBlockTop - 4 ? layerAt(help->pos().x()) : -1;
    if (layer < 0) {
        QToolTip::hideText();
        return true;
    }
    const int stage = globalStageOfLayer(layer);
    const LayerLook look = layerLook(*document_->snapshot()->model, layer);
    QStringList kind;
    switch (look.mixer) {
        case LayerLook::Mixer::full: kind << tr("attention"); break;
        case LayerLook::Mixer::grouped: kind << tr("grouped-query attention"); break;
        case LayerLook::Mixer::latent: kind << tr("latent attention"); break;
        case LayerLook::Mixer::sliding: kind << tr("sliding-window attention"); break;
        case LayerLook::Mixer::linear: kind << tr("linear mixer"); break;
        case LayerLook::Mixer::none: kind << tr("no mixer"); break;
    }
    kind << (look.moe ? tr("experts") : tr("dense feed-forward"));
    QString where = tr("stage %1").arg(rankOfStage(stage));
    if (static_cast<int>(layersOfStage_.size()) > ranks_) where += tr(", chunk %1").arg(stage / ranks_);
    QToolTip::showText(help->globalPos(), tr("Layer %1 · %2\n%3").arg(layer).arg(where, kind.join(QStringLiteral(" · "))), this);
    return true;
}

void ModelStrip::paintCaption(QPainter& painter) const {
    const Theme& theme = Theme::current();
    const ModelSpec& model = *document_->snapshot()->model;
    const ParameterCounts counts = countParameters(model, document_->snapshot()->workload.sequenceLength);
    QFont title = type::font(type::kCaption, QFont::DemiBold);
    title.setLetterSpacing(QFont::AbsoluteSpacing, 0.6);
    QString text = model.name.empty() ? tr("Model") : QString::fromStdString(model.name);
    text += tr(" · %1 layers, %2 parameters")
                .arg(model.layers)
                .arg(QString::fromStdString(countText(static_cast<double>(counts.total)).joined()));
    if (counts.active != counts.total)
        text += tr(", %1 active").arg(QString::fromStdString(countText(static_cast<double>(counts.active)).joined()));
    painter.setFont(title);
    painter.setPen(theme.secondaryText);
    const int baseline = kCaptionHeight - 9;
    painter.drawText(kPadding, baseline, text.toUpper());
    const int used = kPadding + QFontMetrics(title).horizontalAdvance(text.toUpper()) + 16;

    QString hint;
    if (borders() > 0) {
        hint = uneven_ ? tr("uneven split") : tr("%1 layers a stage").arg(layersOfStage_[0]);
        hint += tr(" · drag a border to move layers between stages");
        if (draggedBorder_ >= 0 || hasFocus()) {
            const auto border = static_cast<std::size_t>(currentBorder_);
            hint = tr("%1 | %2 layers").arg(layersOfStage_[border]).arg(layersOfStage_[border + 1]);
        }
    }
    painter.setFont(type::font(type::kSecondary));
    painter.setPen(uneven_ ? theme.tight : theme.secondaryText);
    const int room = width() - kPadding - used;
    painter.drawText(QRect(used, 0, room, kCaptionHeight + 4), Qt::AlignRight | Qt::AlignVCenter,
                     QFontMetrics(painter.font()).elidedText(hint, Qt::ElideRight, room));
}

void ModelStrip::paintBlocks(QPainter& painter) const {
    const Theme& theme = Theme::current();
    const ModelSpec& model = *document_->snapshot()->model;
    const Geometry g = geometry();
    const double gap = std::min(kGap, g.layerWidth * 0.3);
    const QColor surface = theme.canvas;
    for (std::int64_t layer = 0; layer < firstLayer_.back(); ++layer) {
        const int rank = rankOfStage(globalStageOfLayer(layer));
        const QColor colour = theme.category(rank, ranks_);
        const bool lit = selection_->hovered().stage == rank || selection_->selected().stage == rank;
        const bool selected = selection_->selected().layer == static_cast<int>(layer);
        const double strength = selected ? 1.0 : lit ? 0.85 : theme.kind == ThemeKind::dark ? 0.58 : 0.55;
        const QRectF block(g.left + g.layerWidth * static_cast<double>(layer), kBlockTop, g.layerWidth - gap, kBlockHeight);
        paintLayerGlyph(painter, block, layerLook(model, layer), blend(colour, surface, strength),
                        blend(colour, surface, strength * 0.42));
    }
}

void ModelStrip::paintMergedStages(QPainter& painter) const {
    const Theme& theme = Theme::current();
    painter.setFont(type::font(type::kCaption));
    const QFontMetrics metrics(painter.font());
    for (std::size_t stage = 0; stage < layersOfStage_.size(); ++stage) {
        const int rank = rankOfStage(static_cast<int>(stage));
        const bool lit = selection_->hovered().stage == rank || selection_->selected().stage == rank;
        const double left = layerX(firstLayer_[stage]);
        const double right = layerX(firstLayer_[stage + 1]);
        const QRectF bar(left, kBlockTop, std::max(0.5, right - left - std::min(1.0, (right - left) * 0.3)), kBlockHeight);
        painter.setPen(Qt::NoPen);
        painter.setBrush(blend(theme.category(rank, ranks_), theme.canvas, lit ? 0.9 : 0.6));
        const double radius = std::min(3.0, bar.width() / 4);
        painter.drawRoundedRect(bar, radius, radius);
        const QString text = QString::number(layersOfStage_[stage]);
        if (metrics.horizontalAdvance(text) + 8 < bar.width()) {
            painter.setPen(theme.text);
            painter.drawText(bar, Qt::AlignCenter, text);
        }
    }
}

void ModelStrip::paintEnds(QPainter& painter) const {
    const Theme& theme = Theme::current();
    const Geometry g = geometry();
    const int last = static_cast<int>(layersOfStage_.size()) - 1;
    const auto block = [&](double left, int stage, const QString& text) {
        const QColor colour = theme.category(rankOfStage(stage), ranks_);
        const QRectF rect(left, kBlockTop, g.endWidth, kBlockHeight);
        painter.setPen(QPen(theme.outline(colour), 1));
        painter.setBrush(blend(colour, theme.canvas, theme.kind == ThemeKind::dark ? 0.8 : 0.7));
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), space::kMarkRadius, space::kMarkRadius);
        painter.setPen(theme.kind == ThemeKind::dark ? QColor(0x0d, 0x15, 0x20) : theme.text);
        painter.setFont(type::font(type::kCaption, QFont::DemiBold));
        painter.drawText(rect, Qt::AlignCenter, text);
    };
    const bool wide = g.endWidth >= 34;
    block(g.embeddingLeft, 0, wide ? tr("emb") : tr("E"));
    block(g.headLeft, last, wide ? tr("head") : tr("H"));
}

void ModelStrip::paintBorders(QPainter& painter) const {
    const Theme& theme = Theme::current();
    const Geometry g = geometry();
    const bool crowded = borders() > 0 && g.layerWidth * static_cast<double>(firstLayer_.back()) / borders() < 14;
    for (int border = 0; border < borders(); ++border) {
        const bool active = border == hoveredBorder_ || border == draggedBorder_ || (hasFocus() && border == currentBorder_);
        if (crowded && !active) continue;  // colours alone show the stages; the pointer still finds the handle
        const double x = borderPosition(border).x();
        const double reach = active ? 7 : 4;
        painter.setPen(Qt::NoPen);
        painter.setBrush(active ? theme.accent : theme.text);
        painter.drawRoundedRect(QRectF(x - 1.5, kBlockTop - reach, 3, kBlockHeight + 2 * reach), 1.5, 1.5);
    }
}

void ModelStrip::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), theme.canvas);
    painter.fillRect(QRect(0, 0, width(), 1), theme.hairline);
    paintCaption(painter);
    if (layersOfStage_.empty() || firstLayer_.back() < 1) return;
    if (geometry().layerWidth < kMergedBelow) {
        paintMergedStages(painter);
    } else {
        paintBlocks(painter);
    }
    paintEnds(painter);
    paintBorders(painter);
}

}  // namespace trainyard
