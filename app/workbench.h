#pragma once

#include <QList>
#include <QRectF>
#include <QString>
#include <QWidget>
#include <vector>

#include "core/comm/collective_steps.h"

class QSplitter;
class QStackedWidget;
class QTabBar;

namespace trainyard {

class ClusterPanel;
class CollectivePlayer;
class ExplainPanel;
class HeaderBar;
class LearnPanel;
class ModelPanel;
class ModelStrip;
class NoticeBar;
class PlacementPanel;
class PlanDocument;
class PlanPanel;
class SearchPanel;
class Spotlight;
class Selection;
class VerdictStrip;
class WorkloadPanel;

/// Everything below the menu bar: the views of one document and how they share the room.
class Workbench : public QWidget {
    Q_OBJECT
  public:
    Workbench(PlanDocument* document, Selection* selection, QWidget* parent = nullptr);

    [[nodiscard]] HeaderBar* header() const { return header_; }
    [[nodiscard]] NoticeBar* notices() const { return notices_; }
    [[nodiscard]] VerdictStrip* verdict() const { return verdict_; }
    [[nodiscard]] PlanPanel* plan() const { return plan_; }
    [[nodiscard]] ModelStrip* model() const { return model_; }
    [[nodiscard]] ModelPanel* modelPanel() const { return modelPanel_; }
    [[nodiscard]] ExplainPanel* explain() const { return explain_; }
    [[nodiscard]] SearchPanel* search() const { return search_; }
    [[nodiscard]] PlacementPanel* placement() const { return placement_; }
    /// A collective of this plan, step by step over the drawn cluster.
    [[nodiscard]] CollectivePlayer* player() const { return player_; }
    [[nodiscard]] Spotlight* spotlight() const { return spotlight_; }
    [[nodiscard]] LearnPanel* learn() const { return learn_; }
    /// The control or view that a lesson step points at, brought to the front; null if there is none.
    [[nodiscard]] QWidget* focusTargetOrNull(const QString& focus);

    /// Names of the bottom tabs, as in `--export-image VIEW`.
    [[nodiscard]] static QStringList tabNames();
    void showTab(const QString& name);
    [[nodiscard]] QString currentTab() const;
    /// `plan`, `workload` or `model`.
    void showSidePage(const QString& name);
    /// The widget that draws a view; null if there is none.
    [[nodiscard]] QWidget* viewOrNull(const QString& name) const;
    /// The view with the keyboard, else the current tab: what "copy figure" copies.
    [[nodiscard]] QString activeView() const;

    [[nodiscard]] QList<QSplitter*> splitters() const;
    /// Sizes for this window, as a first start shows them.
    void arrange(QSize size);

  signals:
    void tabChanged();

  private:
    [[nodiscard]] QWidget* makeBottom();
    [[nodiscard]] QWidget* makeSide();
    [[nodiscard]] std::vector<QRectF> placesOfGroup(CollectivePlay kind) const;

    PlanDocument* document_;
    Selection* selection_;
    HeaderBar* header_;
    NoticeBar* notices_;
    VerdictStrip* verdict_;
    ClusterPanel* cluster_;
    ModelStrip* model_;
    PlanPanel* plan_ = nullptr;
    WorkloadPanel* workload_ = nullptr;
    ModelPanel* modelPanel_ = nullptr;
    ExplainPanel* explain_ = nullptr;
    SearchPanel* search_ = nullptr;
    PlacementPanel* placement_ = nullptr;
    LearnPanel* learn_ = nullptr;
    Spotlight* spotlight_ = nullptr;
    CollectivePlayer* player_ = nullptr;
    QWidget* sideMemory_ = nullptr;
    QTabBar* tabs_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    QTabBar* sideTabs_ = nullptr;
    QStackedWidget* sidePages_ = nullptr;
    QSplitter* columns_;
    QSplitter* left_;
    QSplitter* right_;
};

}  // namespace trainyard
