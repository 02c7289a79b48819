#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/style/theme.h"
#include "widgets/timeline/timeline_painter.h"

namespace trainyard {

QRectF TimelineScene::plannedLane(int row) const {
    QRectF lane = layout.computeLane(row);
    if (measured != nullptr) lane.setHeight(std::floor(lane.height() * 0.54));
    return lane;
}

QRectF TimelineScene::measuredLane(int row) const {
    QRectF lane = layout.computeLane(row);
    lane.setTop(plannedLane(row).bottom() + (lane.height() >= 12 ? 1 : 0));
    return lane;
}

void TimelinePainter::paintMeasured(QPainter& painter, const TimelineScene& scene, const Theme& theme, int row) {
    const int measuredRow = scene.measured->rowOf(row);
    if (measuredRow < 0) return;
    TimelineScene measured = scene;
    measured.model = scene.measured->model.get();
    measured.measured = nullptr;
    paintLane(painter, measured, theme, measuredRow, Lane::compute, scene.measuredLane(row));
    // The border between plan and measurement.
    const QRectF lane = scene.measuredLane(row);
    if (lane.height() < 5 || !scene.layout.rows.contains(lane.center())) return;
    const double end =
        std::clamp(scene.scale().toX(std::max(scene.model->makespan(), measured.model->makespan())), lane.left(), lane.right());
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(theme.text, 1));
    painter.drawLine(QPointF(lane.left(), lane.top() - 0.5), QPointF(end, lane.top() - 0.5));
}

void TimelinePainter::paintFold(QPainter& painter, const TimelineScene& scene, const Theme& theme) const {
    const TimelineFold& fold = *scene.model->context().fold;
    const TimelineLayout& layout = scene.layout;
    if (!scene.visible.contains(fold.cut)) return;
    const double x = scene.scale().toX(fold.cut);
    const double bottom = std::min(layout.rows.bottom(), layout.rowTop(layout.rowCount));
    if (x - 5 < layout.rows.left() || x + 5 > layout.rows.right()) return;
    // A torn strip: two zigzag edges with the background between them.
    constexpr double kTooth = 5;
    QPolygonF left;
    QPolygonF right;
    bool isOut = false;
    for (double y = layout.rows.top(); y < bottom + kTooth; y += kTooth, isOut = !isOut) {
        const double at = std::min(y, bottom);
        left << QPointF(x - 3 + (isOut ? 2 : -2), at);
        right << QPointF(x + 3 + (isOut ? 2 : -2), at);
    }
    QPolygonF strip = left;
    for (qsizetype i = right.size(); i-- > 0;) strip << right[i];
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.panel);
    painter.drawPolygon(strip);
    painter.setPen(QPen(theme.secondaryText, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(left);
    painter.drawPolyline(right);
    if (layout.ruler.isEmpty()) return;
    const QString text = QCoreApplication::translate("Timeline", "%1 \u00d7 %2 left out")
                             .arg(fold.blocks)
                             .arg(durationText(fold.blocks > 0 ? fold.removed / fold.blocks : 0, scene.model->context().unit));
    painter.setFont(type::font(type::kCaption, QFont::DemiBold));
    const double width = QFontMetricsF(painter.font()).horizontalAdvance(text) + 10;
    QRectF box(x - width / 2, layout.ruler.top() + 2, width, layout.ruler.height() - 6);
    box.moveLeft(std::clamp(box.left(), layout.ruler.left(), std::max(layout.ruler.left(), layout.ruler.right() - width)));
    painter.setPen(QPen(theme.hairline, 1));
    painter.setBrush(theme.raised);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.setPen(theme.text);
    painter.drawText(box, Qt::AlignCenter, text);
}

void TimelinePainter::paintHeldAtScrubber(QPainter& painter, const TimelineScene& scene, const Theme& theme) const {
    const TimelineModel& model = *scene.model;
    const TimelineLayout& layout = scene.layout;
    if (layout.anatomy.curveHeight < 8 || model.largestInFlight() <= 0) return;
    const double x = scene.scale().toX(*scene.scrubber);
    painter.setFont(type::font(type::kCaption, QFont::DemiBold));
    const QFontMetricsF metrics(painter.font());
    for (int row = layout.firstVisible(); row <= layout.lastVisible(); ++row) {
        const QRectF curve = layout.curve(row);
        if (curve.top() < layout.rows.top() - 0.5 || curve.bottom() > layout.rows.bottom() + 0.5) continue;
        const double held = static_cast<double>(model.inFlight(row).at(*scene.scrubber));
        const double y = curve.bottom() - held * (curve.height() - 1) / static_cast<double>(model.largestInFlight());
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(QPen(theme.panel, 1.5));
        painter.setBrush(theme.accent);
        painter.drawEllipse(QPointF(x, y), 3.5, 3.5);
        const QString text = amountText(held);
        const double width = metrics.horizontalAdvance(text) + 6;
        if (x + 6 + width > layout.rows.right() || curve.height() < 11) continue;
        const QRectF box(x + 6, std::clamp(y - 7, curve.top(), std::max(curve.top(), curve.bottom() - 13)), width, 13);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.raised);
        painter.drawRoundedRect(box, 3, 3);
        painter.setPen(theme.text);
        painter.drawText(box, Qt::AlignCenter, text);
    }
}

}  // namespace trainyard
