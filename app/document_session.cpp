#include "app/document_session.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QUuid>

#include "app/scenario_files.h"
#include "widgets/document/plan_document.h"

namespace trainyard {
namespace {
constexpr int kAutosaveAfterMs = 1500;
const QString kEnding = QStringLiteral(".trainyard.json");

QString pathFile(const QString& copy) { return copy.chopped(kEnding.size()) + QStringLiteral(".path"); }
QString lockFile(const QString& copy) { return copy.chopped(kEnding.size()) + QStringLiteral(".lock"); }
}  // namespace

DocumentSession::DocumentSession(PlanDocument* document, const QString& folder, QObject* parent)
    : QObject(parent), document_(document), folder_(folder) {
    QDir().mkpath(folder_);
    begin();
    timer_.setSingleShot(true);
    timer_.setInterval(kAutosaveAfterMs);
    connect(&timer_, &QTimer::timeout, this, &DocumentSession::autosave);
    connect(document_, &PlanDocument::snapshotChanged, this, [this] {
        if (!timer_.isActive()) timer_.start();
    });
    connect(&document_->undoStack(), &QUndoStack::cleanChanged, this, &DocumentSession::modifiedChanged);
}

DocumentSession::~DocumentSession() = default;

QString DocumentSession::defaultFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/unsaved");
}

void DocumentSession::begin() {
    id_ = QUuid::createUuid().toString(QUuid::WithoutBraces);
    lock_ = std::make_unique<QLockFile>(folder_ + QLatin1Char('/') + id_ + QStringLiteral(".lock"));
    lock_->setStaleLockTime(0);  // held as long as the process lives
    lock_->tryLock(0);
}

bool DocumentSession::isModified() const { return restored_ || !document_->undoStack().isClean(); }

bool DocumentSession::autosave() {
    timer_.stop();
    if (!isModified()) {
        removeCopy();
        return true;
    }
    const QString copy = folder_ + QLatin1Char('/') + id_ + kEnding;
    if (!saveScenario(*document_->snapshot(), copy)) return false;
    QFile origin(pathFile(copy));
    if (origin.open(QIODevice::WriteOnly)) origin.write(path_.toUtf8());
    return true;
}

void DocumentSession::removeCopy() {
    const QString copy = folder_ + QLatin1Char('/') + id_ + kEnding;
    QFile::remove(copy);
    QFile::remove(pathFile(copy));
}

void DocumentSession::putAside() {
    timer_.stop();
    if (!isModified()) {
        removeCopy();
        return;
    }
    const QString name = QString::fromStdString(document_->snapshot()->name);
    if (!autosave()) return;
    lock_->unlock();
    begin();
    emit unsavedKept(name);
}

Result<void> DocumentSession::open(const QString& path) {
    const auto scenario = openScenario(path);
    if (!scenario) return tl::unexpected<Error>(scenario.error());
    putAside();
    path_ = QFileInfo(path).absoluteFilePath();
    restored_ = false;
    document_->replace(*scenario);
    timer_.stop();
    emit pathChanged();
    emit modifiedChanged();
    return {};
}

void DocumentSession::show(Snapshot scenario) {
    putAside();
    path_.clear();
    restored_ = false;
    document_->replace(std::move(scenario));
    timer_.stop();
    emit pathChanged();
    emit modifiedChanged();
}

Result<void> DocumentSession::restore(const Unsaved& unsaved) {
    const auto scenario = openScenario(unsaved.file);
    if (!scenario) return tl::unexpected<Error>(scenario.error());
    putAside();
    path_ = unsaved.path;
    document_->replace(*scenario);
    restored_ = true;
    autosave();
    discard(unsaved);
    emit pathChanged();
    emit modifiedChanged();
    return {};
}

void DocumentSession::discard(const Unsaved& unsaved) {
    QFile::remove(unsaved.file);
    QFile::remove(pathFile(unsaved.file));
    QFile::remove(lockFile(unsaved.file));
}

Result<void> DocumentSession::save(const QString& path) {
    const auto written = saveScenario(*document_->snapshot(), path);
    if (!written) return tl::unexpected<Error>(written.error());
    path_ = QFileInfo(path).absoluteFilePath();
    restored_ = false;
    document_->undoStack().setClean();
    removeCopy();
    timer_.stop();
    emit pathChanged();
    emit modifiedChanged();
    return {};
}

std::vector<DocumentSession::Unsaved> DocumentSession::unsaved() const {
    std::vector<Unsaved> found;
    const QDir folder(folder_);
    for (const QFileInfo& copy : folder.entryInfoList({QLatin1Char('*') + kEnding}, QDir::Files, QDir::Time)) {
        if (copy.fileName().startsWith(id_)) continue;
        QLockFile lock(lockFile(copy.filePath()));
        lock.setStaleLockTime(0);
        if (!lock.tryLock(0)) continue;  // another window works on it
        Unsaved entry;
        entry.file = copy.filePath();
        entry.when = copy.lastModified();
        QFile origin(pathFile(copy.filePath()));
        if (origin.open(QIODevice::ReadOnly)) entry.path = QString::fromUtf8(origin.readAll());
        const auto scenario = openScenario(copy.filePath());
        if (!scenario) continue;
        entry.name = QString::fromStdString((*scenario)->name);
        found.push_back(entry);
    }
    return found;
}

void DocumentSession::finish() {
    autosave();
    lock_->unlock();
}

}  // namespace trainyard
