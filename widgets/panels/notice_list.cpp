#include "widgets/panels/notice_list.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

#include "widgets/document/scenario_edits.h"
#include "widgets/style/icons.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

constexpr std::size_t kFixes = 4;

class SeverityMark : public QWidget {
  public:
    SeverityMark(Severity severity, QWidget* parent) : QWidget(parent), severity_(severity) { setFixedSize(16, 18); }

  protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = Theme::current();
        QPainter painter(this);
        const QRect box(0, 2, 14, 14);
        switch (severity_) {
            case Severity::error: paintIcon(painter, QStringLiteral("circle-alert"), box, theme.outOfMemory); break;
            case Severity::warning: paintIcon(painter, QStringLiteral("triangle-alert"), box, theme.tight); break;
            case Severity::note: paintIcon(painter, QStringLiteral("info"), box, theme.secondaryText); break;
        }
    }

  private:
    Severity severity_;
};

QString pointerOfLink(const QString& link) { return link.section(QLatin1Char('='), 0, 0); }
qint64 numberOfLink(const QString& link) { return link.section(QLatin1Char('='), 1).toLongLong(); }

bool canBeSet(const std::string& pointer) {
    return pointer.starts_with("/plan/") || pointer.starts_with("/workload/") || pointer.starts_with("/model/");
}

}  // namespace

NoticeList::NoticeList(QWidget* parent) : QWidget(parent), layout_(new QVBoxLayout(this)) {
    layout_->setContentsMargins(0, 0, 0, 0);
    layout_->setSpacing(6);
    setAccessibleName(tr("Notices"));
}

void NoticeList::setDiagnostics(const std::vector<Diagnostic>& diagnostics) {
    std::vector<Diagnostic> sorted = diagnostics;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Diagnostic& a, const Diagnostic& b) { return a.severity < b.severity; });
    if (sorted == diagnostics_) return;
    diagnostics_ = std::move(sorted);
    rebuild();
}

void NoticeList::setRefusal(const Diagnostic& refusal) {
    refusal_ = refusal;
    refused_ = true;
    rebuild();
}

void NoticeList::clearRefusal() {
    if (!refused_) return;
    refused_ = false;
    rebuild();
}

void NoticeList::rebuild() {
    while (QLayoutItem* item = layout_->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();  // a row may be what asked for the change
        delete item;
    }
    std::vector<Diagnostic> shown;
    if (refused_) shown.push_back(refusal_);
    shown.insert(shown.end(), diagnostics_.begin(), diagnostics_.end());
    for (const Diagnostic& diagnostic : shown) {
        auto* row = new QWidget(this);
        auto* line = new QHBoxLayout(row);
        line->setContentsMargins(0, 0, 0, 0);
        line->setSpacing(6);
        line->addWidget(new SeverityMark(diagnostic.severity, row), 0, Qt::AlignTop);
        QString html = QString::fromStdString(diagnostic.message).toHtmlEscaped();
        if (!html.isEmpty()) html[0] = html[0].toUpper();
        if (canBeSet(diagnostic.pointer) && !diagnostic.legalValues.empty()) {
            QStringList fixes;
            for (std::size_t i = 0; i < diagnostic.legalValues.size() && i < kFixes; ++i)
                fixes << QStringLiteral("<a href=\"%1=%2\">%2</a>")
                             .arg(QString::fromStdString(diagnostic.pointer))
                             .arg(diagnostic.legalValues[i]);
            html += QStringLiteral(" <span style=\"white-space:nowrap\">") + tr("Set to") + QStringLiteral(" ") +
                    fixes.join(QStringLiteral(" · ")) + QStringLiteral("</span>");
        }
        auto* label = new QLabel(html, row);
        label->setFont(type::font(type::kSecondary));
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
        label->setForegroundRole(QPalette::WindowText);
        label->setAccessibleName(QString::fromStdString(diagnostic.message));
        connect(label, &QLabel::linkActivated, this,
                [this](const QString& link) { emit fixRequested(pointerOfLink(link).toStdString(), numberOfLink(link)); });
        line->addWidget(label, 1);
        layout_->addWidget(row);
    }
    updateGeometry();
}

}  // namespace trainyard
