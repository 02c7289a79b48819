#include "widgets/plots/accuracy_panel.h"

#include <QContextMenuEvent>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QScrollArea>
#include <QTabBar>
#include <QTextDocument>
#include <algorithm>
#include <cmath>

#include "core/engine/evaluation.h"
#include "core/io/json/accuracy_json.h"
#include "widgets/document/plan_document.h"
#include "widgets/plots/accuracy_table.h"
#include "widgets/style/icons.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

constexpr int kWideFrom = 640;
constexpr int kHeader = 40;
constexpr double kFigureScaleFrom = 760;  ///< height of a picture from which on text grows with it

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

/// The source that costs the average most.
std::optional<int> worstSource(const AccuracyReport& report, AccuracyFigure figure) {
    std::optional<int> worst;
    double most = 0;
    for (std::size_t i = 0; i < report.sources.size(); ++i) {
        const SourceAccuracy& s = report.sources[i];
        const auto cost = [](const auto& part) { return part ? std::min(1.0, part->count / 20.0) * part->meanAbsolute : 0; };
        const double here = figure == AccuracyFigure::time ? cost(s.time) : cost(s.memory);
        if (here <= most) continue;
        most = here;
        worst = static_cast<int>(i);
    }
    return worst;
}

QString percent(const std::optional<double>& share) { return share ? QString::number(100 * *share, 'f', 1) + QStringLiteral(" %") : QStringLiteral("–"); }

}  // namespace

AccuracyPanel::AccuracyPanel(PlanDocument* document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      title_(new QLabel(tr("PREDICTED AGAINST PUBLISHED"), this)),
      summary_(new QLabel(this)),
      switch_(new QTabBar(this)),
      plot_(new AccuracyPlot(this)),
      table_(new AccuracyTable),
      scroll_(new QScrollArea(this)),
      reason_(new QLabel(this)),
      validity_(new QLabel(this)) {
    setAccessibleName(tr("Accuracy"));
    setAutoFillBackground(true);
    title_->setFont(type::font(type::kSecondary, QFont::DemiBold));
    summary_->setFont(type::font(type::kSecondary));
    switch_->setDrawBase(false);
    switch_->addTab(tr("Step time"));
    switch_->addTab(tr("Peak memory"));
    switch_->setAccessibleName(tr("Which figure"));
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setWidgetResizable(true);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->setWidget(table_);
    for (QLabel* label : {reason_, validity_}) {
        label->setWordWrap(true);
        label->setFont(type::font(type::kSecondary));
        label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    }
    connect(switch_, &QTabBar::currentChanged, this, [this](int index) { setFigure(index == 0 ? AccuracyFigure::time : AccuracyFigure::memory); });
    connect(plot_, &AccuracyPlot::sourceHovered, table_, &AccuracyTable::setHovered);
    connect(plot_, &AccuracyPlot::sourceClicked, this, &AccuracyPanel::toggleSource);
    connect(table_, &AccuracyTable::sourceClicked, this, &AccuracyPanel::toggleSource);
    connect(table_, &AccuracyTable::sourceHovered, this, [this](std::optional<int> source) {
        if (!selected_) plot_->setSelected(source);
    });
    connect(document_, &PlanDocument::evaluationChanged, this, &AccuracyPanel::refreshValidity);
    refreshValidity();
}

QString AccuracyPanel::reason() const { return reason_->text(); }
QString AccuracyPanel::validity() const { return validity_->text(); }

void AccuracyPanel::load() {
    if (loaded_) return;
    loaded_ = true;
    refresh();
}

void AccuracyPanel::setFigure(AccuracyFigure figure) {
    if (figure_ == figure) return;
    figure_ = figure;
    selected_.reset();
    switch_->setCurrentIndex(figure == AccuracyFigure::time ? 0 : 1);
    if (loaded_) refresh();
}

void AccuracyPanel::toggleSource(int source) {
    selected_ = selected_ == source ? std::nullopt : std::optional<int>(source);
    refresh();
}

void AccuracyPanel::refresh() {
    const Theme& theme = Theme::current();
    const AccuracyReport& report = shippedAccuracy();
    const AccuracySummary& a = report.summary;
    plot_->setReport(&report, figure_);
    plot_->setSelected(selected_);
    table_->setReport(&report, figure_);
    table_->setSelected(selected_);
    const auto strong = [&](const std::optional<double>& share) { return QStringLiteral("<span style='color:%1;font-weight:600'>%2</span>").arg(theme.text.name(), percent(share)); };
    summary_->setText(figure_ == AccuracyFigure::time
                          ? tr("mean error %1, nine of ten below %2 · %3 runs of %4 sources · order of plans inside sweeps: Kendall's tau %5")
                                .arg(strong(a.timeMeanAbsolute), strong(a.timeNinetieth))
                                .arg(a.runs)
                                .arg(report.sources.size())
                                .arg(percent(a.rankAgreement))
                          : tr("mean error %1, 95 % not under by more than %2 · out of memory found %3, wrongly rejected %4")
                                .arg(strong(a.memoryMeanAbsolute), strong(a.memoryUnder95 ? std::optional<double>(std::max(0.0, -*a.memoryUnder95)) : std::nullopt),
                                     percent(a.outOfMemoryRecall), percent(a.falseAlarms)));
    const auto worst = selected_ ? selected_ : worstSource(report, figure_);
    QString words;
    if (worst) {
        const SourceAccuracy& source = report.sources[static_cast<std::size_t>(*worst)];
        const QString sentence = text(figure_ == AccuracyFigure::time ? source.worstTime : source.worstMemory);
        words = QStringLiteral("<span style='color:%1'>%2</span> %3")
                    .arg(theme.secondaryText.name(), selected_ ? tr("Largest error:") : tr("Largest error of %1:").arg(text(source.title).section(QStringLiteral(" ("), 0, 0)).toHtmlEscaped(),
                         sentence.toHtmlEscaped());
    }
    if (!selected_)
        words += QStringLiteral("<br><span style='color:%1'>%2</span>").arg(theme.secondaryText.name(), tr("Choose a source for its own. Averages weigh a source of n runs by min(1, n / 20)."));
    reason_->setText(words);
    QPalette quiet = title_->palette();
    quiet.setColor(QPalette::WindowText, theme.secondaryText);
    title_->setPalette(quiet);
    summary_->setPalette(quiet);
    refreshValidity();
    arrange();
}

void AccuracyPanel::refreshValidity() {
    const Theme& theme = Theme::current();
    const auto evaluation = document_->evaluation();
    if (!evaluation || !evaluation->computed) {
        validity_->setText(QString());
        return;
    }
    const QColor color = evaluation->insideValidatedRange ? theme.fits : theme.tight;
    QString words = QStringLiteral("<span style='color:%1;font-weight:600'>%2</span>")
                        .arg(color.name(), evaluation->insideValidatedRange ? tr("This scenario is inside the range that was checked") : tr("This scenario is outside the range that was checked"));
    QStringList notes;
    for (const std::string& note : evaluation->validityNotes) notes << text(note).toHtmlEscaped();
    if (!notes.isEmpty()) words += QStringLiteral("<br>") + notes.join(QStringLiteral("<br>"));
    validity_->setText(words);
    arrange();
}

void AccuracyPanel::arrange() {
    const int padding = space::kPanelPadding;
    const int titleWidth = title_->sizeHint().width();
    const int switchWidth = switch_->sizeHint().width();
    title_->setGeometry(padding, 0, titleWidth, kHeader);
    switch_->setGeometry(width() - switchWidth - padding, 2, switchWidth, kHeader - 4);
    const int summaryWidth = width() - titleWidth - switchWidth - 4 * padding;
    summary_->setGeometry(2 * padding + titleWidth, 0, std::max(0, summaryWidth), kHeader);
    summary_->setVisible(summaryWidth > 200);
    const int body = height() - kHeader;
    const bool isWide = width() >= kWideFrom;
    const int left = isWide ? std::clamp(width() * 46 / 100, 300, std::max(300, body * 5 / 3)) : width();
    const int top = isWide ? body : body * 55 / 100;
    plot_->setGeometry(0, kHeader, left, top);
    const QRect side = isWide ? QRect(left, kHeader, width() - left, body) : QRect(0, kHeader + top, width(), body - top);
    const int textWidth = std::max(60, side.width() - 2 * padding);
    const int validityHeight = validity_->text().isEmpty() ? 0 : std::min(validity_->heightForWidth(textWidth), side.height() / 4) + 8;
    const int reasonHeight = std::min(reason_->heightForWidth(textWidth), side.height() / 4) + 8;
    const int tableHeight = std::max(0, side.height() - validityHeight - reasonHeight);
    scroll_->setGeometry(side.left(), side.top(), side.width(), tableHeight);
    reason_->setGeometry(side.left() + padding, side.top() + tableHeight + 4, textWidth, reasonHeight - 4);
    validity_->setGeometry(side.left() + padding, side.top() + tableHeight + reasonHeight, textWidth, validityHeight);
}

void AccuracyPanel::paintFigure(QPainter& painter, const QRectF& area) {
    load();
    const Theme& theme = Theme::current();
    painter.fillRect(area, theme.panel);
    // A large picture shows larger text, not more emptiness.
    const double scale = std::clamp(area.height() / kFigureScaleFrom, 1.0, 2.5);
    painter.save();
    painter.translate(area.topLeft());
    painter.scale(scale, scale);
    const QRectF page(0, 0, area.width() / scale, area.height() / scale);
    const auto rich = [&](const QString& words, const QRectF& box) {
        QTextDocument document;
        document.setDefaultFont(type::font(type::kSecondary));
        document.setDocumentMargin(0);
        document.setDefaultStyleSheet(QStringLiteral("body { color: %1 }").arg(theme.text.name()));
        document.setHtml(QStringLiteral("<body>%1</body>").arg(words));
        document.setTextWidth(box.width());
        painter.save();
        painter.translate(box.topLeft());
        document.drawContents(&painter);
        painter.restore();
        return document.size().height();
    };
    const QString heading = figure_ == AccuracyFigure::time ? tr("Step time: predicted against published") : tr("Peak memory: predicted against published");
    const double summaryHeight = rich(QStringLiteral("<b style='font-size:%4px'>%1</b><br><span style='color:%2'>%3</span>")
                                          .arg(heading, theme.secondaryText.name(), summary_->text())
                                          .arg(type::kStrong + 2),
                                      QRectF(16, 10, page.width() - 32, 60));
    const double top = 10 + summaryHeight + 10;
    const bool isWide = page.width() >= kWideFrom;
    const double left = isWide ? std::min(page.width() * 0.5, (page.height() - top) * 1.15) : page.width();
    const double plotHeight = isWide ? page.height() - top : (page.height() - top) * 0.55;
    plot_->paintFigure(painter, QRectF(0, top, left, plotHeight));
    const QRectF side = isWide ? QRectF(left + 8, top, page.width() - left - 16, page.height() - top) : QRectF(8, top + plotHeight, page.width() - 16, page.height() - top - plotHeight);
    double used = table_->paintTable(painter, side) + 12;
    used += rich(reason_->text(), QRectF(side.left() + 12, side.top() + used, side.width() - 24, 80)) + 10;
    if (side.height() - used > 20) rich(validity_->text(), QRectF(side.left() + 12, side.top() + used, side.width() - 24, 80));
    painter.restore();
}

void AccuracyPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    load();
}

void AccuracyPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void AccuracyPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && loaded_) refresh();
    QWidget::changeEvent(event);
}

void AccuracyPanel::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.addAction(icon(QStringLiteral("copy")), tr("Copy picture"), this, [this] { copyFigure(*this, {tr("Predicted against published"), {}}); });
    menu.addAction(icon(QStringLiteral("image")), tr("Export picture…"), this, [this] { exportFigureInteractively(*this, QStringLiteral("accuracy"), {tr("Predicted against published"), {}}); });
    menu.exec(event->globalPos());
}

}  // namespace trainyard
