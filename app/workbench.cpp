#include "app/workbench.h"

#include <QApplication>
#include <QPainter>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include "widgets/cluster/cluster_panel.h"
#include "widgets/cluster/cluster_scene.h"
#include "widgets/cluster/cluster_view.h"
#include "widgets/document/plan_document.h"
#include "widgets/document/selection.h"
#include "widgets/panels/compare_panel.h"
#include "widgets/panels/explain_panel.h"
#include "widgets/panels/learn_panel.h"
#include "widgets/panels/search_panel.h"
#include "widgets/panels/header_bar.h"
#include "widgets/panels/model_panel.h"
#include "widgets/panels/model_strip.h"
#include "widgets/panels/notice_bar.h"
#include "widgets/panels/placement_panel.h"
#include "widgets/panels/plan_panel.h"
#include "widgets/panels/verdict_strip.h"
#include "widgets/panels/workload_panel.h"
#include "widgets/plots/accuracy_panel.h"
#include "widgets/plots/memory_panel.h"
#include "widgets/plots/scaling_panel.h"
#include "widgets/plots/traffic_panel.h"
#include "widgets/style/theme.h"
#include "widgets/teach/collective_player.h"
#include "widgets/teach/spotlight.h"
#include "widgets/teach/term_help.h"
#include "widgets/timeline/playground_panel.h"
#include "widgets/timeline/timeline_panel.h"

namespace trainyard {
namespace {

struct Tab {
    const char* name;
    const char* title;
};
constexpr Tab kTabs[] = {
    {"timeline", QT_TRANSLATE_NOOP("trainyard::Workbench", "Timeline")},
    {"memory", QT_TRANSLATE_NOOP("trainyard::Workbench", "Memory")},
    {"traffic", QT_TRANSLATE_NOOP("trainyard::Workbench", "Traffic")},
    {"playground", QT_TRANSLATE_NOOP("trainyard::Workbench", "Playground")},
    {"scaling", QT_TRANSLATE_NOOP("trainyard::Workbench", "Scaling")},
    {"search", QT_TRANSLATE_NOOP("trainyard::Workbench", "Search")},
    {"placement", QT_TRANSLATE_NOOP("trainyard::Workbench", "Placement")},
    {"compare", QT_TRANSLATE_NOOP("trainyard::Workbench", "Compare")},
    {"explain", QT_TRANSLATE_NOOP("trainyard::Workbench", "Explain")},
    {"learn", QT_TRANSLATE_NOOP("trainyard::Workbench", "Learn")},
    {"accuracy", QT_TRANSLATE_NOOP("trainyard::Workbench", "Accuracy")},
};
constexpr const char* kSidePages[] = {"plan", "workload", "model"};

/// The row that holds a tab bar: panel colour, hairline below.
class TabRow : public QWidget {
  public:
    explicit TabRow(QTabBar* bar, QWidget* parent) : QWidget(parent) {
        auto* layout = new QHBoxLayout(this);
        layout->setContentsMargins(8, 0, 8, 1);
        layout->addWidget(bar, 1, Qt::AlignLeft);
        setFixedHeight(39);
    }

  protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = Theme::current();
        QPainter painter(this);
        painter.fillRect(rect(), theme.panel);
        painter.fillRect(QRect(0, height() - 1, width(), 1), theme.hairline);
    }
};

QTabBar* makeTabBar(QWidget* parent, const QString& accessibleName) {
    auto* bar = new QTabBar(parent);
    bar->setDrawBase(false);
    bar->setExpanding(false);
    bar->setUsesScrollButtons(true);
    bar->setFont(type::font(type::kBody, QFont::DemiBold));  // room for the selected tab's weight
    bar->setAccessibleName(accessibleName);
    return bar;
}

}  // namespace

Workbench::Workbench(PlanDocument* document, Selection* selection, QWidget* parent)
    : QWidget(parent), document_(document), selection_(selection) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    header_ = new HeaderBar(this);
    notices_ = new NoticeBar(this);
    verdict_ = new VerdictStrip(document_, this);
    layout->addWidget(header_);
    layout->addWidget(notices_);
    layout->addWidget(verdict_);

    auto* canvas = new QWidget(this);
    auto* canvasLayout = new QVBoxLayout(canvas);
    canvasLayout->setContentsMargins(0, 0, 0, 0);
    canvasLayout->setSpacing(0);
    cluster_ = new ClusterPanel(document_, selection_, canvas);
    model_ = new ModelStrip(document_, selection_, canvas);
    canvasLayout->addWidget(cluster_, 1);
    canvasLayout->addWidget(model_);

    left_ = new QSplitter(Qt::Vertical, this);
    left_->addWidget(canvas);
    left_->addWidget(makeBottom());
    left_->setChildrenCollapsible(false);
    right_ = new QSplitter(Qt::Vertical, this);
    right_->addWidget(makeSide());
    sideMemory_ = new MemoryPanel(document_, selection_, right_);
    right_->addWidget(sideMemory_);
    right_->setCollapsible(0, false);
    columns_ = new QSplitter(Qt::Horizontal, this);
    columns_->addWidget(left_);
    columns_->addWidget(right_);
    columns_->setStretchFactor(0, 1);
    columns_->setStretchFactor(1, 0);
    columns_->setCollapsible(0, false);
    for (QSplitter* splitter : splitters()) splitter->setHandleWidth(5);
    layout->addWidget(columns_, 1);

    spotlight_ = new Spotlight(this);
    player_ = new CollectivePlayer([this](CollectivePlay kind) { return placesOfGroup(kind); }, &cluster_->view());
    setTerm(cluster_, QStringLiteral("cluster:node"), TermUse::keyOnly);
    setTerm(model_, QStringLiteral("/plan/layers_per_stage"), TermUse::keyOnly);
    setTerm(sideMemory_, QStringLiteral("/memory/verdict"), TermUse::keyOnly);
    const std::pair<const char*, const char*> views[] = {
        {"timeline", "/plan/schedule"}, {"memory", "/memory/verdict"}, {"traffic", "view:traffic"}, {"playground", "view:playground"},
        {"scaling", "view:scaling"},    {"search", "view:search"},     {"explain", "view:explain"}};
    for (const auto& [name, label] : views)
        if (QWidget* view = viewOrNull(QLatin1String(name))) setTerm(view, QLatin1String(label), TermUse::keyOnly);
    connect(verdict_, &VerdictStrip::explainRequested, this, [this](const QString& pointer) {
        explain_->setQuantity(pointer);
        showTab(QStringLiteral("explain"));
    });
}

QWidget* Workbench::makeBottom() {
    auto* bottom = new QWidget(this);
    auto* layout = new QVBoxLayout(bottom);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    tabs_ = makeTabBar(bottom, tr("Views"));
    pages_ = new QStackedWidget(bottom);
    pages_->setMinimumHeight(170);
    for (const Tab& tab : kTabs) {
        tabs_->addTab(tr(tab.title));
        const QString name = QString::fromLatin1(tab.name);
        QWidget* page = nullptr;
        if (name == QStringLiteral("timeline"))
            page = new TimelinePanel(document_, selection_, pages_);
        else if (name == QStringLiteral("playground"))
            page = new PlaygroundPanel(pages_);
        else if (name == QStringLiteral("memory"))
            page = new MemoryPanel(document_, selection_, pages_);
        else if (name == QStringLiteral("traffic"))
            page = new TrafficPanel(document_, selection_, pages_);
        else if (name == QStringLiteral("search"))
            page = search_ = new SearchPanel(document_, pages_);
        else if (name == QStringLiteral("placement"))
            page = placement_ = new PlacementPanel(document_, pages_);
        else if (name == QStringLiteral("compare"))
            page = new ComparePanel(document_, pages_);
        else if (name == QStringLiteral("explain"))
            page = explain_ = new ExplainPanel(document_, pages_);
        else if (name == QStringLiteral("learn"))
            page = learn_ = new LearnPanel(document_, pages_);
        else if (name == QStringLiteral("scaling"))
            page = new ScalingPanel(document_, pages_);
        else if (name == QStringLiteral("accuracy"))
            page = new AccuracyPanel(document_, pages_);
        // No page decides how small the window may be; each scrolls or elides instead.
        page->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
        pages_->addWidget(page);
    }
    // A lesson step points at a view or at a control of the plan, workload or model page.
    connect(learn_, &LearnPanel::focusRequested, this, [this](const QString& target) {
        if (QWidget* widget = focusTargetOrNull(target)) spotlight_->pointAt(widget);
    });
    connect(tabs_, &QTabBar::currentChanged, this, [this](int index) {
        pages_->setCurrentIndex(index);
        emit tabChanged();
    });
    layout->addWidget(new TabRow(tabs_, bottom));
    layout->addWidget(pages_, 1);
    return bottom;
}

QWidget* Workbench::makeSide() {
    auto* side = new QWidget(this);
    side->setMinimumWidth(300);
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    sideTabs_ = makeTabBar(side, tr("Plan, workload, model"));
    sideTabs_->addTab(tr("Plan"));
    sideTabs_->addTab(tr("Workload"));
    sideTabs_->addTab(tr("Model"));
    sidePages_ = new QStackedWidget(side);
    plan_ = new PlanPanel(document_, sidePages_);
    workload_ = new WorkloadPanel(document_, sidePages_);
    modelPanel_ = new ModelPanel(document_, sidePages_);
    sidePages_->addWidget(plan_);
    sidePages_->addWidget(workload_);
    sidePages_->addWidget(modelPanel_);
    connect(sideTabs_, &QTabBar::currentChanged, sidePages_, &QStackedWidget::setCurrentIndex);
    layout->addWidget(new TabRow(sideTabs_, side));
    layout->addWidget(sidePages_, 1);
    return side;
}

QStringList Workbench::tabNames() {
    QStringList names;
    for (const Tab& tab : kTabs) names << QString::fromLatin1(tab.name);
    return names;
}

void Workbench::showTab(const QString& name) {
    const auto index = tabNames().indexOf(name);
    if (index >= 0) tabs_->setCurrentIndex(static_cast<int>(index));
}

QString Workbench::currentTab() const { return tabNames().value(tabs_->currentIndex()); }

void Workbench::showSidePage(const QString& name) {
    for (int i = 0; i < static_cast<int>(std::size(kSidePages)); ++i)
        if (name == QLatin1String(kSidePages[i])) sideTabs_->setCurrentIndex(i);
}

std::vector<QRectF> Workbench::placesOfGroup(CollectivePlay kind) const {
    const auto evaluation = document_->evaluation();
    if (!evaluation || !evaluation->computed || !evaluation->layout) return {};
    const RankLayout& layout = *evaluation->layout;
    // The group that does this in the plan; where it has one member only, the next best that shows it.
    std::vector<Dimension> wanted{Dimension::data, Dimension::tensor, Dimension::context};
    if (kind == CollectivePlay::allReduce) wanted = {Dimension::tensor, Dimension::data, Dimension::context};
    if (kind == CollectivePlay::ringAttention) wanted = {Dimension::context, Dimension::tensor, Dimension::data};
    for (const Dimension dimension : wanted) {
        std::vector<QRectF> places;
        for (const std::int32_t device : layout.groupDevices(dimension, layout.rankOnDevice(0))) {
            const QRectF scene = cluster_->scene().rectOfDevice(device);
            if (!scene.isEmpty()) places.push_back(QRectF(cluster_->view().mapFromScene(scene).boundingRect()));
        }
        if (places.size() >= 2) return places;
    }
    return {};
}

QWidget* Workbench::focusTargetOrNull(const QString& focus) {
    // What has no control of its own is set where its neighbour is.
    static const std::pair<QLatin1String, QLatin1String> kNeighbours[] = {
        {QLatin1String("/plan/shard_group"), QLatin1String("/plan/zero_stage")},
        {QLatin1String("/plan/expert_tensor_parallel"), QLatin1String("/plan/expert_parallel")}};
    QString wanted = focus;
    for (const auto& [from, to] : kNeighbours)
        if (focus == from) wanted = to;
    if (wanted == QStringLiteral("plan") || wanted == QStringLiteral("workload")) showSidePage(wanted);
    if (QWidget* view = viewOrNull(wanted)) {
        if (tabNames().contains(wanted)) showTab(wanted);
        return view;
    }
    if (wanted == QStringLiteral("/model")) {
        showSidePage(QStringLiteral("model"));
        return modelPanel_;
    }
    for (QWidget* widget : findChildren<QWidget*>()) {
        if (widget->property(kTermProperty).toString() != wanted) continue;
        // The plan shows the usual workload fields too; a page that is open already stays.
        if (plan_->isAncestorOf(widget)) showSidePage(QStringLiteral("plan"));
        if (workload_->isAncestorOf(widget)) showSidePage(QStringLiteral("workload"));
        return widget;
    }
    return nullptr;
}

QWidget* Workbench::viewOrNull(const QString& name) const {
    if (name == QStringLiteral("cluster")) return cluster_;
    if (name == QStringLiteral("model")) return model_;
    if (name == QStringLiteral("plan")) return plan_;
    if (name == QStringLiteral("workload")) return workload_;
    const auto index = tabNames().indexOf(name);
    return index < 0 ? nullptr : pages_->widget(static_cast<int>(index));
}

QString Workbench::activeView() const {
    const QWidget* focus = QApplication::focusWidget();
    const auto holds = [focus](const QWidget* view) { return focus != nullptr && (view == focus || view->isAncestorOf(focus)); };
    for (const char* name : {"cluster", "model", "plan", "workload"})
        if (holds(viewOrNull(QLatin1String(name)))) return QLatin1String(name);
    return currentTab();
}

QList<QSplitter*> Workbench::splitters() const { return {columns_, left_, right_}; }

void Workbench::arrange(QSize size) {
    const int side = std::clamp(size.width() * 25 / 100, 344, 480);
    columns_->setSizes({size.width() - side, side});
    const int body = size.height() - 45 - 81 - 28;
    const int top = body * 54 / 100;
    left_->setSizes({top, body - top});
    // A low window gives its room to the plan; the memory bars are also a tab.
    const int memory = std::clamp(body * (body < 760 ? 34 : 45) / 100, 190, 460);
    right_->setSizes({body - memory, memory});
}

}  // namespace trainyard
