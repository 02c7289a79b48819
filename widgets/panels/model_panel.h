#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "core/base/error.h"
#include "core/model/model_spec.h"

class QLineEdit;
class QListWidget;
class QLabel;
class QVBoxLayout;

namespace trainyard {

class FieldCombo;
class FieldNumber;
class PlanDocument;
class SectionTitle;

/// One model that can be picked.
struct ModelChoice {
    QString id;
    QString name;
    QString detail;  ///< one line
    bool own = false;
};

/// Picks a model by name, takes a Hugging Face config.json dropped on it, and edits the architecture.
class ModelPanel : public QWidget {
    Q_OBJECT
  public:
    /// Where the models come from; set by the window, which may read files.
    struct Source {
        std::function<std::vector<ModelChoice>()> list;
        std::function<Result<ModelSpec>(const QString& id)> load;
    };
    explicit ModelPanel(PlanDocument* document, QWidget* parent = nullptr);
    void setSource(Source source);
    [[nodiscard]] QLineEdit* searchField() const { return search_; }
    [[nodiscard]] QListWidget* list() const { return list_; }
    /// Makes this model the current one, as one undo step.
    void adopt(ModelSpec model, const QString& step);

  signals:
    void fileDropped(const QString& path);
    void saveRequested();
    void openConfigRequested();
    void failed(const QString& message);

  protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    void fillList();
    void refresh();
    void addArchitecture(QVBoxLayout* layout);
    void edit(const QString& step, const std::function<void(ModelSpec&)>& change);

    struct NumberField {
        FieldNumber* field;
        std::function<std::int64_t(const ModelSpec&)> get;
        std::function<void(ModelSpec&, std::int64_t)> set;
        std::function<bool(const ModelSpec&)> applies;
    };
    PlanDocument* document_;
    Source source_;
    QLineEdit* search_;
    QListWidget* list_;
    SectionTitle* title_;
    QLabel* counts_;
    std::vector<NumberField> numbers_;
    FieldCombo* mlp_ = nullptr;
    FieldCombo* embeddings_ = nullptr;
    FieldCombo* norm_ = nullptr;
    FieldCombo* feedForward_ = nullptr;
};

}  // namespace trainyard
