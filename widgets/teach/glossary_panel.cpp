#include "widgets/teach/glossary_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/io/teach/glossary.h"
#include "widgets/style/icons.h"
#include "widgets/style/theme.h"
#include "widgets/teach/formula_view.h"
#include "widgets/teach/language.h"

namespace trainyard {
namespace {

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

/// An arXiv id or DOI opens in the browser.
QString sourceLink(const std::string& source) {
    const QString plain = text(source).toHtmlEscaped();
    if (source.rfind("arXiv ", 0) == 0)
        return QStringLiteral("<a href=\"https://arxiv.org/abs/%1\">%2</a>").arg(text(source.substr(6)), plain);
    if (source.rfind("10.", 0) == 0) return QStringLiteral("<a href=\"https://doi.org/%1\">%1</a>").arg(plain);
    return plain;
}

/// `s_text` as s with an index.
QString symbolHtml(const std::string& symbol) {
    const SymbolParts parts = symbolParts(symbol);
    const QString base = QStringLiteral("<i>%1</i>").arg(text(parts.base));
    return parts.index.empty() ? base : base + QStringLiteral("<sub>%1</sub>").arg(text(parts.index));
}

}  // namespace

GlossaryPanel::GlossaryPanel(QWidget* parent)
    : QWidget(parent),
      search_(new QLineEdit(this)),
      back_(new QToolButton(this)),
      list_(new QListWidget(this)),
      page_(new QScrollArea(this)) {
    setObjectName(QStringLiteral("glossary"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::kPanelPadding, space::kPanelPadding, space::kPanelPadding, space::kPanelPadding);
    layout->setSpacing(space::kUnit * 2);
    search_->setPlaceholderText(tr("Search terms, formulas, papers"));
    search_->setAccessibleName(tr("Search the glossary"));
    search_->setClearButtonEnabled(true);
    back_->setIcon(icon(QStringLiteral("chevron-left")));
    back_->setAutoRaise(true);
    back_->setAccessibleName(tr("Previous term"));
    back_->setToolTip(tr("Previous term"));
    auto* row = new QHBoxLayout;
    row->addWidget(back_);
    row->addWidget(search_, 1);
    layout->addLayout(row);
    list_->setAccessibleName(tr("Terms"));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setMinimumHeight(90);
    layout->addWidget(list_, 1);

    auto* body = new QWidget(page_);
    auto* lines = new QVBoxLayout(body);
    lines->setContentsMargins(0, 0, space::kUnit * 2, 0);
    lines->setSpacing(space::kUnit * 2);
    const auto label = [&] {
        auto* made = new QLabel(body);
        made->setWordWrap(true);
        made->setTextFormat(Qt::RichText);
        made->setTextInteractionFlags(Qt::TextBrowserInteraction);
        lines->addWidget(made);
        return made;
    };
    term_ = label();
    term_->setFont(type::font(type::kHeadline, QFont::DemiBold));
    text_ = label();
    formulas_ = new FormulaView(body);
    lines->addWidget(formulas_);
    symbols_ = label();
    symbols_->setFont(type::font(type::kSecondary));
    sources_ = label();
    sources_->setFont(type::font(type::kSecondary));
    sources_->setOpenExternalLinks(true);
    auto* buttons = new QHBoxLayout;
    scenario_ = new QPushButton(tr("Open a scenario that shows it"), body);
    view_ = new QPushButton(tr("Show the view"), body);
    buttons->addWidget(scenario_);
    buttons->addWidget(view_);
    buttons->addStretch(1);
    lines->addLayout(buttons);
    related_ = label();
    lines->addStretch(1);
    page_->setWidget(body);
    page_->setWidgetResizable(true);
    page_->setFrameShape(QFrame::NoFrame);
    page_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    layout->addWidget(page_, 3);

    connect(search_, &QLineEdit::textChanged, this, [this] { fillList(); });
    connect(search_, &QLineEdit::returnPressed, this, [this] {
        if (list_->count() > 0) showTerm(list_->item(0)->data(Qt::UserRole).toString());
    });
    connect(list_, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
        if (item != nullptr) showTerm(item->data(Qt::UserRole).toString());
    });
    connect(related_, &QLabel::linkActivated, this, &GlossaryPanel::follow);
    connect(back_, &QToolButton::clicked, this, &GlossaryPanel::back);
    connect(scenario_, &QPushButton::clicked, this, [this] { emit scenarioRequested(current_); });
    connect(view_, &QPushButton::clicked, this, [this] {
        if (const GlossaryEntry* entry = glossary().byIdOrNull(current_.toStdString())) emit viewRequested(text(entry->view));
    });
    fillList();
    showTerm(QStringLiteral("bubble"));
    history_.clear();
    back_->setEnabled(false);
}

void GlossaryPanel::fillList() {
    const QSignalBlocker blocker(list_);
    list_->clear();
    const std::string language = uiLanguage();
    std::vector<const GlossaryEntry*> found = glossary().search(search_->text().toStdString(), language);
    if (search_->text().isEmpty())
        std::stable_sort(found.begin(), found.end(), [&](const GlossaryEntry* a, const GlossaryEntry* b) {
            return QString::localeAwareCompare(text(a->term.in(language)), text(b->term.in(language))) < 0;
        });
    for (const GlossaryEntry* entry : found) {
        auto* item = new QListWidgetItem(text(entry->term.in(language)), list_);
        item->setData(Qt::UserRole, text(entry->id));
        if (entry->id == current_.toStdString()) list_->setCurrentItem(item);
    }
}

bool GlossaryPanel::showTerm(const QString& term) {
    const GlossaryEntry* entry = glossary().byTermOrNull(term.toStdString());
    if (entry == nullptr) entry = glossary().byLabelOrNull(term.toStdString());
    if (entry == nullptr) return false;
    if (!current_.isEmpty() && current_ != text(entry->id)) history_ << current_;
    back_->setEnabled(!history_.isEmpty());
    showEntry(*entry);
    return true;
}

void GlossaryPanel::showEntry(const GlossaryEntry& entry) {
    current_ = text(entry.id);
    const std::string language = uiLanguage();
    term_->setText(text(entry.term.in(language)).toHtmlEscaped());
    text_->setText(text(entry.text.in(language)).toHtmlEscaped());
    std::vector<FormulaNode> formulas;
    for (const std::string& formula : entry.formulas)
        if (auto node = parseFormula(formula)) formulas.push_back(std::move(*node));
    formulas_->setVisible(!formulas.empty());
    formulas_->setFormulas(std::move(formulas));
    QString rows;
    for (const auto& [symbol, meaning] : entry.symbols)
        rows += QStringLiteral("<tr><td style='padding-right:12px'>%1</td><td>%2</td></tr>")
                    .arg(symbolHtml(symbol), text(meaning.in(language)).toHtmlEscaped());
    symbols_->setText(QStringLiteral("<table cellspacing='0' cellpadding='2'>%1</table>").arg(rows));
    symbols_->setVisible(!rows.isEmpty());
    QStringList sources;
    for (const std::string& source : entry.sources) sources << sourceLink(source);
    sources_->setText(tr("Source: %1").arg(sources.join(QStringLiteral(", "))));
    sources_->setVisible(!sources.isEmpty());
    QStringList related;
    for (const std::string& id : entry.related)
        if (const GlossaryEntry* other = glossary().byIdOrNull(id))
            related << QStringLiteral("<a href=\"%1\">%2</a>").arg(text(id), text(other->term.in(language)).toHtmlEscaped());
    related_->setText(tr("See also: %1").arg(related.join(QStringLiteral(" · "))));
    scenario_->setVisible(!entry.scenario.empty());
    view_->setVisible(!entry.view.empty());
    page_->verticalScrollBar()->setValue(0);
    const QSignalBlocker blocker(list_);
    for (int i = 0; i < list_->count(); ++i)
        if (list_->item(i)->data(Qt::UserRole).toString() == current_) list_->setCurrentRow(i);
}

void GlossaryPanel::follow(const QString& link) { showTerm(link); }

void GlossaryPanel::back() {
    if (history_.isEmpty()) return;
    if (const GlossaryEntry* entry = glossary().byIdOrNull(history_.takeLast().toStdString())) showEntry(*entry);
    back_->setEnabled(!history_.isEmpty());
}

void GlossaryPanel::search(const QString& words) { search_->setText(words); }

void GlossaryPanel::focusSearch() {
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->selectAll();
}

}  // namespace trainyard
