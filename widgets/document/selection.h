#pragma once

#include <QObject>
#include <optional>

namespace trainyard {

/// What is selected or hovered, shared by every view. A field that is not set does not restrict.
struct SelectionState {
    std::optional<int> stage;      ///< pipeline rank
    std::optional<int> device;     ///< device number in the topology
    std::optional<int> nodeBlock;  ///< index into ClusterSpec::nodes
    std::optional<int> link;       ///< index into ClusterSpec::links
    std::optional<int> layer;      ///< model layer
    std::optional<int> microBatch;
    std::optional<int> communication;  ///< index into Evaluation::communication
    bool operator==(const SelectionState&) const = default;
};

/// Shared selection and hover: select stage 2 anywhere and every view shows it.
class Selection : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;
    [[nodiscard]] const SelectionState& selected() const { return selected_; }
    [[nodiscard]] const SelectionState& hovered() const { return hovered_; }

  public slots:
    void select(const trainyard::SelectionState& state) {
        if (state != selected_) {
            selected_ = state;
            emit selectionChanged();
        }
    }
    void hover(const trainyard::SelectionState& state) {
        if (state != hovered_) {
            hovered_ = state;
            emit hoverChanged();
        }
    }
    void clear() { select({}); }

  signals:
    void selectionChanged();
    void hoverChanged();

  private:
    SelectionState selected_;
    SelectionState hovered_;
};

}  // namespace trainyard
