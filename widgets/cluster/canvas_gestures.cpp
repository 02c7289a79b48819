#include "widgets/cluster/canvas_gestures.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/plan/limits.h"
#include "widgets/cluster/cluster_editor.h"
#include "widgets/cluster/cluster_layout.h"
#include "widgets/cluster/node_geometry.h"
#include "widgets/cluster/node_item.h"

namespace trainyard {
namespace {

constexpr double kTravelPixels = 4;    ///< less is a click
constexpr double kPortPixels = 9;
constexpr double kGuidePixels = 6;
constexpr double kCountStepPixels = 26;

}  // namespace

void CanvasGestures::press(const Pointer& pointer) {
    start_ = now_ = pointer.at;
    travelled_ = false;
    clickedBadge_.clear();
    guides_.clear();
    offset_ = {};
    if (armed_ != nullptr) return;

    const bool adding = pointer.modifiers.testFlag(Qt::ShiftModifier) || pointer.modifiers.testFlag(Qt::ControlModifier);
    if (const auto port = scene_.portAt(pointer.at, kPortPixels / pointer.zoom)) {
        kind_ = Kind::cable;
        grabbed_ = scene_.idOf(port);
        return;
    }
    if (const auto block = scene_.blockAt(pointer.at)) {
        grabbed_ = scene_.idOf(block);
        if (scene_.isOnBadge(pointer.at) && !adding) {
            kind_ = Kind::count;
            startCount_ = scene_.nodeItem(block.index)->node().count;
            editor_.pick({grabbed_});
            return;
        }
        if (adding) editor_.togglePicked(grabbed_);
        else if (!editor_.isPicked(grabbed_)) editor_.pick({grabbed_});
        kind_ = Kind::moveBlocks;
        return;
    }
    if (const auto link = scene_.linkAt(pointer.at, 6 / pointer.zoom)) {
        auto links = adding ? editor_.pickedLinks() : std::vector<std::size_t>{};
        if (const auto it = std::ranges::find(links, *link); it != links.end()) links.erase(it);
        else links.push_back(*link);
        editor_.pick(adding ? editor_.pickedBlocks() : std::vector<std::string>{}, links);
        return;
    }
    kind_ = Kind::rubberBand;
    before_ = adding ? editor_.pickedBlocks() : std::vector<std::string>{};
    if (!adding) editor_.pick({});
}

void CanvasGestures::move(const Pointer& pointer) {
    now_ = pointer.at;
    if (!travelled_ && QLineF(start_, now_).length() * pointer.zoom >= kTravelPixels) {
        travelled_ = true;
        if (kind_ == Kind::count) editor_.beginGesture(QObject::tr("Multiply"));
    }
    if (!travelled_) return;
    switch (kind_) {
        case Kind::moveBlocks: moveBlocksTo(pointer); break;
        case Kind::count: dragCount(pointer); break;
        case Kind::cable: scene_.setHovered(scene_.blockAt(now_), std::nullopt); break;
        case Kind::rubberBand: {
            std::vector<std::string> picked = before_;
            for (const auto& block : scene_.blocksIn(QRectF(start_, now_).normalized())) {
                auto id = scene_.idOf(block);
                if (std::ranges::find(before_, id) == before_.end()) picked.push_back(std::move(id));
            }
            editor_.pick(std::move(picked));
            break;
        }
        case Kind::none: break;
    }
}

void CanvasGestures::release(const Pointer& pointer) {
    now_ = pointer.at;
    if (armed_ != nullptr) {
        const Part& part = *armed_;
        if (!pointer.modifiers.testFlag(Qt::ShiftModifier)) armed_ = nullptr;
        clearPreview();
        dropPart(part, pointer.at);
        return;
    }
    const auto kind = std::exchange(kind_, Kind::none);
    guides_.clear();
    switch (kind) {
        case Kind::moveBlocks:
            if (travelled_) {
                const auto offset = offset_;
                scene_.clearDrag();  // the edit starts from where the document has the blocks
                editor_.moveBlocks(editor_.pickedBlocks(), offset);
            } else if (!pointer.modifiers.testFlag(Qt::ShiftModifier) && !pointer.modifiers.testFlag(Qt::ControlModifier)) {
                editor_.pick({grabbed_});
            }
            break;
        case Kind::cable: {
            const auto target = scene_.idOf(scene_.blockAt(now_));
            if (!target.empty() && target != grabbed_) editor_.connectBlocks(grabbed_, target);
            break;
        }
        case Kind::count:
            if (travelled_) editor_.endGesture();
            else clickedBadge_ = grabbed_;
            break;
        case Kind::rubberBand:
        case Kind::none: break;
    }
}

void CanvasGestures::cancel() {
    const auto kind = std::exchange(kind_, Kind::none);
    guides_.clear();
    armed_ = nullptr;
    clearPreview();
    if (kind == Kind::moveBlocks) scene_.clearDrag();
    if (kind == Kind::count && travelled_) editor_.cancelGesture();
    if (kind == Kind::rubberBand) editor_.pick(before_);
}

void CanvasGestures::moveBlocksTo(const Pointer& pointer) {
    const auto block = scene_.find(grabbed_);
    if (!block) return;
    const QRectF at = scene_.rectOf(block).translated(-offset_);  // where the document has it
    QPointF offset = now_ - start_;
    guides_.clear();
    if (!pointer.modifiers.testFlag(Qt::AltModifier)) {
        offset = snapToGrid(at.topLeft() + offset) - at.topLeft();
        // Edges and middles that nearly meet those of another block are made to meet.
        const std::set<std::string> moving(editor_.pickedBlocks().begin(), editor_.pickedBlocks().end());
        const QRectF moved = at.translated(offset);
        const double reach = kGuidePixels / pointer.zoom;
        double bestX = reach;
        double bestY = reach;
        double shiftX = 0;
        double shiftY = 0;
        std::optional<QLineF> guideX;
        std::optional<QLineF> guideY;
        for (const auto& other : scene_.allBlocks()) {
            if (moving.contains(scene_.idOf(other))) continue;
            const QRectF rect = scene_.rectOf(other);
            const std::array<double, 3> mineX{moved.left(), moved.center().x(), moved.right()};
            const std::array<double, 3> theirsX{rect.left(), rect.center().x(), rect.right()};
            const std::array<double, 3> mineY{moved.top(), moved.center().y(), moved.bottom()};
            const std::array<double, 3> theirsY{rect.top(), rect.center().y(), rect.bottom()};
            for (std::size_t i = 0; i < 3; ++i) {
                if (const double gap = theirsX[i] - mineX[i]; std::abs(gap) < bestX) {
                    bestX = std::abs(gap);
                    shiftX = gap;
                    guideX = QLineF(theirsX[i], std::min(rect.top(), moved.top()) - 16, theirsX[i], std::max(rect.bottom(), moved.bottom()) + 16);
                }
                if (const double gap = theirsY[i] - mineY[i]; std::abs(gap) < bestY) {
                    bestY = std::abs(gap);
                    shiftY = gap;
                    guideY = QLineF(std::min(rect.left(), moved.left()) - 16, theirsY[i], std::max(rect.right(), moved.right()) + 16, theirsY[i]);
                }
            }
        }
        offset += QPointF(shiftX, shiftY);
        if (guideX) guides_.push_back(*guideX);
        if (guideY) guides_.push_back(*guideY);
    }
    offset_ = offset;
    scene_.setDrag(editor_.pickedBlocks(), offset);
}

void CanvasGestures::dragCount(const Pointer& pointer) {
    const double pixels = ((now_.x() - start_.x()) - (now_.y() - start_.y())) * pointer.zoom;
    std::int64_t count = startCount_;
    if (pointer.modifiers.testFlag(Qt::ShiftModifier)) {
        count += static_cast<std::int64_t>(std::lround(pixels / 10));
    } else {
        // Clusters come in powers of two: each step doubles or halves.
        const auto steps = static_cast<int>(std::lround(pixels / kCountStepPixels));
        for (int i = 0; i < steps && count < limits::kDevices / 2; ++i) count *= 2;
        for (int i = 0; i > steps && count > 1; --i) count = (count + 1) / 2;
    }
    editor_.setCount(grabbed_, std::clamp<std::int64_t>(count, 1, limits::kDevices));
}

QRectF CanvasGestures::landing(const Part& part, QPointF at, std::string& onto) const {
    onto.clear();
    if (part.kind == Part::Kind::accelerator) {
        const auto block = scene_.blockAt(at);
        if (block.kind == BlockRef::Kind::node) {
            onto = scene_.idOf(block);
            return scene_.rectOf(block);
        }
    }
    QSizeF size = switchSize();
    if (part.kind == Part::Kind::accelerator) size = geometryOf(cluster_edit::hostOf(part.accelerator, 1)).size;
    if (part.kind == Part::Kind::node) size = geometryOf(part.node).size;
    if (part.kind == Part::Kind::pattern) size = editor_.sizeOfPattern(part);
    return {snapToGrid(at - QPointF(size.width() / 2, size.height() / 2)), size};
}

void CanvasGestures::previewPart(const Part* part, QPointF at) {
    preview_.reset();
    if (part == nullptr || part->kind == Part::Kind::cable) return;
    std::string onto;
    const QRectF rect = landing(*part, at, onto);
    preview_ = Preview{rect, !onto.empty(), part->kind == Part::Kind::networkSwitch};
}

void CanvasGestures::dropPart(const Part& part, QPointF at) {
    std::string onto;
    const QRectF rect = landing(part, at, onto);
    editor_.addPart(part, rect.topLeft(), onto);
}

void CanvasGestures::paint(QPainter& painter, const Theme& theme, double zoom) const {
    painter.setRenderHint(QPainter::Antialiasing);
    QColor wash = theme.accent;
    wash.setAlphaF(0.12F);
    if (!isActive() && armed_ == nullptr && zoom > 0.25) {
        if (const auto hovered = scene_.hoveredBlock()) {
            painter.setPen(QPen(theme.accent, 1.5 / zoom));
            painter.setBrush(theme.panel);
            for (const auto& port : scene_.portsOf(hovered)) painter.drawEllipse(port, 5 / zoom, 5 / zoom);
        }
    }
    if (preview_) {
        QPen pen(theme.accent, 1.75);
        pen.setDashPattern({3.0, 2.0});
        painter.setPen(pen);
        painter.setBrush(wash);
        const double radius = preview_->pill ? preview_->rect.height() / 2 : space::kBlockRadius;
        painter.drawRoundedRect(preview_->onNode ? preview_->rect.adjusted(-4, -4, 4, 4) : preview_->rect, radius, radius);
    }
    for (const auto& guide : guides_) {
        QPen pen(theme.communication, 1);
        pen.setCosmetic(true);
        painter.setPen(pen);
        painter.drawLine(guide);
    }
    if (kind_ == Kind::rubberBand && travelled_) {
        QPen pen(theme.accent, 1);
        pen.setCosmetic(true);
        painter.setPen(pen);
        painter.setBrush(wash);
        painter.drawRect(QRectF(start_, now_).normalized());
    }
    if (kind_ == Kind::cable) {
        QPainterPath path(start_);
        const QPointF bend(0, (now_.y() - start_.y()) / 2);
        path.cubicTo(start_ + bend, now_ - bend, now_);
        painter.setPen(QPen(theme.accent, 2.5, Qt::SolidLine, Qt::RoundCap));
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(path);
        const auto target = scene_.blockAt(now_);
        if (target && scene_.idOf(target) != grabbed_) {
            painter.setPen(QPen(theme.accent, 2));
            painter.drawRoundedRect(scene_.rectOf(target).adjusted(-4, -4, 4, 4), space::kBlockRadius + 3, space::kBlockRadius + 3);
        } else {
            painter.setBrush(theme.accent);
            painter.drawEllipse(now_, 4 / zoom, 4 / zoom);
        }
    }
}

}  // namespace trainyard
