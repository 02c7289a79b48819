#include <QImage>
#include <QPainter>

#include "core/io/teach/glossary.h"
#include "tests/support/test_main.h"
#include "widgets/style/theme.h"
#include "widgets/teach/formula_view.h"

using namespace trainyard;

namespace {

FormulaLayout laidOut(const char* formula, FormulaLayout::Style style = FormulaLayout::Style::display, double width = 0) {
    return FormulaLayout(*parseFormula(formula), type::font(16), style, width);
}

/// Rows of the picture that have ink.
int inkRows(const FormulaLayout& layout) {
    QImage image(layout.size().toSize() + QSize(8, 8), QImage::Format_ARGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setPen(Qt::black);
    layout.paint(painter, QPointF(4, 4));
    painter.end();
    int rows = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (qGray(image.pixel(x, y)) < 128) {
                ++rows;
                break;
            }
    return rows;
}

}  // namespace

class TestFormulaView : public QObject {
    Q_OBJECT
  private slots:
    void aFractionStandsUpright() {
        const FormulaLayout upright = laidOut("(p - 1) / (m + p - 1)");
        const FormulaLayout line = laidOut("(p - 1) / (m + p - 1)", FormulaLayout::Style::inLine);
        QVERIFY(upright.size().height() > 1.5 * line.size().height());
        QVERIFY(upright.size().width() < line.size().width());
        QVERIFY(inkRows(upright) > inkRows(line));
    }

    void anIndexHangsAndAPowerRises() {
        QVERIFY(laidOut("t_step").size().width() < laidOut("tstep").size().width() + 12);
        QVERIFY(laidOut("h^2").size().height() > laidOut("h").size().height() - 1);
        QVERIFY(inkRows(laidOut("x_i^2")) > inkRows(laidOut("x")));
    }

    void aLongSumBreaks() {
        const char* sum = "t = aaaa + bbbb + cccc + dddd + eeee + ffff + gggg";
        QVERIFY(laidOut(sum, FormulaLayout::Style::display, 150).size().height() > 1.8 * laidOut(sum).size().height());
        QVERIFY(laidOut(sum, FormulaLayout::Style::display, 150).size().width() < 260);
    }

    void everyFormulaOfTheGlossaryIsDrawn() {
        for (const GlossaryEntry& entry : glossary().entries())
            for (const std::string& formula : entry.formulas) QVERIFY2(inkRows(laidOut(formula.c_str())) > 4, formula.c_str());
    }

    void theViewSaysItsFormulas() {
        FormulaView view;
        view.setFormulas({*parseFormula("beta = (p - 1) / m")});
        QCOMPARE(view.accessibleName(), QStringLiteral("beta = (p - 1) / m"));
        QVERIFY(view.heightForWidth(300) > 20);
    }
};

TRAINYARD_GUI_TEST_MAIN(TestFormulaView)
#include "test_formula_view.moc"
