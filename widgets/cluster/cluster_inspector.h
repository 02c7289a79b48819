#pragma once

#include <QWidget>
#include <functional>
#include <memory>
#include <vector>

#include "core/cluster/cluster_spec.h"

class QGridLayout;
class QLabel;
class QLineEdit;
class QScrollArea;
class QVBoxLayout;

namespace trainyard {

class ClusterEditor;
class PartPopover;
class PlanDocument;

/// The side sheet with every physical figure of the picked block or cable, in the units of its datasheet. Each change is
/// one undo step.
class ClusterInspector : public QWidget {
    Q_OBJECT
  public:
    ClusterInspector(ClusterEditor* editor, PlanDocument* document, QWidget* parent = nullptr);

    static constexpr int kWidth = 300;
    void focusName();

  signals:
    void closeRequested();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;

  private:
    struct Figure;

    void follow();
    void rebuild();
    /// What decides which rows there are; figures alone do not.
    [[nodiscard]] QString structure() const;

    QGridLayout* addSection(const QString& title);
    void addRow(QGridLayout* form, const QString& label, QWidget* field);
    void addFigure(QGridLayout* form, const Figure& figure);
    void addCount(QGridLayout* form, const QString& label, std::int64_t least, std::function<std::int64_t()> get,
                  std::function<void(std::int64_t)> set);
    void addFlag(QGridLayout* form, const QString& label, std::function<bool()> get, std::function<void(bool)> set);
    void addText(QGridLayout* form, const QString& label, std::function<QString()> get, std::function<void(const QString&)> set);
    void addKind(QGridLayout* form, const QString& label, const std::vector<LinkKind>& kinds, std::function<LinkKind()> get,
                 std::function<void(LinkKind)> set);

    void buildNode(const std::string& id);
    void buildAccelerator(const std::string& id, std::size_t group);
    void buildInside(const std::string& id);
    void buildPorts(const std::string& id);
    void buildSwitch(const std::string& id);
    void buildLink(std::size_t link);
    void openPopover(std::function<void(std::shared_ptr<const AcceleratorSpec>)> chosen);

    ClusterEditor* editor_;
    PlanDocument* document_;
    QLineEdit* name_;
    QLabel* kind_;
    QScrollArea* scroll_;
    QWidget* body_ = nullptr;
    QVBoxLayout* column_ = nullptr;
    PartPopover* popover_;
    std::function<void(std::shared_ptr<const AcceleratorSpec>)> chosen_;
    std::vector<std::function<void()>> refresh_;
    QString structure_;
};

}  // namespace trainyard
