#include "widgets/cluster/cluster_inspector.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/plan/limits.h"
#include "widgets/cluster/block_text.h"
#include "widgets/cluster/cluster_editor.h"
#include "widgets/cluster/part_popover.h"
#include "widgets/document/plan_document.h"
#include "widgets/style/icons.h"
#include "widgets/style/theme.h"

namespace trainyard {

/// One figure in a row: shown value = SI value / factor.
struct ClusterInspector::Figure {
    QString label;
    QString unit;
    double factor = 1;
    int decimals = 1;
    double most = 1e9;            ///< shown units
    QString whenZero;             ///< what stands there if the drawing leaves it open; empty: 0 is a value
    std::function<double()> get;  ///< SI
    std::function<void(double)> set;
};

namespace {

/// Wide numbers, no trailing zeros: "3.35", "400", "1.5".
class FigureBox : public QDoubleSpinBox {
  public:
    using QDoubleSpinBox::QDoubleSpinBox;
    [[nodiscard]] QString textFromValue(double value) const override {
        QString text = QString::number(value, 'f', decimals());
        if (text.contains(QLatin1Char('.'))) {
            while (text.endsWith(QLatin1Char('0'))) text.chop(1);
            if (text.endsWith(QLatin1Char('.'))) text.chop(1);
        }
        return text;
    }
};

NodeSpec nodeOf(const ClusterEditor& editor, const std::string& id) {
    const auto* node = cluster_edit::findNodeOrNull(editor.cluster(), id);
    return node != nullptr ? *node : NodeSpec{};
}

SwitchSpec switchOf(const ClusterEditor& editor, const std::string& id) {
    const auto* item = cluster_edit::findSwitchOrNull(editor.cluster(), id);
    return item != nullptr ? *item : SwitchSpec{};
}

LinkSpec linkOf(const ClusterEditor& editor, std::size_t link) {
    return link < editor.cluster().links.size() ? editor.cluster().links[link] : LinkSpec{};
}

AcceleratorSpec acceleratorOf(const ClusterEditor& editor, const std::string& id, std::size_t group) {
    const auto node = nodeOf(editor, id);
    return group < node.accelerators.size() && node.accelerators[group].accelerator ? *node.accelerators[group].accelerator
                                                                                     : AcceleratorSpec{};
}

constexpr int kFieldWidth = 136;

const std::vector<LinkKind> kNetworkKinds{LinkKind::infiniband, LinkKind::roce, LinkKind::ethernet, LinkKind::efa,
                                          LinkKind::slingshot,  LinkKind::wan,  LinkKind::nvlink,   LinkKind::pcie, LinkKind::other};
const std::vector<LinkKind> kInnerKinds{LinkKind::nvswitch, LinkKind::nvlink, LinkKind::xgmi, LinkKind::pcie, LinkKind::pcieHost, LinkKind::other};

}  // namespace

ClusterInspector::ClusterInspector(ClusterEditor* editor, PlanDocument* document, QWidget* parent)
    : QWidget(parent),
      editor_(editor),
      document_(document),
      name_(new QLineEdit(this)),
      kind_(new QLabel(this)),
      scroll_(new QScrollArea(this)),
      popover_(new PartPopover(editor->parts(), this)) {
    setAccessibleName(tr("Figures of the selection"));
    setFixedWidth(kWidth);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(1, 0, 0, 0);
    outer->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 10, 8, 4);
    head->setSpacing(4);
    name_->setFont(type::font(type::kStrong, QFont::DemiBold));
    name_->setAccessibleName(tr("Name"));
    name_->setMinimumHeight(30);
    auto* close = new QToolButton(this);
    close->setIcon(icon(QStringLiteral("chevron-right")));
    close->setProperty("quiet", true);
    close->setToolTip(tr("Close (Esc)"));
    close->setAccessibleName(tr("Close the figures"));
    connect(close, &QToolButton::clicked, this, &ClusterInspector::closeRequested);
    head->addWidget(name_, 1);
    head->addWidget(close);
    outer->addLayout(head);
    kind_->setFont(type::font(type::kCaption));
    kind_->setForegroundRole(QPalette::PlaceholderText);
    kind_->setContentsMargins(14, 0, 12, 4);
    kind_->setWordWrap(true);
    outer->addWidget(kind_);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    outer->addWidget(scroll_, 1);
    connect(name_, &QLineEdit::editingFinished, this, [this] {
        if (editor_->pickedBlocks().size() == 1) editor_->rename(editor_->pickedBlocks().front(), name_->text());
    });
    connect(popover_, &PartPopover::partChosen, this, [this](const Part* part) {
        if (chosen_ && part->accelerator) chosen_(part->accelerator);
    });
    connect(popover_, &PartPopover::partPlaced, this, [this](const Part* part) {
        if (chosen_ && part->accelerator) chosen_(part->accelerator);
    });
    connect(editor_, &ClusterEditor::pickedChanged, this, &ClusterInspector::follow);
    connect(document_, &PlanDocument::snapshotChanged, this, &ClusterInspector::follow);
}

void ClusterInspector::focusName() {
    if (name_->isEnabled()) {
        name_->setFocus(Qt::OtherFocusReason);
        name_->selectAll();
    }
}

QString ClusterInspector::structure() const {
    const auto& blocks = editor_->pickedBlocks();
    const auto& links = editor_->pickedLinks();
    if (blocks.size() == 1 && links.empty()) {
        const auto id = QString::fromStdString(blocks.front());
        const auto* node = cluster_edit::findNodeOrNull(editor_->cluster(), blocks.front());
        if (node == nullptr) return QStringLiteral("switch ") + id;
        QString text = QStringLiteral("node ") + id;
        for (const auto& group : node->accelerators)
            text += QLatin1Char('|') + (group.accelerator ? QString::fromStdString(group.accelerator->name) : QString());
        return text + (node->devicesPerNode() > 1 ? QStringLiteral(" inside") : QString());
    }
    if (links.size() == 1 && blocks.empty()) return QStringLiteral("link %1 %2").arg(links.front()).arg(soldInBits(linkOf(*editor_, links.front()).kind));
    return QStringLiteral("%1 blocks, %2 links").arg(blocks.size()).arg(links.size());
}

void ClusterInspector::follow() {
    if (!isVisible()) return;
    if (const auto wanted = structure(); wanted != structure_ || body_ == nullptr) {
        structure_ = wanted;
        rebuild();
    }
    for (const auto& update : refresh_) update();
}

void ClusterInspector::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    follow();
}

void ClusterInspector::rebuild() {
    refresh_.clear();
    body_ = new QWidget;
    body_->setAutoFillBackground(true);
    column_ = new QVBoxLayout(body_);
    column_->setContentsMargins(14, 2, 14, 14);
    column_->setSpacing(6);
    const auto& blocks = editor_->pickedBlocks();
    const auto& links = editor_->pickedLinks();
    name_->setEnabled(blocks.size() == 1 && links.empty());
    if (blocks.size() == 1 && links.empty()) {
        if (cluster_edit::findNodeOrNull(editor_->cluster(), blocks.front()) != nullptr) buildNode(blocks.front());
        else buildSwitch(blocks.front());
    } else if (links.size() == 1 && blocks.empty()) {
        buildLink(links.front());
    } else {
        name_->setText(blocks.empty() && links.empty() ? tr("Nothing selected") : tr("Several selected"));
        kind_->setText(blocks.empty() && links.empty() ? tr("Pick a block or a cable to see and change its figures.")
                                                       : tr("%n block(s)", nullptr, static_cast<int>(blocks.size())) + QStringLiteral(", ") +
                                                             tr("%n cable(s)", nullptr, static_cast<int>(links.size())));
    }
    column_->addStretch(1);
    // A row of the old body may be what asked for this: it goes once its signal has returned.
    if (auto* old = scroll_->takeWidget()) {
        old->hide();
        old->deleteLater();
    }
    scroll_->setWidget(body_);
    body_->show();
}

// ---- rows

QGridLayout* ClusterInspector::addSection(const QString& title) {
    auto* heading = new QLabel(title.toUpper(), body_);
    QFont font = type::font(type::kCaption, QFont::DemiBold);
    font.setLetterSpacing(QFont::AbsoluteSpacing, 0.6);
    heading->setFont(font);
    heading->setForegroundRole(QPalette::PlaceholderText);
    heading->setContentsMargins(0, column_->count() > 0 ? 8 : 2, 0, 0);
    heading->setAlignment(Qt::AlignLeft);
    column_->addWidget(heading);
    auto* form = new QGridLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(8);
    form->setVerticalSpacing(3);
    form->setColumnStretch(0, 1);
    column_->addLayout(form);
    return form;
}

/// All fields stand in one column at the right, in every section.
void ClusterInspector::addRow(QGridLayout* form, const QString& label, QWidget* field) {
    const int row = form->rowCount();
    auto* text = new QLabel(label, body_);
    text->setFont(type::font(type::kSecondary));
    text->setBuddy(field);
    text->setMinimumWidth(40);
    field->setFixedWidth(kFieldWidth);
    field->setFixedHeight(28);
    form->addWidget(text, row, 0, Qt::AlignVCenter);
    form->addWidget(field, row, 1);
}

void ClusterInspector::addFigure(QGridLayout* form, const Figure& figure) {
    auto* box = new FigureBox(body_);
    box->setDecimals(figure.decimals);
    box->setRange(0, figure.most);
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    box->setKeyboardTracking(false);
    box->setSuffix(QStringLiteral(" ") + figure.unit);
    box->setAccessibleName(figure.label);
    box->setLocale(QLocale::c());
    box->setAlignment(Qt::AlignRight);
    if (!figure.whenZero.isEmpty()) box->setSpecialValueText(figure.whenZero);
    addRow(form, figure.label, box);
    connect(box, &QDoubleSpinBox::valueChanged, this, [figure](double value) { figure.set(value * figure.factor); });
    refresh_.emplace_back([box, figure] {
        const QSignalBlocker quiet(box);
        box->setValue(figure.get() / figure.factor);
    });
}

void ClusterInspector::addCount(QGridLayout* form, const QString& label, std::int64_t least, std::function<std::int64_t()> get,
                                std::function<void(std::int64_t)> set) {
    auto* box = new QSpinBox(body_);
    box->setRange(static_cast<int>(least), static_cast<int>(limits::kDevices));
    box->setKeyboardTracking(false);
    box->setAlignment(Qt::AlignRight);
    box->setAccessibleName(label);
    addRow(form, label, box);
    connect(box, &QSpinBox::valueChanged, this, [set = std::move(set)](int value) { set(value); });
    refresh_.emplace_back([box, get = std::move(get)] {
        const QSignalBlocker quiet(box);
        box->setValue(static_cast<int>(std::min<std::int64_t>(get(), limits::kDevices)));
    });
}

void ClusterInspector::addFlag(QGridLayout* form, const QString& label, std::function<bool()> get, std::function<void(bool)> set) {
    auto* box = new QCheckBox(label, body_);
    form->addWidget(box, form->rowCount(), 0, 1, 2);
    connect(box, &QCheckBox::toggled, this, [set = std::move(set)](bool on) { set(on); });
    refresh_.emplace_back([box, get = std::move(get)] {
        const QSignalBlocker quiet(box);
        box->setChecked(get());
    });
}

void ClusterInspector::addText(QGridLayout* form, const QString& label, std::function<QString()> get,
                               std::function<void(const QString&)> set) {
    auto* line = new QLineEdit(body_);
    line->setAccessibleName(label);
    addRow(form, label, line);
    connect(line, &QLineEdit::editingFinished, this, [line, set = std::move(set)] { set(line->text()); });
    refresh_.emplace_back([line, get = std::move(get)] {
        if (!line->hasFocus() || !line->isModified()) line->setText(get());
    });
}

void ClusterInspector::addKind(QGridLayout* form, const QString& label, const std::vector<LinkKind>& kinds, std::function<LinkKind()> get,
                               std::function<void(LinkKind)> set) {
    auto* box = new QComboBox(body_);
    box->setAccessibleName(label);
    for (const auto kind : kinds) box->addItem(linkKindName(kind), static_cast<int>(kind));
    addRow(form, label, box);
    connect(box, &QComboBox::activated, this,
            [box, set = std::move(set)](int index) { set(static_cast<LinkKind>(box->itemData(index).toInt())); });
    refresh_.emplace_back([box, get = std::move(get)] {
        const QSignalBlocker quiet(box);
        box->setCurrentIndex(box->findData(static_cast<int>(get())));
    });
}

void ClusterInspector::openPopover(std::function<void(std::shared_ptr<const AcceleratorSpec>)> chosen) {
    chosen_ = std::move(chosen);
    popover_->open(Part::Kind::accelerator, mapToGlobal(QPoint(-popover_->width() - 4, 40)));
}

// ---- a node

void ClusterInspector::buildNode(const std::string& id) {
    refresh_.emplace_back([this, id] {
        const auto node = nodeOf(*editor_, id);
        if (!name_->hasFocus()) name_->setText(titleOf(node));
        kind_->setText(tr("%1 · %2 devices in all").arg(deviceLine(node), QString::fromStdString(grouped(node.count * node.devicesPerNode()))));
    });
    auto* form = addSection(tr("Block"));
    addCount(form, tr("Equal nodes"), 1, [this, id] { return nodeOf(*editor_, id).count; }, [this, id](std::int64_t n) { editor_->setCount(id, n); });
    addFigure(form, {tr("Slowed by"), QStringLiteral("%"), 1, 0, 900, tr("not slowed"),
                     [this, id] { return std::max(0.0, (nodeOf(*editor_, id).slowdown - 1) * 100); },
                     [this, id](double percent) {
                         auto node = nodeOf(*editor_, id);
                         node.slowdown = 1 + percent / 100;
                         editor_->setNode(id, std::move(node), tr("Slow down"));
                     }});
    addText(form, tr("Site"), [this, id] { return QString::fromStdString(nodeOf(*editor_, id).site); },
            [this, id](const QString& text) {
                auto node = nodeOf(*editor_, id);
                node.site = text.trimmed().toStdString();
                editor_->setNode(id, std::move(node), tr("Set the site"));
            });
    const auto node = nodeOf(*editor_, id);
    for (std::size_t group = 0; group < node.accelerators.size(); ++group) buildAccelerator(id, group);
    auto* add = new QToolButton(body_);
    add->setText(tr("Add another kind of accelerator…"));
    add->setIcon(icon(QStringLiteral("plus")));
    add->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    add->setProperty("quiet", true);
    connect(add, &QToolButton::clicked, this, [this, id] {
        openPopover([this, id](std::shared_ptr<const AcceleratorSpec> spec) {
            Part part;
            part.title = QString::fromStdString(spec->name);
            part.accelerator = std::move(spec);
            editor_->addPart(part, {}, id);
        });
    });
    column_->addWidget(add, 0, Qt::AlignLeft);
    if (node.devicesPerNode() > 1) buildInside(id);
    buildPorts(id);
}

void ClusterInspector::buildAccelerator(const std::string& id, std::size_t group) {
    const auto spec = acceleratorOf(*editor_, id, group);
    auto* form = addSection(QString::fromStdString(spec.name));
    addCount(form, tr("Per node"), group == 0 ? 1 : 0,
             [this, id, group] {
                 const auto node = nodeOf(*editor_, id);
                 return group < node.accelerators.size() ? node.accelerators[group].count : 0;
             },
             [this, id, group](std::int64_t n) { editor_->setAcceleratorCount(id, group, n); });
    auto* replace = new QToolButton(body_);
    replace->setText(tr("Replace…"));
    replace->setIcon(icon(QStringLiteral("refresh-cw")));
    replace->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(replace, &QToolButton::clicked, this, [this, id, group] {
        openPopover([this, id, group](std::shared_ptr<const AcceleratorSpec> chosen) { editor_->replaceAccelerator(id, group, std::move(chosen)); });
    });
    addRow(form, tr("Model"), replace);

    // A changed figure makes an accelerator of the user's own that says what it is based on.
    const auto figure = [&](const QString& label, const QString& unit, double factor, int decimals, auto read, auto write,
                            const QString& whenZero = {}) {
        addFigure(form, {label, unit, factor, decimals, 1e7, whenZero,
                         [this, id, group, read] { return read(acceleratorOf(*editor_, id, group)); },
                         [this, id, group, write, label](double value) {
                             auto changed = acceleratorOf(*editor_, id, group);
                             if (changed.base.empty()) changed.base = changed.id;
                             write(changed, value);
                             auto next = nodeOf(*editor_, id);
                             next.accelerators[group].accelerator = std::make_shared<const AcceleratorSpec>(std::move(changed));
                             editor_->setNode(id, std::move(next), tr("Change %1").arg(label));
                         }});
    };
    using Spec = AcceleratorSpec;
    figure(tr("Memory"), QStringLiteral("GiB"), 1073741824.0, 1, [](const Spec& s) { return s.memoryBytes; }, [](Spec& s, double v) { s.memoryBytes = v; });
    figure(tr("Usable"), QStringLiteral("GiB"), 1073741824.0, 2, [](const Spec& s) { return s.memoryUsableBytes; },
           [](Spec& s, double v) { s.memoryUsableBytes = v; });
    figure(tr("Memory speed"), QStringLiteral("GB/s"), 1e9, 1, [](const Spec& s) { return s.memoryBandwidthBytesPerS; },
           [](Spec& s, double v) { s.memoryBandwidthBytesPerS = v; });
    for (const auto precision : kAllPrecisions) {
        const auto text = name(precision);
        figure(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).toUpper() + QLatin1Char(' ') + tr("dense"),
               QStringLiteral("TFLOP/s"), 1e12, 1, [precision](const Spec& s) { return s.peak(precision); },
               [precision](Spec& s, double v) { s.peakFlopsPerS[static_cast<std::size_t>(precision)] = v; }, tr("not built in"));
    }
    figure(tr("Scale-up link"), QStringLiteral("GB/s"), 1e9, 1, [](const Spec& s) { return s.scaleUpBytesPerS; },
           [](Spec& s, double v) { s.scaleUpBytesPerS = v; });
    figure(tr("Host link"), QStringLiteral("GB/s"), 1e9, 1, [](const Spec& s) { return s.hostLinkBytesPerS; },
           [](Spec& s, double v) { s.hostLinkBytesPerS = v; });
    figure(tr("Power"), QStringLiteral("W"), 1, 0, [](const Spec& s) { return s.tdpW; }, [](Spec& s, double v) { s.tdpW = v; });
    figure(tr("Price"), QStringLiteral("$/h"), 1, 2, [](const Spec& s) { return s.pricePerHour.value_or(0.0); },
           [](Spec& s, double v) { s.pricePerHour = v > 0 ? std::optional<double>(v) : std::nullopt; }, tr("not known"));
}

void ClusterInspector::buildInside(const std::string& id) {
    auto* form = addSection(tr("Links inside a node"));
    const auto edit = [this, id](auto&& change, const QString& text) {
        auto node = nodeOf(*editor_, id);
        // The first change writes down what the accelerators implied until now.
        node.intra = effectiveIntra(node);
        change(node.intra);
        editor_->setNode(id, std::move(node), text);
    };
    auto* shape = new QComboBox(body_);
    shape->setAccessibleName(tr("Shape"));
    shape->addItems({tr("Switched"), tr("Full mesh"), tr("PCIe tree")});
    addRow(form, tr("Shape"), shape);
    connect(shape, &QComboBox::activated, this, [edit](int index) {
        edit([index](IntraNodeLinks& links) { links.shape = static_cast<IntraNodeLinks::Shape>(index); }, tr("Change the links inside"));
    });
    refresh_.emplace_back([this, shape, id] {
        const QSignalBlocker quiet(shape);
        shape->setCurrentIndex(static_cast<int>(effectiveIntra(nodeOf(*editor_, id)).shape));
    });
    addKind(form, tr("Kind"), kInnerKinds, [this, id] { return effectiveIntra(nodeOf(*editor_, id)).kind; },
            [edit](LinkKind kind) { edit([kind](IntraNodeLinks& links) { links.kind = kind; }, tr("Change the links inside")); });
    addFigure(form, {tr("Speed, one way"), QStringLiteral("GB/s"), 1e9, 1, 1e6, {},
                     [this, id] { return effectiveIntra(nodeOf(*editor_, id)).bandwidthBytesPerS; },
                     [edit](double v) { edit([v](IntraNodeLinks& links) { links.bandwidthBytesPerS = v; }, tr("Change the speed inside")); }});
    addFigure(form, {tr("Latency"), QStringLiteral("µs"), 1e-6, 2, 1e7, {},
                     [this, id] { return effectiveIntra(nodeOf(*editor_, id)).latencyS; },
                     [edit](double v) { edit([v](IntraNodeLinks& links) { links.latencyS = v; }, tr("Change the latency inside")); }});
    addCount(form, tr("Per PCIe switch"), 0, [this, id] { return static_cast<std::int64_t>(nodeOf(*editor_, id).intra.devicesPerPcieSwitch); },
             [edit](std::int64_t n) { edit([n](IntraNodeLinks& links) { links.devicesPerPcieSwitch = static_cast<int>(n); }, tr("Change the PCIe tree")); });
    addFigure(form, {tr("Taken by other jobs"), QStringLiteral("%"), 0.01, 0, 95, {},
                     [this, id] { return switchOf(*editor_, id).backgroundShare; },
                     [this, id](double share) {
                         auto item = switchOf(*editor_, id);
                         item.backgroundShare = std::clamp(share, 0.0, 0.95);
                         editor_->setSwitch(id, std::move(item), tr("Change the neighbour job"));
                     }});
    addFlag(form, tr("Sums in the switch (SHARP)"), [this, id] { return nodeOf(*editor_, id).intra.inNetworkReduction; },
            [edit](bool on) { edit([on](IntraNodeLinks& links) { links.inNetworkReduction = on; }, tr("Change the links inside")); });
    addFlag(form, tr("Cards reach each other directly"), [this, id] { return effectiveIntra(nodeOf(*editor_, id)).peerToPeer; },
            [edit](bool on) { edit([on](IntraNodeLinks& links) { links.peerToPeer = on; }, tr("Change the links inside")); });
}

void ClusterInspector::buildPorts(const std::string& id) {
    auto* form = addSection(tr("Network ports of a node"));
    const auto edit = [this, id](auto&& change) {
        auto node = nodeOf(*editor_, id);
        change(node.nics);
        editor_->setNode(id, std::move(node), tr("Change the network ports"));
    };
    addCount(form, tr("Ports"), 0, [this, id] { return nodeOf(*editor_, id).nics.count; },
             [edit](std::int64_t n) { edit([n](NicSpec& nics) { nics.count = n; }); });
    addFigure(form, {tr("Speed of a port"), QStringLiteral("Gb/s"), 0.125e9, 1, 1e6, tr("as its cables"),
                     [this, id] { return nodeOf(*editor_, id).nics.bandwidthBytesPerS; },
                     [edit](double v) { edit([v](NicSpec& nics) { nics.bandwidthBytesPerS = v; }); }});
    addFigure(form, {tr("Latency"), QStringLiteral("µs"), 1e-6, 2, 1e7, tr("as its cables"),
                     [this, id] { return nodeOf(*editor_, id).nics.latencyS; },
                     [edit](double v) { edit([v](NicSpec& nics) { nics.latencyS = v; }); }});
}

// ---- a switch, a cable

void ClusterInspector::buildSwitch(const std::string& id) {
    refresh_.emplace_back([this, id] {
        if (!name_->hasFocus()) name_->setText(titleOf(switchOf(*editor_, id)));
        kind_->setText(tr("Switch"));
    });
    auto* form = addSection(tr("Switch"));
    addFigure(form, {tr("Oversubscription"), QStringLiteral(": 1"), 1, 2, 1000, {},
                     [this, id] { return switchOf(*editor_, id).oversubscription; },
                     [this, id](double ratio) {
                         auto item = switchOf(*editor_, id);
                         item.oversubscription = std::max(ratio, 0.01);
                         editor_->setSwitch(id, std::move(item), tr("Oversubscribe"));
                     }});
    addFigure(form, {tr("Taken by other jobs"), QStringLiteral("%"), 0.01, 0, 95, {},
                     [this, id] { return switchOf(*editor_, id).backgroundShare; },
                     [this, id](double share) {
                         auto item = switchOf(*editor_, id);
                         item.backgroundShare = std::clamp(share, 0.0, 0.95);
                         editor_->setSwitch(id, std::move(item), tr("Change the neighbour job"));
                     }});
    addFlag(form, tr("Sums in the switch (SHARP)"), [this, id] { return switchOf(*editor_, id).inNetworkReduction; },
            [this, id](bool on) {
                auto item = switchOf(*editor_, id);
                item.inNetworkReduction = on;
                editor_->setSwitch(id, std::move(item), tr("Change the switch"));
            });
}

void ClusterInspector::buildLink(std::size_t link) {
    refresh_.emplace_back([this, link] {
        const auto spec = linkOf(*editor_, link);
        name_->setText(tr("%1 – %2").arg(QString::fromStdString(spec.from), QString::fromStdString(spec.to)));
        kind_->setText(linkKindName(spec.kind) + QStringLiteral(" · ") + cablesText(spec));
    });
    auto* form = addSection(tr("Cable"));
    const auto edit = [this, link](auto&& change) {
        auto spec = linkOf(*editor_, link);
        change(spec);
        editor_->setLink(link, std::move(spec), tr("Change the cable"));
    };
    auto* make = new QComboBox(body_);
    make->setAccessibleName(tr("Make"));
    make->addItem(tr("Choose a make…"));
    for (const auto& part : editor_->parts().cables()) make->addItem(part.title, part.id);
    make->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    addRow(form, tr("Make"), make);
    connect(make, &QComboBox::activated, this, [this, make, edit](int index) {
        const Part* part = editor_->parts().findOrNull(Part::Kind::cable, make->itemData(index).toString());
        if (part == nullptr) return;
        edit([part](LinkSpec& spec) {
            spec.kind = part->cable.kind;
            spec.bandwidthBytesPerS = part->cable.bandwidthBytesPerS;
            spec.latencyS = part->cable.latencyS;
        });
    });
    refresh_.emplace_back([this, make, link] {
        const auto spec = linkOf(*editor_, link);
        const QSignalBlocker quiet(make);
        make->setCurrentIndex(0);
        for (const auto& part : editor_->parts().cables())
            if (part.cable.kind == spec.kind && part.cable.bandwidthBytesPerS == spec.bandwidthBytesPerS && part.cable.latencyS == spec.latencyS)
                make->setCurrentIndex(make->findData(part.id));
    });
    addKind(form, tr("Kind"), kNetworkKinds, [this, link] { return linkOf(*editor_, link).kind; },
            [edit](LinkKind kind) { edit([kind](LinkSpec& spec) { spec.kind = kind; }); });
    addCount(form, tr("Cables per node"), 1, [this, link] { return linkOf(*editor_, link).count; },
             [edit](std::int64_t n) { edit([n](LinkSpec& spec) { spec.count = n; }); });
    const bool bits = soldInBits(linkOf(*editor_, link).kind);
    addFigure(form, {tr("Speed of one"), bits ? QStringLiteral("Gb/s") : QStringLiteral("GB/s"), bits ? 0.125e9 : 1e9, 3, 1e6, {},
                     [this, link] { return linkOf(*editor_, link).bandwidthBytesPerS; },
                     [edit](double v) { edit([v](LinkSpec& spec) { spec.bandwidthBytesPerS = v; }); }});
    addFigure(form, {tr("Latency"), QStringLiteral("µs"), 1e-6, 2, 1e7, tr("typical of its kind"),
                     [this, link] { return linkOf(*editor_, link).latencyS; },
                     [edit](double v) { edit([v](LinkSpec& spec) { spec.latencyS = v; }); }});
    addFlag(form, tr("Unplugged"), [this, link] { return linkOf(*editor_, link).broken; },
            [edit](bool on) { edit([on](LinkSpec& spec) { spec.broken = on; }); });
}

void ClusterInspector::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    painter.fillRect(QRect(0, 0, 1, height()), theme.hairline);
}

void ClusterInspector::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        emit closeRequested();
        return;
    }
    QWidget::keyPressEvent(event);
}

}  // namespace trainyard
