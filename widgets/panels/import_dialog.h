#pragma once

#include <QDialog>
#include <QTimer>
#include <memory>
#include <optional>

#include "core/io/import/importer.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTextBrowser;

namespace trainyard {

class PlanDocument;

/// What somebody already has, as text: launch scripts, configurations, topology dumps. It is pasted or opened, the report says
/// what was understood, assumed and ignored, and taking it over is one undo step.
class ImportDialog : public QDialog {
    Q_OBJECT
  public:
    ImportDialog(PlanDocument* document, std::shared_ptr<const PresetLibrary> presets, QWidget* parent = nullptr);
    ~ImportDialog() override;

    /// Puts the text in and reads it at once; `name` stands in messages.
    void setText(const QString& text, const QString& name);
    /// The same with a file's content; what is wrong with the file stands in the dialog.
    void openFile(const QString& path);
    /// Id of an importer, or `auto`.
    void setKind(const QString& id);

    /// What was made of the text; nothing if it could not be read.
    [[nodiscard]] const std::optional<ImportResult>& result() const { return result_; }
    [[nodiscard]] QString report() const;  ///< as it is shown, without markup
    [[nodiscard]] bool canTake() const;

    void take();  ///< lays the import over the scenario and closes

  signals:
    void taken(const QString& summary);

  private:
    void read();
    void showResult();
    void showError(const Error& error);

    PlanDocument* document_;
    std::shared_ptr<const PresetLibrary> presets_;
    QString name_;
    QTimer wait_;
    QComboBox* kind_;
    QPlainTextEdit* input_;
    QLineEdit* open_;  ///< answers for variables that the text leaves open
    QTextBrowser* report_;
    QPushButton* take_;
    std::optional<ImportResult> result_;
};

}  // namespace trainyard
