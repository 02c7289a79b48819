#include <QAccessible>
#include <QAction>
#include <QFile>
#include <QHelpEvent>
#include <QImage>
#include <QLabel>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QSettings>
#include <QTemporaryDir>
#include <QTranslator>
#include <QTreeWidget>

#include "app/action_table.h"
#include "app/figure_caption.h"
#include "app/language_files.h"
#include "app/main_window.h"
#include "app/scenario_files.h"
#include "app/workbench.h"
#include "core/io/presets/preset_library.h"
#include "core/io/teach/challenge.h"
#include "core/io/teach/glossary.h"
#include "core/schedule/registry.h"
#include "tests/support/test_main.h"
#include "widgets/document/evaluation_service.h"
#include "widgets/document/plan_document.h"
#include "widgets/panels/explain_panel.h"
#include "widgets/panels/learn_panel.h"
#include "widgets/panels/plan_panel.h"
#include "widgets/panels/verdict_cell.h"
#include "widgets/panels/verdict_strip.h"
#include "widgets/plots/memory_plot.h"
#include "widgets/style/byte_units.h"
#include "widgets/style/core_text.h"
#include "widgets/style/figure_export.h"
#include "widgets/teach/collective_player.h"
#include "widgets/teach/formula_view.h"
#include "widgets/teach/glossary_panel.h"
#include "widgets/teach/language.h"
#include "widgets/teach/motion.h"
#include "widgets/teach/presentation_window.h"
#include "widgets/teach/sensitivity_list.h"
#include "widgets/teach/spotlight.h"
#include "widgets/teach/term_help.h"

using namespace trainyard;

namespace {

QString nameOf(QWidget* widget) {
    QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
    return interface == nullptr ? QString() : interface->text(QAccessible::Name);
}

}  // namespace

class TestTeaching : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        QSettings().remove(QStringLiteral("challenge"));
        document_ = std::make_unique<PlanDocument>(
            defaultScenario(), std::make_unique<EvaluationService>(&evaluate, EvaluationService::Executor::inLine));
        window_ = std::make_unique<MainWindow>(document_.get(), AppSettings{});
        window_->resize(1280, 800);
        window_->show();
    }
    void cleanup() {
        setReducedMotion(false);
        document_->undoStack().setClean();
        window_->close();
        window_.reset();
        document_.reset();
    }

    // Every step of every lesson points at something that is there and can be seen.
    void everyLessonStepHasATarget() {
        Workbench* workbench = window_->workbench();
        LearnPanel* learn = workbench->learn();
        workbench->showTab(QStringLiteral("learn"));
        for (int lesson = 0; lesson < static_cast<int>(learn->lessons().size()); ++lesson) {
            const auto& steps = learn->lessons()[static_cast<std::size_t>(lesson)].steps;
            for (const LessonStep& step : steps) {
                const QString focus = QString::fromStdString(step.focus);
                QWidget* target = workbench->focusTargetOrNull(focus);
                QVERIFY2(target != nullptr, qPrintable(focus));
                QVERIFY2(target->isVisible(), qPrintable(focus));
                workbench->spotlight()->pointAt(target);
                QVERIFY2(!workbench->spotlight()->hole().isEmpty(), qPrintable(focus));
            }
        }
    }

    void settingUpAStepLightsItsControl() {
        LearnPanel* learn = window_->workbench()->learn();
        learn->openStep(0, 0);
        learn->setUp();
        Spotlight* spotlight = window_->workbench()->spotlight();
        QVERIFY(spotlight->isVisible());
        QCOMPARE(termOf(spotlight->target()), QString::fromStdString(learn->lessons()[0].steps[0].focus));
        QTest::mouseClick(window_->workbench(), Qt::LeftButton, {}, QPoint(4, 4));
        QVERIFY(!spotlight->isVisible());
    }

    void aChallengeIsSolvedAndKept() {
        LearnPanel* learn = window_->workbench()->learn();
        QVERIFY(learn->challenges().size() >= 6);
        learn->openChallenge(0);
        learn->setUp();
        QVERIFY(learn->score().verdict != ChallengeScore::Verdict::solved);
        auto solution = challengeSolution(learn->challenges()[0], presetLibrary());
        QVERIFY(solution.has_value());
        document_->edit(std::make_shared<const Scenario>(std::move(*solution)), QStringLiteral("solve"));
        QCOMPARE(learn->score().verdict, ChallengeScore::Verdict::solved);
        QCOMPARE(learn->best(0), learn->score().stepS);
    }

    // Every label of the plan, the verdict and the memory panel has an entry.
    void everyLabelHasATerm() {
        int checked = 0;
        const auto covered = [&](QWidget* widget) {
            const QString label = termOf(widget);
            ++checked;
            return glossary().byLabelOrNull(label.toStdString()) != nullptr;
        };
        for (QWidget* widget : window_->workbench()->plan()->findChildren<QWidget*>())
            if (widget->inherits("trainyard::FieldCombo") || widget->inherits("trainyard::FieldMenu") ||
                widget->inherits("trainyard::FieldNumber") || widget->inherits("trainyard::DegreeRow"))
                QVERIFY2(covered(widget), qPrintable(widget->accessibleName() + termOf(widget)));
        for (VerdictCell* cell : window_->workbench()->verdict()->findChildren<VerdictCell*>())
            QVERIFY2(covered(cell), qPrintable(cell->accessibleName()));
        QVERIFY(checked >= 25);
        const char* parts[] = {"parameters", "gradients", "optimizer", "activations", "logits", "temporary", "communication", "framework"};
        static_assert(std::size(parts) == kMemoryParts);
        for (const char* part : parts)
            QVERIFY2(glossary().byLabelOrNull(std::string("/memory/stages/0/") + part + "_bytes") != nullptr, part);
        for (const char* action : {"help.term", "help.glossary", "view.presentation", "view.animate"})
            QVERIFY(window_->actions()->action(action) != nullptr);
    }

    void theGlossaryOpensAtATermAndShowsItsScenario() {
        window_->showTerm(QStringLiteral("/plan/zero_stage"));
        GlossaryPanel* glossaryPanel = window_->glossaryPanel();
        QVERIFY(glossaryPanel->isVisible());
        QCOMPARE(glossaryPanel->currentTerm(), QStringLiteral("zero"));
        QVERIFY(glossaryPanel->showTerm(QStringLiteral("Ulysses")));
        const int before = document_->undoStack().count();
        emit glossaryPanel->scenarioRequested(glossaryPanel->currentTerm());
        QCOMPARE(document_->snapshot()->plan.contextMethod, ContextMethod::ulysses);
        QCOMPARE(document_->undoStack().count(), before + 1);
        QVERIFY(!glossaryPanel->showTerm(QStringLiteral("no such term")));
    }

    void aToolTipOffersTheTerm() {
        auto* cell = window_->workbench()->verdict()->findChildren<VerdictCell*>().first();
        TermTip* tip = window_->termHelp()->tip();
        QHelpEvent help(QEvent::ToolTip, QPoint(5, 5), cell->mapToGlobal(QPoint(5, 5)));
        QApplication::sendEvent(cell, &help);
        QVERIFY(tip->isVisible());
        QVERIFY(tip->content()->text().contains(QStringLiteral("memory-verdict")));
        emit tip->content()->linkActivated(QStringLiteral("memory-verdict"));
        QVERIFY(!tip->isVisible());
        QCOMPARE(window_->glossaryPanel()->currentTerm(), QStringLiteral("memory-verdict"));
    }

    void sensitivitiesApplyWithAClick() {
        window_->workbench()->showTab(QStringLiteral("explain"));
        ExplainPanel* explainPanel = window_->workbench()->explain();
        explainPanel->setQuantity(QStringLiteral("/time/step_s"));
        SensitivityList* list = explainPanel->sensitivityList();
        QTRY_VERIFY_WITH_TIMEOUT(!list->rows().empty(), 60000);
        int row = -1;
        for (int i = 0; i < static_cast<int>(list->rows().size()) && row < 0; ++i)
            if (list->rows()[static_cast<std::size_t>(i)].id == "/plan/recompute" && list->caseOrNull(i, SensitivityList::Side::more))
                row = i;
        if (row < 0) row = 0;
        const SensitivityCase* one = list->caseOrNull(row, SensitivityList::Side::more);
        if (one == nullptr) one = list->caseOrNull(row, SensitivityList::Side::less);
        QVERIFY(one != nullptr);
        const double expected = one->value;
        emit list->itemClicked(list->topLevelItem(row), one == list->caseOrNull(row, SensitivityList::Side::more)
                                                            ? SensitivityList::kMore
                                                            : SensitivityList::kLess);
        QCOMPARE(document_->evaluation()->time.stepS, expected);
        QVERIFY(!explainPanel->changes().empty());
        QCOMPARE(explainPanel->changes().front().after, expected);
    }

    void aPictureKeepsTheScenarioThatMadeIt_data() {
        QTest::addColumn<QString>("ending");
        QTest::newRow("png") << "png";
        QTest::newRow("svg") << "svg";
    }
    void aPictureKeepsTheScenarioThatMadeIt() {
        QFETCH(QString, ending);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("memory.") + ending);
        const FigureText text = figureText(*document_);
        QVERIFY(text.caption.contains(QStringLiteral("devices")));
        QVERIFY(exportFigure(*window_->workbench()->viewOrNull(QStringLiteral("memory")), path, QSize(900, 500), text));
        const auto opened = openScenario(path);
        QVERIFY(opened.has_value());
        QVERIFY(**opened == *document_->snapshot());
    }

    void oneSwitchChangesTheBytesOfEveryView() {
        QAction* decimal = window_->actions()->action("view.gigabytes");
        decimal->setChecked(true);
        QCOMPARE(displayUnits(), ByteUnits::decimal);
        ExplainPanel* explainPanel = window_->workbench()->explain();
        window_->workbench()->showTab(QStringLiteral("explain"));
        explainPanel->setQuantity(QStringLiteral("/memory/peak_bytes"));
        bool found = false;
        for (QLabel* label : explainPanel->findChildren<QLabel*>()) found = found || label->text().contains(QStringLiteral("\u00a0GB"));
        QVERIFY(found);
        decimal->setChecked(false);
        for (QLabel* label : explainPanel->findChildren<QLabel*>()) QVERIFY(!label->text().contains(QStringLiteral("\u00a0GB")));
        QVERIFY(bothBytes(80e9).contains(QStringLiteral("GB")) && bothBytes(80e9).contains(QStringLiteral("GiB")));
    }

    void collectivesPlayOnTheDrawnCluster() {
        CollectivePlayer* player = window_->workbench()->player();
        window_->actions()->action("view.animate")->trigger();
        QVERIFY(player->isVisible() && player->isPlaying());
        QVERIFY(player->steps() > 2);
        QTRY_VERIFY_WITH_TIMEOUT(player->step() > 0, 10000);
        QTest::keyClick(player, Qt::Key_Space);
        QVERIFY(!player->isPlaying());
        const int step = player->step();
        QTest::keyClick(player, Qt::Key_Right);
        QCOMPARE(player->step(), step + 1);
        QTest::keyClick(player, Qt::Key_Left);
        QCOMPARE(player->step(), step);
        const QByteArray svg = player->animatedSvg();
        QVERIFY(svg.contains("<animate ") && svg.contains("repeatCount"));
        QTemporaryDir folder;
        const int frames = player->writeFrames(folder.filePath(QStringLiteral("ring")));
        QCOMPARE(frames, 4 * (player->steps() - 1) + 1);
        QVERIFY(!QImage(folder.filePath(QStringLiteral("ring-001.png"))).isNull());
        QTest::keyClick(player, Qt::Key_Escape);
        QVERIFY(!player->isVisible());
    }

    void reducedMotionGoesByStep() {
        window_->actions()->action("view.reduced_motion")->setChecked(true);
        CollectivePlayer* player = window_->workbench()->player();
        player->start(CollectivePlay::zeroGather);
        QVERIFY(!player->isPlaying());
        player->play(true);
        QVERIFY(!player->isPlaying());
        QCOMPARE(player->step(), 1);
        window_->actions()->action("view.reduced_motion")->setChecked(false);
    }

    void presentationShowsOneViewAfterAnother() {
        window_->workbench()->showTab(QStringLiteral("memory"));
        window_->actions()->action("view.presentation")->trigger();
        PresentationWindow* presentation = window_->presentationOrNull();
        QVERIFY(presentation != nullptr && presentation->isVisible());
        const QString first = presentation->page();
        QTest::keyClick(presentation, Qt::Key_Right);
        QVERIFY(presentation->page() != first);
        const double zoom = presentation->zoom();
        QTest::keyClick(presentation, Qt::Key_Plus);
        QVERIFY(presentation->zoom() > zoom);
        QTest::keyClick(presentation, Qt::Key_Escape);
        QVERIFY(!presentation->isVisible());
    }

    // Everything that takes the keyboard says its name, in every view.
    void everyControlHasAName() {
        QStringList nameless;
        const auto check = [&](const QString& where) {
            QCoreApplication::processEvents();
            for (QWidget* widget : window_->findChildren<QWidget*>()) {
                if (!widget->isVisible() || widget->focusPolicy() == Qt::NoFocus || widget->focusProxy() != nullptr) continue;
                if (widget->inherits("QScrollArea") || widget->inherits("QMenuBar") || widget->inherits("QTabBar")) continue;
                if (widget->objectName().startsWith(QStringLiteral("qt_"))) continue;
                if (nameOf(widget).isEmpty())
                    nameless << where + QLatin1Char(' ') + QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') +
                                    (widget->parentWidget() ? QString::fromLatin1(widget->parentWidget()->metaObject()->className())
                                                            : QString());
            }
        };
        for (const QString& tab : Workbench::tabNames()) {
            window_->workbench()->showTab(tab);
            check(tab);
        }
        for (const char* page : {"plan", "workload", "model"}) {
            window_->workbench()->showSidePage(QLatin1String(page));
            check(QLatin1String(page));
        }
        window_->showTerm(QStringLiteral("mfu"));
        check(QStringLiteral("glossary"));
        nameless.removeDuplicates();
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QStringLiteral("; "))));
    }

    // Tab goes through every visible control of the plan page and comes back to the start, never twice through one.
    void tabReachesEveryControlOfThePlan() {
        PlanPanel* plan = window_->workbench()->plan();
        QSet<QWidget*> wanted;
        for (QWidget* widget : plan->findChildren<QWidget*>())
            if (widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) != 0 &&
                widget->focusProxy() == nullptr)
                wanted.insert(widget);
        QVERIFY(wanted.size() > 20);
        QSet<QWidget*> reached;
        QWidget* widget = window_.get();
        for (int i = 0; i < 5000; ++i) {
            widget = widget->nextInFocusChain();
            if (wanted.contains(widget)) reached.insert(widget);
            if (widget == window_.get()) break;
        }
        QCOMPARE(reached, wanted);
    }

    // The German file is whole: every text translated, every place kept.
    void theGermanTranslationIsComplete() {
        QFile file(qEnvironmentVariable("TRAINYARD_SOURCE_DIR") + QStringLiteral("/translations/trainyard_de.ts"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        QVERIFY(!text.contains(QStringLiteral("type=\"unfinished\"")));
        static const QRegularExpression message(
            QStringLiteral("<source>(.*?)</source>\\s*<translation>(.*?)</translation>"), QRegularExpression::DotMatchesEverythingOption);
        static const QRegularExpression place(QStringLiteral("%[0-9]"));
        int messages = 0;
        auto all = message.globalMatch(text);
        while (all.hasNext()) {
            const auto match = all.next();
            ++messages;
            QVERIFY2(!match.captured(2).trimmed().isEmpty(), qPrintable(match.captured(1)));
            const auto places = [&](const QString& of) {
                QSet<QString> found;
                auto each = place.globalMatch(of);
                while (each.hasNext()) found.insert(each.next().captured());
                return found;
            };
            QVERIFY2(places(match.captured(1)) == places(match.captured(2)), qPrintable(match.captured(1)));
        }
        QVERIFY(messages > 800);
    }

    // In German the window, the engine's fixed texts and the data speak German.
    void germanReachesWindowEngineAndData() {
        installLanguage(*qApp, QStringLiteral("de"), SystemLanguage::ignored);
        for (const ScheduleDefinition* schedule : allSchedules())
            QVERIFY2(coreText(schedule->summary) != QString::fromUtf8(schedule->summary.data(), static_cast<qsizetype>(schedule->summary.size())),
                     std::string(schedule->id).c_str());
        QCOMPARE(coreText("live tensors of stage 3"), QStringLiteral("lebende Tensoren von Stufe 3"));
        {
            MainWindow german(document_.get(), AppSettings{});
            german.show();
            german.showTerm(QStringLiteral("mfu"));
            bool found = false;
            for (QLabel* label : german.glossaryPanel()->findChildren<QLabel*>())
                found = found || label->text().contains(QStringLiteral("Siehe auch"));
            QVERIFY(found);
            QCOMPARE(german.actions()->action("file.quit")->text(), QStringLiteral("&Beenden"));
            german.close();
        }
        setUiLanguage("en");
        for (QTranslator* translator : qApp->findChildren<QTranslator*>()) {
            QCoreApplication::removeTranslator(translator);
            delete translator;
        }
    }

    // Every text in the sources has an entry in the German file.
    void noTextIsMissingInTheGermanFile() {
        const QString lupdate = QStringLiteral("/usr/lib/qt6/bin/lupdate");
        if (!QFile::exists(lupdate)) QSKIP("lupdate is not installed");
        const QString source = qEnvironmentVariable("TRAINYARD_SOURCE_DIR");
        QTemporaryDir folder;
        const QString copy = folder.filePath(QStringLiteral("trainyard_de.ts"));
        QVERIFY(QFile::copy(source + QStringLiteral("/translations/trainyard_de.ts"), copy));
        QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner);
        QProcess process;
        process.start(lupdate, {QStringLiteral("-I"), source, QStringLiteral("-tr-function-alias"), QStringLiteral("QT_TR_NOOP+=TR"), QStringLiteral("-locations"),
                                QStringLiteral("none"), source + QStringLiteral("/widgets"), source + QStringLiteral("/app"),
                                QStringLiteral("-ts"), copy});
        QVERIFY(process.waitForFinished(60000));
        QFile file(copy);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        static const QRegularExpression open(QStringLiteral("<source>([^<]*)</source>\\s*<translation type=\"unfinished\""));
        const auto match = open.match(text);
        QVERIFY2(!match.hasMatch(), qPrintable(QStringLiteral("not translated: ") + match.captured(1)));
    }

  private:
    std::unique_ptr<PlanDocument> document_;
    std::unique_ptr<MainWindow> window_;
};

TRAINYARD_GUI_TEST_MAIN(TestTeaching)
#include "test_teaching.moc"
