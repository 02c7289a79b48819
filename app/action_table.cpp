#include "app/action_table.h"

#include <QCoreApplication>
#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>

#include "widgets/style/icons.h"
#include "widgets/style/theme.h"

// lupdate reads TR as QT_TR_NOOP (see translations/CMakeLists.txt) and files the texts under the namespace.
#define TR(text) QT_TRANSLATE_NOOP("trainyard", text)

namespace trainyard {
namespace {

QString translated(const char* text) { return QCoreApplication::translate("trainyard", text); }

constexpr ActionDefinition kActions[] = {
    {"file.new", TR("&File"), TR("&New"), "Ctrl+N", "file-plus",
     TR("Starts a new scenario; unsaved work is kept and offered again")},
    {"file.open", TR("&File"), TR("&Open…"), "Ctrl+O", "folder-open",
     TR("Opens a scenario file; files can also be dropped on the window")},
    {"file.examples", TR("&File"), TR("Open &example"), "", "book-open", TR("Scenarios that ship with the program")},
    {"file.recent", TR("&File"), TR("Open &recent"), "", "history", TR("Files opened last")},
    {"file.import_model", TR("&File"), TR("Open model con&fig…"), "", "file-text",
     TR("Takes the model from a Hugging Face config.json"), false, true},
    {"file.import", TR("&File"), TR("&Import…"), "Ctrl+I", "file-text",
     TR("Takes over a launch script, a framework's configuration, a topology dump or a host list, pasted or from a file")},
    {"file.save", TR("&File"), TR("&Save"), "Ctrl+S", "save", TR("Saves to the file of the scenario"), false, true},
    {"file.save_as", TR("&File"), TR("Save &as…"), "Ctrl+Shift+S", "", TR("Saves under another name")},
    {"file.export_view", TR("&File"), TR("&Export view as picture…"), "Ctrl+E", "image", TR("PNG, SVG or PDF of the view in use"),
     false, true},
    {"file.export_window", TR("&File"), TR("Export &window as picture…"), "", "", TR("PNG, SVG or PDF of the whole window")},
    {"file.close", TR("&File"), TR("&Close"), "Ctrl+W", "x", TR("Closes the scenario; unsaved work is kept and offered again"),
     false, true},
    {"file.quit", TR("&File"), TR("&Quit"), "Ctrl+Q", "", TR("Ends the program; unsaved work is kept and offered again")},
    {"edit.undo", TR("&Edit"), TR("&Undo"), "Ctrl+Z", "undo-2", TR("Takes back the last gesture")},
    {"edit.redo", TR("&Edit"), TR("&Redo"), "Ctrl+Shift+Z; Ctrl+Y", "redo-2", TR("Does it again")},
    {"edit.copy_figure", TR("&Edit"), TR("&Copy view as picture"), "Ctrl+Shift+C", "copy",
     TR("Puts the view in use on the clipboard"), false, true},
    {"edit.copy_figures", TR("&Edit"), TR("Copy &figures as table"), "Ctrl+Alt+C", "table-2",
     TR("Puts the figures of the plan on the clipboard, one a line")},
    {"edit.copy_link", TR("&Edit"), TR("Copy scenario as te&xt"), "Ctrl+Alt+X", "link",
     TR("The whole scenario as one text for a chat or a mail; paste it to open it")},
    {"edit.paste_scenario", TR("&Edit"), TR("&Paste scenario"), "Ctrl+Shift+V", "clipboard-paste",
     TR("Opens a scenario from the clipboard: a text made by Copy scenario as text, or the text of a scenario file")},
    {"edit.rename", TR("&Edit"), TR("Re&name scenario"), "F2", "", TR("Edits the name in the header"), false, true},
    {"plan.pin", TR("&Plan"), TR("&Pin as baseline"), "Ctrl+B", "pin",
     TR("Shows every later figure's difference from this plan")},
    {"plan.unpin", TR("&Plan"), TR("&Remove baseline"), "Ctrl+Shift+B", "pin-off", TR("Ends the comparison")},
    {"plan.back_to_baseline", TR("&Plan"), TR("&Go back to baseline"), "", "rotate-ccw",
     TR("Loads the pinned plan again; can be undone")},
    {"plan.even_layers", TR("&Plan"), TR("&Even layer split"), "", "", TR("Forgets the drawn stage borders"), false, true},
    {"plan.partition", TR("&Plan"), TR("Pa&rtition over the devices"), "Ctrl+Shift+P", "split",
     TR("Splits the layers so that a step is shortest; the search view lets it change more")},
    {"plan.keep_model", TR("&Plan"), TR("&Keep model in my library"), "", "save",
     TR("Saves the architecture to the personal library"), false, true},
    {"plan.keep_cluster", TR("&Plan"), TR("Keep &node types in my library"), "", "server",
     TR("Saves the drawn nodes and accelerators to the personal library")},
    {"plan.calibration", TR("&Plan"), TR("Cali&bration…"), "", "ruler",
     TR("Fits the engine's constants to your own measurements"), false, true},
    {"view.plan", TR("&View"), TR("&Plan"), "Alt+P", "sliders-horizontal", TR("Goes to the degrees")},
    {"view.workload", TR("&View"), TR("&Workload"), "Alt+W", "database", TR("Goes to what is trained")},
    {"view.model", TR("&View"), TR("&Model"), "Alt+M", "layers", TR("Goes to the model")},
    {"view.cluster", TR("&View"), TR("&Cluster"), "Alt+C", "network", TR("Goes to the cluster")},
    {"view.timeline", TR("&View"), TR("&Timeline"), "Ctrl+1", "chart-gantt", TR("Shows the pipeline schedule"), false, true},
    {"view.memory", TR("&View"), TR("M&emory"), "Ctrl+2", "memory-stick", TR("Shows memory per stage")},
    {"view.traffic", TR("&View"), TR("T&raffic"), "Ctrl+3", "arrow-left-right", TR("Shows collectives and links")},
    {"view.scaling", TR("&View"), TR("&Scaling"), "Ctrl+4", "scaling", TR("Shows scaling curves")},
    {"view.search", TR("&View"), TR("Searc&h"), "Ctrl+5", "search", TR("Shows the best plans")},
    {"view.placement", TR("&View"), TR("Pl&acement"), "Alt+L", "waypoints", TR("Shows which rank sits where")},
    {"view.compare", TR("&View"), TR("C&ompare"), "Ctrl+6", "git-compare", TR("Shows pinned plans side by side")},
    {"view.explain", TR("&View"), TR("E&xplain"), "Ctrl+7", "sigma", TR("Shows the formula behind a figure")},
    {"view.learn", TR("&View"), TR("&Learn"), "Ctrl+8", "graduation-cap", TR("Shows the lessons")},
    {"view.playground", TR("&View"), TR("Play&ground"), "Ctrl+9", "play", TR("Plays pipeline schedules without a model")},
    {"view.accuracy", TR("&View"), TR("&Accuracy"), "Ctrl+0", "chart-scatter", TR("Shows predictions beside published runs")},
    {"view.light", TR("&View"), TR("L&ight theme"), "Ctrl+Shift+L", "sun", TR("Switches between light and dark"), true, true},
    {"view.gigabytes", TR("&View"), TR("Bytes in &GB"), "Ctrl+Shift+G", "", TR("Decimal gigabytes instead of GiB"), true},
    {"view.animate", TR("&View"), TR("&Animate a collective"), "Alt+A", "waypoints", TR("All-reduce, all-to-all, ring attention and ZeRO step by step on the drawn cluster")},
    {"view.presentation", TR("&View"), TR("Prese&ntation"), "F11", "maximize", TR("One view after another in large type, on the whole screen"), false, true},
    {"view.language", TR("&View"), TR("Lan&guage"), "", "globe", TR("Language of the interface, lessons and glossary")},
    {"view.reduced_motion", TR("&View"), TR("Re&duced motion"), "", "", TR("Animations go step by step instead of moving"), true},
    {"view.reset_layout", TR("&View"), TR("Reset la&yout"), "", "panel-left", TR("Gives every view its first size")},
    {"help.term", TR("&Help"), TR("&What is this?"), "F1", "circle-help",
     TR("Opens the glossary at what the mouse is on, else at what has the keyboard")},
    {"help.glossary", TR("&Help"), TR("&Glossary"), "Ctrl+F1", "book-open", TR("Every term: idea, formula, source, a scenario that shows it")},
    {"help.keys", TR("&Help"), TR("&Keys"), "Ctrl+Shift+F1", "", TR("Shows this page")},
    {"help.about", TR("&Help"), TR("&About Trainyard"), "", "info", TR("Version and licences")},
};

constexpr ViewKeys kViewKeys[] = {
    {TR("Sliders"), "Left; Right", TR("Nearest legal value below or above")},
    {TR("Sliders"), "Home; End", TR("Smallest or largest legal value")},
    {TR("Sliders"), "Esc", TR("While dragging: back to where it began")},
    {TR("Model strip"), "Up; Down", TR("Previous or next stage border")},
    {TR("Model strip"), "Left; Right", TR("Moves the border by one layer")},
    {TR("Model strip"), "Del", TR("Even layer split")},
    {TR("Timeline"), "W; S", TR("Zoom in or out")},
    {TR("Timeline"), "A; D", TR("Pan left or right")},
};

}  // namespace

std::span<const ActionDefinition> actionDefinitions() { return kActions; }
std::span<const ViewKeys> viewKeys() { return kViewKeys; }

ActionTable::ActionTable(QWidget* window) : QObject(window) {
    for (const ActionDefinition& definition : kActions) {
        auto* action = new QAction(translated(definition.text), window);
        action->setObjectName(QString::fromLatin1(definition.id));
        action->setCheckable(definition.checkable);
        if (*definition.icon != 0) action->setIcon(icon(QString::fromLatin1(definition.icon)));
        QList<QKeySequence> keys;
        for (const QString& key : QString::fromLatin1(definition.keys).split(QStringLiteral("; "), Qt::SkipEmptyParts))
            keys << QKeySequence(key, QKeySequence::PortableText);
        action->setShortcuts(keys);
        action->setStatusTip(translated(definition.help));
        QString tip = translated(definition.help);
        if (!keys.isEmpty()) tip += QStringLiteral(" (%1)").arg(keys.first().toString(QKeySequence::NativeText));
        action->setToolTip(tip);
        window->addAction(action);
        actions_.emplace(definition.id, action);
    }
}

QAction* ActionTable::action(std::string_view id) const { return actions_.at(id); }

void ActionTable::bind(std::string_view id, std::function<void(bool)> handler) {
    connect(action(id), &QAction::triggered, this, std::move(handler));
}

void ActionTable::fill(QMenuBar* bar) {
    for (const ActionDefinition& definition : kActions) {
        const QString title = translated(definition.menu);
        QMenu*& menu = menus_[title];
        if (menu == nullptr) menu = bar->addMenu(title);
        if (definition.separatorBefore) menu->addSeparator();
        menu->addAction(action(definition.id));
    }
}

QMenu* ActionTable::menu(const QString& title) const {
    const auto found = menus_.find(title);
    return found == menus_.end() ? nullptr : found->second;
}

QString keysPage() {
    const Theme& theme = Theme::current();
    const auto keyText = [&](const char* keys) {
        QStringList shown;
        for (const QString& key : QString::fromLatin1(keys).split(QStringLiteral("; "), Qt::SkipEmptyParts))
            shown << QKeySequence(key, QKeySequence::PortableText).toString(QKeySequence::NativeText).toHtmlEscaped();
        return shown.join(QCoreApplication::translate("trainyard::ActionTable", " or "));
    };
    QString html;
    QString group;
    const auto row = [&](const QString& title, const QString& keys, const QString& what, const QString& help) {
        if (title != group) {
            if (!group.isEmpty()) html += QStringLiteral("</table>");
            html += QStringLiteral("<h3>%1</h3><table cellspacing=\"0\" cellpadding=\"4\" width=\"100%\">")
                        .arg(title.toHtmlEscaped());
            group = title;
        }
        html += QStringLiteral("<tr><td width=\"170\"><b>%1</b></td><td width=\"200\">%2</td><td style=\"color:%4\">%3</td></tr>")
                    .arg(keys, what.toHtmlEscaped(), help.toHtmlEscaped(), theme.secondaryText.name());
    };
    for (const ActionDefinition& definition : kActions)
        row(translated(definition.menu).remove(QLatin1Char('&')), keyText(definition.keys),
            translated(definition.text).remove(QLatin1Char('&')), translated(definition.help));
    for (const ViewKeys& keys : kViewKeys) row(translated(keys.view), keyText(keys.keys), translated(keys.help), QString());
    return html + QStringLiteral("</table>");
}

}  // namespace trainyard
