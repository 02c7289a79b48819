#include "widgets/panels/explain_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <functional>

#include "core/explain/explain.h"
#include "widgets/document/plan_document.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

enum Column { kName, kValue, kFormula, kSource };

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

/// `t_compute` with the part after the bar as an index, `*` as a product dot.
QString typeset(const QString& formula) {
    QString out;
    for (int at = 0; at < formula.size();) {
        const QChar c = formula.at(at);
        if (!c.isLetter()) {
            out += c == QLatin1Char('*') ? QStringLiteral("·") : c == QLatin1Char('<') ? QStringLiteral("&lt;") : QString(c);
            ++at;
            continue;
        }
        int end = at;
        while (end < formula.size() && (formula.at(end).isLetterOrNumber() || formula.at(end) == QLatin1Char('_'))) ++end;
        const QString word = formula.mid(at, end - at);
        const auto bar = word.indexOf(QLatin1Char('_'));
        if (bar > 0)
            out += QStringLiteral("<i>%1</i><sub>%2</sub>")
                       .arg(word.left(bar), word.mid(bar + 1).replace(QLatin1Char('_'), QLatin1Char(',')));
        else
            out += word.size() == 1 ? QStringLiteral("<i>%1</i>").arg(word) : word;
        at = end;
    }
    return out;
}

void add(const Explanation& explanation, QTreeWidgetItem* parent, int level) {
    for (const Explanation& term : explanation.terms) {
        auto* item = new QTreeWidgetItem(parent);
        item->setText(kName, QStringLiteral("%1   %2").arg(text(term.symbol), text(term.name)));
        item->setText(kValue, text(readable(term.value, term.unit)));
        item->setText(kFormula, text(term.formula));
        item->setText(kSource, text(term.source));
        item->setToolTip(kName, text(term.name));
        item->setToolTip(kSource, text(term.source));
        item->setToolTip(kFormula, term.formula.empty() ? QString() : text(substituted(term)));
        item->setTextAlignment(kValue, Qt::AlignRight | Qt::AlignVCenter);
        item->setForeground(kSource, Theme::current().secondaryText);
        item->setForeground(kFormula, Theme::current().secondaryText);
        add(term, item, level + 1);
    }
}

}  // namespace

ExplainPanel::ExplainPanel(PlanDocument* document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      quantities_(new QComboBox(this)),
      headline_(new QLabel(this)),
      formula_(new QLabel(this)),
      view_(new QTreeWidget(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::kPanelPadding, space::kPanelPadding, space::kPanelPadding, space::kPanelPadding);
    layout->setSpacing(space::kUnit * 2);
    auto* row = new QHBoxLayout;
    row->setSpacing(space::kUnit * 2);
    quantities_->setAccessibleName(tr("Figure"));
    quantities_->setMinimumWidth(320);
    quantities_->setMaxVisibleItems(24);
    row->addWidget(quantities_);
    row->addStretch(1);
    const std::pair<QString, std::string (*)(const Explanation&)> forms[] = {
        {tr("Copy as text"), [](const Explanation& e) { return explanationText(e); }},
        {tr("LaTeX"), &explanationLatex},
        {tr("Markdown"), &explanationMarkdown}};
    for (const auto& [label, form] : forms) {
        auto* button = new QPushButton(label, this);
        connect(button, &QPushButton::clicked, this, [this, form = form] { copy(form); });
        row->addWidget(button);
    }
    layout->addLayout(row);
    headline_->setFont(type::font(type::kHeadline, QFont::DemiBold));
    headline_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    formula_->setWordWrap(true);
    formula_->setTextFormat(Qt::RichText);
    formula_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(headline_);
    layout->addWidget(formula_);
    view_->setAccessibleName(tr("Terms of the figure"));
    view_->setHeaderLabels({tr("Term"), tr("Value"), tr("Formula"), tr("Source")});
    view_->setUniformRowHeights(true);
    view_->setAlternatingRowColors(false);
    view_->setFrameShape(QFrame::NoFrame);
    view_->header()->setStretchLastSection(true);
    view_->setColumnWidth(kName, 430);
    view_->setColumnWidth(kValue, 120);
    view_->setColumnWidth(kFormula, 260);
    layout->addWidget(view_, 1);

    connect(quantities_, &QComboBox::activated, this, [this] { refresh(); });
    connect(document_, &PlanDocument::evaluationChanged, this, [this] {
        outdated_ = true;
        if (isVisible()) refresh();
    });
    fillQuantities();
    refresh();
}

ExplainPanel::~ExplainPanel() = default;

QString ExplainPanel::quantity() const { return quantities_->currentData().toString(); }

void ExplainPanel::setQuantity(const QString& pointer) {
    fillQuantities();
    int index = quantities_->findData(pointer);
    if (index < 0) {
        quantities_->addItem(pointer, pointer);
        index = quantities_->count() - 1;
    }
    quantities_->setCurrentIndex(index);
    refresh();
}

void ExplainPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (outdated_) refresh();
}

void ExplainPanel::fillQuantities() {
    const auto evaluation = document_->evaluation();
    if (!evaluation || !evaluation->computed) return;
    const auto pointers = explainablePointers(*evaluation);
    if (static_cast<std::size_t>(quantities_->count()) == pointers.size()) return;
    const QString before = quantities_->count() > 0 ? quantity() : QStringLiteral("/time/step_s");
    quantities_->clear();
    for (const std::string& pointer : pointers) {
        QString label = text(pointer).mid(1);
        label.replace(QLatin1Char('/'), QStringLiteral(" › ")).replace(QLatin1Char('_'), QLatin1Char(' '));
        quantities_->addItem(label, text(pointer));
    }
    quantities_->setCurrentIndex(std::max(0, quantities_->findData(before)));
}

void ExplainPanel::refresh() {
    fillQuantities();
    outdated_ = false;
    tree_.reset();
    const auto evaluation = document_->evaluation();
    if (evaluation && evaluation->computed && quantities_->count() > 0) {
        auto explained = explain(*document_->snapshot(), quantity().toStdString());
        if (explained) tree_ = std::move(*explained);
    }
    rebuild();
}

void ExplainPanel::rebuild() {
    view_->clear();
    if (!tree_) {
        headline_->setText(tr("Nothing to explain yet"));
        formula_->setText(tr("The plan cannot be computed as it stands; the notes beside the plan say why."));
        return;
    }
    headline_->setText(QStringLiteral("%1 = %2").arg(text(tree_->symbol).section(QLatin1Char('_'), 0, 0),
                                                     text(readable(tree_->value, tree_->unit))));
    const QString name = text(tree_->name);
    const bool brief = tree_->terms.size() <= 12;
    formula_->setText(QStringLiteral("<p style='margin:0'>%1</p><p style='margin:4px 0 0 0; font-size:15px'>%2 = %3%4</p>%5")
                          .arg(name.toHtmlEscaped(), typeset(text(tree_->symbol)), typeset(text(tree_->formula)),
                               brief ? QStringLiteral(" = %1").arg(text(substituted(*tree_)).toHtmlEscaped()) : QString(),
                               tree_->source.empty() ? QString()
                                                     : QStringLiteral("<p style='margin:4px 0 0 0'>%1: %2</p>")
                                                           .arg(tr("Source"), text(tree_->source).toHtmlEscaped())));
    add(*tree_, view_->invisibleRootItem(), 0);
    view_->expandToDepth(0);
}

void ExplainPanel::copy(std::string (*form)(const Explanation&)) const {
    if (tree_) QApplication::clipboard()->setText(text(form(*tree_)));
}

}  // namespace trainyard
