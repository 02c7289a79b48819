#include "widgets/panels/explain_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPointer>
#include <QPushButton>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QThreadPool>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <cmath>
#include <functional>
#include <map>

#include "core/base/formula.h"
#include "core/explain/explain.h"
#include "widgets/document/plan_document.h"
#include "widgets/style/core_text.h"
#include "widgets/style/byte_units.h"
#include "widgets/style/theme.h"
#include "widgets/teach/formula_view.h"
#include "widgets/teach/sensitivity_list.h"

namespace trainyard {
namespace {

enum Column { kName, kValue, kChange, kFormula, kSource };
constexpr int kSensitivityDelayMs = 350;  ///< after the last change, so that a drag is not slowed

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

/// The formula of a term in its typeset form, on one line.
class FormulaDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem plain = option;
        initStyleOption(&plain, index);
        const auto node = parseFormula(plain.text.toStdString());
        if (!node) return QStyledItemDelegate::paint(painter, option, index);
        plain.text.clear();
        plain.widget->style()->drawControl(QStyle::CE_ItemViewItem, &plain, painter, plain.widget);
        const FormulaLayout layout(*node, type::font(type::kBody), FormulaLayout::Style::inLine);
        painter->save();
        painter->setClipRect(option.rect);
        painter->setPen(Theme::current().secondaryText);
        layout.paint(*painter, QPointF(option.rect.left() + 4, option.rect.center().y() - layout.size().height() / 2));
        painter->restore();
    }
};

/// The formula with the values of its terms in place of the symbols.
FormulaNode withValues(FormulaNode node, const Explanation& explanation) {
    if (node.kind == FormulaNode::Kind::symbol)
        for (const Explanation& term : explanation.terms)
            if (term.symbol == node.text) return {FormulaNode::Kind::text, readable(term.value, term.unit, displayUnits()), {}};
    for (FormulaNode& part : node.parts) part = withValues(std::move(part), explanation);
    return node;
}

QString shareText(const ExplanationChange& change) {
    const QString arrow = change.after > change.before ? QStringLiteral("▲ ") : QStringLiteral("▼ ");
    if (change.before == 0) return arrow + text(readable(change.after, change.unit, displayUnits()));
    return arrow + QStringLiteral("%1 %").arg(std::abs(change.after - change.before) / std::abs(change.before) * 100, 0, 'f', 1);
}

void add(const Explanation& explanation, QTreeWidgetItem* parent, const std::string& path,
         const std::map<std::string, const ExplanationChange*>& changes) {
    for (const Explanation& term : explanation.terms) {
        auto* item = new QTreeWidgetItem(parent);
        const std::string here = path + " > " + term.symbol;
        if (const auto change = changes.find(here); change != changes.end()) {
            item->setText(kChange, shareText(*change->second));
            item->setToolTip(kChange, ExplainPanel::tr("from %1 to %2")
                                          .arg(text(readable(change->second->before, term.unit, displayUnits())),
                                               text(readable(change->second->after, term.unit, displayUnits()))));
            QFont bold = item->font(kName);
            bold.setWeight(QFont::DemiBold);
            item->setFont(kName, bold);
        }
        item->setText(kName, QStringLiteral("%1   %2").arg(text(term.symbol), coreText(term.name)));
        item->setText(kValue, text(readable(term.value, term.unit, displayUnits())));
        item->setText(kFormula, text(term.formula));
        item->setText(kSource, text(term.source));
        item->setToolTip(kName, coreText(term.name));
        if (term.unit == "B") item->setToolTip(kValue, bothBytes(term.value));
        item->setToolTip(kSource, text(term.source));
        item->setToolTip(kFormula, term.formula.empty() ? QString() : text(substituted(term)));
        item->setTextAlignment(kValue, Qt::AlignRight | Qt::AlignVCenter);
        item->setForeground(kSource, Theme::current().secondaryText);
        item->setForeground(kFormula, Theme::current().secondaryText);
        add(term, item, here, changes);
    }
}

}  // namespace

ExplainPanel::ExplainPanel(PlanDocument* document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      quantities_(new QComboBox(this)),
      headline_(new QLabel(this)),
      formula_(new QLabel(this)),
      typeset_(new FormulaView(this)),
      changed_(new QLabel(this)),
      view_(new QTreeWidget(this)),
      sensitivities_(new SensitivityList(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::kPanelPadding, space::kPanelPadding, space::kPanelPadding, space::kPanelPadding);
    layout->setSpacing(space::kUnit * 2);
    auto* row = new QHBoxLayout;
    row->setSpacing(space::kUnit * 2);
    quantities_->setAccessibleName(tr("Figure"));
    quantities_->setMinimumWidth(320);
    quantities_->setMaxVisibleItems(24);
    row->addWidget(quantities_);
    auto* term = new QPushButton(tr("What is this?"), this);
    term->setToolTip(tr("Opens the glossary at this figure"));
    connect(term, &QPushButton::clicked, this, [this] { emit termRequested(quantity()); });
    row->addWidget(term);
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
    layout->addWidget(typeset_);
    changed_->setFont(type::font(type::kSecondary));
    changed_->setWordWrap(true);
    layout->addWidget(changed_);
    view_->setAccessibleName(tr("Terms of the figure"));
    view_->setHeaderLabels({tr("Term"), tr("Value"), tr("Moved"), tr("Formula"), tr("Source")});
    view_->setUniformRowHeights(true);
    view_->setAlternatingRowColors(false);
    view_->setFrameShape(QFrame::NoFrame);
    view_->header()->setStretchLastSection(true);
    view_->setColumnWidth(kName, 330);
    view_->setColumnWidth(kValue, 110);
    view_->setColumnWidth(kChange, 74);
    view_->setColumnWidth(kFormula, 260);
    view_->setItemDelegateForColumn(kFormula, new FormulaDelegate(view_));
    auto* most = new QWidget(this);
    auto* mostLayout = new QVBoxLayout(most);
    mostLayout->setContentsMargins(space::kUnit * 2, 0, 0, 0);
    auto* heading = new QLabel(tr("What would change it most"), most);
    heading->setFont(type::font(type::kSecondary, QFont::DemiBold));
    mostLayout->addWidget(heading);
    sensitivities_->setParent(most);
    mostLayout->addWidget(sensitivities_, 1);
    auto* parts = new QSplitter(Qt::Horizontal, this);
    parts->addWidget(view_);
    parts->addWidget(most);
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 2);
    layout->addWidget(parts, 1);
    connect(sensitivities_, &SensitivityList::previewed, this, &ExplainPanel::preview);
    connect(sensitivities_, &SensitivityList::chosen, this, [this](const QString& name, const SensitivityCase& one) {
        document_->edit(std::make_shared<const Scenario>(one.scenario), tr("Change %1").arg(name));
    });
    sensitivityDelay_.setSingleShot(true);
    sensitivityDelay_.setInterval(kSensitivityDelayMs);
    connect(&sensitivityDelay_, &QTimer::timeout, this, &ExplainPanel::askSensitivities);

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
    sensitivityDelay_.start();
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
    std::optional<Explanation> before = std::move(tree_);
    const bool sameFigure = explained_ == quantity();
    explained_ = quantity();
    tree_.reset();
    const auto evaluation = document_->evaluation();
    if (evaluation && evaluation->computed && quantities_->count() > 0) {
        auto explained = explain(*document_->snapshot(), quantity().toStdString());
        if (explained) tree_ = std::move(*explained);
    }
    // A view that only looks again keeps what the last change moved.
    if (!sameFigure || !tree_) changes_.clear();
    if (sameFigure && before && tree_)
        if (auto moved = explanationChanges(*before, *tree_); !moved.empty()) changes_ = std::move(moved);
    rebuild();
    sensitivityDelay_.start();
}

void ExplainPanel::rebuild() {
    view_->clear();
    changed_->hide();
    typeset_->setVisible(tree_.has_value());
    if (!tree_) {
        sensitivities_->setRows({});
        headline_->setText(tr("Nothing to explain yet"));
        formula_->setText(tr("The plan cannot be computed as it stands; the notes beside the plan say why."));
        return;
    }
    showHeadline(QString());
    formula_->setText(QStringLiteral("<p style='margin:0'>%1</p>%2")
                          .arg(coreText(tree_->name).toHtmlEscaped(),
                               tree_->source.empty() ? QString()
                                                     : QStringLiteral("<p style='margin:4px 0 0 0'>%1: %2</p>")
                                                           .arg(tr("Source"), text(tree_->source).toHtmlEscaped())));
    std::vector<FormulaNode> lines;
    if (auto node = parseFormula(tree_->symbol + " = " + tree_->formula)) lines.push_back(std::move(*node));
    if (auto node = parseFormula(tree_->formula); node && tree_->terms.size() <= 12)
        lines.push_back({FormulaNode::Kind::relation, "=", {{FormulaNode::Kind::text, "    ", {}}, withValues(std::move(*node), *tree_)}});
    typeset_->setFormulas(std::move(lines));
    std::map<std::string, const ExplanationChange*> byPath;
    for (const ExplanationChange& change : changes_) byPath[change.path] = &change;
    QStringList inputs;
    for (const ExplanationChange& change : changes_)
        if (change.isLeaf && inputs.size() < 4) inputs << QStringLiteral("%1 %2").arg(coreText(change.name), shareText(change));
    changed_->setVisible(!changes_.empty());
    if (!changes_.empty())
        changed_->setText(tr("The last change moved it %1. Under it moved: %2")
                              .arg(shareText(changes_.front()), inputs.join(QStringLiteral(" · "))));
    add(*tree_, view_->invisibleRootItem(), tree_->symbol, byPath);
    view_->expandToDepth(0);
}

void ExplainPanel::showHeadline(const QString& more) {
    const SymbolParts parts = symbolParts(tree_->symbol);
    headline_->setText(QStringLiteral("%1 = %2%3").arg(text(parts.base), text(readable(tree_->value, tree_->unit, displayUnits())), more));
}

void ExplainPanel::preview(const SensitivityCase* oneOrNull) {
    if (!tree_) return;
    if (oneOrNull == nullptr) return showHeadline(QString());
    showHeadline(QStringLiteral("  →  %1  (%2%3 %)")
                     .arg(text(readable(oneOrNull->value, tree_->unit, displayUnits())),
                          oneOrNull->relative > 0 ? QStringLiteral("+") : QStringLiteral("−"))
                     .arg(std::abs(oneOrNull->relative) * 100, 0, 'f', 1));
}

void ExplainPanel::fillSensitivities() {
    if (!document_->evaluation()) return;
    sensitivityDelay_.stop();
    sensitivityAsked_ = document_->revision();
    sensitivityFigure_ = quantity();
    auto found = sensitivities(*document_->snapshot(), sensitivityFigure_.toStdString());
    sensitivities_->setRows(found ? std::move(*found) : std::vector<Sensitivity>());
}

void ExplainPanel::askSensitivities() {
    if (!isVisible() || !tree_) return;
    if (sensitivityAsked_ == document_->revision() && sensitivityFigure_ == quantity()) return;
    sensitivityAsked_ = document_->revision();
    sensitivityFigure_ = quantity();
    const Snapshot snapshot = document_->snapshot();
    // About a hundred evaluations, away from the window's thread; an answer that comes too late is dropped.
    QThreadPool::globalInstance()->start([snapshot, revision = sensitivityAsked_, figure = sensitivityFigure_,
                                          panel = QPointer<ExplainPanel>(this)] {
        auto found = sensitivities(*snapshot, figure.toStdString());
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [revision, figure, panel, rows = found ? std::move(*found) : std::vector<Sensitivity>()]() mutable {
                if (panel.isNull() || panel->document_->revision() != revision || panel->quantity() != figure) return;
                panel->sensitivities_->setRows(std::move(rows));
            },
            Qt::QueuedConnection);
    });
}

void ExplainPanel::copy(std::string (*form)(const Explanation&)) const {
    if (tree_) QApplication::clipboard()->setText(text(form(*tree_)));
}

}  // namespace trainyard
