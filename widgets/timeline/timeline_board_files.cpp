#include <fmt/format.h>

#include <QCursor>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QRegularExpression>

#include "core/io/text_file.h"
#include "core/schedule/trace_form.h"
#include "widgets/style/icons.h"
#include "widgets/timeline/timeline_board.h"
#include "widgets/timeline/timeline_view.h"

namespace trainyard {

QString TimelineBoard::showMeasured(const QString& path) {
    constexpr std::size_t kMostTraceBytes = std::size_t{512} << 20;
    const Result<std::string> text = readTextFile(path.toStdString(), kMostTraceBytes);
    if (!text) return QString::fromStdString(text.error().where + ": " + text.error().message);
    auto trace = readMeasuredTrace(*text, path.toStdString());
    if (!trace) return QString::fromStdString(trace.error().where + ": " + trace.error().message);
    measured_ = std::make_shared<const MeasuredTrace>(std::move(*trace));
    measuredName_ = QFileInfo(path).fileName();
    showEntries();
    return {};
}

void TimelineBoard::clearMeasured() {
    measured_.reset();
    measuredName_.clear();
    showEntries();
}

QString TimelineBoard::exportTrace(int index, const QString& path) const {
    const TimelineModel& model = *originals_[static_cast<std::size_t>(index)].model;
    const TimeUnit unit = model.context().unit;
    const TraceHeading heading{.title = originals_[static_cast<std::size_t>(index)].title.toStdString(),
                               .note = unit.isSeconds ? "" : "1 ms = 1 unit",
                               .microsecondsPerTick = unit.perTick * (unit.isSeconds ? 1e6 : 1e3),
                               .row = unit.isSeconds ? "stage" : "device"};
    const Result<void> done = writeFileAtomically(path.toStdString(), fmt::to_string(traceForm(model.timeline(), heading)));
    return done ? QString() : QString::fromStdString(done.error().where + ": " + done.error().message);
}

QString TimelineBoard::suggestedFileName() const {
    QString name = figureTitle_.isEmpty() ? QStringLiteral("timeline") : figureTitle_.toLower();
    name.replace(QRegularExpression(QStringLiteral("[^a-z0-9]+")), QStringLiteral("-"));
    return name.left(60);
}

void TimelineBoard::showMenu() {
    QMenu menu(this);
    menu.addAction(icon(QStringLiteral("copy")), tr("Copy picture"), this, [this] { copyFigure(*this, {figureTitle_, {}}); });
    menu.addAction(icon(QStringLiteral("image")), tr("Export picture…"), this, [this] {
        exportFigureInteractively(*this, suggestedFileName(), {figureTitle_, {}});
    });
    menu.addAction(tr("Export trace for Perfetto\u2026"), this, &TimelineBoard::saveTrace)->setEnabled(!entries_.empty());
    menu.addSeparator();
    menu.addAction(tr("Lay a measured trace over it\u2026"), this, &TimelineBoard::openTrace)->setEnabled(!entries_.empty());
    if (measured_) menu.addAction(tr("Take away %1").arg(measuredName_), this, &TimelineBoard::clearMeasured);
    menu.addSeparator();
    menu.addAction(tr("Taller rows"), this, [this] {
        for (TimelineView* view : views_) view->setRowZoom(view->rowZoom() * 1.4);
    });
    menu.addAction(tr("Fit rows"), this, [this] {
        for (TimelineView* view : views_) view->setRowZoom(1);
    });
    QMenu* keys = menu.addMenu(tr("Keys and mouse"));
    for (const auto& help : TimelineView::keyHelp()) keys->addAction(help.keys + QLatin1Char('\t') + help.does);
    menu.exec(QCursor::pos());
}

void TimelineBoard::showKeys() {
    QMenu menu(this);
    for (const auto& help : TimelineView::keyHelp()) menu.addAction(help.keys + QLatin1Char('\t') + help.does);
    menu.exec(views_.front()->mapToGlobal(QPoint(static_cast<int>(kLabelWidth), static_cast<int>(kRulerHeight))));
}

void TimelineBoard::openTrace() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Lay a measured trace over the timeline"), {},
                                                      tr("Chrome traces (*.json);;All files (*)"));
    if (path.isEmpty()) return;
    if (const QString problem = showMeasured(path); !problem.isEmpty())
        QMessageBox::warning(this, tr("The trace could not be shown"), problem);
}

void TimelineBoard::saveTrace() {
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export trace for Perfetto"), suggestedFileName() + QStringLiteral(".json"), tr("Chrome traces (*.json)"));
    if (path.isEmpty()) return;
    // Several pictures: one file each, numbered from the second on.
    for (int index = 0; index < static_cast<int>(originals_.size()); ++index) {
        QString own = path;
        if (index > 0) own.insert(path.lastIndexOf(QLatin1Char('.')), QStringLiteral("-%1").arg(index + 1));
        const QString problem = exportTrace(index, own);
        if (problem.isEmpty()) continue;
        QMessageBox::warning(this, tr("The trace could not be written"), problem);
        return;
    }
}

}  // namespace trainyard
