#pragma once

#include <QAction>
#include <QObject>
#include <functional>
#include <map>
#include <span>
#include <string_view>

class QMenuBar;

namespace trainyard {

/// One command of the program. The table is the only place that knows text, keys and menu; menus and the page of keys are
/// made from it.
struct ActionDefinition {
    const char* id;
    const char* menu;  ///< untranslated title of the menu; a row of kind `view` stands for keys of a view and has no menu
    const char* text;
    const char* keys;  ///< portable, separated by "; "; may be empty
    const char* icon;  ///< may be empty
    const char* help;  ///< one sentence
    bool checkable = false;
    bool separatorBefore = false;
};

[[nodiscard]] std::span<const ActionDefinition> actionDefinitions();

/// Keys that work inside a view, for the page of keys.
struct ViewKeys {
    const char* view;
    const char* keys;
    const char* help;
};
[[nodiscard]] std::span<const ViewKeys> viewKeys();

class ActionTable : public QObject {
    Q_OBJECT
  public:
    explicit ActionTable(QWidget* window);
    [[nodiscard]] QAction* action(std::string_view id) const;
    /// Runs `handler` when the command is triggered.
    void bind(std::string_view id, std::function<void(bool checked)> handler);
    /// Menus in the order of the table; `File` gets room for the recent files.
    void fill(QMenuBar* bar);
    [[nodiscard]] class QMenu* menu(const QString& title) const;

  private:
    std::map<std::string_view, QAction*> actions_;
    std::map<QString, class QMenu*> menus_;
};

/// The page of keys as HTML, made from the tables.
[[nodiscard]] QString keysPage();

}  // namespace trainyard
