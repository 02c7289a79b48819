#pragma once

#include <QWidget>

namespace trainyard {

class ClusterActions;
class ClusterEditor;
class ClusterInspector;
class ClusterOutline;
class ClusterScene;
class ClusterView;
class ColourByBar;
class EmptyState;
class PartPalette;
class PlanDocument;
class Selection;

/// The cluster as a drawing: palette, canvas, outline and inspector.
class ClusterPanel : public QWidget {
    Q_OBJECT
  public:
    ClusterPanel(PlanDocument* document, Selection* selection, QWidget* parent = nullptr);
    ~ClusterPanel() override;

    [[nodiscard]] ClusterEditor& editor() { return *editor_; }
    [[nodiscard]] ClusterScene& scene() { return *scene_; }
    [[nodiscard]] ClusterView& view() { return *view_; }
    [[nodiscard]] PartPalette& palettePart() { return *parts_; }
    [[nodiscard]] ClusterActions& actionSet() { return *actions_; }
    [[nodiscard]] ColourByBar& colourBar() { return *colours_; }
    [[nodiscard]] ClusterOutline& outline() { return *outline_; }
    [[nodiscard]] ClusterInspector& inspector() { return *inspector_; }
    void showOutline(bool shown);
    void showInspector(bool shown);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void followSnapshot();
    void placeOverlays();
    void showMenu(QPoint global);
    void rename();
    void nameSite();
    QWidget* makeZoomBar();

    PlanDocument* document_;
    ClusterEditor* editor_;
    ClusterScene* scene_;
    ClusterView* view_;
    PartPalette* parts_;
    ClusterActions* actions_;
    ColourByBar* colours_;
    ClusterOutline* outline_;
    ClusterInspector* inspector_;
    QWidget* zoomBar_;
    EmptyState* empty_;
};

}  // namespace trainyard
