#pragma once

#include <QTreeView>
#include <memory>

class QStandardItem;
class QStandardItemModel;

namespace trainyard {

struct ClusterSpec;
class ClusterEditor;
class PlanDocument;

/// The drawn cluster as a tree, for the keyboard and for screen readers: the same blocks, the same picks, the same edits.
/// Name and count are edited in place; everything else through the inspector (Enter).
class ClusterOutline : public QTreeView {
    Q_OBJECT
  public:
    ClusterOutline(ClusterEditor* editor, PlanDocument* document, QWidget* parent = nullptr);

    enum Column { nameColumn, countColumn, figuresColumn };

  signals:
    void inspectRequested();

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;
    [[nodiscard]] QSize sizeHint() const override { return {280, 300}; }

  private:
    void rebuild();
    void followPicked();
    void publishPicked();
    void commit(QStandardItem* item);
    QStandardItem* addRow(QStandardItem* parent, const QString& name, const QString& count, const QString& figures, const QString& spoken);

    ClusterEditor* editor_;
    PlanDocument* document_;
    QStandardItemModel* model_;
    std::shared_ptr<const ClusterSpec> shown_;  ///< the cluster the rows were made from
    bool following_ = false;
    bool committing_ = false;
};

}  // namespace trainyard
