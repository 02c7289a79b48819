#include "core/io/shell/shell_arithmetic.h"
#include "core/io/shell/shell_script.h"
#include "tests/support/test_main.h"

using namespace trainyard;

// Scripts are worked out without running anything. Expected words were checked against bash where bash can say them.

namespace {

ShellScript script(const char* text, const std::map<std::string, std::string>& given = {}) {
    auto read = readShellScript(text, "run.sh", given);
    return read ? *read : ShellScript{};
}

/// Words of the last command, joined by `|`, unknown values as `${NAME}`.
std::string last(const char* text, const std::map<std::string, std::string>& given = {}) {
    const ShellScript read = script(text, given);
    std::string out;
    if (read.commands.empty()) return out;
    for (const auto& word : read.commands.back().words) out += (out.empty() ? "" : "|") + readable(word);
    return out;
}

bool noted(const ShellScript& read, std::string_view part) {
    for (const auto& note : read.notes)
        if (note.find(part) != std::string::npos) return true;
    return false;
}

}  // namespace

#define SAYS(text, words) QCOMPARE(QString::fromStdString(last(text)), QStringLiteral(words))

class TestShellScript : public QObject {
    Q_OBJECT
  private slots:
    void variablesAndQuotes() {
        SAYS("A=1\nB=\"two words\"\nrun --a $A --b \"$B\" --c $B", "run|--a|1|--b|two words|--c|two|words");
        SAYS("A=x; run ${A}y \"$A\"z '$A'", "run|xy|xz|$A");
        SAYS("A=1 B=2\nrun $A$B", "run|12");
        SAYS("A=a\nA+=b\nrun $A", "run|ab");
        SAYS("run a\\ b 'c d'\\''e'", "run|a b|c d'e");
        SAYS("export TP=4 PP=2\nrun $TP $PP", "run|4|2");
        SAYS("run --a \\\n  --b", "run|--a|--b");
        SAYS("run a # comment --b\n", "run|a");
        SAYS("run \"\" x", "run||x");
    }

    void arrays() {
        SAYS("A=(--x 1 \"two words\")\nrun \"${A[@]}\"", "run|--x|1|two words");
        SAYS("A=(--x 1)\nA+=(--y)\nrun ${A[@]}", "run|--x|1|--y");
        SAYS("A=(a b c)\nrun ${A[1]} ${#A[@]} $A", "run|b|3|a");
        SAYS("A=(\n  --x 1  # first\n  --y 2\n)\nrun ${A[*]}", "run|--x|1|--y|2");
        SAYS("E=()\nrun ${E[@]} x", "run|x");
    }

    void defaultsFromTheEnvironment() {
        SAYS("TP=${TP:-8}\nrun $TP", "run|8");
        SAYS("run ${X:=5} $X", "run|5|5");
        SAYS("A=1\nrun ${A:+--flag} ${B:+--no}", "run|--flag");
        SAYS("A=\nrun ${A-empty}x ${A:-filled}", "run|x|filled");
        QCOMPARE(QString::fromStdString(last("TP=${TP:-8}\nrun $TP", {{"TP", "2"}})), QStringLiteral("run|2"));
        QCOMPARE(QString::fromStdString(last("TP=4\nrun $TP", {{"TP", "2"}})), QStringLiteral("run|2"));  // the user wins
    }

    void textOperations() {
        SAYS("F=/a/b.tar.gz\nrun ${F##*/} ${F%.gz} ${F%%.*} ${F#/a/}", "run|b.tar.gz|/a/b.tar|/a/b|b.tar.gz");
        SAYS("A=7B-chat\nrun ${A/B/b} ${A//[^x]/y} ${A:0:2} ${A^^} ${A,,} ${#A}", "run|7b-chat|7B-chat|7B|7B-CHAT|7b-chat|7");
    }

    void arithmetic() {
        SAYS("N=4\nG=8\nrun $((N * G)) $((N*G/3)) $(( (N+1) % 3 )) $((2**10)) $((N > 3 ? 1 : 0))", "run|32|10|2|1024|1");
        SAYS("N=4\nN=$((N + 1))\nrun $N $(expr 3 + 4)", "run|5|7");
        const auto none = [](std::string_view) { return std::optional<std::string>(); };
        QVERIFY(!shellArithmetic("1 / 0", none));
        QVERIFY(!shellArithmetic("9223372036854775807 + 1", none));
        QVERIFY(!shellArithmetic("(1", none));
        QVERIFY(!shellArithmetic("x + 1", none));
        QCOMPARE(shellArithmetic("-7 / 2", none), std::optional<std::int64_t>(-3));
    }

    void branches() {
        SAYS("S=13B\nif [ \"$S\" = 7B ]; then L=32; elif [[ $S == 13* ]]; then L=40; else L=1; fi\nrun $L", "run|40");
        SAYS("S=7B\ncase $S in\n  1B|7B) L=32 ;;\n  *) L=1 ;;\nesac\nrun $L", "run|32");
        SAYS("A=3\nif [ $A -gt 2 -a $A -lt 5 ]; then run yes; else run no; fi", "run|yes");
        SAYS("if (( 2 > 3 )); then run a; else run b; fi", "run|b");
        SAYS("if [ -z \"$UNSET\" ]; then V=default; fi\nrun $V", "run|default");
    }

    void whatIsNotKnownIsNamed() {
        const ShellScript read =
            script("if [ \"$SIZE\" = 7B ]; then L=32; elif [ \"$SIZE\" = 70B ]; then L=80; fi\nrun --num-layers $L");
        QVERIFY(!read.unknown.empty());
        QCOMPARE(read.unknown.front().name, std::string("SIZE"));
        QVERIFY(read.unknown.front().comparedWith.contains("7B") && read.unknown.front().comparedWith.contains("70B"));
        SAYS("run --n $NODES", "run|--n|${NODES}");
        SAYS("N=$(nvidia-smi -L | wc -l)\nrun $N", "run|$(nvidia-smi -L )");
    }

    void functionsEvalAndStartedShells() {
        SAYS("go() { run --n $1 --tp $2; }\ngo 4 8", "run|--n|4|--tp|8");
        SAYS("function go {\n  local N=$1\n  run $N\n}\ngo 3", "run|3");
        SAYS("CMD=\"run --a 1\"\neval $CMD", "run|--a|1");
        SAYS("srun -l bash -c \"run --a 1 --b 'x y'\"", "run|--a|1|--b|x y");
        SAYS("exec run a", "run|a");
        SAYS("( run sub )", "run|sub");
        SAYS("{ run group; }", "run|group");
        SAYS("run a > log.txt 2>&1 &", "run|a");
        SAYS("true && run b || run c", "run|c");  // both sides are collected; the importer takes flags from either
    }

    void hereDocumentsAndLoopsAreSaid() {
        const ShellScript here = script("cat > hosts <<EOF\nnode1 slots=8\n--not-a-flag\nEOF\nrun --a\n");
        QCOMPARE(here.commands.back().words.back(), std::string("--a"));
        QVERIFY(noted(here, "here-documents"));
        const ShellScript loop = script("for TP in 1 2 4; do\n  run --tp $TP\ndone\n");
        QCOMPARE(loop.commands.size(), std::size_t{1});
        QCOMPARE(loop.commands.front().words.back(), std::string("1"));
        QVERIFY(noted(loop, "the loop over TP was run once, with 1"));
        const ShellScript whileLoop = script("while true; do\n  sleep 1\ndone\nrun --x\n");
        QCOMPARE(whileLoop.commands.size(), std::size_t{1});
        QVERIFY(noted(whileLoop, "loops with a condition are not run"));
    }

    void directivesSetTheSchedulersEnvironment() {
        SAYS(
            "#!/bin/bash\n#SBATCH --nodes=4\n#SBATCH --ntasks-per-node 8\n#SBATCH --gres=gpu:a100:8\nrun $SLURM_NNODES "
            "$SLURM_NTASKS_PER_NODE $SLURM_GPUS_ON_NODE",
            "run|4|8|8");
        const ShellScript read = script("#SBATCH --partition=h100 # big\nrun x");
        QCOMPARE(read.directives.size(), std::size_t{1});
    }

    void environmentBeforeACommand() {
        const ShellScript read = script("CUDA_DEVICE_MAX_CONNECTIONS=1 NCCL_DEBUG=INFO run a");
        QCOMPARE(read.commands.back().environment.at("CUDA_DEVICE_MAX_CONNECTIONS"), std::string("1"));
    }

    void unclosedTextNamesItsLine_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("where");
        QTest::newRow("quote") << QStringLiteral("a\nrun \"x\n") << QStringLiteral("run.sh:2");
        QTest::newRow("if") << QStringLiteral("a\nb\nif true; then\nrun\n") << QStringLiteral("run.sh:3");
        QTest::newRow("case") << QStringLiteral("case x in\n") << QStringLiteral("run.sh:1");
        QTest::newRow("for") << QStringLiteral("\nfor x in 1 2\n") << QStringLiteral("run.sh:2");
        QTest::newRow("brace") << QStringLiteral("{ run\n") << QStringLiteral("run.sh:1");
        QTest::newRow("while") << QStringLiteral("while true; do run\n") << QStringLiteral("run.sh:1");
    }
    void unclosedTextNamesItsLine() {
        QFETCH(QString, text);
        QFETCH(QString, where);
        const auto read = readShellScript(text.toStdString(), "run.sh", {});
        QVERIFY(!read.has_value());
        QCOMPARE(QString::fromStdString(read.error().where), where);
        QVERIFY(!read.error().message.empty());
    }

    void growthIsBounded() {
        std::string doubling = "A=xxxxxxxx\n";
        for (int i = 0; i < 40; ++i) doubling += "A=\"$A$A\"\n";
        const auto read = readShellScript(doubling + "run $A\n", "run.sh", {});
        QVERIFY(!read.has_value() && read.error().code == "shell-too-large");
        std::string deep;
        for (int i = 0; i < 300; ++i) deep += "if true; then ";
        QVERIFY(!readShellScript(deep, "run.sh", {}).has_value());
        const auto endless = readShellScript("f() { f; }\nf\nrun x\n", "run.sh", {});  // a function that calls itself ends
        QVERIFY(!endless || endless->commands.size() < 100);
        QVERIFY(!readShellScript(std::string(5 << 20, 'a'), "run.sh", {}).has_value());
        QVERIFY(!readShellScript(std::string("run\0x", 5), "run.sh", {}).has_value());
    }
};

TRAINYARD_CORE_TEST_MAIN(TestShellScript)
#include "test_shell_script.moc"
