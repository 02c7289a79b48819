#include "widgets/cluster/part_palette.h"

#include <QApplication>
#include <QDrag>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <QPixmap>
#include <QVBoxLayout>
#include <array>

#include "widgets/cluster/block_text.h"
#include "widgets/cluster/part_popover.h"
#include "widgets/style/icons.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

constexpr int kTileHeight = 46;
constexpr int kLowTileHeight = 26;
constexpr int kLowestIconTile = 38;
constexpr int kTileGap = 6;

}  // namespace

void dragPart(QWidget* source, const Part& part) {
    auto* mime = new QMimeData;
    mime->setData(PartCatalogue::mimeType(), PartCatalogue::encode(part));
    auto* drag = new QDrag(source);
    drag->setMimeData(mime);
    const Theme& theme = Theme::current();
    const QFont font = type::font(type::kSecondary, QFont::DemiBold);
    const double ratio = source->devicePixelRatioF();
    const QSize size(QFontMetrics(font).horizontalAdvance(part.title) + 24, 30);
    QPixmap picture(size * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.accent, 1));
    painter.setBrush(theme.raised);
    painter.drawRoundedRect(QRectF(QPointF(0, 0), QSizeF(size)).adjusted(0.5, 0.5, -0.5, -0.5), space::kControlRadius, space::kControlRadius);
    painter.setFont(font);
    painter.setPen(theme.text);
    painter.drawText(QRect(QPoint(0, 0), size), Qt::AlignCenter, part.title);
    painter.end();
    drag->setPixmap(picture);
    drag->setHotSpot({size.width() / 2, size.height() / 2});
    drag->exec(Qt::CopyAction);
}

QString tileCaption(const Part& part) {
    if (part.kind == Part::Kind::networkSwitch || part.kind == Part::Kind::pattern) return part.title;
    QString text = part.accelerator ? shortName(*part.accelerator) : part.title;
    // The first word is the model: "H100", "MI300X", "RTX 4090".
    const auto words = text.split(QLatin1Char(' '));
    if (words.size() > 1 && words[0] == QLatin1String("RTX")) return words[1].at(0).isDigit() ? words[1] : words[0] + QLatin1Char(' ') + words[1];
    if (words.size() > 1 && words[0].size() < 4 && !words[0].at(words[0].size() - 1).isDigit()) return words[0] + QLatin1Char(' ') + words[1];
    return words.value(0);
}

PartTile::PartTile(const QString& iconName, const QString& caption, QWidget* parent)
    : QAbstractButton(parent), iconName_(iconName), caption_(caption) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setFixedSize(48, kTileHeight);
    setText(caption);
    setAccessibleName(caption);
}

void PartTile::setPart(const Part* part) {
    part_ = part;
    if (part == nullptr) return;
    setAccessibleName(part->title);
    setToolTip(part->title + QLatin1Char('\n') + part->detail + QLatin1Char('\n') +
               tr("Drag it onto the canvas, or click here and then there, or press Enter"));
}

void PartTile::setCaption(const QString& caption) {
    caption_ = caption;
    setText(caption);
    update();
}

void PartTile::setArmed(bool armed) {
    armed_ = armed;
    update();
}

void PartTile::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5);
    const bool lively = underMouse() || isDown() || armed_;
    painter.setPen(QPen(hasFocus() || armed_ ? theme.accent : lively ? theme.faintText : theme.hairline, hasFocus() || armed_ ? 1.5 : 1));
    painter.setBrush(lively ? theme.raised : theme.panel);
    painter.drawRoundedRect(box, space::kControlRadius, space::kControlRadius);
    const bool low = height() < kLowestIconTile;
    const int top = (height() - 36) / 2;
    if (!low) paintIcon(painter, iconName_, QRect(width() / 2 - 9, top + 1, 18, 18), armed_ ? theme.accent : lively ? theme.text : theme.secondaryText);
    QFont font = type::font(type::kCaption);
    while (font.pixelSize() > 8 && QFontMetrics(font).horizontalAdvance(caption_) > width() - 6) font.setPixelSize(font.pixelSize() - 1);
    painter.setFont(font);
    painter.setPen(armed_ ? theme.accent : lively ? theme.text : theme.secondaryText);
    painter.drawText(low ? rect() : QRect(2, top + 21, width() - 4, 14), Qt::AlignCenter, caption_);
}

void PartTile::mousePressEvent(QMouseEvent* event) {
    pressedAt_ = event->pos();
    QAbstractButton::mousePressEvent(event);
}

void PartTile::mouseMoveEvent(QMouseEvent* event) {
    const bool dragged = event->buttons().testFlag(Qt::LeftButton) &&
                         (event->pos() - pressedAt_).manhattanLength() >= QApplication::startDragDistance();
    if (dragged && part_ != nullptr && part_->kind != Part::Kind::cable) {
        setDown(false);
        dragPart(this, *part_);
        return;
    }
    QAbstractButton::mouseMoveEvent(event);
}

void PartTile::keyPressEvent(QKeyEvent* event) {
    if (part_ != nullptr && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space)) {
        emit placeRequested(part_);
        return;
    }
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        click();
        return;
    }
    QAbstractButton::keyPressEvent(event);
}

PartPalette::PartPalette(const PartCatalogue& parts, QWidget* parent)
    : QWidget(parent), parts_(parts), column_(new QVBoxLayout(this)), popover_(new PartPopover(parts, this)) {
    setFixedWidth(64);
    setAccessibleName(tr("Parts"));
    column_->setContentsMargins(8, 10, 8, 8);
    column_->setSpacing(kTileGap);
    setMinimumHeight(9 * (kLowTileHeight + 2) + 18);
    for (const char* id : {"h100-sxm5-80", "a100-sxm4-80", "mi300x", "rtx-4090"}) {
        const Part* part = parts_.findOrNull(Part::Kind::accelerator, QString::fromLatin1(id));
        if (part != nullptr) lastAccelerator_ = addTile(QStringLiteral("cpu"), tileCaption(*part), part);
    }
    const Part* node = parts_.findOrNull(Part::Kind::node, QStringLiteral("dgx-h100"));
    nodeTile_ = addTile(QStringLiteral("server"), tr("Node"), node);
    addTile(QStringLiteral("router"), tr("Switch"), &parts_.networkSwitch());
    auto* cable = addTile(QStringLiteral("cable"), tr("Cable"), nullptr);
    cable->setToolTip(tr("What the next connection is made of"));
    connect(cable, &QAbstractButton::clicked, this, [this] { openList(Part::Kind::cable); });
    auto* pattern = addTile(QStringLiteral("boxes"), tr("Pattern"), nullptr);
    pattern->setToolTip(tr("Fat tree, rails, islands, mesh, ring, two sites: drawn at once"));
    connect(pattern, &QAbstractButton::clicked, this, [this] { openList(Part::Kind::pattern); });
    auto* all = addTile(QStringLiteral("search"), tr("All parts"), nullptr);
    all->setToolTip(tr("Every accelerator, node and cable (/)"));
    connect(all, &QAbstractButton::clicked, this, [this] { openList(Part::Kind::accelerator); });
    column_->addStretch(1);

    connect(popover_, &PartPopover::partChosen, this, [this](const Part* part) {
        remember(*part);
        emit partChosen(part);
    });
    connect(popover_, &PartPopover::partPlaced, this, [this](const Part* part) {
        remember(*part);
        emit partPlaced(part);
    });
}

PartTile* PartPalette::addTile(const QString& iconName, const QString& caption, const Part* part) {
    auto* tile = new PartTile(iconName, caption, this);
    tile->setPart(part);
    column_->addWidget(tile);
    tiles_ << tile;
    connect(tile, &QAbstractButton::clicked, this, [this, tile] {
        if (tile->part() != nullptr) emit partChosen(tile->part());
    });
    connect(tile, &PartTile::placeRequested, this, &PartPalette::partPlaced);
    return tile;
}

void PartPalette::setArmed(const Part* part) {
    for (auto* tile : tiles_) tile->setArmed(part != nullptr && tile->part() == part);
}

void PartPalette::remember(const Part& part) {
    for (const auto* tile : tiles_)
        if (tile->part() == &part) return;
    if (part.kind == Part::Kind::accelerator && lastAccelerator_ != nullptr) {
        lastAccelerator_->setPart(&part);
        lastAccelerator_->setCaption(tileCaption(part));
    } else if (part.kind == Part::Kind::node) {
        nodeTile_->setPart(&part);
    }
}

PartTile* PartPalette::tileOf(const QString& partId) const {
    for (auto* tile : tiles_)
        if (tile->part() != nullptr && tile->part()->id == partId) return tile;
    return nullptr;
}

void PartPalette::openList(Part::Kind kind) {
    popover_->open(kind, mapToGlobal(QPoint(width() + 4, 8)));
}

void PartPalette::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int count = static_cast<int>(tiles_.size());
    // Tiles shrink with the window; below the height of an icon and a caption only captions are left.
    const int gap = height() < count * (kTileHeight + kTileGap) + 18 ? 3 : kTileGap;
    const int room = (height() - 16) / std::max(1, count) - gap;
    const int tileHeight = room >= kLowestIconTile ? std::min(room, kTileHeight) : kLowTileHeight;
    column_->setContentsMargins(8, gap == kTileGap ? 10 : 8, 8, gap == kTileGap ? 8 : 6);
    column_->setSpacing(gap);
    for (PartTile* tile : tiles_) tile->setFixedHeight(tileHeight);
    column_->activate();
}

void PartPalette::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    painter.fillRect(QRect(width() - 1, 0, 1, height()), theme.hairline);
}

}  // namespace trainyard
