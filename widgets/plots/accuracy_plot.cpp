#include "widgets/plots/accuracy_plot.h"

#include <qcustomplot.h>

#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/format_quantity.h"
#include "widgets/plots/plot_base.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

constexpr double kBand = 0.2;
constexpr double kReach = 9;  ///< pixels from a point that still hit it
constexpr std::array<QCPScatterStyle::ScatterShape, 4> kShapes{QCPScatterStyle::ssCircle, QCPScatterStyle::ssSquare, QCPScatterStyle::ssDiamond, QCPScatterStyle::ssTriangle};

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

/// Marks at powers of the base, labelled in the unit of the figure.
class FigureTicker : public QCPAxisTickerLog {
  public:
    explicit FigureTicker(AccuracyFigure figure) : figure_(figure) {
        setLogBase(figure == AccuracyFigure::time ? 10 : 2);
        setSubTickCount(figure == AccuracyFigure::time ? 8 : 0);
    }

  protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        return QString::number(tick, 'g', 4) + (figure_ == AccuracyFigure::time ? QStringLiteral(" s") : QStringLiteral(" GiB"));
    }

  private:
    AccuracyFigure figure_;
};

std::optional<std::pair<double, double>> pointOf(const AccuracyRun& run, AccuracyFigure figure) {
    const auto& published = figure == AccuracyFigure::time ? run.publishedStepS : run.publishedBytes;
    const auto& predicted = figure == AccuracyFigure::time ? run.predictedStepS : run.predictedBytes;
    if (!published || !predicted || *published <= 0 || *predicted <= 0) return std::nullopt;
    const double unit = figure == AccuracyFigure::time ? 1 : kGib;
    return std::pair{*published / unit, *predicted / unit};
}

QCPScatterStyle markStyle(int source, int count, double size, double opacity) {
    const Theme& theme = Theme::current();
    QColor line = theme.outline(theme.category(source, count));
    QColor fill = theme.category(source, count);
    line.setAlphaF(static_cast<float>(opacity));
    fill.setAlphaF(static_cast<float>(0.45 * opacity));
    return QCPScatterStyle(kShapes[static_cast<std::size_t>(source) % kShapes.size()], QPen(line, 1.1), QBrush(fill), size);
}

}  // namespace

struct AccuracyPlot::Parts {
    std::vector<QCPGraph*> sources;  ///< null where a source has no point of this figure
};

AccuracyPlot::AccuracyPlot(QWidget* parent) : QWidget(parent), plot_(new QCustomPlot(this)), parts_(std::make_unique<Parts>()) {
    setAccessibleName(tr("Predicted against published"));
    plot_->setFocusPolicy(Qt::NoFocus);
    plot_->setMinimumSize(2, 2);  // on a hidden page it would else be drawn into an empty picture
    plot_->setMouseTracking(true);
    plot_->installEventFilter(this);
    plot_->axisRect()->setMinimumMargins(QMargins(12, 12, 12, 12));
}

AccuracyPlot::~AccuracyPlot() = default;

void AccuracyPlot::setReport(const AccuracyReport* report, AccuracyFigure figure) {
    report_ = report;
    figure_ = figure;
    rebuild();
}

void AccuracyPlot::setSelected(std::optional<int> source) {
    if (selected_ == source) return;
    selected_ = source;
    rebuild();
}

void AccuracyPlot::rebuild() {
    const Theme& theme = Theme::current();
    plot_->clearPlottables();
    plot_->clearItems();
    *parts_ = {};
    points_ = 0;
    themePlot(*plot_);
    if (report_ == nullptr) return;

    lowest_ = 1e300;
    highest_ = 0;
    for (const SourceAccuracy& source : report_->sources)
        for (const AccuracyRun& run : source.runs)
            if (const auto point = pointOf(run, figure_)) {
                lowest_ = std::min({lowest_, point->first, point->second});
                highest_ = std::max({highest_, point->first, point->second});
            }
    if (highest_ <= 0) lowest_ = 0.1, highest_ = 100;
    lowest_ /= 1.25;
    highest_ *= 1.25;

    // Lines reach past any range the axes may take.
    const QVector<double> ends{lowest_ / 1e6, highest_ * 1e6};
    const auto line = [&](double factor, const QPen& pen) {
        auto* graph = plot_->addGraph();
        graph->setData(ends, {ends[0] * factor, ends[1] * factor}, true);
        graph->setPen(pen);
        graph->setAntialiased(true);
        return graph;
    };
    QColor edge = theme.secondaryText, band = theme.secondaryText;
    edge.setAlphaF(0.45F);
    band.setAlphaF(theme.kind == ThemeKind::dark ? 0.10F : 0.12F);
    auto* low = line(1 - kBand, QPen(edge, 1, Qt::DotLine));
    auto* high = line(1 + kBand, QPen(edge, 1, Qt::DotLine));
    high->setBrush(band);
    high->setChannelFillGraph(low);
    line(1, QPen(theme.secondaryText, 1));

    const auto count = static_cast<int>(report_->sources.size());
    const double size = 6;
    for (int s = 0; s < count; ++s) {
        const SourceAccuracy& source = report_->sources[static_cast<std::size_t>(s)];
        QVector<double> x, y;
        for (const AccuracyRun& run : source.runs)
            if (const auto point = pointOf(run, figure_)) {
                x << point->first;
                y << point->second;
            }
        if (x.isEmpty()) {
            parts_->sources.push_back(nullptr);
            continue;
        }
        points_ += static_cast<int>(x.size());
        auto* graph = plot_->addGraph();
        graph->setLineStyle(QCPGraph::lsNone);
        const bool stands = !selected_ || *selected_ == s;
        graph->setScatterStyle(markStyle(s, count, selected_ == s ? size + 1.5 : size, stands ? 1 : 0.14));
        graph->setAdaptiveSampling(false);
        graph->setData(x, y);
        if (selected_ == s) graph->setLayer(QStringLiteral("overlay"));
        parts_->sources.push_back(graph);
    }
    const auto label = [&](const QString& words, double x, double y, Qt::Alignment alignment) {
        auto* item = new QCPItemText(plot_);  // the plot owns its items
        item->setText(words);
        item->setFont(type::font(type::kCaption));
        item->setColor(theme.secondaryText);
        item->setPositionAlignment(alignment);
        item->position->setType(QCPItemPosition::ptAxisRectRatio);
        item->position->setCoords(x, y);
        item->setPadding(QMargins(8, 6, 8, 6));
    };
    label(figure_ == AccuracyFigure::time ? tr("predicted slower than published") : tr("predicted larger than published"), 0, 0, Qt::AlignLeft | Qt::AlignTop);
    label(figure_ == AccuracyFigure::time ? tr("predicted faster") : tr("predicted smaller"), 1, 1, Qt::AlignRight | Qt::AlignBottom);

    for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setTicker(QSharedPointer<FigureTicker>::create(figure_));
        axis->grid()->setVisible(true);
        QColor grid = theme.hairline;
        grid.setAlphaF(0.7F);
        axis->grid()->setPen(QPen(grid, 1));
    }
    plot_->xAxis->setLabel(figure_ == AccuracyFigure::time ? tr("published step time") : tr("published peak memory"));
    plot_->yAxis->setLabel(figure_ == AccuracyFigure::time ? tr("predicted step time") : tr("predicted peak memory"));
    plot_->xAxis->setLabelPadding(4);
    plot_->yAxis->setLabelPadding(6);
    setAccessibleDescription(tr("%1 runs of %2 sources").arg(points_).arg(count));
    fitAxes(QSizeF(plot_->size()));
    plot_->replot(QCustomPlot::rpQueuedRefresh);
}

/// All points on both axes; where one side is much longer it shows more rather than stretching a decade past twice the other's.
void AccuracyPlot::fitAxes(QSizeF size) {
    constexpr double kMostStretch = 2;
    const double width = std::max(40.0, size.width() - 80), height = std::max(40.0, size.height() - 60);
    const double decades = std::log10(highest_ / lowest_), middle = std::log10(highest_ * lowest_) / 2;
    const double across = decades / width, up = decades / height;  // decades a pixel
    const auto range = [&](double pixels, double perPixel) { return QCPRange(std::pow(10, middle - pixels * perPixel / 2), std::pow(10, middle + pixels * perPixel / 2)); };
    plot_->xAxis->setRange(range(width, std::max(across, up / kMostStretch)));
    plot_->yAxis->setRange(range(height, std::max(up, across / kMostStretch)));
}

void AccuracyPlot::paintMark(QPainter& painter, QPointF centre, int source, int count, double size) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QCPScatterStyle style = markStyle(source, count, size, 1);
    painter.setPen(style.pen());
    painter.setBrush(style.brush());
    const double r = size / 2;
    switch (style.shape()) {
        case QCPScatterStyle::ssSquare: painter.drawRect(QRectF(centre.x() - r, centre.y() - r, size, size)); break;
        case QCPScatterStyle::ssDiamond:
            painter.drawPolygon(QPolygonF{centre + QPointF(-r, 0), centre + QPointF(0, -r), centre + QPointF(r, 0), centre + QPointF(0, r)});
            break;
        case QCPScatterStyle::ssTriangle: painter.drawPolygon(QPolygonF{centre + QPointF(-r, 0.755 * r), centre + QPointF(r, 0.755 * r), centre + QPointF(0, -0.977 * r)}); break;
        default: painter.drawEllipse(centre, r, r); break;
    }
    painter.restore();
}

QPointF AccuracyPlot::placeOf(const Hit& hit) const {
    if (report_ == nullptr) return {-1, -1};
    const AccuracyRun& run = report_->sources.at(static_cast<std::size_t>(hit.source)).runs.at(static_cast<std::size_t>(hit.run));
    const auto point = pointOf(run, figure_);
    if (!point) return {-1, -1};
    return {plot_->xAxis->coordToPixel(point->first), plot_->yAxis->coordToPixel(point->second)};
}

std::optional<AccuracyPlot::Hit> AccuracyPlot::hitAt(QPointF place) const {
    std::optional<Hit> best;
    double nearest = kReach;
    if (report_ == nullptr || !plot_->axisRect()->rect().contains(place.toPoint())) return best;
    for (std::size_t s = 0; s < report_->sources.size(); ++s) {
        if (selected_ && *selected_ != static_cast<int>(s)) continue;
        for (std::size_t r = 0; r < report_->sources[s].runs.size(); ++r) {
            const Hit hit{static_cast<int>(s), static_cast<int>(r)};
            const QPointF at = placeOf(hit);
            const double distance = std::hypot(at.x() - place.x(), at.y() - place.y());
            if (at.x() >= 0 && distance < nearest) {
                nearest = distance;
                best = hit;
            }
        }
    }
    return best;
}

QString AccuracyPlot::storyOf(const Hit& hit) const {
    const SourceAccuracy& source = report_->sources.at(static_cast<std::size_t>(hit.source));
    const AccuracyRun& run = source.runs.at(static_cast<std::size_t>(hit.run));
    const Theme& theme = Theme::current();
    const auto point = pointOf(run, figure_);
    if (!point) return {};
    const auto shown = [&](double value) { return text(figure_ == AccuracyFigure::time ? secondsText(value).joined() : bytesText(value * kGib).joined()).toHtmlEscaped(); };
    const double error = figure_ == AccuracyFigure::memory && run.memoryError ? *run.memoryError : point->second / point->first - 1;
    QString out = QStringLiteral("<b>%1</b> <span style='color:%4'>%2</span><br>%3<table cellspacing='0'>")
                      .arg(text(run.model).toHtmlEscaped(), text(run.accelerator).toHtmlEscaped(), text(run.plan).toHtmlEscaped(), theme.secondaryText.name());
    const auto row = [&](const QString& name, const QString& value) { out += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align='right'><b>%2</b></td></tr>").arg(name, value); };
    row(tr("published"), shown(point->first));
    row(tr("predicted"), shown(point->second));
    row(tr("error"), QStringLiteral("%1%2 %").arg(error > 0 ? QStringLiteral("+") : QString()).arg(100 * error, 0, 'f', 1));
    out += QStringLiteral("</table><span style='color:%1'>%2<br>%3</span>").arg(theme.secondaryText.name(), text(source.title).toHtmlEscaped(), text(run.id).toHtmlEscaped());
    if (run.assumed == Assumed::recompute) out += QStringLiteral("<br>") + tr("Its recomputation is not published: the least that fits.");
    return out;
}

void AccuracyPlot::paintFigure(QPainter& painter, const QRectF& area) {
    fitAxes(area.size());
    paintPlot(*plot_, painter, area);
    fitAxes(QSizeF(plot_->size()));
}

void AccuracyPlot::resizeEvent(QResizeEvent*) {
    plot_->setGeometry(rect());
    fitAxes(QSizeF(size()));
    plot_->replot(QCustomPlot::rpQueuedRefresh);
}

void AccuracyPlot::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) rebuild();
    QWidget::changeEvent(event);
}

bool AccuracyPlot::eventFilter(QObject* watched, QEvent* event) {
    if (watched != plot_) return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::MouseMove) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const auto hit = hitAt(mouse->position());
        if (hit) QToolTip::showText(mouse->globalPosition().toPoint() + QPoint(12, 12), storyOf(*hit), plot_);
        else QToolTip::hideText();
        plot_->setCursor(hit ? Qt::PointingHandCursor : Qt::ArrowCursor);
        emit sourceHovered(hit ? std::optional<int>(hit->source) : std::nullopt);
    } else if (event->type() == QEvent::Leave) {
        emit sourceHovered(std::nullopt);
    } else if (event->type() == QEvent::MouseButtonPress) {
        if (const auto hit = hitAt(static_cast<QMouseEvent*>(event)->position())) emit sourceClicked(hit->source);
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace trainyard
