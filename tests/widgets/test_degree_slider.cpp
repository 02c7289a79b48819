#include <QMouseEvent>
#include <QSignalSpy>

#include "tests/support/test_main.h"
#include "widgets/panels/degree_slider.h"

using namespace trainyard;

namespace {

std::vector<SliderStop> stops() {
    return {{.value = 1, .legal = true, .uneven = false, .reason = {}},
            {.value = 2, .legal = true, .uneven = false, .reason = {}},
            {.value = 3, .legal = false, .uneven = false, .reason = "3 does not divide 32 attention heads"},
            {.value = 4, .legal = true, .uneven = true, .reason = "uneven"},
            {.value = 8, .legal = false, .uneven = false, .reason = "8 does not divide the devices"}};
}

}  // namespace

class TestDegreeSlider : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        slider_ = std::make_unique<DegreeSlider>();
        slider_->resize(240, 34);
        slider_->setStops(stops(), 2);
        slider_->show();
    }
    void cleanup() { slider_.reset(); }

    void keysStopAtLegalValuesOnly() {
        QSignalSpy asked(slider_.get(), &DegreeSlider::numberRequested);
        QTest::keyClick(slider_.get(), Qt::Key_Right);
        QCOMPARE(slider_->number(), 4);  // 3 is jumped over
        QTest::keyClick(slider_.get(), Qt::Key_Right);
        QCOMPARE(slider_->number(), 4);  // 8 is not legal
        QTest::keyClick(slider_.get(), Qt::Key_Home);
        QCOMPARE(slider_->number(), 1);
        QTest::keyClick(slider_.get(), Qt::Key_End);
        QCOMPARE(slider_->number(), 4);
        QCOMPARE(asked.count(), 3);
    }
    void dragIsOneGestureAndSnaps() {
        QSignalSpy begun(slider_.get(), &DegreeSlider::gestureBegun);
        QSignalSpy ended(slider_.get(), &DegreeSlider::gestureEnded);
        QSignalSpy asked(slider_.get(), &DegreeSlider::numberRequested);
        QTest::mousePress(slider_.get(), Qt::LeftButton, {}, slider_->stopPosition(1));
        QTest::mouseMove(slider_.get(), slider_->stopPosition(4));
        QCOMPARE(slider_->number(), 4);  // nearest legal to the illegal 8
        QTest::mouseMove(slider_.get(), slider_->stopPosition(0));
        QTest::mouseRelease(slider_.get(), Qt::LeftButton, {}, slider_->stopPosition(0));
        QCOMPARE(begun.count(), 1);
        QCOMPARE(ended.count(), 1);
        QCOMPARE(asked.count(), 2);
        QCOMPARE(asked.last()[0].toLongLong(), 1);
    }
    void escapeCancelsADrag() {
        QSignalSpy cancelled(slider_.get(), &DegreeSlider::gestureCancelled);
        QTest::mousePress(slider_.get(), Qt::LeftButton, {}, slider_->stopPosition(0));
        QTest::keyClick(slider_.get(), Qt::Key_Escape);
        QCOMPARE(cancelled.count(), 1);
        QVERIFY(!slider_->isDragging());
    }
    void hoverTellsWhichStop() {
        QSignalSpy hovered(slider_.get(), &DegreeSlider::stopHovered);
        const QPointF at = slider_->stopPosition(2);
        QMouseEvent move(QEvent::MouseMove, at, slider_->mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(slider_.get(), &move);
        QVERIFY(!hovered.isEmpty());
        QCOMPARE(hovered.last()[0].toInt(), 2);
    }
    void descriptionNamesTheLegalValues() {
        QCOMPARE(slider_->accessibleDescription(), QStringLiteral("2; legal values: 1, 2, 4"));
    }
    void anIllegalCurrentValueIsShownAndCanBeLeft() {
        slider_->setStops(stops(), 8);
        QCOMPARE(slider_->number(), 8);
        QTest::keyClick(slider_.get(), Qt::Key_Left);
        QCOMPARE(slider_->number(), 4);
    }

  private:
    std::unique_ptr<DegreeSlider> slider_;
};

TRAINYARD_GUI_TEST_MAIN(TestDegreeSlider)
#include "test_degree_slider.moc"
