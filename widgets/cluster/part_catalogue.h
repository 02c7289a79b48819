#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/cluster/cluster_spec.h"
#include "core/io/presets/preset_library.h"
#include "core/plan/cluster_patterns.h"

namespace trainyard {

/// Something that can be put on the canvas.
struct Part {
    enum class Kind : std::uint8_t { accelerator, node, networkSwitch, cable, pattern };
    Kind kind = Kind::accelerator;
    QString id;
    QString title;     ///< "H100 SXM5 80GB"
    QString detail;    ///< "NVIDIA Hopper · 80 GB · NVLink 4"
    QString keywords;  ///< further words that a search finds it by, lower case
    std::shared_ptr<const AcceleratorSpec> accelerator;
    NodeSpec node;                                     ///< for Kind::node
    LinkSpec cable;                                    ///< for Kind::node (what it is usually connected with) and Kind::cable
    ClusterPattern pattern = ClusterPattern::fatTree;  ///< Kind::pattern
    bool perNode = false;                              ///< Kind::cable: the figures are of all ports of a node together
};

/// All parts the program knows, from the presets.
class PartCatalogue {
  public:
    explicit PartCatalogue(const PresetLibrary& library);

    [[nodiscard]] const std::vector<Part>& accelerators() const { return accelerators_; }
    [[nodiscard]] const std::vector<Part>& nodes() const { return nodes_; }
    [[nodiscard]] const std::vector<Part>& cables() const { return cables_; }
    [[nodiscard]] const std::vector<Part>& patterns() const { return patterns_; }
    [[nodiscard]] const Part& networkSwitch() const { return switch_; }
    [[nodiscard]] const Part* findOrNull(Part::Kind kind, const QString& id) const;

    /// Parts of a kind whose title, detail or keywords hold every word of the text.
    [[nodiscard]] std::vector<const Part*> search(Part::Kind kind, const QString& text) const;

    /// For drag and drop: the format and its text.
    [[nodiscard]] static QString mimeType();
    [[nodiscard]] static QByteArray encode(const Part& part);
    [[nodiscard]] const Part* decodeOrNull(const QByteArray& data) const;

  private:
    [[nodiscard]] const std::vector<Part>& of(Part::Kind kind) const;

    std::vector<Part> accelerators_;
    std::vector<Part> nodes_;
    std::vector<Part> cables_;
    std::vector<Part> patterns_;
    std::vector<Part> switches_;
    Part switch_;
};

}  // namespace trainyard
