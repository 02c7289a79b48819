#include "widgets/cluster/part_catalogue.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "widgets/cluster/block_text.h"

namespace trainyard {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("PartCatalogue", text); }

LinkSpec cableOf(const NetworkPreset& network) {
    LinkSpec cable;
    cable.kind = network.kind;
    cable.bandwidthBytesPerS = network.bandwidthBytesPerS;
    cable.latencyS = network.latencyS;
    return cable;
}

}  // namespace

PartCatalogue::PartCatalogue(const PresetLibrary& library) {
    for (const auto& spec : library.accelerators()) {
        Part part;
        part.kind = Part::Kind::accelerator;
        part.id = QString::fromStdString(spec->id);
        part.title = QString::fromStdString(spec->name);
        QStringList detail{QString::fromStdString(spec->vendor) + QLatin1Char(' ') + QString::fromStdString(spec->architecture),
                           QStringLiteral("%1 GB").arg(spec->memoryBytes / 1e9, 0, 'g', 4)};
        if (!spec->scaleUpType.empty()) detail << QString::fromStdString(spec->scaleUpType);
        part.detail = detail.join(QStringLiteral(" · "));
        QStringList words{part.id};
        for (const auto& alias : spec->aliases) words << QString::fromStdString(alias);
        part.keywords = words.join(QLatin1Char(' ')).toLower();
        part.accelerator = spec;
        accelerators_.push_back(std::move(part));
    }
    std::ranges::stable_sort(accelerators_, [](const Part& a, const Part& b) { return a.accelerator->year > b.accelerator->year; });

    for (const auto& preset : library.nodes()) {
        Part part;
        part.kind = Part::Kind::node;
        part.id = QString::fromStdString(preset.node.id);
        part.title = QString::fromStdString(preset.node.name);
        part.node = preset.node;
        part.node.count = 1;
        if (part.node.preset.empty()) part.node.preset = preset.node.id;
        part.cable = cableOf(preset.network);
        QStringList detail{deviceLine(part.node)};
        if (part.node.nics.count > 0)
            detail << QStringLiteral("%1 × %2").arg(part.node.nics.count).arg(rateText(preset.network.kind, part.node.nics.bandwidthBytesPerS));
        part.detail = detail.join(QStringLiteral(" · "));
        part.keywords = (part.id + QLatin1Char(' ') + QString::fromStdString(preset.description)).toLower();
        nodes_.push_back(std::move(part));
    }

    for (const auto& id : library.ids(PresetKind::networks)) {
        const auto network = library.network(id);
        if (!network) continue;
        Part part;
        part.kind = Part::Kind::cable;
        part.id = QString::fromStdString(network->id);
        part.title = QString::fromStdString(network->name);
        part.cable = cableOf(*network);
        part.perNode = network->perNode;
        part.detail = rateText(network->kind, network->bandwidthBytesPerS) + QStringLiteral(" · ") + shown(secondsText(network->latencyS));
        if (network->perNode) part.detail += QStringLiteral(" · ") + tr("per node");
        part.keywords = part.id.toLower();
        cables_.push_back(std::move(part));
    }
    std::ranges::stable_sort(cables_, {}, [](const Part& part) { return part.cable.kind; });

    for (const auto& info : allPatterns()) {
        const auto text = [](std::string_view view) { return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size())); };
        Part part;
        part.kind = Part::Kind::pattern;
        part.id = text(info.id);
        part.title = text(info.title);
        part.detail = text(info.summary);
        part.pattern = info.pattern;
        patterns_.push_back(std::move(part));
    }

    switch_.kind = Part::Kind::networkSwitch;
    switch_.id = QStringLiteral("switch");
    switch_.title = tr("Switch");
    switch_.detail = tr("joins nodes and other switches");
    switches_.push_back(switch_);
}

const std::vector<Part>& PartCatalogue::of(Part::Kind kind) const {
    switch (kind) {
        case Part::Kind::accelerator: return accelerators_;
        case Part::Kind::node: return nodes_;
        case Part::Kind::cable: return cables_;
        case Part::Kind::pattern: return patterns_;
        case Part::Kind::networkSwitch: break;
    }
    return switches_;
}

const Part* PartCatalogue::findOrNull(Part::Kind kind, const QString& id) const {
    for (const auto& part : of(kind))
        if (part.id == id) return &part;
    return nullptr;
}

std::vector<const Part*> PartCatalogue::search(Part::Kind kind, const QString& text) const {
    const auto words = text.simplified().toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    std::vector<const Part*> found;
    for (const auto& part : of(kind)) {
        const QString hay = part.title.toLower() + QLatin1Char(' ') + part.detail.toLower() + QLatin1Char(' ') + part.keywords;
        if (std::ranges::all_of(words, [&](const QString& word) { return hay.contains(word); })) found.push_back(&part);
    }
    // What is meant is more often in the title than in the details.
    std::ranges::stable_partition(found, [&](const Part* part) {
        return std::ranges::all_of(words, [&](const QString& word) { return part->title.toLower().contains(word); });
    });
    return found;
}

QString PartCatalogue::mimeType() { return QStringLiteral("application/x-trainyard-part"); }

QByteArray PartCatalogue::encode(const Part& part) {
    return QByteArray::number(static_cast<int>(part.kind)) + ':' + part.id.toUtf8();
}

const Part* PartCatalogue::decodeOrNull(const QByteArray& data) const {
    const auto colon = data.indexOf(':');
    bool isNumber = false;
    const int kind = data.left(colon).toInt(&isNumber);
    if (colon < 1 || !isNumber || kind < 0 || kind > static_cast<int>(Part::Kind::pattern)) return nullptr;
    return findOrNull(static_cast<Part::Kind>(kind), QString::fromUtf8(data.mid(colon + 1)));
}

}  // namespace trainyard
