#include "widgets/cluster/hover_card.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QPainter>
#include <algorithm>
#include <array>

#include "widgets/cluster/block_text.h"
#include "widgets/style/byte_units.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("HoverCard", text); }

struct DevicePlace {
    const NodeSpec* node = nullptr;
    const AcceleratorSpec* accelerator = nullptr;
    std::int64_t instance = 0;
    std::int64_t inNode = 0;
};

DevicePlace placeOf(const ClusterSpec& cluster, std::int64_t device) {
    for (const auto& node : cluster.nodes) {
        const auto perNode = node.devicesPerNode();
        if (device >= node.count * perNode) {
            device -= node.count * perNode;
            continue;
        }
        DevicePlace place{&node, nullptr, device / perNode, device % perNode};
        auto left = place.inNode;
        for (const auto& group : node.accelerators) {
            if (left < group.count) {
                place.accelerator = group.accelerator.get();
                break;
            }
            left -= group.count;
        }
        return place;
    }
    return {};
}

QString decimal(double bytes) { return shown(bytesText(bytes, ByteUnits::decimal)); }

}  // namespace

HoverText describeDevice(const Scenario& scenario, const Evaluation* evaluation, std::int32_t device) {
    HoverText text;
    const auto place = placeOf(*scenario.cluster, device);
    if (place.node == nullptr) return text;
    QStringList where;
    if (place.accelerator != nullptr) where << shortName(*place.accelerator);
    if (place.node->count > 1) where << tr("node %1").arg(place.instance);
    where << tr("device %1").arg(place.inNode);
    if (evaluation == nullptr || !evaluation->computed || !evaluation->layout || device >= evaluation->layout->ranks() ||
        evaluation->layout->rankOnDevice(device) < 0) {
        text.title = titleOf(*place.node);
        text.lines << where.join(QStringLiteral(" · "));
        if (place.accelerator != nullptr)
            text.lines << tr("%1 usable · not used by the plan")
                              .arg(shown(shownBytes(place.accelerator->memoryUsableBytes > 0 ? place.accelerator->memoryUsableBytes
                                                                                            : place.accelerator->memoryBytes)));
        return text;
    }
    const RankLayout& layout = *evaluation->layout;
    const auto rank = layout.rankOnDevice(device);
    const auto at = layout.coordinates(rank);
    QStringList groups{tr("Stage %1").arg(at.pipeline)};
    const std::array<std::pair<Dimension, const char*>, 3> named{{{Dimension::tensor, QT_TRANSLATE_NOOP("HoverCard", "tensor group of %1")},
                                                                  {Dimension::context, QT_TRANSLATE_NOOP("HoverCard", "context group of %1")},
                                                                  {Dimension::data, QT_TRANSLATE_NOOP("HoverCard", "data group of %1")}}};
    for (const auto& [dimension, label] : named)
        if (layout.degree(dimension) > 1) groups << tr(label).arg(layout.degree(dimension));
    text.title = groups.join(QStringLiteral(" · "));
    text.lines << where.join(QStringLiteral(" · ")) + QStringLiteral(" · ") + tr("rank %1").arg(rank);

    const auto stage = static_cast<std::size_t>(at.pipeline);
    if (stage < evaluation->memory.stages.size() && place.accelerator != nullptr) {
        const double used = evaluation->memory.stages[stage].totalBytes;
        const double capacity =
            place.accelerator->memoryUsableBytes > 0 ? place.accelerator->memoryUsableBytes : place.accelerator->memoryBytes;
        const auto total = shownBytes(capacity);
        auto part = shownBytes(used);
        const QString memory = part.unit == total.unit ? tr("%1 of %2").arg(QString::fromStdString(part.number), shown(total))
                                                       : tr("%1 of %2").arg(shown(part), shown(total));
        text.warns = used > capacity;
        text.lines << (text.warns ? tr("%1: does not fit").arg(memory) : memory);
    }
    QStringList sent;
    std::array<double, 5> byDimension{};
    for (const auto& item : evaluation->communication) byDimension[static_cast<std::size_t>(item.group)] += item.bytesPerDevicePerStep;
    for (const auto dimension : {Dimension::tensor, Dimension::context, Dimension::expert, Dimension::pipeline, Dimension::data}) {
        const double bytes = byDimension[static_cast<std::size_t>(dimension)];
        if (bytes > 0) sent << QStringLiteral("%1 %2").arg(QString::fromUtf8(name(dimension).data(), static_cast<qsizetype>(name(dimension).size())), decimal(bytes));
    }
    if (!sent.isEmpty()) text.lines.insert(1, tr("sends per step: %1").arg(sent.join(QStringLiteral(" · "))));
    return text;
}

HoverText describeLink(const Scenario& scenario, const Evaluation* evaluation, std::size_t link) {
    HoverText text;
    const auto& links = scenario.cluster->links;
    if (link >= links.size()) return text;
    const LinkSpec& spec = links[link];
    text.title = linkKindName(spec.kind) + QStringLiteral(" · ") + cablesText(spec);
    text.lines << tr("%1 to %2 · latency %3")
                      .arg(QString::fromStdString(spec.from), QString::fromStdString(spec.to),
                           shown(secondsText(spec.latencyS > 0 ? spec.latencyS : typicalLatencyS(spec.kind))));
    if (spec.broken) {
        text.lines << tr("unplugged");
        text.warns = true;
        return text;
    }
    if (evaluation == nullptr) return text;
    for (const auto& load : evaluation->links)
        if (load.link == static_cast<int>(link))
            text.lines << tr("%1 per step · %2 used").arg(decimal(load.bytesPerStep), shown(percentText(load.utilisation)));
    return text;
}

HoverCard::HoverCard(QWidget* parent) : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void HoverCard::showAt(const HoverText& text, const QRect& target) {
    text_ = text;
    const QFontMetrics strong(type::font(type::kSecondary, QFont::DemiBold));
    const QFontMetrics plain(type::font(type::kCaption));
    int width = strong.horizontalAdvance(text.title);
    for (const auto& line : text.lines) width = std::max(width, plain.horizontalAdvance(line));
    const QSize size(width + 26, 12 + 18 + 16 * static_cast<int>(text.lines.size()) + 8);
    const QRect area = parentWidget()->rect().adjusted(8, 8, -8, -8);
    QPoint at(target.center().x() - size.width() / 2, target.bottom() + 14);
    if (at.y() + size.height() > area.bottom()) at.setY(target.top() - 14 - size.height());
    at.setX(std::clamp(at.x(), area.left(), std::max(area.left(), area.right() - size.width())));
    at.setY(std::clamp(at.y(), area.top(), std::max(area.top(), area.bottom() - size.height())));
    setGeometry(QRect(at, size));
    show();
    raise();
    update();
}

void HoverCard::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.hairline, 1));
    painter.setBrush(theme.raised);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), space::kControlRadius, space::kControlRadius);
    painter.setFont(type::font(type::kSecondary, QFont::DemiBold));
    painter.setPen(theme.text);
    painter.drawText(QRect(12, 10, width() - 24, 18), Qt::AlignLeft | Qt::AlignVCenter, text_.title);
    painter.setFont(type::font(type::kCaption));
    for (qsizetype i = 0; i < text_.lines.size(); ++i) {
        painter.setPen(text_.warns && i + 1 == text_.lines.size() ? theme.outOfMemory : theme.secondaryText);
        painter.drawText(QRect(12, 29 + 16 * static_cast<int>(i), width() - 24, 16), Qt::AlignLeft | Qt::AlignVCenter, text_.lines[i]);
    }
}

}  // namespace trainyard
