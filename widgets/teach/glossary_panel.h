#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QScrollArea;
class QToolButton;

namespace trainyard {

class FormulaView;
struct GlossaryEntry;

/// The glossary: a search field, the terms found, and one term with its formula, source, scenario and neighbours.
class GlossaryPanel : public QWidget {
    Q_OBJECT
  public:
    explicit GlossaryPanel(QWidget* parent = nullptr);

    /// By id, term, alias or label; false if there is no such term.
    bool showTerm(const QString& term);
    [[nodiscard]] QString currentTerm() const { return current_; }
    void search(const QString& words);
    void focusSearch();

  signals:
    /// A scenario that shows the term, by the id of the term.
    void scenarioRequested(const QString& termId);
    void viewRequested(const QString& view);

  private:
    void fillList();
    void showEntry(const GlossaryEntry& entry);
    void follow(const QString& link);
    void back();

    QLineEdit* search_;
    QToolButton* back_;
    QListWidget* list_;
    QScrollArea* page_;
    QLabel* term_;
    QLabel* text_;
    FormulaView* formulas_;
    QLabel* symbols_;
    QLabel* sources_;
    QLabel* related_;
    QPushButton* scenario_;
    QPushButton* view_;
    QString current_;
    QStringList history_;
};

}  // namespace trainyard
