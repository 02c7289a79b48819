#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "app/document_session.h"
#include "app/scenario_files.h"
#include "tests/support/scenario_samples.h"
#include "tests/support/test_main.h"
#include "widgets/document/evaluation_service.h"
#include "widgets/document/plan_document.h"
#include "widgets/document/scenario_edits.h"

using namespace trainyard;

namespace {

std::unique_ptr<PlanDocument> newDocument() {
    return std::make_unique<PlanDocument>(
        defaultScenario(),
        std::make_unique<EvaluationService>([](const Scenario&, Depth, std::stop_token) { return Evaluation{}; },
                                            EvaluationService::Executor::inLine));
}

void setTensor(PlanDocument& document, std::int64_t degree) {
    editScenario(document, QStringLiteral("Set tensor"), [&](Scenario& s) { s.plan.tensorParallel = degree; });
}

void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

}  // namespace

class TestDocumentSession : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        document_ = newDocument();
        session_ = std::make_unique<DocumentSession>(document_.get(), unsavedFolder());
    }
    void cleanup() {
        session_.reset();
        document_.reset();
        folder_.reset();
    }

    void savedFileOpensAsTheSameScenario() {
        setTensor(*document_, 4);
        QVERIFY(session_->isModified());
        QVERIFY(session_->save(path("a.trainyard.json")).has_value());
        QVERIFY(!session_->isModified());
        auto other = newDocument();
        DocumentSession second(other.get(), unsavedFolder());
        QVERIFY(second.open(path("a.trainyard.json")).has_value());
        QVERIFY(*other->snapshot() == *document_->snapshot());
        QCOMPARE(other->snapshot()->plan.tensorParallel, 4);
    }
    void undoBackToTheSavedStateIsUnmodified() {
        QVERIFY(session_->save(path("a.trainyard.json")).has_value());
        setTensor(*document_, 4);
        document_->undoStack().undo();
        QVERIFY(!session_->isModified());
    }
    void aBadFileLeavesTheOpenOneAlone_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("truncated") << QByteArray("{\"format\": \"trainyard.scenario\", \"version\": 1, \"clus");
        QTest::newRow("not a scenario") << QByteArray("[1, 2]");
        QTest::newRow("newer version") << QByteArray("{\"format\": \"trainyard.scenario\", \"version\": 99}");
        QTest::newRow("not text") << QByteArray("\xff\xfe\x00\x01", 4);
    }
    void aBadFileLeavesTheOpenOneAlone() {
        QFETCH(QByteArray, bytes);
        setTensor(*document_, 4);
        write(path("bad.trainyard.json"), bytes);
        const auto opened = session_->open(path("bad.trainyard.json"));
        QVERIFY(!opened.has_value());
        QVERIFY(errorText(opened.error()).contains(QStringLiteral("bad.trainyard.json")));
        QCOMPARE(document_->snapshot()->plan.tensorParallel, 4);
        QVERIFY(document_->undoStack().canUndo());
    }
    void aFolderOrAMissingFileIsAMessage() {
        QVERIFY(!session_->open(folder_->path()).has_value());
        QVERIFY(!session_->open(path("nothing.trainyard.json")).has_value());
    }
    void saveThatFailsKeepsTheOldFile() {
        QVERIFY(!session_->save(folder_->path() + QStringLiteral("/no/such/folder/a.trainyard.json")).has_value());
        setTensor(*document_, 4);
        QVERIFY(session_->isModified());
    }
    void crashLeavesACopyThatIsOffered() {
        setTensor(*document_, 4);
        QVERIFY(session_->autosave());
        // What a crash leaves: the copy and a lock of a process that is gone.
        const QStringList copies = QDir(unsavedFolder()).entryList({QStringLiteral("*.trainyard.json")});
        QCOMPARE(copies.size(), 1);
        auto other = newDocument();
        DocumentSession next(other.get(), unsavedFolder());
        QVERIFY(next.unsaved().empty());  // its window is still open
        session_.reset();
        const auto unsaved = next.unsaved();
        QCOMPARE(unsaved.size(), std::size_t{1});
        QCOMPARE(unsaved[0].name, QString::fromStdString(document_->snapshot()->name));
        QVERIFY(next.restore(unsaved[0]).has_value());
        QCOMPARE(other->snapshot()->plan.tensorParallel, 4);
        QVERIFY(next.isModified());
        QVERIFY(next.unsaved().empty());
    }
    void unsavedWorkIsPutAsideForAnotherDocumentAndCanComeBack() {
        QSignalSpy kept(session_.get(), &DocumentSession::unsavedKept);
        setTensor(*document_, 4);
        session_->show(emptyScenario());
        QCOMPARE(kept.count(), 1);
        QVERIFY(!session_->isModified());
        const auto unsaved = session_->unsaved();
        QCOMPARE(unsaved.size(), std::size_t{1});
        QVERIFY(session_->restore(unsaved[0]).has_value());
        QCOMPARE(document_->snapshot()->plan.tensorParallel, 4);
    }
    void nothingIsKeptOfSavedWork() {
        setTensor(*document_, 4);
        QVERIFY(session_->autosave());
        QVERIFY(session_->save(path("a.trainyard.json")).has_value());
        session_->finish();
        QVERIFY(QDir(unsavedFolder()).entryList({QStringLiteral("*.trainyard.json")}).isEmpty());
    }
    void endOfTheProgramKeepsWhatIsNotSaved() {
        setTensor(*document_, 4);
        session_->finish();
        auto other = newDocument();
        DocumentSession next(other.get(), unsavedFolder());
        QCOMPARE(next.unsaved().size(), std::size_t{1});
        next.discard(next.unsaved()[0]);
        QVERIFY(next.unsaved().empty());
    }
    void scenarioFilesAreToldFromModelConfigs() {
        write(path("config.json"), "{\"architectures\": [\"LlamaForCausalLM\"], \"hidden_size\": 64}");
        write(path("plan.json"), "{\"format\": \"trainyard.scenario\"}");
        QVERIFY(!isScenarioFile(path("config.json")));
        QVERIFY(isScenarioFile(path("plan.json")));
    }

  private:
    [[nodiscard]] QString path(const char* name) const { return folder_->filePath(QString::fromLatin1(name)); }
    [[nodiscard]] QString unsavedFolder() const { return folder_->filePath(QStringLiteral("unsaved")); }
    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<PlanDocument> document_;
    std::unique_ptr<DocumentSession> session_;
};

TRAINYARD_GUI_TEST_MAIN(TestDocumentSession)
#include "test_document_session.moc"
