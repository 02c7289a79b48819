#include "widgets/plots/traffic_matrix.h"

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "core/base/format_quantity.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

constexpr double kLabelSpace = 40;    ///< left of and above the grid
constexpr double kScaleSpace = 42;    ///< below the grid: colour scale
constexpr double kStrip = 5;          ///< stage marks
constexpr int kMostRectangles = 128;  ///< blocks; beyond, the grid is an image

QColor blend(const QColor& a, const QColor& b, double share) {
    const auto part = [share](float x, float y) { return static_cast<float>(x + (y - x) * share); };
    return QColor::fromRgbF(part(a.redF(), b.redF()), part(a.greenF(), b.greenF()), part(a.blueF(), b.blueF()));
}

/// One hue from faint to strong, so that more is more also without colour vision.
QColor ramp(double share) {
    const Theme& theme = Theme::current();
    const bool isDark = theme.kind == ThemeKind::dark;
    const QColor low = isDark ? blend(theme.panel, theme.communication, 0.22) : blend(theme.panel, theme.communication, 0.16);
    const QColor high =
        isDark ? blend(theme.communication, QColor(Qt::white), 0.72) : blend(theme.communication, QColor(0x40, 0x0a, 0x2c), 0.78);
    return share < 0.6 ? blend(low, theme.communication, share / 0.6) : blend(theme.communication, high, (share - 0.6) / 0.4);
}

QString amount(double bytes) { return QString::fromStdString(bytesText(bytes, ByteUnits::decimal).joined()); }

}  // namespace

TrafficMatrix::TrafficMatrix(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setAccessibleName(tr("Traffic matrix"));
}

void TrafficMatrix::setTraffic(Data traffic) {
    data_ = std::move(traffic);
    least_ = most_ = 0;
    for (const double bytes : data_.bytes) {
        if (bytes <= 0) continue;
        least_ = least_ > 0 ? std::min(least_, bytes) : bytes;
        most_ = std::max(most_, bytes);
    }
    update();
}

void TrafficMatrix::setSelectedStage(std::optional<int> stage) {
    if (selectedStage_ == stage) return;
    selectedStage_ = stage;
    update();
}

QRectF TrafficMatrix::gridIn(const QRectF& area) const {
    const double side = std::max(20.0, std::min(area.width() - kLabelSpace - 12, area.height() - kLabelSpace - kScaleSpace));
    // Whole pixels per cell where cells are large enough to see the difference.
    const double cell = side / std::max(1, data_.blocks);
    const double exact = cell >= 3 ? std::floor(cell) * data_.blocks : side;
    return {area.left() + kLabelSpace, area.top() + kLabelSpace, exact, exact};
}

QColor TrafficMatrix::colorOf(double bytes) const {
    if (bytes <= 0) return Theme::current().kind == ThemeKind::dark ? Theme::current().raised : Theme::current().window;
    const double span = std::log(most_ / least_);
    return ramp(span > 1e-9 ? std::log(bytes / least_) / span : 1.0);
}

void TrafficMatrix::paintMatrix(QPainter& painter, const QRectF& area, std::optional<Cell> hovered) const {
    const Theme& theme = Theme::current();
    const int n = data_.blocks;
    if (n <= 0) return;
    const QRectF grid = gridIn(area);
    const double cell = grid.width() / n;
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (n <= kMostRectangles) {
        const double gap = cell >= 6 ? 1 : 0;
        painter.fillRect(grid, gap > 0 ? theme.panel : colorOf(0));
        for (int from = 0; from < n; ++from) {
            for (int to = 0; to < n; ++to) {
                const double bytes =
                    data_.bytes[static_cast<std::size_t>(from) * static_cast<std::size_t>(n) + static_cast<std::size_t>(to)];
                if (bytes <= 0 && gap == 0) continue;
                painter.fillRect(QRectF(grid.left() + to * cell, grid.top() + from * cell, cell - gap, cell - gap),
                                 colorOf(bytes));
            }
        }
    } else {
        QImage image(n, n, QImage::Format_RGB32);
        for (int from = 0; from < n; ++from) {
            auto* line = reinterpret_cast<QRgb*>(image.scanLine(from));
            for (int to = 0; to < n; ++to) {
                line[to] =
                    colorOf(
                        data_.bytes[static_cast<std::size_t>(from) * static_cast<std::size_t>(n) + static_cast<std::size_t>(to)])
                        .rgb();
            }
        }
        painter.drawImage(grid, image);
    }

    painter.setFont(type::font(type::kCaption));
    const QFontMetricsF metrics(painter.font());
    const int every = [&] {
        const double least = std::max(metrics.horizontalAdvance(QString::number(n)) + 6, 14.0);
        for (const int step : {1, 2, 4, 8, 16, 32, 64, 128, 256}) {
            if (step * cell >= least) return step;
        }
        return n;
    }();
    for (int block = 0; block < n; ++block) {
        if (static_cast<std::size_t>(block) < data_.stageOfBlock.size()) {
            const int stage = data_.stageOfBlock[static_cast<std::size_t>(block)];
            QColor color = theme.category(stage, data_.stages);
            if (selectedStage_ && *selectedStage_ != stage) color.setAlphaF(0.25F);
            painter.fillRect(
                QRectF(grid.left() - kStrip - 2, grid.top() + block * cell, kStrip, std::max(1.0, cell - (cell >= 6 ? 1 : 0))),
                color);
            painter.fillRect(
                QRectF(grid.left() + block * cell, grid.top() - kStrip - 2, std::max(1.0, cell - (cell >= 6 ? 1 : 0)), kStrip),
                color);
        }
        if (block % every != 0) continue;
        painter.setPen(hovered && (hovered->from == block) ? theme.text : theme.secondaryText);
        painter.drawText(QRectF(area.left(), grid.top() + block * cell - 8 + cell / 2, kLabelSpace - kStrip - 6, 16),
                         Qt::AlignRight | Qt::AlignVCenter, QString::number(block));
        painter.setPen(hovered && (hovered->to == block) ? theme.text : theme.secondaryText);
        painter.drawText(QRectF(grid.left() + block * cell - 20 + cell / 2, grid.top() - kStrip - 20, 40, 16),
                         Qt::AlignHCenter | Qt::AlignVCenter, QString::number(block));
    }
    const QString what = data_.areNodes ? tr("node") : tr("device");
    painter.setPen(theme.secondaryText);
    painter.drawText(QRectF(grid.left(), area.top(), grid.width(), 14), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("to %1 \u2192").arg(what));
    painter.drawText(QRectF(area.left(), area.top() + 16, kLabelSpace - 4, 16), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("from \u2193"));

    if (hovered) {
        painter.setPen(QPen(theme.text, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(grid.left() + hovered->to * cell, grid.top() + hovered->from * cell, std::max(2.0, cell - 1),
                                std::max(2.0, cell - 1)));
    }
    if (most_ <= 0) return;
    const QRectF scale(grid.left(), grid.bottom() + 10, std::min(grid.width(), 260.0), 8);
    constexpr int kSteps = 40;
    for (int step = 0; step < kSteps; ++step) {
        painter.fillRect(
            QRectF(scale.left() + scale.width() * step / kSteps, scale.top(), scale.width() / kSteps + 0.5, scale.height()),
            ramp((step + 0.5) / kSteps));
    }
    painter.setPen(theme.secondaryText);
    const QRectF text(scale.left(), scale.bottom() + 3, scale.width(), 16);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, amount(least_));
    painter.drawText(text, Qt::AlignRight | Qt::AlignVCenter, amount(most_));
    if (scale.width() > 190) painter.drawText(text, Qt::AlignHCenter | Qt::AlignVCenter, data_.perSecond ? tr("per second") : tr("per step"));
}

void TrafficMatrix::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), Theme::current().panel);
    paintMatrix(painter, rect(), hovered_);
}

std::optional<TrafficMatrix::Cell> TrafficMatrix::cellAt(QPointF point) const {
    const QRectF grid = gridIn(rect());
    if (data_.blocks <= 0 || !grid.contains(point)) return std::nullopt;
    const double cell = grid.width() / data_.blocks;
    const int to = std::clamp(static_cast<int>((point.x() - grid.left()) / cell), 0, data_.blocks - 1);
    const int from = std::clamp(static_cast<int>((point.y() - grid.top()) / cell), 0, data_.blocks - 1);
    return Cell{from, to};
}

QString TrafficMatrix::toolTipOf(Cell cell) const {
    const double bytes = data_.bytes[static_cast<std::size_t>(cell.from) * static_cast<std::size_t>(data_.blocks) +
                                     static_cast<std::size_t>(cell.to)];
    if (data_.perSecond)
        return (data_.areNodes ? tr("Node %1 to node %2: %3/s") : tr("Device %1 to device %2: %3/s"))
            .arg(cell.from)
            .arg(cell.to)
            .arg(bytes > 0 ? amount(bytes) : tr("nothing"));
    const QString text = data_.areNodes ? tr("Node %1 to node %2: %3 per step") : tr("Device %1 to device %2: %3 per step");
    const QString inside = data_.areNodes ? tr("Inside node %1: %2 per step") : QString();
    if (cell.from == cell.to && data_.areNodes) return inside.arg(cell.from).arg(bytes > 0 ? amount(bytes) : tr("nothing"));
    return text.arg(cell.from).arg(cell.to).arg(bytes > 0 ? amount(bytes) : tr("nothing"));
}

void TrafficMatrix::mouseMoveEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->position());
    if (cell) {
        QToolTip::showText(event->globalPosition().toPoint() + QPoint(12, 12), toolTipOf(*cell), this);
    } else {
        QToolTip::hideText();
    }
    if (cell == hovered_) return;
    hovered_ = cell;
    emit cellHovered(cell ? std::optional<int>(cell->from) : std::nullopt);
    update();
}

void TrafficMatrix::mousePressEvent(QMouseEvent* event) {
    if (const auto cell = cellAt(event->position())) emit cellClicked(cell->from, cell->to);
}

void TrafficMatrix::leaveEvent(QEvent*) {
    hovered_.reset();
    emit cellHovered(std::nullopt);
    update();
}

}  // namespace trainyard
