#include "widgets/panels/model_panel.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <cmath>

#include "core/base/format_quantity.h"
#include "widgets/document/scenario_edits.h"
#include "widgets/panels/field_combo.h"
#include "widgets/panels/field_number.h"
#include "widgets/panels/section_title.h"
#include "widgets/style/icons.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

constexpr int kIdRole = Qt::UserRole;
constexpr int kDetailRole = Qt::UserRole + 1;

/// Name left, one fact right, quiet.
class ModelDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem item = option;
        initStyleOption(&item, index);
        item.text.clear();
        item.widget->style()->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
        const Theme& theme = Theme::current();
        const QRect text = option.rect.adjusted(10, 0, -10, 0);
        const QString detail = index.data(kDetailRole).toString();
        painter->setFont(type::font(type::kSecondary));
        painter->setPen(theme.secondaryText);
        const int detailWidth = QFontMetrics(painter->font()).horizontalAdvance(detail);
        painter->drawText(text, Qt::AlignVCenter | Qt::AlignRight, detail);
        painter->setFont(type::font(type::kBody));
        painter->setPen(theme.text);
        painter->drawText(
            text, Qt::AlignVCenter | Qt::AlignLeft,
            QFontMetrics(painter->font()).elidedText(index.data().toString(), Qt::ElideRight, text.width() - detailWidth - 12));
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        return {QStyledItemDelegate::sizeHint(option, index).width(), 28};
    }
};

QString text(const std::string& s) { return QString::fromStdString(s); }

}  // namespace

ModelPanel::ModelPanel(PlanDocument* document, QWidget* parent) : QWidget(parent), document_(document) {
    setAcceptDrops(true);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* page = new QWidget(scroll);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(space::kPanelPadding + 2, 10, space::kPanelPadding, space::kPanelPadding);
    layout->setSpacing(8);
    search_ = new QLineEdit(page);
    search_->setPlaceholderText(tr("Search models"));
    search_->setAccessibleName(tr("Search models"));
    search_->setClearButtonEnabled(true);
    search_->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    for (QToolButton* button : search_->findChildren<QToolButton*>()) {
        button->setAccessibleName(tr("Search models"));
        button->setFocusPolicy(Qt::NoFocus);
    }
    list_ = new QListWidget(page);
    list_->setAccessibleName(tr("Models"));
    list_->setItemDelegate(new ModelDelegate(list_));
    list_->setMinimumHeight(120);
    list_->setMaximumHeight(240);
    list_->setMouseTracking(true);
    layout->addWidget(search_);
    layout->addWidget(list_, 1);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    auto* config = new QPushButton(icon(QStringLiteral("file-text")), tr("Open config.json"), page);
    config->setToolTip(tr("A Hugging Face config.json; it can also be dropped here"));
    auto* save = new QPushButton(icon(QStringLiteral("save")), tr("Keep as my model"), page);
    save->setToolTip(tr("Save this architecture to the personal library"));
    buttons->addWidget(config, 1);
    buttons->addWidget(save, 1);
    layout->addLayout(buttons);
    layout->addSpacing(4);
    title_ = new SectionTitle(tr("Architecture"), page);
    layout->addWidget(title_);
    addArchitecture(layout);
    counts_ = new QLabel(page);
    counts_->setFont(type::font(type::kSecondary));
    counts_->setWordWrap(true);
    layout->addWidget(counts_);
    layout->addStretch(1);
    scroll->setWidget(page);
    outer->addWidget(scroll);

    connect(config, &QPushButton::clicked, this, &ModelPanel::openConfigRequested);
    connect(save, &QPushButton::clicked, this, &ModelPanel::saveRequested);
    connect(search_, &QLineEdit::textChanged, this, &ModelPanel::fillList);
    connect(search_, &QLineEdit::returnPressed, this, [this] {
        if (list_->count() > 0) emit list_->itemActivated(list_->item(0));
    });
    const auto choose = [this](QListWidgetItem* item) {
        const auto model = source_.load(item->data(kIdRole).toString());
        if (model)
            adopt(*model, tr("Choose %1").arg(item->text()));
        else
            emit failed(text(model.error().message));
    };
    connect(list_, &QListWidget::itemActivated, this, choose);
    connect(list_, &QListWidget::itemClicked, this, choose);
    connect(document_, &PlanDocument::snapshotChanged, this, &ModelPanel::refresh);
    refresh();
}

void ModelPanel::setSource(Source source) {
    source_ = std::move(source);
    fillList();
    refresh();
}

void ModelPanel::fillList() {
    if (!source_.list) return;
    const QStringList words = search_->text().toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    list_->clear();
    for (const ModelChoice& choice : source_.list()) {
        const QString haystack = (choice.name + QLatin1Char(' ') + choice.id + QLatin1Char(' ') + choice.detail).toLower();
        if (!std::all_of(words.begin(), words.end(), [&](const QString& word) { return haystack.contains(word); })) continue;
        auto* item = new QListWidgetItem(choice.name, list_);
        item->setData(kIdRole, choice.id);
        item->setData(kDetailRole, choice.own ? tr("mine · %1").arg(choice.detail) : choice.detail);
    }
    const QString current = text(document_->snapshot()->model->preset);
    for (int i = 0; i < list_->count(); ++i)
        if (list_->item(i)->data(kIdRole).toString() == current) list_->setCurrentRow(i);
}

void ModelPanel::adopt(ModelSpec model, const QString& step) {
    editScenario(*document_, step, [&](Scenario& s) {
        const bool sameDepth = s.model->layers == model.layers;
        s.model = std::make_shared<const ModelSpec>(std::move(model));
        if (!sameDepth) s.plan.layersPerStage.clear();
        if (!s.model->moe) s.plan.expertParallel = s.plan.expertTensorParallel = 1;
    });
}

void ModelPanel::edit(const QString& step, const std::function<void(ModelSpec&)>& change) {
    ModelSpec model = *document_->snapshot()->model;
    change(model);
    if (model == *document_->snapshot()->model) return;
    if (!model.preset.empty()) model.name += tr(", edited").toStdString();
    model.preset.clear();
    adopt(std::move(model), step);
}

void ModelPanel::addArchitecture(QVBoxLayout* layout) {
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(8);
    int cell = 0;
    const auto place = [&](QWidget* field) {
        grid->addWidget(field, cell / 2, cell % 2);
        ++cell;
    };
    const auto number = [&](const QString& caption, auto get, auto set, std::function<bool(const ModelSpec&)> applies) {
        auto* field = new FieldNumber(caption, FieldNumber::Kind::count, this);
        place(field);
        numbers_.push_back({field, get, set, std::move(applies)});
        connect(field, &FieldNumber::numberTyped, this, [this, caption, set](std::optional<double> value) {
            if (!value) return;
            edit(tr("Change %1").arg(caption.toLower()),
                 [&](ModelSpec& m) { set(m, static_cast<std::int64_t>(std::llround(*value))); });
        });
    };
    const auto plain = [&](const QString& caption, std::int64_t ModelSpec::*member,
                           std::function<bool(const ModelSpec&)> applies = {}) {
        number(
            caption, [member](const ModelSpec& m) { return m.*member; },
            [member](ModelSpec& m, std::int64_t v) { m.*member = v; }, std::move(applies));
    };
    number(
        tr("Layers"), [](const ModelSpec& m) { return m.layers; },
        [](ModelSpec& m, std::int64_t v) {
            m.layers = v;
            m.layerKinds.clear();
        },
        {});
    plain(tr("Hidden size"), &ModelSpec::hiddenSize);
    plain(tr("Attention heads"), &ModelSpec::attentionHeads);
    plain(tr("Key-value heads"), &ModelSpec::kvHeads, [](const ModelSpec& m) { return !m.mla; });
    plain(tr("Head dimension"), &ModelSpec::headDim, [](const ModelSpec& m) { return !m.mla; });
    plain(tr("Feed-forward width"), &ModelSpec::ffnHiddenSize);
    plain(tr("Vocabulary"), &ModelSpec::vocabSize);
    mlp_ = new FieldCombo(tr("Feed-forward"), this);
    mlp_->addChoice(tr("Gated"), QStringLiteral("gated"), tr("Three matrices, as in SwiGLU"));
    mlp_->addChoice(tr("Plain"), QStringLiteral("plain"), tr("Two matrices"));
    place(mlp_);
    embeddings_ = new FieldCombo(tr("Embeddings"), this);
    embeddings_->addChoice(tr("Untied"), QStringLiteral("untied"));
    embeddings_->addChoice(tr("Tied"), QStringLiteral("tied"), tr("The head reads the embedding's weights"));
    place(embeddings_);
    norm_ = new FieldCombo(tr("Norm"), this);
    norm_->addChoice(tr("RMSNorm"), QStringLiteral("rmsnorm"));
    norm_->addChoice(tr("LayerNorm"), QStringLiteral("layernorm"));
    place(norm_);
    feedForward_ = new FieldCombo(tr("Experts"), this);
    feedForward_->addChoice(tr("None, dense"), QStringLiteral("dense"));
    feedForward_->addChoice(tr("Mixture of experts"), QStringLiteral("moe"));
    place(feedForward_);
    const auto hasExperts = [](const ModelSpec& m) { return m.moe.has_value(); };
    const auto expert = [&](const QString& caption, std::int64_t MoeSpec::*member) {
        number(
            caption, [member](const ModelSpec& m) { return m.moe ? (*m.moe).*member : 0; },
            [member](ModelSpec& m, std::int64_t v) {
                if (m.moe) (*m.moe).*member = v;
            },
            hasExperts);
    };
    expert(tr("Number of experts"), &MoeSpec::experts);
    expert(tr("Experts per token"), &MoeSpec::topK);
    expert(tr("Expert width"), &MoeSpec::expertFfnHiddenSize);
    expert(tr("Shared experts"), &MoeSpec::sharedExperts);
    expert(tr("Dense layers first"), &MoeSpec::denseLayers);
    layout->addLayout(grid);

    connect(mlp_, &FieldCombo::keyChosen, this, [this](const QString& key) {
        edit(tr("Change feed-forward"), [&](ModelSpec& m) { m.gatedMlp = key == QStringLiteral("gated"); });
    });
    connect(embeddings_, &FieldCombo::keyChosen, this, [this](const QString& key) {
        edit(tr("Change embeddings"), [&](ModelSpec& m) { m.tiedEmbeddings = key == QStringLiteral("tied"); });
    });
    connect(norm_, &FieldCombo::keyChosen, this, [this](const QString& key) {
        edit(tr("Change norm"),
             [&](ModelSpec& m) { m.norm = key == QStringLiteral("rmsnorm") ? NormKind::rmsnorm : NormKind::layernorm; });
    });
    connect(feedForward_, &FieldCombo::keyChosen, this, [this](const QString& key) {
        edit(tr("Change experts"), [&](ModelSpec& m) {
            if (key == QStringLiteral("dense")) {
                m.moe.reset();
                m.layerKinds.clear();
            } else if (!m.moe) {
                m.moe = MoeSpec{.experts = 8, .topK = 2, .expertFfnHiddenSize = m.ffnHiddenSize};
                m.layerKinds.clear();
            }
        });
    });
}

void ModelPanel::refresh() {
    const ModelSpec& m = *document_->snapshot()->model;
    title_->setFact(text(m.name));
    for (const NumberField& n : numbers_) {
        const bool applies = !n.applies || n.applies(m);
        n.field->setVisible(applies);
        if (applies) n.field->showNumber(static_cast<double>(n.get(m)));
    }
    mlp_->showKey(m.gatedMlp ? QStringLiteral("gated") : QStringLiteral("plain"));
    embeddings_->showKey(m.tiedEmbeddings ? QStringLiteral("tied") : QStringLiteral("untied"));
    norm_->showKey(m.norm == NormKind::rmsnorm ? QStringLiteral("rmsnorm") : QStringLiteral("layernorm"));
    feedForward_->showKey(m.moe ? QStringLiteral("moe") : QStringLiteral("dense"));
    const ParameterCounts counts = countParameters(m, document_->snapshot()->workload.sequenceLength);
    QString line = tr("%1 parameters").arg(text(grouped(counts.total)));
    if (counts.active != counts.total) line += tr(", %1 active per token").arg(text(grouped(counts.active)));
    counts_->setText(line);
    for (int i = 0; i < list_->count(); ++i)
        if (list_->item(i)->data(kIdRole).toString() == text(m.preset) && list_->currentRow() != i) list_->setCurrentRow(i);
    if (m.preset.empty()) list_->clearSelection();
}

void ModelPanel::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void ModelPanel::dropEvent(QDropEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.isEmpty() || !urls.first().isLocalFile()) return;
    event->acceptProposedAction();
    emit fileDropped(urls.first().toLocalFile());
}

}  // namespace trainyard
