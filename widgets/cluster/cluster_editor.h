#pragma once

#include <QObject>
#include <QPointF>
#include <QSizeF>
#include <functional>
#include <string>
#include <vector>

#include "core/plan/cluster_edit.h"
#include "widgets/cluster/part_catalogue.h"

class QUndoStack;

namespace trainyard {

class PlanDocument;
class Selection;

/// Everything a hand, a key or a menu can do to the drawn cluster, and what is picked. The canvas, the outline and the
/// inspector all act through it, so they can do the same. Each call is one undo step of the document.
class ClusterEditor : public QObject {
    Q_OBJECT
  public:
    ClusterEditor(PlanDocument* document, Selection* selection, QObject* parent = nullptr);

    [[nodiscard]] const ClusterSpec& cluster() const;
    [[nodiscard]] const PartCatalogue& parts() const { return parts_; }
    [[nodiscard]] PlanDocument* document() const { return document_; }

    /// Where every block stands now. Needed before an edit that fixes positions, because blocks without a position are laid
    /// out anew whenever something changes.
    using Positions = std::function<std::vector<cluster_edit::Placed>()>;
    void setPositionSource(Positions positions) { positions_ = std::move(positions); }

    // What is picked.
    [[nodiscard]] const std::vector<std::string>& pickedBlocks() const { return blocks_; }
    [[nodiscard]] const std::vector<std::size_t>& pickedLinks() const { return links_; }
    [[nodiscard]] bool isPicked(const std::string& id) const;
    [[nodiscard]] bool hasPicked() const { return !blocks_.empty() || !links_.empty(); }
    void pick(std::vector<std::string> blocks, std::vector<std::size_t> links = {});
    void togglePicked(const std::string& id);
    void pickAll();

    // Drawing.
    /// `topLeft` in scene units. An accelerator on a node joins it; elsewhere it gets a host of its own.
    /// A pattern is drawn of the picked node, or of the node type that was used last.
    void addPart(const Part& part, QPointF topLeft, const std::string& ontoNode = {});
    /// What a pattern would add, its blocks placed around the origin.
    [[nodiscard]] ClusterSpec patternOf(const Part& part) const;
    [[nodiscard]] QSizeF sizeOfPattern(const Part& part) const;
    /// The cable for the next connection; until one is chosen it follows from what is connected.
    void chooseCable(const Part& cable);
    [[nodiscard]] QString cableId() const { return cableId_; }
    [[nodiscard]] LinkSpec cableFor(const std::string& from, const std::string& to) const;
    [[nodiscard]] LinkSpec cableFor(const NodeSpec& node) const;
    void connectBlocks(const std::string& from, const std::string& to);
    void connectPicked();  ///< the first picked block with each of the others
    void moveBlocks(const std::vector<std::string>& ids, QPointF offset);
    void setCount(const std::string& node, std::int64_t count);
    void setNode(const std::string& id, NodeSpec value, const QString& text);
    void setSwitch(const std::string& id, SwitchSpec value, const QString& text);
    void setLink(std::size_t link, LinkSpec value, const QString& text);
    void setAcceleratorCount(const std::string& node, std::size_t group, std::int64_t count);
    void replaceAccelerator(const std::string& node, std::size_t group, std::shared_ptr<const AcceleratorSpec> accelerator);
    void rename(const std::string& id, const QString& name);

    // On what is picked.
    void removePicked();
    void duplicatePicked();
    void copyPicked();
    void cutPicked();
    void paste();
    void pasteAt(QPointF topLeft);
    [[nodiscard]] bool canPaste() const;
    enum class Edge : std::uint8_t { left, top, row };
    void alignPicked(Edge edge);
    void setPickedSite(const QString& site);
    void arrange();  ///< forget hand-made positions

    // What if. The first one pins the plan before it as baseline, so that the verdict shows before and after.
    void setPickedLinksBroken(bool broken);
    void slowPicked(double factor);
    void swapGeneration(const std::string& fromId, std::shared_ptr<const AcceleratorSpec> accelerator);
    void oversubscribePicked(double ratio);
    void setNeighbourJob(double share);  ///< another job takes this share of the picked switches
    /// Rates between nodes from a pasted table in GB/s (or Gb/s); empty text forgets them. Returns what is wrong, or nothing.
    [[nodiscard]] QString setMeasuredBandwidth(const QString& table, bool gigabits = false);

    // A gesture that edits while it runs (dragging a count).
    void beginGesture(const QString& text);
    void endGesture();
    void cancelGesture();

  signals:
    void pickedChanged();

  private:
    void apply(ClusterSpec next, const QString& text);
    void applyWhatIf(ClusterSpec next, const QString& text);
    /// The cluster with all positions written down.
    [[nodiscard]] ClusterSpec pinned() const;
    void prunePicked();
    void publishSelection();
    void followSelection();
    [[nodiscard]] std::vector<std::string> pickedSwitches() const;

    PlanDocument* document_;
    Selection* selection_;
    PartCatalogue parts_;
    Positions positions_;
    std::vector<std::string> blocks_;
    std::vector<std::size_t> links_;
    QString cableId_;
    NodeSpec template_;  ///< node type used last
    bool publishing_ = false;
};

}  // namespace trainyard
