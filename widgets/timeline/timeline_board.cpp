#include "widgets/timeline/timeline_board.h"

#include <QAction>
#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/schedule/fold.h"
#include "widgets/style/icons.h"
#include "widgets/style/theme.h"
#include "widgets/timeline/span_story.h"
#include "widgets/timeline/timeline_legend.h"
#include "widgets/timeline/timeline_overview.h"
#include "widgets/timeline/timeline_search.h"
#include "widgets/timeline/timeline_view.h"

namespace trainyard {
namespace {

constexpr int kStepMilliseconds = 180;

/// The same model without what repeats; itself where nothing repeats.
std::shared_ptr<const TimelineModel> foldedModel(const std::shared_ptr<const TimelineModel>& model) {
    const auto part = findPeriodicPart(model->timeline());
    if (!part) return model;
    FoldedTimeline folded = foldTimeline(model->timeline(), *part);
    TimelineContext context = model->context();
    context.fold =
        TimelineFold{static_cast<double>(folded.cut), static_cast<double>(folded.removed), folded.blocks, part->microBatches};
    return std::make_shared<const TimelineModel>(std::make_shared<const Timeline>(std::move(folded.timeline)),
                                                 std::move(context));
}

const QString kDot = QStringLiteral(" \u00b7 ");

QToolButton* quietButton(const QString& iconName, const QString& name, const QString& tip, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setProperty("quiet", true);
    button->setAutoRaise(true);
    button->setIcon(icon(iconName));
    button->setIconSize(QSize(16, 16));
    button->setAccessibleName(name);
    button->setToolTip(tip);
    return button;
}

}  // namespace

TimelineBoard::TimelineBoard(QWidget* parent) : QWidget(parent), viewport_(new TimelineViewport(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::kUnit, space::kUnit, space::kPanelPadding, space::kUnit);
    layout->setSpacing(0);
    buildToolbar(layout);

    auto* views = new QVBoxLayout;
    views->setSpacing(space::kUnit);
    viewLayout_ = views;
    layout->addLayout(views, 1);
    overview_ = new TimelineOverview(viewport_, this);
    overview_->setLeftMargin(kLabelWidth);
    layout->addWidget(overview_);

    auto* footer = new QHBoxLayout;
    footer->setContentsMargins(8, 0, 0, 0);
    footer->setSpacing(space::kPanelPadding);
    status_ = new QLabel(this);
    sums_ = new QLabel(this);
    for (QLabel* label : {status_, sums_}) {
        label->setFont(type::font(type::kSecondary));
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        label->setFixedHeight(20);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    status_->setToolTip(
        tr("Three figures are called bubble. Idle share: idle device time over all device time of the step. "
           "Above ideal: step over pure work, minus one. In span: one minus the work over the longest time from a "
           "device's first to its last action; the start stagger is forgiven (zero-bubble papers)."));
    sums_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    footer->addWidget(status_, 3);
    footer->addWidget(sums_, 4);
    layout->addLayout(footer);

    clock_.setInterval(kStepMilliseconds);
    connect(&clock_, &QTimer::timeout, this, [this] { step(1); });
    connect(viewport_, &TimelineViewport::markedChanged, this, &TimelineBoard::refreshStatus);
    connect(viewport_, &TimelineViewport::scrubberChanged, this, &TimelineBoard::refreshStatus);
    addView();
}

void TimelineBoard::buildToolbar(QVBoxLayout* layout) {
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(space::kUnit, 0, 0, 2);
    bar->setSpacing(2);
    auto* back =
        quietButton(QStringLiteral("step-back"), tr("Step back"), tr("Back to the previous start of an action (<)"), this);
    playButton_ = quietButton(QStringLiteral("play"), tr("Play"), tr("Play the step action by action (Space)"), this);
    auto* forward = quietButton(QStringLiteral("step-forward"), tr("Step"), tr("On to the next start of an action (>)"), this);
    auto* all = quietButton(QStringLiteral("maximize"), tr("Whole step"), tr("Show the whole step (Home)"), this);
    criticalButton_ = quietButton(QStringLiteral("route"), tr("Critical path"),
                                  tr("Show the chain of actions that decides the step time (C)"), this);
    criticalButton_->setCheckable(true);
    idleButton_ = quietButton(QStringLiteral("timer"), tr("Idle by cause"), tr("Colour idle time by what it waits for"), this);
    idleButton_->setCheckable(true);
    foldButton_ = quietButton(QStringLiteral("scissors"), tr("Fold"),
                              tr("Show the repeating part of the step once and leave out the rest of it"), this);
    foldButton_->setCheckable(true);
    foldButton_->setObjectName(QStringLiteral("fold"));
    idleButton_->setObjectName(QStringLiteral("idle"));
    criticalButton_->setObjectName(QStringLiteral("critical"));
    searchField_ = new QLineEdit(this);
    searchField_->setPlaceholderText(tr("Find 6, F3, stage 2"));
    searchField_->setAccessibleName(tr("Find in the timeline"));
    searchField_->setToolTip(
        tr("A micro-batch (6), an action (F6, I3.1, W0) or a row (stage 2). Enter: next, Shift+Enter: previous."));
    searchField_->setClearButtonEnabled(true);
    searchField_->setFixedHeight(26);
    searchField_->setMaximumWidth(180);
    searchField_->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    searchCount_ = new QLabel(this);
    searchCount_->setFont(type::font(type::kSecondary));
    legend_ = new LegendStrip(this);
    legend_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    auto* more = quietButton(QStringLiteral("ellipsis"), tr("More"), tr("Copy or export the picture, keys"), this);

    for (QWidget* widget : {static_cast<QWidget*>(back), static_cast<QWidget*>(playButton_), static_cast<QWidget*>(forward)})
        bar->addWidget(widget);
    bar->addSpacing(6);
    bar->addWidget(all);
    bar->addWidget(criticalButton_);
    bar->addWidget(idleButton_);
    bar->addWidget(foldButton_);
    bar->addSpacing(8);
    bar->addWidget(searchField_, 1);
    bar->addSpacing(4);
    bar->addWidget(searchCount_);
    bar->addSpacing(8);
    bar->addWidget(legend_, 4);
    bar->addSpacing(4);
    bar->addWidget(more);
    layout->addLayout(bar);

    connect(back, &QToolButton::clicked, this, [this] { step(-1); });
    connect(forward, &QToolButton::clicked, this, [this] { step(1); });
    connect(playButton_, &QToolButton::clicked, this, [this] { isPlaying() ? pause() : play(); });
    connect(all, &QToolButton::clicked, viewport_, &TimelineViewport::showAll);
    connect(criticalButton_, &QToolButton::toggled, this, [this](bool isOn) {
        for (TimelineView* view : views_) view->setCriticalPathShown(isOn);
    });
    connect(idleButton_, &QToolButton::toggled, this, [this](bool isOn) {
        for (TimelineView* view : views_) view->setIdleByCause(isOn);
        refreshLegend();
    });
    connect(foldButton_, &QToolButton::toggled, this, &TimelineBoard::setFolded);
    connect(searchField_, &QLineEdit::textChanged, this, &TimelineBoard::search);
    connect(searchField_, &QLineEdit::returnPressed, this,
            [this] { moveToHit(QApplication::keyboardModifiers() & Qt::ShiftModifier ? -1 : 1); });
    connect(more, &QToolButton::clicked, this, &TimelineBoard::showMenu);
}

void TimelineBoard::addView() {
    const int index = static_cast<int>(views_.size());
    auto* title = new QLabel(this);
    title->setFont(type::font(type::kBody, QFont::DemiBold));
    title->setContentsMargins(8, 2, 0, 0);
    title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    title->hide();
    auto* view = new TimelineView(this);
    view->setViewport(viewport_);
    viewLayout_->addWidget(title);
    viewLayout_->addWidget(view, 1);
    titles_.push_back(title);
    views_.push_back(view);
    connect(view, &TimelineView::spanClicked, this, [this, index](std::optional<std::uint32_t> span) {
        if (!span) criticalButton_->setChecked(views_[static_cast<std::size_t>(index)]->isCriticalPathShown());
        emit spanClicked(index, span);
    });
    connect(view, &TimelineView::rowClicked, this, [this, index](int row) { emit rowClicked(index, row); });
    connect(view, &TimelineView::hovered, this,
            [this, index](std::optional<int> row, std::optional<int> microBatch) { emit hovered(index, row, microBatch); });
    connect(view, &TimelineView::searchRequested, this, [this] {
        searchField_->setFocus(Qt::ShortcutFocusReason);
        searchField_->selectAll();
    });
    connect(view, &TimelineView::playRequested, this, [this] { isPlaying() ? pause() : play(); });
    connect(view, &TimelineView::stepRequested, this, &TimelineBoard::step);
    connect(view, &TimelineView::helpRequested, this, &TimelineBoard::showKeys);
    connect(view, &TimelineView::criticalPathToggled, criticalButton_, &QToolButton::setChecked);
}

void TimelineBoard::setEntries(std::vector<Entry> entries) {
    originals_ = std::move(entries);
    bubbles_.clear();
    for (const Entry& entry : originals_) bubbles_.push_back(bubblesOf(entry.model->timeline()));
    showEntries();
}

void TimelineBoard::setFolded(bool isFolded) {
    if (isFolded_ == isFolded) return;
    isFolded_ = isFolded;
    foldButton_->setChecked(isFolded);
    showEntries();
    viewport_->showAll();
}

void TimelineBoard::setIdleByCause(bool isOn) { idleButton_->setChecked(isOn); }

void TimelineBoard::showEntries() {
    entries_ = originals_;
    if (isFolded_)
        for (Entry& entry : entries_) entry.model = foldedModel(entry.model);
    while (views_.size() < entries_.size()) addView();
    TimeLimits limits{1, 1};
    const TimelineModel* longest = nullptr;
    std::shared_ptr<const TimelineModel> overviewModel;
    for (const Entry& entry : entries_) {
        if (longest == nullptr || entry.model->makespan() > longest->makespan()) {
            longest = entry.model.get();
            overviewModel = entry.model;
        }
    }
    if (longest != nullptr) limits = longest->limits();
    limits.whole = std::max(1.0, limits.whole);
    viewport_->setLimits(limits);
    for (std::size_t index = 0; index < views_.size(); ++index) {
        const bool isUsed = index < entries_.size();
        views_[index]->setModel(isUsed ? entries_[index].model : nullptr);
        views_[index]->setCriticalPathShown(criticalButton_->isChecked());
        views_[index]->setIdleByCause(idleButton_->isChecked());
        views_[index]->setRulerVisible(index == 0);
        views_[index]->setVisible(isUsed);
        titles_[index]->setVisible(isUsed && entries_.size() > 1);
    }
    applyMeasured();
    overview_->setModel(overviewModel);
    refreshTitles();
    refreshLegend();
    search(searchField_->text());
    refreshStatus();
}

void TimelineBoard::applyMeasured() {
    TimeLimits limits = viewport_->limits();
    for (std::size_t index = 0; index < views_.size(); ++index) {
        // A folded axis has no place for what was left out.
        const bool isShown = measured_ && !isFolded_ && index < entries_.size();
        std::shared_ptr<const MeasuredOverlay> overlay;
        if (isShown) overlay = std::make_shared<const MeasuredOverlay>(overlayOf(*entries_[index].model, *measured_));
        views_[index]->setMeasured(overlay);
        if (overlay) limits.whole = std::max(limits.whole, overlay->model->makespan());
    }
    if (measured_) viewport_->setLimits(limits);
}

void TimelineBoard::refreshTitles() {
    const Theme& theme = Theme::current();
    for (std::size_t index = 0; index < entries_.size(); ++index) {
        const TimelineModel& model = *entries_[index].model;
        const QString figures = durationText(model.realMakespan(), model.context().unit) + kDot + bubbleText(bubbles_[index]) +
                                kDot + tr("peak %1 in flight").arg(amountText(static_cast<double>(model.largestInFlight())));
        titles_[index]->setText(QStringLiteral("%1 &nbsp;<span style='font-weight:400;font-size:%2px;color:%3'>%4</span>")
                                    .arg(entries_[index].title.toHtmlEscaped())
                                    .arg(type::kSecondary)
                                    .arg(theme.secondaryText.name(), figures.toHtmlEscaped()));
    }
}

void TimelineBoard::refreshLegend() {
    // All kinds that occur in any of the pictures, each once.
    std::vector<LegendEntry> entries;
    for (const Entry& entry : entries_) {
        for (const LegendEntry& candidate : timelineLegend(*entry.model)) {
            const auto same = [&](const LegendEntry& other) {
                return other.color == candidate.color && other.isArea == candidate.isArea;
            };
            if (std::none_of(entries.begin(), entries.end(), same))
                entries.insert(entries.end() - (entries.empty() || !entries.back().isArea ? 0 : 1), candidate);
        }
    }
    if (idleButton_->isChecked()) {
        const Theme& theme = Theme::current();
        for (const IdleCause cause : {IdleCause::fill, IdleCause::dependency, IdleCause::transfer}) {
            const QString name = cause == IdleCause::fill ? tr("idle: fill, drain") : tr("idle: %1").arg(idleName(cause));
            const QString shortName =
                cause == IdleCause::fill ? tr("fill") : (cause == IdleCause::dependency ? tr("waits") : tr("transfer"));
            entries.push_back({name, shortName, mixed(theme.panel, idleColor(theme, cause), 0.45), true, false});
        }
    }
    legend_->setEntries(std::move(entries));
}

QString TimelineBoard::bubbleText(const Bubbles& bubbles) {
    return tr("bubble %1 idle share").arg(shareText(bubbles.idleShare)) + kDot +
           tr("%1 above ideal").arg(shareText(bubbles.overhead)) + kDot +
           tr("%1 in span").arg(shareText(std::max(0.0, bubbles.span)));
}

QString TimelineBoard::statusText() const { return status_->text(); }
QString TimelineBoard::sumsText() const { return sums_->text(); }
QString TimelineBoard::searchText() const { return searchCount_->text(); }

void TimelineBoard::refreshStatus() {
    const Theme& theme = Theme::current();
    QPalette quiet = status_->palette();
    quiet.setColor(QPalette::WindowText, theme.secondaryText);
    status_->setPalette(quiet);
    searchCount_->setPalette(quiet);
    status_->clear();
    sums_->clear();
    if (entries_.empty()) return;
    const TimelineModel& model = *entries_.front().model;
    if (entries_.size() == 1) {
        QString text = bubbleText(bubbles_.front());
        text[0] = text[0].toUpper();
        text = tr("Step %1").arg(durationText(model.realMakespan(), model.context().unit)) + kDot + text;
        if (const auto& overlay = views_.front()->measured()) text += kDot + overlay->summary;
        status_->setText(text);
    }
    if (const auto& marked = viewport_->marked()) {
        sums_->setText(rangeStory(model, *marked));
    } else if (const auto& scrubber = viewport_->scrubber()) {
        // What every row does at this moment, as far as there is room.
        QStringList parts{tr("At %1").arg(durationText(model.realTime(*scrubber), model.context().unit))};
        for (int row = 0; row < std::min(model.rows(), 8); ++row) {
            const auto span = model.spanAt(row, Lane::compute, *scrubber);
            parts << (span ? actionCode(model.timeline().action[*span], model.context().slices > 1) : tr("idle"));
        }
        if (model.rows() > 8) parts << QStringLiteral("\u2026");
        sums_->setText(parts.join(kDot));
    }
    arrangeViews();
}

void TimelineBoard::play() {
    if (entries_.empty()) return;
    const double end = viewport_->limits().whole;
    if (!viewport_->scrubber() || *viewport_->scrubber() >= end) viewport_->setScrubber(0.0);
    clock_.start();
    playButton_->setIcon(icon(QStringLiteral("pause")));
}

void TimelineBoard::pause() {
    clock_.stop();
    playButton_->setIcon(icon(QStringLiteral("play")));
}

void TimelineBoard::step(int direction) {
    if (entries_.empty()) return;
    const double now = viewport_->scrubber().value_or(direction > 0 ? -1.0 : viewport_->limits().whole);
    std::optional<double> next;
    for (const Entry& entry : entries_) {
        const auto candidate = direction > 0 ? entry.model->nextStart(now) : entry.model->previousStart(now);
        if (candidate && (!next || (direction > 0 ? *candidate < *next : *candidate > *next))) next = candidate;
    }
    if (!next) {
        pause();
        viewport_->setScrubber(direction > 0 ? viewport_->limits().whole : 0.0);
        return;
    }
    viewport_->setScrubber(next);
    const TimeRange visible = viewport_->visible();
    if (!visible.contains(*next)) {
        const double length = visible.length();
        viewport_->setVisible(direction > 0 ? TimeRange{*next - 0.1 * length, *next + 0.9 * length}
                                            : TimeRange{*next - 0.9 * length, *next + 0.1 * length});
    }
}

void TimelineBoard::search(const QString& text) {
    hits_.assign(entries_.size(), {});
    hitTotal_ = 0;
    hitCurrent_ = 0;
    std::vector<double> marks;
    const auto query = parseTimelineQuery(text);
    for (std::size_t index = 0; index < entries_.size(); ++index) {
        if (query) {
            TimelineHits found = findSpans(*entries_[index].model, *query);
            hits_[index] = std::move(found.spans);
            hitTotal_ += hits_[index].size();
            for (const std::uint32_t span : hits_[index]) marks.push_back(entries_[index].model->rangeOf(span).begin);
        }
        views_[index]->setFound(hits_[index], std::nullopt);
    }
    constexpr std::size_t kMostMarks = 400;
    if (marks.size() > kMostMarks) marks.clear();  // everywhere is nowhere
    overview_->setMarks(std::move(marks));
    searchCount_->setText(text.trimmed().isEmpty() ? QString() : (query ? tr("%1 found").arg(hitTotal_) : tr("not understood")));
}

void TimelineBoard::moveToHit(int direction) {
    if (hitTotal_ == 0) return;
    hitCurrent_ = (hitCurrent_ + hitTotal_ + static_cast<std::size_t>(direction > 0 ? 1 : hitTotal_ - 1)) % hitTotal_;
    if (searchCount_->text().contains(QLatin1String("found"))) hitCurrent_ = direction > 0 ? 0 : hitTotal_ - 1;
    std::size_t rest = hitCurrent_;
    for (std::size_t index = 0; index < hits_.size(); ++index) {
        const bool isHere = rest < hits_[index].size();
        views_[index]->setFound(hits_[index], isHere ? std::optional(hits_[index][rest]) : std::nullopt);
        if (isHere) {
            views_[index]->revealSpan(hits_[index][rest]);
            break;
        }
        rest -= hits_[index].size();
    }
    searchCount_->setText(tr("%1 of %2").arg(hitCurrent_ + 1).arg(hitTotal_));
}

void TimelineBoard::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    // In a low dock the rows come first.
    overview_->setVisible(height() >= 190);
    arrangeViews();
}

void TimelineBoard::arrangeViews() {
    // Rows of equal height in all pictures: the first has the ruler besides.
    int rows = 0;
    for (const Entry& entry : entries_) rows += entry.model->rows();
    if (rows == 0) return;
    const int perRow = std::max(1, (height() - 110 - static_cast<int>(kRulerHeight)) / rows);
    for (std::size_t index = 0; index < entries_.size(); ++index) {
        const int own = entries_[index].model->rows() * perRow + (index == 0 ? static_cast<int>(kRulerHeight) : 0);
        viewLayout_->setStretchFactor(views_[index], std::clamp(own, 1, 255 * 40));
    }
    const bool hasFooter = height() >= 150 && (!status_->text().isEmpty() || !sums_->text().isEmpty());
    status_->setVisible(hasFooter);
    sums_->setVisible(hasFooter && !sums_->text().isEmpty());
}

void TimelineBoard::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && legend_ != nullptr && status_ != nullptr) {
        refreshLegend();
        refreshTitles();
    }
    QWidget::changeEvent(event);
}

void TimelineBoard::paintFigure(QPainter& painter, const QRectF& area) {
    const Theme& theme = Theme::current();
    painter.fillRect(area, theme.panel);
    if (entries_.empty()) return;
    const double margin = space::kPanelPadding;
    const QRectF inner = area.adjusted(margin, 8, -margin, -8);
    const QRectF legend(inner.left() + 8, inner.top(), inner.width() - 8, 20);
    refreshLegend();
    paintLegend(painter, legend, legend_->entries(), Qt::AlignLeft);
    const bool hasTitles = entries_.size() > 1;
    const double footer = hasTitles ? 0 : 24;
    const double titleHeight = hasTitles ? 22 : 0;
    double top = legend.bottom() + 4;
    const double room = inner.bottom() - footer - top;
    // Every picture gets room for its rows, so that rows are equally high throughout.
    int rows = 0;
    for (const Entry& entry : entries_) rows += entry.model->rows();
    const double fixed = static_cast<double>(entries_.size()) * titleHeight + kRulerHeight;
    for (std::size_t index = 0; index < entries_.size(); ++index) {
        if (hasTitles) {
            const TimelineModel& model = *entries_[index].model;
            const QRectF line(inner.left() + 8, top, inner.width() - 8, titleHeight);
            painter.setFont(type::font(type::kBody, QFont::DemiBold));
            painter.setPen(theme.text);
            const QString& title = entries_[index].title;
            painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, title);
            const double width = QFontMetricsF(painter.font()).horizontalAdvance(title);
            painter.setFont(type::font(type::kSecondary));
            painter.setPen(theme.secondaryText);
            painter.drawText(line.adjusted(width + 12, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                             durationText(model.realMakespan(), model.context().unit) + kDot + bubbleText(bubbles_[index]) +
                                 kDot + tr("peak %1 in flight").arg(amountText(static_cast<double>(model.largestInFlight()))));
            top += titleHeight;
        }
        const double height = (room - fixed) * entries_[index].model->rows() / rows + (index == 0 ? kRulerHeight : 0);
        views_[index]->paintFigure(painter, QRectF(inner.left(), top, inner.width(), height));
        top += height;
    }
    if (!hasTitles) {
        painter.setFont(type::font(type::kSecondary));
        painter.setPen(theme.secondaryText);
        painter.drawText(QRectF(inner.left() + 8, inner.bottom() - 20, inner.width() - 8, 20), Qt::AlignLeft | Qt::AlignVCenter,
                         status_->text());
    }
}

}  // namespace trainyard
