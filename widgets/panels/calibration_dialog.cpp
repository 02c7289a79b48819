#include "widgets/panels/calibration_dialog.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>
#include <cmath>

#include "core/base/format_quantity.h"
#include "core/calibrate/calibration_text.h"
#include "core/engine/calibration_constants.h"
#include "core/io/measurements.h"
#include "widgets/document/plan_document.h"
#include "widgets/document/scenario_edits.h"
#include "widgets/plots/figure_table.h"
#include "widgets/style/byte_units.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

using Outcome = FittedConstant::Outcome;
using Cell = FigureTable::Cell;

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }
QString text(std::string_view utf8) { return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())); }
QString factor(double value) { return QString::number(value, 'g', 4); }

/// Small errors are good, large ones are not; the same thresholds as the accuracy page's band.
Cell errorCell(double error) {
    const Theme& theme = Theme::current();
    const double size = std::abs(error);
    QString shown = QString::number(100 * error, 'f', 1) + QStringLiteral(" %");
    if (error > 0.0005) shown.prepend(QLatin1Char('+'));
    if (size <= 0.0005) shown = QStringLiteral("0.0 %");
    return {shown, {}, size < 0.05 ? theme.fits : size < 0.2 ? theme.tight : theme.outOfMemory, {}, false};
}

void addRun(std::vector<std::vector<Cell>>& rows, const FittedMeasurement& run, const FittedFigure& figure, bool isTime) {
    const auto shown = [&](double value) { return text(isTime ? secondsText(value).joined() : shownBytes(value).joined()); };
    rows.push_back({{text(run.name), text(run.where), {}, {}, false},
                    {isTime ? CalibrationDialog::tr("step time") : CalibrationDialog::tr("peak memory"), {}, Theme::current().secondaryText, {}, false},
                    {shown(figure.measured), {}, {}, {}, true},
                    {shown(figure.before), {}, {}, {}, false},
                    errorCell(figure.errorBefore()),
                    {shown(figure.after), {}, {}, {}, false},
                    errorCell(figure.errorAfter())});
}

QLabel* heading(const QString& title, QWidget* parent) {
    auto* label = new QLabel(title, parent);
    label->setFont(type::font(type::kSecondary, QFont::DemiBold));
    return label;
}

}  // namespace

CalibrationDialog::CalibrationDialog(PlanDocument* document, QWidget* parent)
    : QDialog(parent),
      document_(document),
      state_(new QLabel(this)),
      message_(new QLabel(this)),
      constants_(new FigureTable(this)),
      runs_(new FigureTable(this)),
      progress_(new QProgressBar(this)),
      choose_(new QPushButton(tr("Fit to my measurements…"), this)),
      take_(new QPushButton(tr("Use these constants"), this)),
      reset_(new QPushButton(tr("Reset to built-in"), this)) {
    setWindowTitle(tr("Calibration"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 12);
    layout->setSpacing(8);
    state_->setFont(type::font(type::kStrong, QFont::DemiBold));
    state_->setWordWrap(true);
    message_->setWordWrap(true);
    message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(state_);
    layout->addWidget(message_);
    layout->addWidget(heading(tr("CONSTANTS"), this));
    constants_->setAccessibleName(tr("Constants"));
    for (FigureTable* table : {constants_, runs_}) table->horizontalHeader()->setStretchLastSection(true);
    layout->addWidget(constants_, 3);
    runsTitle_ = heading(tr("RUNS"), this);
    layout->addWidget(runsTitle_);
    runs_->setAccessibleName(tr("Runs, measured and predicted"));
    layout->addWidget(runs_, 2);
    progress_->setRange(0, 0);
    progress_->setTextVisible(false);
    progress_->setFixedHeight(4);
    layout->addWidget(progress_);
    auto* buttons = new QHBoxLayout;
    auto* close = new QPushButton(tr("Close"), this);
    buttons->addWidget(choose_);
    buttons->addWidget(reset_);
    buttons->addStretch(1);
    buttons->addWidget(take_);
    buttons->addWidget(close);
    layout->addLayout(buttons);
    take_->setDefault(true);
    choose_->setToolTip(tr("A JSON or CSV file of your runs: values laid over this scenario, and step_s, tokens_per_s or peak_bytes. "
                           "“trainyard-cli calibrate --help” describes it."));
    connect(choose_, &QPushButton::clicked, this, &CalibrationDialog::chooseFile);
    connect(take_, &QPushButton::clicked, this, &CalibrationDialog::take);
    connect(reset_, &QPushButton::clicked, this, &CalibrationDialog::reset);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    connect(document_, &PlanDocument::snapshotChanged, this, &CalibrationDialog::refresh);
    resize(860, 620);
    progress_->hide();
    refresh();
}

CalibrationDialog::~CalibrationDialog() = default;

QString CalibrationDialog::message() const { return message_->text(); }

void CalibrationDialog::chooseFile() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Measurements"), {}, tr("Measurements (*.json *.csv *.tsv *.txt);;All files (*)"));
    if (!file.isEmpty()) fit(file);
}

void CalibrationDialog::fit(const QString& file, bool wait) {
    const auto work = [scenario = document_->snapshot(), path = file.toStdString()](std::stop_token stop) -> Result<CalibrationReport> {
        std::vector<std::string> remarks;
        const auto runs = readMeasurementFile(*scenario, {}, path, presetLibrary(), remarks);
        if (!runs) return tl::unexpected<Error>(runs.error());
        CalibrationOptions options;
        options.stop = std::move(stop);
        return calibrate(scenario->calibration, *runs, options);
    };
    thread_ = {};
    if (wait) {
        showReport(work({}));
        return;
    }
    progress_->show();
    choose_->setEnabled(false);
    message_->setText(tr("Fitting…"));
    thread_ = std::jthread([work, dialog = QPointer<CalibrationDialog>(this)](const std::stop_token& stop) {
        auto result = work(stop);
        if (stop.stop_requested()) return;
        QMetaObject::invokeMethod(
            dialog, [dialog, found = std::move(result)]() mutable { if (dialog) dialog->showReport(std::move(found)); }, Qt::QueuedConnection);
    });
}

void CalibrationDialog::showReport(Result<CalibrationReport> result) {
    progress_->hide();
    choose_->setEnabled(true);
    report_.reset();
    if (result) report_ = std::move(*result);
    refresh();
    if (!result) message_->setText(QStringLiteral("%1: %2").arg(text(result.error().where), text(result.error().message)));
}

void CalibrationDialog::take() {
    if (!report_) return;
    const auto constants = report_->calibration;
    report_.reset();
    editScenario(*document_, tr("Calibrate"), [&](Scenario& scenario) { scenario.calibration = constants; });
    refresh();
}

void CalibrationDialog::reset() {
    report_.reset();
    editScenario(*document_, tr("Reset calibration"), [](Scenario& scenario) { scenario.calibration.clear(); });
    refresh();
}

void CalibrationDialog::refresh() {
    const Theme& theme = Theme::current();
    const auto& inForce = document_->snapshot()->calibration;
    const QString sentence = text(calibrationSentence(inForce, CalibrationWords::briefly));
    std::vector<std::vector<Cell>> constants, runs;
    if (report_) {
        state_->setText(report_->measurements.size() == 1 ? tr("Fitted to 1 measurement of yours, not in use yet")
                                                          : tr("Fitted to %1 measurements of yours, not in use yet").arg(report_->measurements.size()));
        QStringList lines;
        if (report_->time.count > 0) lines << tr("Step time: %1").arg(text(errorSummaryText(report_->time)));
        if (report_->memory.count > 0) lines << tr("Peak memory: %1").arg(text(errorSummaryText(report_->memory)));
        message_->setText(lines.join(QLatin1Char('\n')));
        for (const bool fitted : {true, false})
            for (const FittedConstant& c : report_->constants) {
                const bool isFitted = c.outcome == Outcome::fitted || c.outcome == Outcome::atBound;
                if (isFitted != fitted) continue;
                const QString note = isFitted && c.outcome == Outcome::fitted ? tr("± %1 %").arg(100 * c.uncertainty, 0, 'f', 1) : text(outcomeText(c));
                const QColor quiet = isFitted ? QColor() : theme.secondaryText;
                constants.push_back({{text(c.name), text(c.meaning), quiet, {}, isFitted}, {factor(c.value), {}, quiet, {}, isFitted}, {text(c.meaning), {}, quiet, {}, false}, {note, {}, theme.secondaryText, {}, false}});
            }
        for (const FittedMeasurement& run : report_->measurements) {
            if (run.step) addRun(runs, run, *run.step, true);
            if (run.peak) addRun(runs, run, *run.peak, false);
        }
    } else {
        state_->setText(sentence.isEmpty() ? tr("Built-in constants in use") : tr("In use: %1").arg(sentence));
        message_->setText(sentence.isEmpty() ? tr("Runs of your own, with their step time or peak memory, fit the engine's constants to your cluster. "
                                                  "Constants that the runs do not determine stay as they are.")
                                             : tr("Every figure of this scenario uses these factors on the built-in constants."));
        for (const CalibrationConstant& known : calibrationConstants()) {
            const auto found = inForce.find(std::string(known.name));
            const bool isSet = found != inForce.end();
            constants.push_back({{text(known.name), {}, isSet ? QColor() : theme.secondaryText, {}, isSet},
                                 {isSet ? factor(found->second) : QStringLiteral("1"), {}, isSet ? QColor() : theme.secondaryText, {}, isSet},
                                 {text(known.meaning), {}, isSet ? QColor() : theme.secondaryText, {}, false},
                                 {isSet ? QString() : tr("built in"), {}, theme.secondaryText, {}, false}});
        }
    }
    constants_->setFigures({{tr("Constant"), {}, true}, {tr("Factor"), tr("On the built-in figure"), false}, {tr("Scales"), {}, true}, {tr("Range"), {}, true}}, constants);
    runs_->setFigures({{tr("Run"), {}, true},
                       {tr("Figure"), {}, true},
                       {tr("Measured"), {}, false},
                       {tr("Before"), {}, false},
                       {tr("Error"), {}, false},
                       {tr("After"), {}, false},
                       {tr("Error"), {}, false}},
                      runs);
    runs_->setVisible(!runs.empty());
    runsTitle_->setVisible(!runs.empty());
    take_->setEnabled(report_.has_value());
    reset_->setEnabled(!inForce.empty());
}

}  // namespace trainyard
