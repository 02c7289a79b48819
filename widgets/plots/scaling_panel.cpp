#include "widgets/plots/scaling_panel.h"

#include <qcustomplot.h>

#include <QCheckBox>
#include <QLabel>
#include <QPainter>
#include <QPointer>
#include <QStackedLayout>
#include <QTabBar>
#include <QTextDocument>
#include <algorithm>
#include <cmath>

#include "core/base/format_quantity.h"
#include "widgets/document/plan_document.h"
#include "widgets/panels/empty_state.h"
#include "widgets/plots/plot_base.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

constexpr int kHeader = 40;
constexpr int kReadout = 54;
constexpr int kDelayMs = 300;  ///< after the last change, so that a drag is not slowed
constexpr double kFigureScaleFrom = 760;

QString text(const QuantityText& quantity) { return QString::fromStdString(quantity.joined()); }

/// Sizes as whole numbers at powers of two.
class DevicesTicker : public QCPAxisTickerLog {
  public:
    DevicesTicker() {
        setLogBase(2);
        setSubTickCount(0);
    }

  protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return tick < 1 ? QString() : QString::fromStdString(grouped(std::llround(tick))); }
};

class FigureTicker : public QCPAxisTickerLog {
  public:
    explicit FigureTicker(bool isTime) : isTime_(isTime) {
        setLogBase(10);
        setSubTickCount(8);
    }

  protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return text(isTime_ ? secondsText(tick) : countText(tick)); }

  private:
    bool isTime_;
};

class ShareTicker : public QCPAxisTickerFixed {
  public:
    ShareTicker() { setTickStep(0.25); }

  protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return QString::number(100 * tick, 'f', 0) + QStringLiteral(" %"); }
};

const ScalingPoint* pointOrNull(const std::vector<ScalingPoint>& points, std::int64_t devices) {
    const auto found = std::find_if(points.begin(), points.end(), [&](const ScalingPoint& p) { return p.devices == devices; });
    return found == points.end() ? nullptr : &*found;
}

}  // namespace

ScalingPanel::ScalingPanel(PlanDocument* document, QWidget* parent)
    : QWidget(parent), document_(document), stack_(new QStackedLayout(this)) {
    setAccessibleName(tr("Scaling"));
    empty_ = new EmptyState(QStringLiteral("scaling"), tr("Scaling curves appear here once the plan can be evaluated."), this);
    content_ = new QWidget(this);
    content_->setAutoFillBackground(true);
    stack_->addWidget(empty_);
    stack_->addWidget(content_);
    title_ = new QLabel(tr("SCALING"), content_);
    title_->setFont(type::font(type::kSecondary, QFont::DemiBold));
    figures_ = new QTabBar(content_);
    figures_->setDrawBase(false);
    figures_->setAccessibleName(tr("Which figure"));
    figures_->addTab(tr("Throughput"));
    figures_->addTab(tr("Step time"));
    best_ = new QCheckBox(tr("Best plan at each size"), content_);
    best_->setToolTip(tr("Searches the fastest plan that fits for every size, instead of growing data parallelism"));
    readout_ = new QLabel(content_);
    readout_->setFont(type::font(type::kSecondary));
    readout_->setWordWrap(true);
    readout_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    plot_ = new QCustomPlot(content_);
    plot_->setFocusPolicy(Qt::NoFocus);
    plot_->setMinimumSize(2, 2);  // on a hidden page it would else be drawn into an empty picture
    plot_->setMouseTracking(true);
    plot_->installEventFilter(this);
    left_ = plot_->axisRect();
    right_ = new QCPAxisRect(plot_, true);  // the plot owns it once it is in the layout
    plot_->plotLayout()->addElement(0, 1, right_);
    plot_->plotLayout()->setColumnStretchFactor(0, 1.25);
    for (QCPAxisRect* rect : {left_, right_}) rect->setMinimumMargins(QMargins(12, 12, 12, 8));
    delay_.setSingleShot(true);
    delay_.setInterval(kDelayMs);
    connect(&delay_, &QTimer::timeout, this, [this] {
        if (isVisible()) start();
    });
    connect(figures_, &QTabBar::currentChanged, this, [this](int index) { setFigure(index == 0 ? Figure::throughput : Figure::stepTime); });
    connect(best_, &QCheckBox::toggled, this, [this] {
        shown_ = ~quint64{0};
        start();
    });
    connect(document_, &PlanDocument::snapshotChanged, &delay_, qOverload<>(&QTimer::start));
    rebuild();
}

ScalingPanel::~ScalingPanel() = default;

void ScalingPanel::setFigure(Figure figure) {
    if (figure_ == figure) return;
    figure_ = figure;
    figures_->setCurrentIndex(figure == Figure::throughput ? 0 : 1);
    rebuild();
}

void ScalingPanel::start(bool wait) {
    if (shown_ == document_->revision()) return;
    shown_ = document_->revision();
    const Snapshot snapshot = document_->snapshot();
    ScalingOptions options;
    options.plan = best_->isChecked() ? ScalingPlan::best : ScalingPlan::same;
    thread_ = {};
    if (wait) {
        take(scalingCurves(*snapshot, options));
        return;
    }
    readout_->setText(tr("Computing…"));
    thread_ = std::jthread([snapshot, options, panel = QPointer<ScalingPanel>(this), revision = shown_](const std::stop_token& stop) {
        auto curves = scalingCurves(*snapshot, options, {}, stop);
        if (stop.stop_requested()) return;
        QMetaObject::invokeMethod(
            panel, [panel, revision, found = std::move(curves)]() mutable {
                if (panel && panel->shown_ == revision) panel->take(std::move(found));
            },
            Qt::QueuedConnection);
    });
}

void ScalingPanel::take(ScalingCurves curves) {
    curves_ = std::move(curves);
    hovered_.reset();
    rebuild();
}

void ScalingPanel::addCurves(QCPAxisRect* rect, bool isEfficiency) {
    const Theme& theme = Theme::current();
    QCPAxis* x = rect->axis(QCPAxis::atBottom);
    QCPAxis* y = rect->axis(QCPAxis::atLeft);
    const bool isTime = figure_ == Figure::stepTime && !isEfficiency;
    const auto valueOf = [&](const ScalingPoint& p) { return isEfficiency ? p.efficiency : isTime ? p.stepS : p.tokensPerS; };
    double lowest = 1e300, highest = 0, fewest = 1e300, most = 0;
    const auto curve = [&](const std::vector<ScalingPoint>& points, const QColor& color, Qt::PenStyle style) {
        auto* line = plot_->addGraph(x, y);
        auto* fitting = plot_->addGraph(x, y);
        auto* tooLarge = plot_->addGraph(x, y);
        line->setPen(QPen(color, 2, style));
        for (auto* marks : {fitting, tooLarge}) marks->setLineStyle(QCPGraph::lsNone);
        fitting->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme.panel, 1.5), QBrush(color), 9));
        tooLarge->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme.outOfMemory, 1.6), QBrush(theme.panel), 8));
        for (const ScalingPoint& p : points) {
            if (!p.computed) continue;
            const double value = valueOf(p), devices = static_cast<double>(p.devices);
            line->addData(devices, value);
            (p.verdict == MemoryVerdict::out_of_memory ? tooLarge : fitting)->addData(devices, value);
            lowest = std::min(lowest, value);
            highest = std::max(highest, value);
            fewest = std::min(fewest, devices);
            most = std::max(most, devices);
        }
    };
    // The ideal: from the first size on, throughput proportional to devices.
    const auto ideal = [&](const std::vector<ScalingPoint>& points) {
        const auto first = std::find_if(points.begin(), points.end(), [](const ScalingPoint& p) { return p.computed; });
        if (first == points.end() || isEfficiency) return;
        const double d = static_cast<double>(first->devices), last = static_cast<double>(points.back().devices);
        auto* line = plot_->addGraph(x, y);
        line->setPen(QPen(theme.secondaryText, 1, Qt::DotLine));
        line->addData(d, valueOf(*first));
        line->addData(last, isTime ? first->stepS * d / last : first->tokensPerS * last / d);
    };
    ideal(curves_.strong);
    if (!isTime) ideal(curves_.weak);
    curve(curves_.weak, theme.backwardWeight, Qt::SolidLine);
    curve(curves_.strong, theme.forward, Qt::SolidLine);
    if (highest <= 0) lowest = 0.1, highest = 1, fewest = 1, most = 2;
    x->setScaleType(QCPAxis::stLogarithmic);
    x->setTicker(QSharedPointer<DevicesTicker>::create());
    x->setRange(fewest / 1.35, most * 1.35);
    x->setLabel(tr("devices"));
    x->setLabelPadding(2);
    if (isEfficiency) {
        y->setScaleType(QCPAxis::stLinear);
        y->setTicker(QSharedPointer<ShareTicker>::create());
        y->setRange(0, std::max(1.1, highest * 1.08));
        y->setLabel(tr("efficiency against the smallest size"));
    } else {
        y->setScaleType(QCPAxis::stLogarithmic);
        y->setTicker(QSharedPointer<FigureTicker>::create(isTime));
        y->setRange(lowest / 1.5, highest * 1.5);
        y->setLabel(isTime ? tr("step time") : tr("tokens per second"));
    }
    y->setLabelPadding(6);
    const auto vertical = [&](std::int64_t devices, const QPen& pen) {
        auto* line = new QCPItemStraightLine(plot_);  // the plot owns its items
        line->setClipAxisRect(rect);
        for (auto* position : {line->point1, line->point2}) {
            position->setAxes(x, y);
            position->setAxisRect(rect);
        }
        line->point1->setCoords(static_cast<double>(devices), y->range().lower);
        line->point2->setCoords(static_cast<double>(devices), y->range().upper);
        line->setPen(pen);
        line->setAntialiased(false);
    };
    for (const ScalingPoint& p : curves_.strong)
        if (p.isCurrent) vertical(p.devices, QPen(theme.accent, 1, Qt::DashLine));
    if (hovered_) vertical(*hovered_, QPen(theme.secondaryText, 1));
}

void ScalingPanel::rebuild() {
    const Theme& theme = Theme::current();
    const bool hasAny = std::any_of(curves_.strong.begin(), curves_.strong.end(), [](const ScalingPoint& p) { return p.computed; }) ||
                        std::any_of(curves_.weak.begin(), curves_.weak.end(), [](const ScalingPoint& p) { return p.computed; });
    stack_->setCurrentWidget(hasAny || curves_.strong.empty() ? content_ : empty_);
    plot_->clearPlottables();
    plot_->clearItems();
    themePlot(*plot_);
    addCurves(left_, false);
    addCurves(right_, true);
    for (QCPAxisRect* rect : {left_, right_}) rect->axis(QCPAxis::atBottom)->grid()->setVisible(true);
    QPalette quiet = title_->palette();
    quiet.setColor(QPalette::WindowText, theme.secondaryText);
    title_->setPalette(quiet);
    std::int64_t devices = 0;
    for (const ScalingPoint& p : curves_.strong)
        if (p.isCurrent) devices = p.devices;
    if (!curves_.strong.empty()) readout_->setText(storyOf(hovered_.value_or(devices)));
    setAccessibleDescription(readout_->text());
    plot_->replot(QCustomPlot::rpQueuedRefresh);
}

void ScalingPanel::setHovered(std::optional<std::int64_t> devices) {
    if (hovered_ == devices) return;
    hovered_ = devices;
    rebuild();
}

QString ScalingPanel::storyOf(std::int64_t devices) const {
    const Theme& theme = Theme::current();
    const auto line = [&](const QString& name, const QColor& color, const ScalingPoint* p) -> QString {
        const QString mark = QStringLiteral("<span style='color:%1'>●</span> <b>%2</b> ").arg(color.name(), name);
        if (p == nullptr) return mark + tr("too few devices for the other degrees");
        if (!p->computed) return mark + QString::fromStdString(p->reason).toHtmlEscaped();
        const QString verdict = p->verdict == MemoryVerdict::out_of_memory ? QStringLiteral(" · <span style='color:%1'>%2</span>").arg(theme.outOfMemory.name(), tr("out of memory")) : QString();
        return mark + tr("step %1 · %2 tok/s · efficiency %3 · MFU %4 · batch %5, data parallel %6")
                          .arg(text(secondsText(p->stepS)), text(countText(p->tokensPerS)), text(percentText(p->efficiency)), text(percentText(p->mfu)))
                          .arg(p->globalBatchSize)
                          .arg(p->dataParallel) +
               verdict;
    };
    QString story = tr("<b>%1 devices</b>").arg(QString::fromStdString(grouped(devices))) + QStringLiteral("<br>") +
                    line(tr("strong, same batch:"), theme.forward, pointOrNull(curves_.strong, devices)) + QStringLiteral("<br>") +
                    line(tr("weak, batch grows along:"), theme.backwardWeight, pointOrNull(curves_.weak, devices));
    if (!curves_.note.empty()) story += QStringLiteral("<br>") + QString::fromStdString(curves_.note).toHtmlEscaped();
    return story;
}

QPointF ScalingPanel::placeOf(std::int64_t devices) const {
    const double x = left_->axis(QCPAxis::atBottom)->coordToPixel(static_cast<double>(devices));
    return QPointF(plot_->mapTo(this, QPoint(0, 0))) + QPointF(x, left_->rect().center().y());
}

void ScalingPanel::arrange() {
    const int padding = space::kPanelPadding, width = content_->width();
    title_->setGeometry(padding, 0, title_->sizeHint().width(), kHeader);
    int right = width - padding;
    for (QWidget* widget : {static_cast<QWidget*>(best_), static_cast<QWidget*>(figures_)}) {
        const int each = widget->sizeHint().width();
        widget->setGeometry(right - each, 2, each, kHeader - 4);
        right -= each + padding;
    }
    plot_->setGeometry(0, kHeader, width, std::max(60, content_->height() - kHeader - kReadout - 8));
    readout_->setGeometry(padding, content_->height() - kReadout - 4, width - 2 * padding, kReadout);
}

void ScalingPanel::paintFigure(QPainter& painter, const QRectF& area) {
    const Theme& theme = Theme::current();
    painter.fillRect(area, theme.panel);
    const double scale = std::clamp(area.height() / kFigureScaleFrom, 1.0, 2.5);
    painter.save();
    painter.translate(area.topLeft());
    painter.scale(scale, scale);
    const QRectF page(0, 0, area.width() / scale, area.height() / scale);
    QTextDocument words;
    words.setDefaultFont(type::font(type::kSecondary));
    words.setDocumentMargin(0);
    words.setDefaultStyleSheet(QStringLiteral("body { color: %1 }").arg(theme.text.name()));
    words.setHtml(QStringLiteral("<body>%1</body>").arg(readout_->text()));
    words.setTextWidth(page.width() - 32);
    paintPlot(*plot_, painter, QRectF(0, 0, page.width(), page.height() - words.size().height() - 24));
    painter.translate(16, page.height() - words.size().height() - 12);
    words.drawContents(&painter);
    painter.restore();
}

void ScalingPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    delay_.start(0);
    delay_.setInterval(kDelayMs);
}

void ScalingPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    stack_->activate();
    arrange();
}

void ScalingPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && plot_ != nullptr) rebuild();
    QWidget::changeEvent(event);
}

bool ScalingPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched != plot_) return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::MouseMove) {
        const QPoint place = static_cast<QMouseEvent*>(event)->position().toPoint();
        std::optional<std::int64_t> nearest;
        for (QCPAxisRect* rect : {left_, right_}) {
            if (!rect->rect().contains(place)) continue;
            double best = 1e300;
            for (const auto* points : {&curves_.strong, &curves_.weak})
                for (const ScalingPoint& p : *points) {
                    const double distance = std::abs(rect->axis(QCPAxis::atBottom)->coordToPixel(static_cast<double>(p.devices)) - place.x());
                    if (distance < best) best = distance, nearest = p.devices;
                }
        }
        setHovered(nearest);
    } else if (event->type() == QEvent::Leave) {
        setHovered(std::nullopt);
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace trainyard
