#include "core/base/expression.h"
#include "tests/support/test_main.h"

using namespace trainyard;

namespace {

std::optional<double> lookup(std::string_view symbol) {
    if (symbol == "n") return 8.0;
    if (symbol == "t_gemm") return 0.25;
    if (symbol == "memory.stages.0.total_bytes") return 100.0;
    if (symbol == "memory.verdict") return textValue("fits");
    if (symbol == "fits" || symbol == "tight") return textValue(symbol);
    return std::nullopt;
}

}  // namespace

class TestExpression : public QObject {
    Q_OBJECT
  private slots:
    void evaluates_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("value");
        const std::pair<const char*, double> rows[] = {{"2*(n-1)/n", 1.75},
                                                       {"max(n, 3, 2) + min(4, n)", 12.0},
                                                       {"sum(1, 2, 3)", 6.0},
                                                       {"ceil(n/3) + floor(n/3)", 5.0},
                                                       {"n^2", 64.0},
                                                       {"1e-3 * n", 0.008},
                                                       {"-t_gemm + 1", 0.75},
                                                       {"memory.stages.0.total_bytes / 4", 25.0},
                                                       {"memory.verdict is fits and n < 9", 1.0},
                                                       {"memory.verdict is \"fits\"", 1.0},
                                                       {"memory.verdict is not fits", 0.0},
                                                       {"memory.verdict is tight or n == 8", 1.0},
                                                       {"not (n > 3)", 0.0}};
        for (const auto& [text, value] : rows) QTest::newRow(text) << QString::fromUtf8(text) << value;
    }
    void evaluates() {
        QFETCH(QString, text);
        QFETCH(double, value);
        const auto result = evaluateExpression(text.toStdString(), lookup);
        QVERIFY2(result.has_value(), result ? "" : result.error().message.c_str());
        QCOMPARE(*result, value);
    }

    void refusesWithThePlace_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"", "n +", "unknown * 2", "2 ** 3", "n n", "\"open", "foo(3)", "((n)"})
            QTest::newRow(text) << QString::fromUtf8(text);
    }
    void refusesWithThePlace() {
        QFETCH(QString, text);
        const auto result = evaluateExpression(text.toStdString(), lookup);
        QVERIFY(!result.has_value());
        QVERIFY(!result.error().message.empty());
    }

    void namesItsSymbols() {
        QCOMPARE(expressionSymbols("a + b*a / max(c, 1)").value(), (std::vector<std::string>{"a", "b", "c"}));
    }
};

TRAINYARD_CORE_TEST_MAIN(TestExpression)
#include "test_expression.moc"
