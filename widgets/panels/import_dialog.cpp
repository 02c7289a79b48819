#include "widgets/panels/import_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "core/io/text_file.h"
#include "widgets/document/plan_document.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }
QString text(std::string_view utf8) { return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())); }

QString section(const QString& title, const QStringList& lines) {
    if (lines.isEmpty()) return {};
    QString out = QStringLiteral("<h4>%1</h4><ul>").arg(title.toHtmlEscaped());
    for (const QString& line : lines) out += QStringLiteral("<li>%1</li>").arg(line.toHtmlEscaped());
    return out + QStringLiteral("</ul>");
}

/// `TP=8 NODES=4`: answers parted by blanks.
std::map<std::string, std::string> answers(const QString& line) {
    std::map<std::string, std::string> out;
    for (const QString& word : line.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const auto equals = word.indexOf(QLatin1Char('='));
        if (equals > 0) out[word.left(equals).toStdString()] = word.mid(equals + 1).toStdString();
    }
    return out;
}

}  // namespace

ImportDialog::ImportDialog(PlanDocument* document, std::shared_ptr<const PresetLibrary> presets, QWidget* parent)
    : QDialog(parent),
      document_(document),
      presets_(std::move(presets)),
      kind_(new QComboBox(this)),
      input_(new QPlainTextEdit(this)),
      open_(new QLineEdit(this)),
      report_(new QTextBrowser(this)),
      take_(new QPushButton(tr("Take over"), this)) {
    setWindowTitle(tr("Import"));
    resize(1000, 640);
    kind_->setAccessibleName(tr("Kind of text"));
    kind_->addItem(tr("Recognised by its content"), QStringLiteral("auto"));
    for (const Importer* importer : allImporters()) {
        kind_->addItem(text(importer->title), text(importer->id));
        kind_->setItemData(kind_->count() - 1, tr("Fills: %1").arg(text(importer->fills)), Qt::ToolTipRole);
    }
    kind_->setMaxVisibleItems(kind_->count());
    input_->setAccessibleName(tr("Text to import"));
    input_->setPlaceholderText(tr(
        "Paste a launch script, a framework's configuration, a topology dump or a host list, or open a file. Nothing is run."));
    input_->setLineWrapMode(QPlainTextEdit::NoWrap);
    input_->setFont(QFont(QStringLiteral("monospace")));
    open_->setPlaceholderText(tr("What the text leaves open, such as TP=8 NODES=4"));
    open_->setAccessibleName(tr("Answers for open variables"));
    report_->setAccessibleName(tr("Report"));
    report_->setOpenLinks(false);
    take_->setEnabled(false);
    take_->setDefault(true);

    auto* file = new QPushButton(tr("Open file…"), this);
    auto* close = new QPushButton(tr("Cancel"), this);
    auto* top = new QHBoxLayout;
    top->addWidget(kind_, 1);
    top->addWidget(file);
    auto* middle = new QHBoxLayout;
    middle->addWidget(input_, 1);
    middle->addWidget(report_, 1);
    auto* bottom = new QHBoxLayout;
    bottom->addWidget(open_, 1);
    bottom->addWidget(close);
    bottom->addWidget(take_);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(top);
    layout->addLayout(middle, 1);
    layout->addLayout(bottom);

    wait_.setSingleShot(true);
    wait_.setInterval(250);
    connect(&wait_, &QTimer::timeout, this, &ImportDialog::read);
    connect(input_, &QPlainTextEdit::textChanged, &wait_, qOverload<>(&QTimer::start));
    connect(open_, &QLineEdit::textEdited, &wait_, qOverload<>(&QTimer::start));
    connect(kind_, &QComboBox::currentIndexChanged, this, &ImportDialog::read);
    connect(take_, &QPushButton::clicked, this, &ImportDialog::take);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(file, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getOpenFileName(this, tr("Import file"));
        if (!path.isEmpty()) openFile(path);
    });
}

ImportDialog::~ImportDialog() = default;

void ImportDialog::setText(const QString& content, const QString& name) {
    name_ = name;
    input_->setPlainText(content);
    read();
}

void ImportDialog::openFile(const QString& path) {
    const auto content = readTextFile(path.toStdString());
    if (!content) return showError(content.error());
    setText(text(*content), QFileInfo(path).fileName());
}

void ImportDialog::setKind(const QString& id) { kind_->setCurrentIndex(std::max(0, kind_->findData(id))); }

QString ImportDialog::report() const { return report_->toPlainText(); }

bool ImportDialog::canTake() const { return take_->isEnabled(); }

void ImportDialog::read() {
    wait_.stop();
    result_.reset();
    take_->setEnabled(false);
    const std::string content = input_->toPlainText().toStdString();
    if (content.find_first_not_of(" \t\r\n") == std::string::npos) {
        report_->clear();
        return;
    }
    ImportContext context;
    context.where = name_.isEmpty() ? tr("the text").toStdString() : name_.toStdString();
    context.presets = presets_.get();
    context.variables = answers(open_->text());
    auto result = importText(kind_->currentData().toString().toStdString(), content, context);
    if (!result) return showError(result.error());
    result_ = std::move(*result);
    showResult();
}

void ImportDialog::showError(const Error& error) {
    report_->setHtml(section(tr("This could not be read"), {text(error.message)}) +
                     QStringLiteral("<p>%1</p>").arg(text(error.where).toHtmlEscaped()));
}

void ImportDialog::showResult() {
    const ImportReport& found = result_->report;
    QStringList understood, assumed, ignored, errors, remarks;
    for (const auto& line : found.understood) understood << text(line);
    for (const auto& item : found.assumed)
        assumed << tr("%1 = %2: %3").arg(text(item.field), text(item.value), text(item.reason));
    for (const auto& line : found.ignored) ignored << text(line);
    for (const auto& item : found.diagnostics) (item.severity == Severity::error ? errors : remarks) << text(item.message);
    const auto whole = scenarioFromImport(*result_, *document_->snapshot(), *presets_);
    if (!whole) errors << text(whole.error().message);
    report_->setHtml(section(tr("To be settled first"), errors) + section(tr("Understood"), understood) +
                     section(tr("Assumed"), assumed) + section(tr("Remarks"), remarks) + section(tr("Ignored"), ignored));
    take_->setEnabled(whole.has_value() && errors.isEmpty() && result_->scenario != "{}");
}

void ImportDialog::take() {
    if (!result_) return;
    auto whole = scenarioFromImport(*result_, *document_->snapshot(), *presets_);
    if (!whole) return showError(whole.error());
    const Importer* importer = findImporterOrNull(result_->kind);
    const QString title = importer != nullptr ? text(importer->title) : text(result_->kind);
    document_->edit(std::make_shared<const Scenario>(std::move(*whole)), tr("Import %1").arg(title));
    emit taken(tr("Taken over: %1. %n assumption(s)", nullptr, static_cast<int>(result_->report.assumed.size())).arg(title));
    accept();
}

}  // namespace trainyard
