#include "widgets/timeline/timeline_legend.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/style/theme.h"

namespace trainyard {
namespace {

constexpr double kSwatch = 10;
constexpr double kGap = 6;
constexpr double kBetween = 14;

QString tr(const char* text) { return QCoreApplication::translate("Timeline", text); }

double legendWidth(const std::vector<LegendEntry>& entries, bool isShort) {
    const QFontMetricsF metrics(type::font(type::kSecondary));
    double width = 0;
    for (const LegendEntry& entry : entries) {
        width += kSwatch + kGap + std::ceil(metrics.horizontalAdvance(isShort ? entry.shortName : entry.name)) + kBetween;
    }
    return std::max(0.0, width - kBetween);
}

}  // namespace

std::vector<LegendEntry> timelineLegend(const TimelineModel& model) {
    const Theme& theme = Theme::current();
    std::vector<LegendEntry> entries;
    const auto shortName = [](SpanStyle style) {
        switch (style) {
            case SpanStyle::forward: return tr("fwd");
            case SpanStyle::backwardInput: return tr("bwd");
            case SpanStyle::backwardWeight: return tr("weight");
            case SpanStyle::recompute: return tr("recomp.");
            case SpanStyle::communication: return tr("comm.");
            case SpanStyle::optimizer: return tr("opt.");
            case SpanStyle::hostCopy: return tr("host");
        }
        return QString();
    };
    for (const SpanStyle style : kAllSpanStyles) {
        if (!model.has(style)) continue;
        entries.push_back({styleName(style, model.hasKind(ActionKind::backward), model.hasKind(ActionKind::backwardInput)),
                           shortName(style), theme.fill(spanColor(theme, style)), style == SpanStyle::recompute, false});
    }
    entries.push_back({tr("activations held"), tr("held"), theme.activations, false, true});
    return entries;
}

double paintLegend(QPainter& painter, const QRectF& area, const std::vector<LegendEntry>& entries, Qt::Alignment alignment) {
    const Theme& theme = Theme::current();
    const bool isShort = legendWidth(entries, false) > area.width();
    const double width = legendWidth(entries, isShort);
    painter.setFont(type::font(type::kSecondary));
    const QFontMetricsF metrics(painter.font());
    double x = alignment & Qt::AlignRight ? std::max(area.left(), area.right() - width) : area.left();
    const double middle = area.center().y();
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const LegendEntry& entry : entries) {
        const QString& name = isShort ? entry.shortName : entry.name;
        const double textWidth = std::ceil(metrics.horizontalAdvance(name));
        if (x + kSwatch + kGap + textWidth > area.right() + 1) break;
        QRectF swatch(x, middle - kSwatch / 2, kSwatch, kSwatch);
        if (entry.isArea) {
            QColor fill = entry.color;
            fill.setAlphaF(0.34F);
            painter.setPen(Qt::NoPen);
            painter.setBrush(fill);
            painter.drawRect(swatch.adjusted(0, 1, 0, 0));
            painter.setPen(QPen(theme.outline(entry.color), 1.5));
            painter.drawLine(swatch.topLeft() + QPointF(0, 1), swatch.topRight() + QPointF(0, 1));
        } else {
            painter.setPen(Qt::NoPen);
            painter.setBrush(entry.color);
            painter.drawRoundedRect(swatch, 2, 2);
            if (entry.isHatched) {
                painter.setPen(QPen(inkOn(entry.color), 1));
                painter.drawLine(swatch.bottomLeft() + QPointF(1, -4), swatch.bottomLeft() + QPointF(6, -9));
                painter.drawLine(swatch.bottomLeft() + QPointF(3, -1), swatch.bottomLeft() + QPointF(9, -7));
            }
        }
        painter.setPen(theme.secondaryText);
        painter.drawText(QRectF(x + kSwatch + kGap, area.top(), textWidth + 2, area.height()), Qt::AlignVCenter | Qt::AlignLeft,
                         name);
        x += kSwatch + kGap + textWidth + kBetween;
    }
    return width;
}

void LegendStrip::setEntries(std::vector<LegendEntry> entries) {
    if (entries == entries_) return;
    entries_ = std::move(entries);
    QStringList names;
    for (const LegendEntry& entry : entries_) names << entry.name;
    setAccessibleName(tr("Legend"));
    setAccessibleDescription(names.join(QStringLiteral(", ")));
    setToolTip(names.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QSize LegendStrip::sizeHint() const { return {static_cast<int>(std::ceil(legendWidth(entries_, false))), 20}; }

void LegendStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintLegend(painter, rect(), entries_, Qt::AlignRight);
}

}  // namespace trainyard
