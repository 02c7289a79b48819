#include "widgets/cluster/block_text.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

namespace trainyard {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("ClusterCanvas", text); }

}  // namespace

QString shortName(const AcceleratorSpec& accelerator) {
    QString name = QString::fromStdString(accelerator.name.empty() ? accelerator.id : accelerator.name);
    static const QRegularExpression noise(
        QStringLiteral(R"(\b(GeForce|Instinct|SXM\d?|HBM\d\w?|Server|Blackwell Server)\b|\([^)]*\))"));
    name.remove(noise);
    static const QRegularExpression size(QStringLiteral(R"((\d+)\s?GB\b)"));
    name.replace(size, QStringLiteral("\\1 GB"));
    return name.simplified();
}

QString deviceLine(const NodeSpec& node) {
    if (node.accelerators.empty()) return tr("no devices yet");
    QStringList parts;
    for (const auto& group : node.accelerators)
        parts << QStringLiteral("%1 × %2").arg(group.count).arg(group.accelerator ? shortName(*group.accelerator) : tr("device"));
    return parts.join(QStringLiteral(" + "));
}

QString innerLinkName(const NodeSpec& node) {
    if (node.devicesPerNode() < 2) return {};
    const auto links = effectiveIntra(node);
    if ((links.kind == LinkKind::nvswitch || links.kind == LinkKind::nvlink) && !node.accelerators.empty() &&
        node.accelerators.front().accelerator) {
        const auto& type = node.accelerators.front().accelerator->scaleUpType;
        if (type.starts_with("NVLink") && type.size() <= 9) return QString::fromStdString(type);
    }
    if (links.kind == LinkKind::pcie && !links.peerToPeer) return tr("PCIe through host");
    return linkKindName(links.kind);
}

QString linkKindName(LinkKind kind) {
    switch (kind) {
        case LinkKind::nvlink: return QStringLiteral("NVLink");
        case LinkKind::nvswitch: return QStringLiteral("NVSwitch");
        case LinkKind::xgmi: return QStringLiteral("xGMI");
        case LinkKind::pcie: return QStringLiteral("PCIe");
        case LinkKind::pcieHost: return tr("PCIe through host");
        case LinkKind::infiniband: return QStringLiteral("InfiniBand");
        case LinkKind::roce: return QStringLiteral("RoCE");
        case LinkKind::ethernet: return QStringLiteral("Ethernet");
        case LinkKind::efa: return QStringLiteral("EFA");
        case LinkKind::slingshot: return QStringLiteral("Slingshot");
        case LinkKind::wan: return QStringLiteral("WAN");
        case LinkKind::other: break;
    }
    return tr("Link");
}

bool soldInBits(LinkKind kind) {
    switch (kind) {
        case LinkKind::infiniband:
        case LinkKind::roce:
        case LinkKind::ethernet:
        case LinkKind::efa:
        case LinkKind::slingshot:
        case LinkKind::wan: return true;
        default: return false;
    }
}

QString rateText(LinkKind kind, double bytesPerS) {
    if (!soldInBits(kind)) return shown(bytesPerSecondText(bytesPerS));
    const double bits = bytesPerS * 8;
    // As printed on the box: "25 Gb/s", not "25.0 Gb/s".
    const auto number = [](double value) { return QString::number(value, value < 1000 ? 'g' : 'f', value < 1000 ? 3 : 0); };
    if (bits >= 1e13) return QStringLiteral("%1 Tb/s").arg(number(bits / 1e12));
    if (bits >= 1e9 || bits == 0) return QStringLiteral("%1 Gb/s").arg(number(bits / 1e9));
    return QStringLiteral("%1 Mb/s").arg(number(bits / 1e6));
}

QString cablesText(const LinkSpec& link) {
    const auto rate = rateText(link.kind, link.bandwidthBytesPerS);
    return link.count > 1 ? QStringLiteral("%1 × %2").arg(link.count).arg(rate) : rate;
}

QString titleOf(const NodeSpec& node) { return QString::fromStdString(node.name.empty() ? node.id : node.name); }
QString titleOf(const SwitchSpec& item) { return QString::fromStdString(item.name.empty() ? item.id : item.name); }

}  // namespace trainyard
