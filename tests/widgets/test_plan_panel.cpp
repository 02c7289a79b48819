#include <QLabel>
#include <QLineEdit>
#include <QStandardItemModel>
#include <QToolButton>

#include "core/io/json/framework_rules_json.h"
#include "core/io/presets/preset_library.h"
#include "core/plan/resolve.h"
#include "tests/support/scenario_samples.h"
#include "tests/support/test_main.h"
#include "widgets/document/evaluation_service.h"
#include "widgets/document/plan_document.h"
#include "widgets/panels/degree_row.h"
#include "widgets/panels/degree_slider.h"
#include "widgets/panels/field_combo.h"
#include "widgets/panels/notice_list.h"
#include "widgets/panels/plan_panel.h"

using namespace trainyard;

class TestPlanPanel : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        document_ = std::make_unique<PlanDocument>(
            test::sampleScenario(), std::make_unique<EvaluationService>(&evaluate, EvaluationService::Executor::inLine));
        panel_ = std::make_unique<PlanPanel>(document_.get());
        panel_->resize(400, 900);
        panel_->show();
    }
    void cleanup() {
        panel_.reset();
        document_.reset();
    }

    void draggingOneDegreeKeepsTheProduct() {  // 16 devices: 4 x 2 x 1 x 2
        DegreeSlider* tensor = panel_->row("/plan/tensor_parallel")->slider();
        QTest::keyClick(tensor, Qt::Key_Right);
        QCOMPARE(plan().tensorParallel, 8);
        QCOMPARE(product(), 16);
        QTest::keyClick(tensor, Qt::Key_Home);
        QCOMPARE(plan().tensorParallel, 1);
        QCOMPARE(product(), 16);
    }
    void aLockedDegreeStays() {
        panel_->row("/plan/data_parallel")->lockButton()->click();
        QTest::keyClick(panel_->row("/plan/tensor_parallel")->slider(), Qt::Key_Right);
        QCOMPARE(plan().tensorParallel, 8);
        QCOMPARE(resolve(*document_->snapshot()).dataParallel, 2);
        QCOMPARE(plan().pipelineParallel, 1);
    }
    void aMouseDragIsOneUndoStep() {
        DegreeSlider* pipeline = panel_->row("/plan/pipeline_parallel")->slider();
        const int last = static_cast<int>(pipeline->stops().size()) - 1;
        QTest::mousePress(pipeline, Qt::LeftButton, {}, pipeline->stopPosition(pipeline->value()));
        for (int stop = pipeline->value(); stop <= last; ++stop) QTest::mouseMove(pipeline, pipeline->stopPosition(stop));
        QTest::mouseRelease(pipeline, Qt::LeftButton, {}, pipeline->stopPosition(last));
        QCOMPARE(document_->undoStack().count(), 1);
        document_->undoStack().undo();
        QCOMPARE(plan().pipelineParallel, 2);
        QCOMPARE(pipeline->number(), 2);
    }
    void aTypedIllegalValueIsRefusedWithTheWayOut() {
        QLineEdit* field = panel_->row("/plan/tensor_parallel")->field();
        field->setText(QStringLiteral("5"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(plan().tensorParallel, 4);
        QCOMPARE(field->text(), QStringLiteral("4"));
        QVERIFY(panel_->notices()->count() >= 1);
        const auto labels = panel_->notices()->findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(),
                            [](const QLabel* label) { return label->text().contains(QStringLiteral("=4\">4</a>")); }));
    }
    void aTypedLegalValueIsTaken() {
        QLineEdit* field = panel_->row("/plan/micro_batch_size")->field();
        field->setText(QStringLiteral("2"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(plan().microBatchSize, 2);
    }
    void aFixButtonSetsTheNearestValue() {
        auto broken = test::sampleScenario();
        broken->workload.globalBatchSize = 63;  // does not split over data parallel 2
        document_->edit(broken, QStringLiteral("break"));
        bool fixed = false;
        for (QLabel* label : panel_->notices()->findChildren<QLabel*>())
            if (!fixed && label->text().contains(QStringLiteral("global_batch_size=64"))) {
                fixed = true;
                emit label->linkActivated(QStringLiteral("/workload/global_batch_size=64"));
            }
        QVERIFY(fixed);
        QCOMPARE(document_->snapshot()->workload.globalBatchSize, 64);
        QVERIFY(document_->evaluation()->feasible);
    }
    void unlockedGlobalBatchFollowsTheDegrees() {
        panel_->setLocks({}, false);
        const std::int64_t before = resolve(*document_->snapshot()).microBatches;
        QTest::keyClick(panel_->row("/plan/tensor_parallel")->slider(), Qt::Key_Right);
        QCOMPARE(resolve(*document_->snapshot()).microBatches, before);
        QCOMPARE(document_->snapshot()->workload.globalBatchSize, 32);
    }
    void expertSliderSaysWhyADenseModelHasNoExperts() {
        const auto& stops = panel_->row("/plan/expert_parallel")->slider()->stops();
        QVERIFY(stops.size() >= 2);
        QVERIFY(!stops[1].legal);
        QVERIFY(stops[1].reason.find("experts") != std::string::npos);
    }
    void aFrameworkDecidesWhatIsLegal() {
        useFrameworks();
        const auto legal = [this] {
            QSet<std::int64_t> values;
            for (const SliderStop& stop : panel_->row("/plan/pipeline_parallel")->slider()->stops())
                if (stop.legal) values.insert(stop.value);
            return values;
        };
        QVERIFY(legal().size() > 1);
        const int before = panel_->notices()->count();
        choose(QStringLiteral("Framework"), QStringLiteral("accelerate"));
        QCOMPARE(panel_->framework(), QStringLiteral("accelerate"));
        QCOMPARE(legal(), QSet<std::int64_t>{1});
        QVERIFY(panel_->notices()->count() > before);
        QVERIFY(notice(QStringLiteral("no pipeline parallel training")));
        choose(QStringLiteral("Framework"), QString());
        QVERIFY(legal().size() > 1);
        QCOMPARE(panel_->notices()->count(), before);
        QCOMPARE(document_->undoStack().count(), 0);  // a way to look, no change of the plan
    }
    void aFrameworksFixIsOneClick() {
        useFrameworks();
        panel_->setFramework(QStringLiteral("accelerate"));
        for (QLabel* label : panel_->notices()->findChildren<QLabel*>())
            if (label->text().contains(QStringLiteral("/plan/pipeline_parallel=1"))) {
                emit label->linkActivated(QStringLiteral("/plan/pipeline_parallel=1"));
                break;
            }
        QCOMPARE(plan().pipelineParallel, 1);
        QVERIFY(!notice(QStringLiteral("no pipeline parallel training")));
    }
    void whatTheFrameworkForbidsIsGreyAndSaysWhy() {
        useFrameworks();
        panel_->setFramework(QStringLiteral("torchtitan"));
        FieldCombo* schedule = combo(QStringLiteral("Schedule"));
        const auto* items = qobject_cast<const QStandardItemModel*>(schedule->model());
        const QStandardItem* chimera = items->item(schedule->findData(QStringLiteral("chimera")));
        QVERIFY(!chimera->isEnabled());
        QVERIFY(chimera->toolTip().contains(QStringLiteral("ZBVZeroBubble")));
        const QStandardItem* zbv = items->item(schedule->findData(QStringLiteral("zb-v")));
        QVERIFY(zbv->isEnabled());
        const QString ownTip = zbv->toolTip();
        panel_->setFramework(QString());
        QVERIFY(chimera->isEnabled());
        QVERIFY(chimera->toolTip().contains(QStringLiteral("arXiv")));
        QCOMPARE(zbv->toolTip(), ownTip);
    }
    void aTypedValueThatTheFrameworkForbidsIsRefused() {
        useFrameworks();
        document_->edit(withPipeline(1), QStringLiteral("one stage"));
        panel_->setFramework(QStringLiteral("accelerate"));
        QLineEdit* field = panel_->row("/plan/pipeline_parallel")->field();
        field->setText(QStringLiteral("2"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(plan().pipelineParallel, 1);
        QVERIFY(notice(QStringLiteral("Not set: there is no pipeline")));
    }
    void anUnknownFrameworkIsAny() {
        useFrameworks();
        panel_->setFramework(QStringLiteral("gone"));
        QVERIFY(panel_->framework().isEmpty());
        QCOMPARE(combo(QStringLiteral("Framework"))->currentText(), QStringLiteral("Any framework"));
    }
    void everyControlIsReachedByTab() {
        panel_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(panel_.get()));
        panel_->row("/plan/tensor_parallel")->slider()->setFocus(Qt::TabFocusReason);
        QSet<QWidget*> reached;
        for (int i = 0; i < 200; ++i) {
            reached.insert(QApplication::focusWidget());
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        for (QWidget* child : panel_->findChildren<QWidget*>()) {
            if (!child->isVisible() || !child->isEnabled() || !(child->focusPolicy() & Qt::TabFocus) ||
                child->focusProxy() != nullptr)
                continue;
            if (qobject_cast<QLabel*>(child) != nullptr || child->inherits("QScrollArea")) continue;
            QVERIFY2(reached.contains(child),
                     qPrintable(child->accessibleName() + QLatin1String(child->metaObject()->className())));
        }
    }
    void everyControlHasAName() {
        for (QWidget* child : panel_->findChildren<QWidget*>()) {
            if (child->focusPolicy() == Qt::NoFocus || child->inherits("QScrollArea") || child->inherits("QAbstractItemView"))
                continue;
            if (child->window() != panel_->window()) continue;  // popups
            QVERIFY2(!child->accessibleName().isEmpty(), child->metaObject()->className());
        }
    }

  private:
    void useFrameworks() {
        std::vector<std::shared_ptr<const FrameworkRules>> frameworks;
        for (const char* id : {"accelerate", "torchtitan"}) {
            auto rules = frameworkRules(presetLibrary(), id);
            QVERIFY(rules);
            frameworks.push_back(std::make_shared<const FrameworkRules>(std::move(*rules)));
        }
        panel_->setFrameworks(std::move(frameworks));
        document_->replace(withPipeline(2));
    }
    [[nodiscard]] FieldCombo* combo(const QString& caption) const {
        for (FieldCombo* field : panel_->findChildren<FieldCombo*>())
            if (field->accessibleName() == caption) return field;
        return nullptr;
    }
    /// As a hand does it: the entry is made current, then the box says that it was chosen.
    void choose(const QString& caption, const QString& key) {
        FieldCombo* field = combo(caption);
        field->setCurrentIndex(field->findData(key));
        emit field->activated(field->currentIndex());
    }
    [[nodiscard]] bool notice(const QString& words) const {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);  // the lines of before are gone
        const auto labels = panel_->notices()->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) { return label->text().contains(words); });
    }
    [[nodiscard]] std::shared_ptr<const Scenario> withPipeline(std::int64_t stages) const {
        auto scenario = test::sampleScenario();
        scenario->plan.pipelineParallel = stages;
        scenario->plan.zeroStage = 3;  // with which accelerate has no pipeline
        return scenario;
    }
    [[nodiscard]] const Plan& plan() const { return document_->snapshot()->plan; }
    [[nodiscard]] std::int64_t product() const {
        return plan().tensorParallel * plan().pipelineParallel * plan().contextParallel *
               resolve(*document_->snapshot()).dataParallel;
    }
    std::unique_ptr<PlanDocument> document_;
    std::unique_ptr<PlanPanel> panel_;
};

TRAINYARD_GUI_TEST_MAIN(TestPlanPanel)
#include "test_plan_panel.moc"
