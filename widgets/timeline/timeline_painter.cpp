#include "widgets/timeline/timeline_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "widgets/style/figure_export.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

constexpr std::uint32_t kMostRoundedSpans = 2500;  ///< antialiased corners cost about ten times a plain rectangle
constexpr double kCornerRadius = 2.5;
constexpr double kLeastNumberHeight = 10.5;
constexpr double kHatchDistance = 5;
constexpr double kLeastRulerDistance = 84;

/// Nearest device pixel.
double snapped(double value, double ratio) { return std::round(value * ratio) / ratio; }

/// Diagonal lines within a rectangle, cut by arithmetic.
void drawHatch(QPainter& painter, const QRectF& rect, const QColor& color) {
    constexpr double kLargeArea = 600;
    if (!isVectorPainter(painter) && rect.width() * rect.height() > kLargeArea) {
        // A large stretch is filled with a tile: thousands of lines would take longer than all the rest.
        const double ratio = painter.device()->devicePixelRatioF();
        QPixmap tile((QSizeF(kHatchDistance, kHatchDistance) * ratio).toSize());
        tile.setDevicePixelRatio(ratio);
        tile.fill(Qt::transparent);
        QPainter lines(&tile);
        lines.setRenderHint(QPainter::Antialiasing, true);
        lines.setPen(QPen(color, 1));
        for (const double offset : {-kHatchDistance, 0.0, kHatchDistance})
            lines.drawLine(QPointF(offset - 1, kHatchDistance + 1), QPointF(offset + kHatchDistance + 1, -1));
        lines.end();
        painter.setBrushOrigin(rect.topLeft());
        painter.fillRect(rect, QBrush(tile));
        return;
    }
    painter.setPen(QPen(color, 1));
    const double height = rect.height();
    for (double offset = -height + kHatchDistance / 2; offset < rect.width(); offset += kHatchDistance) {
        // The line runs from (offset, bottom) to (offset + height, top).
        const double begin = std::max(0.0, -offset);
        const double end = std::min(height, rect.width() - offset);
        if (end <= begin) continue;
        painter.drawLine(QPointF(rect.left() + offset + begin, rect.bottom() - begin),
                         QPointF(rect.left() + offset + end, rect.bottom() - end));
    }
}

int numberSize(double laneHeight) { return std::clamp(static_cast<int>(laneHeight * 0.42), 9, 12); }

}  // namespace

bool NumberCache::draw(QPainter& painter, const QRectF& rect, std::uint32_t number, std::uint32_t largest, const QColor& ink,
                       int pixelSize) {
    auto known = digitWidth_.constFind(pixelSize);
    if (known == digitWidth_.constEnd()) {
        known = digitWidth_.insert(pixelSize, QFontMetricsF(type::font(pixelSize)).horizontalAdvance(QLatin1Char('0')));
    }
    const auto digitsOf = [](std::uint32_t value) {
        int digits = 1;
        for (; value >= 10; value /= 10) ++digits;
        return digits;
    };
    const int digits = digitsOf(number);
    // Two and more digits may be smaller before they are left out.
    constexpr int kLeastNumberSize = 8;
    const double perDigit = *known / pixelSize;
    if (rect.width() - 1.5 < kLeastNumberSize * perDigit * digitsOf(largest)) return false;
    const double fitting = (rect.width() - 1.5) / (perDigit * digits);
    pixelSize = std::min(pixelSize, static_cast<int>(fitting));
    const double width = rect.width();
    if (isVectorPainter(painter)) {
        painter.setFont(type::font(pixelSize));
        painter.setPen(ink);
        painter.drawText(rect, Qt::AlignCenter, QString::number(number));
        return true;
    }
    const double ratio = painter.device()->devicePixelRatioF();
    const quint64 key = (static_cast<quint64>(number) << 28) | (static_cast<quint64>(ink.lightness() & 0xff) << 20) |
                        (static_cast<quint64>(pixelSize) << 12) | static_cast<quint64>(std::lround(ratio * 100) & 0xfff);
    auto found = pixmaps_.constFind(key);
    if (found == pixmaps_.constEnd()) {
        if (pixmaps_.size() > 20000) pixmaps_.clear();
        const QSizeF size(std::ceil(std::min(width, (pixelSize * 0.75) * digits)) + 2, pixelSize + 2);
        QPixmap pixmap((size * ratio).toSize());
        pixmap.setDevicePixelRatio(ratio);
        pixmap.fill(Qt::transparent);
        QPainter text(&pixmap);
        text.setFont(type::font(pixelSize));
        text.setPen(ink);
        text.drawText(QRectF(QPointF(0, 0), size), Qt::AlignCenter | Qt::TextDontClip, QString::number(number));
        found = pixmaps_.insert(key, pixmap);
    }
    const QSizeF size = found->deviceIndependentSize();
    const QPointF at(snapped(rect.center().x() - size.width() / 2, ratio), snapped(rect.center().y() - size.height() / 2, ratio));
    painter.drawPixmap(at, *found);
    return true;
}

void TimelinePainter::preparePalette(const TimelineModel& model, const Theme& theme) {
    // Later chunks (and the opposite pipe) are shades of the same colour, as in the figures of the papers.
    const int shades = model.shades();
    const QColor towards(Qt::white);
    for (const SpanStyle style : kAllSpanStyles) {
        auto& list = shades_[static_cast<std::size_t>(style)];
        list.clear();
        for (int index = 0; index < shades; ++index) {
            const double share = shades == 1 ? 0 : 0.46 * index / (shades - 1);
            Shade shade;
            shade.strong = mixed(spanColor(theme, style), towards, share);
            shade.fill = theme.fill(shade.strong);
            shade.ink = inkOn(shade.fill);
            shade.strongInk = inkOn(shade.strong);
            list.push_back(shade);
        }
    }
}

const TimelinePainter::Shade& TimelinePainter::shadeOf(const TimelineModel& model, const Action& action) const {
    const auto& list = shades_[static_cast<std::size_t>(styleOf(action.kind))];
    std::size_t index = 0;
    if (list.size() > 1) {
        index = action.pipe != 0 ? action.pipe
                                 : static_cast<std::size_t>(action.stage) / static_cast<std::size_t>(std::max(1, model.rows()));
        index = std::min(index, list.size() - 1);
    }
    return list[index];
}

void TimelinePainter::paintBase(QPainter& painter, const TimelineScene& scene, const Theme& theme) {
    const TimelineModel& model = *scene.model;
    const TimelineLayout& layout = scene.layout;
    const TimeScale scale = scene.scale();
    painter.fillRect(layout.area, theme.panel);
    preparePalette(model, theme);

    const int first = layout.firstVisible();
    const int last = layout.lastVisible();
    std::uint32_t spans = 0;
    for (int row = first; row <= last && spans <= kMostRoundedSpans; ++row)
        spans += visibleSpans(model, row, Lane::compute, scene.visible);
    hasRoundedCorners_ = spans <= kMostRoundedSpans;

    // Lanes reach from the start to the end of the step; what lies beyond is no time of this plan.
    const double x0 = std::clamp(scale.toX(0), layout.rows.left(), layout.rows.right());
    const double x1 = std::clamp(scale.toX(model.makespan()), layout.rows.left(), layout.rows.right());
    const QColor track = theme.kind == ThemeKind::dark ? theme.raised : mixed(theme.window, theme.hairline, 0.25);
    for (int row = first; row <= last; ++row) {
        const QRectF lane = layout.computeLane(row);
        painter.fillRect(QRectF(x0, lane.top(), x1 - x0, lane.height()), track);
    }
    const double step = rulerStep(kLeastRulerDistance / scale.pixelsPerTick(), model.context().unit);
    const double bottom = std::min(layout.rows.bottom(), layout.rowTop(layout.rowCount));
    painter.setPen(QPen(theme.hairline, 1));
    for (double time = std::ceil(scene.visible.begin / step) * step; time <= scene.visible.end; time += step) {
        const double x = std::floor(scale.toX(time)) + 0.5;
        painter.drawLine(QPointF(x, layout.rows.top()), QPointF(x, bottom));
    }
    for (int row = first; row <= last; ++row) {
        if (scene.idleByCause) paintIdle(painter, scene, theme, row);
        paintLane(painter, scene, theme, row, Lane::compute, scene.plannedLane(row));
        if (scene.measured != nullptr) paintMeasured(painter, scene, theme, row);
        if (layout.anatomy.curveHeight > 0) paintCurve(painter, scene, theme, row);
        for (int index = 0; index < layout.anatomy.thinLanes; ++index) {
            paintLane(painter, scene, theme, row, layout.thinLanes[static_cast<std::size_t>(index)], layout.thinLane(row, index));
        }
    }
    if (!layout.ruler.isEmpty()) paintRuler(painter, scene, theme);
    if (model.context().fold) paintFold(painter, scene, theme);
}

void TimelinePainter::paintLane(QPainter& painter, const TimelineScene& scene, const Theme& theme, int row, Lane lane,
                                const QRectF& whole) {
    const TimelineModel& model = *scene.model;
    const QRectF rect = whole.intersected(scene.layout.rows);
    if (rect.isEmpty()) return;
    laneGeometry(model, row, lane, scene.scale(), geometry_);
    if (geometry_.isColumns) {
        paintColumns(painter, rect, theme);
        return;
    }
    const double ratio = isVectorPainter(painter) ? 16.0 : painter.device()->devicePixelRatioF();
    const bool hasNumbers = lane == Lane::compute && whole.height() >= kLeastNumberHeight;
    const int pixelSize = numberSize(whole.height());
    const auto largestNumber = static_cast<std::uint32_t>(std::max(0, model.microBatches() - 1));
    for (const SpanRect& span : geometry_.rects) {
        const Action& action = model.timeline().action[span.span];
        const Shade& shade = shadeOf(model, action);
        const double width = span.x1 - span.x0;
        double x0 = snapped(span.x0, ratio);
        double x1 = snapped(span.x1, ratio);
        if (width >= 4 && span.x1 < scene.layout.rows.right() - 0.5) x1 -= 1;  // a hairline between neighbours
        x1 = std::max(x1, x0 + 1 / ratio);
        const QRectF box(x0, rect.top(), x1 - x0, rect.height());
        if (hasRoundedCorners_ && box.width() >= 5 && box.height() >= 5) {
            painter.setRenderHint(QPainter::Antialiasing, true);
            painter.setPen(Qt::NoPen);
            painter.setBrush(shade.fill);
            painter.drawRoundedRect(box, kCornerRadius, kCornerRadius);
        } else {
            painter.setRenderHint(QPainter::Antialiasing, false);
            painter.fillRect(box, shade.fill);
        }
        if (span.style == SpanStyle::recompute && box.width() >= 4 && box.height() >= 4) {
            painter.setRenderHint(QPainter::Antialiasing, true);
            drawHatch(painter, box, mixed(shade.fill, shade.ink, 0.45));
        }
        // Numbers belong to whole spans; a partly scrolled row shows none.
        if (hasNumbers && span.count == 1 && action.kind <= ActionKind::recompute && rect.height() == whole.height()) {
            numbers_.draw(painter, box, action.microBatch, largestNumber, shade.ink, pixelSize);
        }
    }
}

void TimelinePainter::paintColumns(QPainter& painter, const QRectF& rect, const Theme& theme) {
    std::array<QColor, kSpanStyles> colors;
    for (const SpanStyle style : kAllSpanStyles) colors[static_cast<std::size_t>(style)] = theme.fill(spanColor(theme, style));
    const int columns = static_cast<int>(geometry_.columns.size());
    if (isVectorPainter(painter)) {
        // Neighbouring columns with the same shares (to 1/32) become one rectangle per colour.
        const auto rounded = [&](int column, std::size_t style) {
            return std::round(geometry_.columns[static_cast<std::size_t>(column)][style] * 32) / 32;
        };
        for (int begin = 0; begin < columns;) {
            int end = begin + 1;
            const auto same = [&](int column) {
                for (std::size_t style = 0; style < kSpanStyles; ++style) {
                    if (rounded(column, style) != rounded(begin, style)) return false;
                }
                return true;
            };
            while (end < columns && same(end)) ++end;
            double bottom = rect.bottom();
            for (std::size_t style = 0; style < kSpanStyles; ++style) {
                const double height = rounded(begin, style) * rect.height();
                if (height <= 0) continue;
                painter.fillRect(QRectF(rect.left() + begin, bottom - height, end - begin, height), colors[style]);
                bottom -= height;
            }
            begin = end;
        }
        return;
    }
    const double ratio = painter.device()->devicePixelRatioF();
    const int width = static_cast<int>(std::lround(rect.width() * ratio));
    const int height = std::max(1, static_cast<int>(std::lround(rect.height() * ratio)));
    QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    struct Channels {
        float red, green, blue;
    };
    std::array<Channels, kSpanStyles> channels;
    for (std::size_t style = 0; style < kSpanStyles; ++style) {
        channels[style] = {colors[style].redF() * 255, colors[style].greenF() * 255, colors[style].blueF() * 255};
    }
    auto* pixels = reinterpret_cast<QRgb*>(image.bits());
    const auto stride = static_cast<std::ptrdiff_t>(image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb)));
    for (int x = 0; x < width; ++x) {
        const auto& shares = geometry_.columns[static_cast<std::size_t>(std::min(columns - 1, x * columns / width))];
        // From the bottom up; a pixel crossed by a border takes both colours in proportion.
        QRgb* pixel = pixels + static_cast<std::ptrdiff_t>(height - 1) * stride + x;
        float filled = 0;  // of the current pixel
        float red = 0;
        float green = 0;
        float blue = 0;
        int y = height - 1;
        for (std::size_t style = 0; style < kSpanStyles && y >= 0; ++style) {
            float remaining = shares[style] * static_cast<float>(height);
            if (remaining <= 0) continue;
            const Channels& color = channels[style];
            const QRgb solid = qRgb(static_cast<int>(color.red), static_cast<int>(color.green), static_cast<int>(color.blue));
            while (remaining > 0 && y >= 0) {
                if (filled == 0 && remaining >= 1) {
                    *pixel = solid;
                    remaining -= 1;
                } else {
                    const float part = std::min(remaining, 1 - filled);
                    red += color.red * part;
                    green += color.green * part;
                    blue += color.blue * part;
                    filled += part;
                    remaining -= part;
                    if (filled < 0.999F) continue;
                    *pixel = qRgb(static_cast<int>(red), static_cast<int>(green), static_cast<int>(blue));
                    filled = red = green = blue = 0;
                }
                --y;
                pixel -= stride;
            }
        }
        if (filled > 0.01F && y >= 0) {
            *pixel =
                qRgba(static_cast<int>(red), static_cast<int>(green), static_cast<int>(blue), static_cast<int>(filled * 255));
        }
    }
    painter.drawImage(rect, image);
}

void TimelinePainter::paintIdle(QPainter& painter, const TimelineScene& scene, const Theme& theme, int row) {
    const TimelineModel& model = *scene.model;
    const QRectF lane = scene.layout.computeLane(row).intersected(scene.layout.rows);
    if (lane.isEmpty() || visibleSpans(model, row, Lane::compute, scene.visible) > scene.layout.rows.width() / 2) return;
    const TimeScale scale = scene.scale();
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const IdlePiece& piece : model.idlePieces(row, scene.visible)) {
        const double x0 = std::max(lane.left(), scale.toX(piece.range.begin));
        const double x1 = std::min(lane.right(), scale.toX(piece.range.end));
        if (x1 - x0 < 0.7) continue;
        QColor color = idleColor(theme, piece.cause);
        color.setAlphaF(theme.kind == ThemeKind::dark ? 0.32F : 0.30F);
        const QRectF box(x0, lane.top() + 1, x1 - x0, lane.height() - 2);
        painter.fillRect(box, color);
        color.setAlphaF(0.75F);
        painter.setRenderHint(QPainter::Antialiasing, true);
        if (box.width() >= 3 && box.height() >= 6) drawHatch(painter, box, color);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
}

void TimelinePainter::paintCurve(QPainter& painter, const TimelineScene& scene, const Theme& theme, int row) {
    const TimelineModel& model = *scene.model;
    const QRectF whole = scene.layout.curve(row);
    if (whole.top() < scene.layout.rows.top() - 0.5 || whole.bottom() > scene.layout.rows.bottom() + 0.5) return;
    const StepCurve& curve = model.inFlight(row);
    if (curve.isEmpty() || model.largestInFlight() <= 0) return;
    curve.points(scene.scale(), curve_);
    const double ratio = isVectorPainter(painter) ? 16.0 : painter.device()->devicePixelRatioF();
    const double perUnit = (whole.height() - 1) / static_cast<double>(model.largestInFlight());
    const double bottom = whole.bottom();
    const QColor line = theme.outline(theme.activations);
    QColor area = theme.activations;
    area.setAlphaF(theme.kind == ThemeKind::dark ? 0.34F : 0.26F);
    const double end = std::min(scene.layout.rows.right(), scene.scale().toX(model.makespan()));
    const auto y = [&](float value) { return snapped(bottom - static_cast<double>(value) * perUnit, ratio); };
    painter.setRenderHint(QPainter::Antialiasing, isVectorPainter(painter));
    QPolygonF steps;
    steps.reserve(static_cast<qsizetype>(curve_.size()) * 2 + 2);
    for (std::size_t index = 0; index < curve_.size(); ++index) {
        const double x0 = snapped(curve_[index].x, ratio);
        const double x1 = std::max(x0, snapped(index + 1 < curve_.size() ? curve_[index + 1].x : end, ratio));
        const double top = y(curve_[index].value);
        if (!isVectorPainter(painter) && bottom - top > 0) painter.fillRect(QRectF(x0, top, x1 - x0, bottom - top), area);
        if (curve_[index].value <= 0 && steps.isEmpty()) continue;
        steps << QPointF(x0, top) << QPointF(x1, top);
    }
    if (isVectorPainter(painter) && !steps.isEmpty()) {
        // One area: neighbouring rectangles would show seams.
        QPolygonF closed = steps;
        closed << QPointF(steps.last().x(), bottom) << QPointF(steps.first().x(), bottom);
        painter.setPen(Qt::NoPen);
        painter.setBrush(area);
        painter.drawPolygon(closed);
    }
    painter.setPen(QPen(line, 1));
    painter.drawPolyline(steps);
}

void TimelinePainter::paintRuler(QPainter& painter, const TimelineScene& scene, const Theme& theme) const {
    const TimelineModel& model = *scene.model;
    const QRectF& ruler = scene.layout.ruler;
    const TimeScale scale = scene.scale();
    const double step = rulerStep(kLeastRulerDistance / scale.pixelsPerTick(), model.context().unit);
    painter.fillRect(QRectF(scene.layout.area.left(), ruler.top(), scene.layout.area.width(), ruler.height()), theme.panel);
    painter.setFont(type::font(type::kCaption));
    const QFontMetricsF metrics(painter.font());
    for (double time = std::ceil(scene.visible.begin / step) * step; time <= scene.visible.end; time += step) {
        const double x = std::floor(scale.toX(time)) + 0.5;
        const QString text = rulerText(model.realTime(time), step, model.context().unit);
        painter.setPen(QPen(theme.hairline, 1));
        painter.drawLine(QPointF(x, ruler.bottom() - 6), QPointF(x, ruler.bottom()));
        if (x + 4 + metrics.horizontalAdvance(text) > ruler.right()) continue;
        painter.setPen(theme.secondaryText);
        painter.drawText(QPointF(x + 4, ruler.bottom() - 7), text);
    }
}

void TimelinePainter::paintLabels(QPainter& painter, const TimelineScene& scene, const Theme& theme) const {
    const TimelineModel& model = *scene.model;
    const TimelineLayout& layout = scene.layout;
    const double pitch = layout.anatomy.pitch;
    painter.fillRect(layout.labels, theme.panel);
    const QFont nameFont = type::font(pitch >= 20 ? type::kBody : type::kCaption, QFont::Medium);
    const QFont smallFont = type::font(type::kCaption);
    const bool hasSecondLine = pitch >= 34 && !scene.isCompact;
    // Where rows are lower than text, only every n-th is named.
    const int every = std::max(1, static_cast<int>(std::ceil(12.0 / pitch)));
    for (int row = layout.firstVisible(); row <= layout.lastVisible(); ++row) {
        const QRectF lane = layout.computeLane(row);
        const double top = layout.rowTop(row);
        const QRectF band(layout.labels.left(), top, layout.labels.width(), pitch);
        if (scene.selectedRow == row) {
            QColor tint = theme.accent;
            tint.setAlphaF(0.16F);
            painter.fillRect(band.intersected(layout.labels), tint);
        }
        const bool isWhole = lane.top() >= layout.labels.top() - 0.5 && lane.bottom() <= layout.labels.bottom() + 0.5;
        if (!isWhole) continue;
        const QColor mark = theme.category(row, model.rows());
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(Qt::NoPen);
        painter.setBrush(mark);
        const double size = std::min(8.0, lane.height() - 1);
        const double middle = hasSecondLine ? lane.top() + 10 : lane.center().y();
        painter.drawRoundedRect(QRectF(layout.labels.left() + 8, middle - size / 2, size, size), 2, 2);
        if (row % every != 0) continue;
        painter.setFont(nameFont);
        painter.setPen(scene.hoveredRow == row || scene.selectedRow == row ? theme.text
                                                                           : mixed(theme.secondaryText, theme.text, 0.6));
        const double left = layout.labels.left() + 22;
        const double room = layout.labels.right() - left - 4;
        painter.drawText(QRectF(left, middle - 10, room, 20), Qt::AlignVCenter | Qt::AlignLeft, model.rowTitle(row));
        if (!hasSecondLine) continue;
        painter.setFont(smallFont);
        painter.setPen(theme.secondaryText);
        const QString second = scene.scrubber ? QCoreApplication::translate("Timeline", "%1 in flight")
                                                    .arg(amountText(static_cast<double>(model.inFlight(row).at(*scene.scrubber))))
                                              : QCoreApplication::translate("Timeline", "peak %1 in flight")
                                                    .arg(amountText(static_cast<double>(model.inFlight(row).peak())));
        painter.drawText(QRectF(left, middle + 6, room, 16), Qt::AlignVCenter | Qt::AlignLeft, second);
    }
}

void TimelinePainter::paintMarks(QPainter& painter, const TimelineScene& scene, const Theme& theme) {
    const TimelineLayout& layout = scene.layout;
    const TimeScale scale = scene.scale();
    const double bottom = std::min(layout.rows.bottom(), layout.rowTop(layout.rowCount));
    const QRectF rows(layout.rows.left(), layout.rows.top(), layout.rows.width(), bottom - layout.rows.top());
    if (shades_[0].empty()) preparePalette(*scene.model, theme);

    if (scene.veilOthers) {
        QColor veil = theme.panel;
        veil.setAlphaF(0.62F);
        for (int row = layout.firstVisible(); row <= layout.lastVisible(); ++row) {
            painter.fillRect(scene.plannedLane(row).intersected(rows), veil);
        }
    }
    if (scene.scrubber && *scene.scrubber < scene.visible.end) {
        // What has not happened yet is faint.
        QColor veil = theme.panel;
        veil.setAlphaF(0.70F);
        const double x = std::max(rows.left(), scale.toX(*scene.scrubber));
        painter.fillRect(QRectF(x, rows.top(), rows.right() - x, rows.height()), veil);
    }
    paintEmphasised(painter, scene, theme);
    paintArrows(painter, scene, theme);

    if (scene.marked) {
        const double x0 = std::clamp(scale.toX(scene.marked->begin), rows.left(), rows.right());
        const double x1 = std::clamp(scale.toX(scene.marked->end), rows.left(), rows.right());
        QColor tint = theme.accent;
        tint.setAlphaF(0.13F);
        painter.fillRect(QRectF(x0, layout.area.top(), x1 - x0, bottom - layout.area.top()), tint);
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(theme.accent, 1));
        for (const double time : {scene.marked->begin, scene.marked->end}) {
            if (!scene.visible.contains(time)) continue;
            const double x = std::floor(scale.toX(time)) + 0.5;
            painter.drawLine(QPointF(x, layout.area.top()), QPointF(x, bottom));
        }
    }
    if (scene.pointer && scene.visible.contains(*scene.pointer) && !layout.ruler.isEmpty()) {
        const double x = std::floor(scale.toX(*scene.pointer)) + 0.5;
        QColor line = theme.text;
        line.setAlphaF(0.35F);
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(line, 1));
        painter.drawLine(QPointF(x, layout.ruler.bottom()), QPointF(x, bottom));
    }
    if (scene.scrubber && scene.visible.contains(*scene.scrubber)) {
        const double x = std::floor(scale.toX(*scene.scrubber)) + 0.5;
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(theme.accent, 2));
        painter.drawLine(QPointF(x, layout.rows.top() - 2), QPointF(x, bottom));
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.accent);
        painter.drawPolygon(QPolygonF{QPointF(x - 6, layout.rows.top() - 9), QPointF(x + 6, layout.rows.top() - 9),
                                      QPointF(x, layout.rows.top() - 1)});
        paintHeldAtScrubber(painter, scene, theme);
    }
}

void TimelinePainter::paintEmphasised(QPainter& painter, const TimelineScene& scene, const Theme& theme) {
    const TimelineModel& model = *scene.model;
    const TimelineLayout& layout = scene.layout;
    const TimeScale scale = scene.scale();
    const QColor outline = theme.kind == ThemeKind::dark ? QColor(Qt::white) : QColor(0x10, 0x14, 0x1a);
    painter.setRenderHint(QPainter::Antialiasing, true);
    std::vector<double> drawnTo(static_cast<std::size_t>(model.rows()), -1e9);  // spans narrower than a pixel are drawn once
    const auto draw = [&](std::uint32_t span, bool isOutlined, double penWidth) {
        const int row = model.rowOf(span);
        const Lane lane = model.laneOf(span);
        QRectF rect = scene.plannedLane(row);
        if (lane != Lane::compute) {
            const auto found = std::find(layout.thinLanes.begin(), layout.thinLanes.end(), lane);
            const auto index = static_cast<int>(found - layout.thinLanes.begin());
            if (index >= layout.anatomy.thinLanes) return;
            rect = layout.thinLane(row, index);
        }
        const TimeRange range = model.rangeOf(span);
        const double x0 = std::max(layout.rows.left(), scale.toX(range.begin));
        const double x1 = std::min(layout.rows.right(), scale.toX(range.end));
        if (x1 <= layout.rows.left() || x0 >= layout.rows.right()) return;
        if (rect.top() < layout.rows.top() - 0.5 || rect.bottom() > layout.rows.bottom() + 0.5) return;
        if (lane == Lane::compute && x1 - drawnTo[static_cast<std::size_t>(row)] < 0.5 && !isOutlined) return;
        if (lane == Lane::compute) drawnTo[static_cast<std::size_t>(row)] = x1;
        const Action& action = model.timeline().action[span];
        const Shade& shade = shadeOf(model, action);
        const QRectF box(x0, rect.top(), std::max(1.5, x1 - x0 - 1), rect.height());
        painter.setPen(Qt::NoPen);
        painter.setBrush(shade.strong);
        if (box.width() >= 5) {
            painter.drawRoundedRect(box, kCornerRadius, kCornerRadius);
        } else {
            painter.fillRect(box, shade.strong);
        }
        if (action.kind == ActionKind::recompute && box.width() >= 4)
            drawHatch(painter, box, mixed(shade.strong, shade.strongInk, 0.45));
        if (isOutlined && box.width() >= 4) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(outline, penWidth));
            const double half = penWidth / 2;
            painter.drawRoundedRect(box.adjusted(half, half, -half, -half), kCornerRadius, kCornerRadius);
        }
        if (lane == Lane::compute && rect.height() >= kLeastNumberHeight && action.kind <= ActionKind::recompute) {
            const std::uint32_t largestNumber = action.microBatch;
            numbers_.draw(painter, box, action.microBatch, largestNumber, shade.strongInk, numberSize(rect.height()));
        }
    };
    for (const std::uint32_t span : scene.emphasised) draw(span, !scene.arrowsAreCritical, 1.5);
    if (scene.selectedSpan) draw(*scene.selectedSpan, true, 2.5);
    if (scene.hoveredSpan) draw(*scene.hoveredSpan, true, 1.5);
}

void TimelinePainter::paintArrows(QPainter& painter, const TimelineScene& scene, const Theme& theme) const {
    const TimelineModel& model = *scene.model;
    const TimelineLayout& layout = scene.layout;
    const TimeScale scale = scene.scale();
    QColor color = scene.arrowsAreCritical ? theme.outOfMemory : theme.text;
    color.setAlphaF(0.9F);
    painter.setRenderHint(QPainter::Antialiasing, true);
    double lastX = -1e9;
    for (const auto& [from, to] : scene.arrows) {
        const int fromRow = model.rowOf(from);
        const int toRow = model.rowOf(to);
        if (fromRow == toRow) continue;
        const double x0 = scale.toX(model.rangeOf(from).end);
        const double x1 = scale.toX(model.rangeOf(to).begin);
        if (x0 < layout.rows.left() || x1 > layout.rows.right() || x1 < layout.rows.left() || x0 > layout.rows.right()) continue;
        if (scene.arrowsAreCritical && std::abs(x1 - lastX) < 0.25) continue;  // a million of them would be one smear
        lastX = x1;
        const bool isDown = toRow > fromRow;
        const QRectF source = scene.plannedLane(fromRow);
        const QRectF target = scene.plannedLane(toRow);
        const double y0 = isDown ? source.bottom() : source.top();
        const double y1 = isDown ? target.top() : target.bottom();
        if (std::min(y0, y1) < layout.rows.top() - 0.5 || std::max(y0, y1) > layout.rows.bottom() + 0.5) continue;
        const QPointF begin(x0 - 1.5, y0);
        const QPointF end(x1 + 2.5, y1 + (isDown ? -1.0 : 1.0));
        QPainterPath path(begin);
        const double bend = (end.y() - begin.y()) * 0.55;
        path.cubicTo(QPointF(begin.x(), begin.y() + bend), QPointF(end.x(), end.y() - bend), end);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color, 1.4));
        painter.drawPath(path);
        if (layout.anatomy.pitch >= 16) {
            const double tip = isDown ? 5 : -5;
            painter.setPen(Qt::NoPen);
            painter.setBrush(color);
            painter.drawPolygon(QPolygonF{end, QPointF(end.x() - 3, end.y() - tip), QPointF(end.x() + 3, end.y() - tip)});
        }
    }
}

}  // namespace trainyard
