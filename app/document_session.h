#pragma once

#include <QDateTime>
#include <QLockFile>
#include <QObject>
#include <QTimer>
#include <memory>
#include <vector>

#include "core/base/error.h"
#include "core/plan/scenario.h"

namespace trainyard {

class PlanDocument;

/// Which file the document is, and what is kept of unsaved work. While a document differs from its file, a copy lies in the
/// unsaved-work folder; a crash, a close or another document leaves it there, and it is offered again.
class DocumentSession : public QObject {
    Q_OBJECT
  public:
    struct Unsaved {
        QString file;  ///< the kept copy
        QString path;  ///< the file it belongs to; empty: never saved
        QString name;
        QDateTime when;
    };
    /// `folder`: of unsaved work; made if missing.
    DocumentSession(PlanDocument* document, const QString& folder, QObject* parent = nullptr);
    ~DocumentSession() override;

    [[nodiscard]] QString path() const { return path_; }
    [[nodiscard]] bool isModified() const;
    [[nodiscard]] static QString defaultFolder();

    /// Each keeps unsaved work of the document that goes. After an error the open document is as it was.
    [[nodiscard]] Result<void> open(const QString& path);
    void show(Snapshot scenario);
    [[nodiscard]] Result<void> restore(const Unsaved& unsaved);
    void discard(const Unsaved& unsaved);

    [[nodiscard]] Result<void> save(const QString& path);
    /// Writes the copy of unsaved work now; false if the folder cannot be written.
    bool autosave();
    /// Unsaved work of sessions that no longer run.
    [[nodiscard]] std::vector<Unsaved> unsaved() const;
    /// At the end of the program: what is not saved stays for the next start.
    void finish();

  signals:
    void pathChanged();
    void modifiedChanged();
    /// Unsaved work was put aside because another document was opened.
    void unsavedKept(const QString& name);

  private:
    void putAside();
    void begin();
    void removeCopy();

    PlanDocument* document_;
    QString folder_;
    QString path_;
    QString id_;
    std::unique_ptr<QLockFile> lock_;
    QTimer timer_;
    bool restored_ = false;  ///< differs from its file although the undo stack is clean
};

}  // namespace trainyard
