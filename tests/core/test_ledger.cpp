#include <QtTest>
#include <cmath>
#include <numeric>

#include "core/model/operator_ledger.h"

using namespace trainyard;

namespace {

/// GPT-3 style: learned positions, biases, plain feed-forward of 4 h, dropout.
ModelSpec gpt(std::int64_t hidden, std::int64_t heads) {
    ModelSpec m;
    m.layers = 4;
    m.hiddenSize = hidden;
    m.attentionHeads = m.kvHeads = heads;
    m.headDim = hidden / heads;
    m.ffnHiddenSize = 4 * hidden;
    m.vocabSize = 51200;
    m.biases = true;
    m.tiedEmbeddings = true;
    m.norm = NormKind::layernorm;
    m.positionEmbedding = PositionEmbedding::learned;
    return m;
}

ModelSpec llama(std::int64_t kvHeads) {
    ModelSpec m;
    m.layers = 32;
    m.hiddenSize = 4096;
    m.attentionHeads = 32;
    m.kvHeads = kvHeads;
    m.headDim = 128;
    m.ffnHiddenSize = 14336;
    m.gatedMlp = true;
    m.vocabSize = 128256;
    return m;
}

ModelSpec mixtral() {
    ModelSpec m = llama(8);
    m.vocabSize = 32000;
    MoeSpec moe;
    moe.experts = 8;
    moe.topK = 2;
    moe.expertFfnHiddenSize = 14336;
    m.moe = moe;
    return m;
}

Workload work(std::int64_t sequence, AttentionKernel attention) {
    Workload w;
    w.sequenceLength = sequence;
    w.attention = attention;
    return w;
}

Sharding shard(std::int64_t tensor, bool sequenceParallel, std::int64_t microBatch = 1) {
    Sharding s;
    s.tensor = tensor;
    s.sequenceParallel = sequenceParallel;
    s.microBatchSize = microBatch;
    return s;
}

template <class Member>
double sum(const std::vector<Operator>& list, Member member) {
    return std::accumulate(list.begin(), list.end(), 0.0, [&](double a, const Operator& op) { return a + op.*member; });
}

const Operator& find(const std::vector<Operator>& list, std::string_view name) {
    for (const Operator& op : list)
        if (op.name == name) return op;
    qFatal("no such operator");
}

bool near(double value, double expected, double tolerance) { return std::abs(value / expected - 1) <= tolerance; }

}  // namespace

class TestLedger : public QObject {
    Q_OBJECT
private slots:
    // Korthikanti et al., arXiv 2205.05198, table 2, bytes per layer.
    void activationsOfTheRecomputationPaper_data() {
        QTest::addColumn<qint64>("hidden");
        QTest::addColumn<qint64>("heads");
        QTest::addColumn<qint64>("sequence");
        QTest::addColumn<qint64>("microBatch");
        QTest::addColumn<qint64>("tensor");
        QTest::addColumn<bool>("sequenceParallel");
        QTest::newRow("22B, one device") << qint64{6144} << qint64{64} << qint64{2048} << qint64{4} << qint64{1} << false;
        QTest::newRow("22B, tensor 8") << qint64{6144} << qint64{64} << qint64{2048} << qint64{4} << qint64{8} << false;
        QTest::newRow("175B, tensor 8 and sequence parallel") << qint64{12288} << qint64{96} << qint64{2048} << qint64{1} << qint64{8} << true;
        QTest::newRow("1T, tensor 8 and sequence parallel") << qint64{25600} << qint64{160} << qint64{2048} << qint64{1} << qint64{8} << true;
    }
    void activationsOfTheRecomputationPaper() {
        QFETCH(qint64, hidden);
        QFETCH(qint64, heads);
        QFETCH(qint64, sequence);
        QFETCH(qint64, microBatch);
        QFETCH(qint64, tensor);
        QFETCH(bool, sequenceParallel);
        const auto s = static_cast<double>(sequence), b = static_cast<double>(microBatch), h = static_cast<double>(hidden);
        const auto a = static_cast<double>(heads), t = static_cast<double>(tensor);
        const auto list = layerOperators(gpt(hidden, heads), LayerKind{}, work(sequence, AttentionKernel::unfused), shard(tensor, sequenceParallel, microBatch));
        const double expected = sequenceParallel ? s * b * h / t * (34 + 5 * a * s / h) : s * b * h * (10 + 24 / t + 5 * a * s / (h * t));
        const double saved = sum(list, &Operator::savedBytes);
        QVERIFY2(near(saved, expected, 0.001), qPrintable(QString("%1 instead of %2").arg(saved).arg(expected)));
        QVERIFY(saved >= expected);  // the paper leaves out the statistics of the norms
        // Full recomputation keeps the layer's input, selective drops the attention core.
        QCOMPARE(sum(list, &Operator::keptByFull), 2 * s * b * h / (sequenceParallel ? t : 1));
        double dropped = 0;
        for (const Operator& op : list)
            if ((op.droppedBy & static_cast<std::uint16_t>(RecomputeModule::core_attn)) != 0) dropped += op.savedBytes;
        QCOMPARE(dropped, 5 * a * s * s * b / t);
    }

    // Narayanan et al., arXiv 2104.04473, appendix: 24 B s h^2 + 4 B s^2 h per layer, 2 B s h V for the head.
    // Tempo (arXiv 2210.10246) on the form of the recomputation paper, s b h (34 + 5 a s / h): without the inputs of two norms
    // (4 s b h), with a mask for the input of the activation (8 -> 4), without the result of the score dropout (5 a s / h -> 3).
    void operatorsInPlaceKeepLess() {
        const ModelSpec model = gpt(1024, 16);
        Workload plain = work(512, AttentionKernel::unfused);
        plain.precision = Precision::fp16;
        Workload tempo = plain;
        for (const auto which : kAllInPlaceOperators) tempo.inPlace = static_cast<std::uint8_t>(tempo.inPlace | static_cast<std::uint8_t>(which));
        Sharding sharding = shard(1, false, 8);
        sharding.stack = SoftwareStack::classic;
        const double sbh = 512.0 * 8 * 1024;
        const double as = 16.0 * 512 / 1024;
        const double before = sum(layerOperators(model, {}, plain, sharding), &Operator::savedBytes);
        const double after = sum(layerOperators(model, {}, tempo, sharding), &Operator::savedBytes);
        QVERIFY2(near(before, sbh * (34 + 5 * as), 0.002), qPrintable(QString::number(before / sbh)));
        QVERIFY2(near(after, sbh * (26 + 3 * as), 0.002), qPrintable(QString::number(after / sbh)));
    }

    // A chunked loss holds one chunk of logits at a time and nothing between the passes.
    void chunkedLossHoldsOneChunk() {
        Workload whole = work(8192, AttentionKernel::flash2);
        Workload chunked = whole;
        chunked.lossChunks = 8;
        const std::vector<Operator> wholeList = headOperators(llama(8), whole, shard(1, false));
        const Operator& at = find(wholeList, "cross-entropy");
        const double peak = at.savedBytes + at.workspaceBytes;
        const std::vector<Operator> list = headOperators(llama(8), chunked, shard(1, false));
        const Operator& loss = find(list, "cross-entropy");
        QCOMPARE(loss.savedBytes, 0.0);
        QVERIFY(near(loss.workspaceBytes, peak / 8, 1e-12));
        QCOMPARE(loss.forwardBytes, at.forwardBytes);
    }

    // With a capacity factor c every expert computes on c times its even share (Switch Transformer, arXiv 2101.03961).
    void capacityPadsTheExperts() {
        ModelSpec dropless = mixtral();
        ModelSpec padded = dropless;
        padded.moe->capacityFactor = 1.25;
        const Workload w = work(4096, AttentionKernel::flash2);
        Sharding s = shard(1, false);
        s.expert = 8;
        const LayerKind kind = layerKind(dropless, 0);
        for (const char* name : {"expert gate and up", "expert down"}) {
            const Operator even = find(layerOperators(dropless, kind, w, s), name);
            const Operator more = find(layerOperators(padded, kind, w, s), name);
            QVERIFY(near(more.forwardFlops, 1.25 * even.forwardFlops, 1e-12));
            QVERIFY(near(more.savedBytes, 1.25 * even.savedBytes, 1e-12));
        }
        const Operator even = find(layerOperators(dropless, kind, w, s), "expert dispatch");
        const Operator more = find(layerOperators(padded, kind, w, s), "expert dispatch");
        QVERIFY(near(more.collectiveBytes, 1.25 * even.collectiveBytes, 1e-12));
    }

    void forwardFlops() {
        const double s = 2048, b = 3, h = 6144;
        const auto layer = layerOperators(gpt(6144, 64), LayerKind{}, work(2048, AttentionKernel::unfused), shard(1, false, 3));
        QVERIFY(near(sum(layer, &Operator::forwardFlops), 24 * b * s * h * h + 4 * b * s * s * h, 1e-12));
        const auto head = headOperators(gpt(6144, 64), work(2048, AttentionKernel::flash2), shard(1, false, 3));
        QVERIFY(near(sum(head, &Operator::forwardFlops), 2 * b * s * h * 51200, 1e-12));
        // The backward pass is twice the forward pass.
        QCOMPARE(sum(layer, &Operator::backwardInputFlops) + sum(layer, &Operator::backwardWeightFlops), 2 * sum(layer, &Operator::forwardFlops));
    }

    void shardsAddUpToTheWhole() {
        for (const ModelSpec& model : {gpt(6144, 64), llama(8), mixtral()}) {
            const LayerKind kind = layerKind(model, 0);
            const auto whole = layerOperators(model, kind, work(4096, AttentionKernel::flash2), shard(1, false));
            const auto part = layerOperators(model, kind, work(4096, AttentionKernel::flash2), shard(8, true));
            double added = 0;
            for (const Operator& op : part) added += op.parameters * (op.shardedOverTensor && op.expertParameters == 0 ? 8 : 1);
            // Biases of row-parallel products are held by every rank; the rest adds up.
            const double rowBiases = model.biases ? 2 * 7 * 6144.0 : 0;
            QCOMPARE(added - rowBiases, sum(whole, &Operator::parameters));
            QVERIFY(near(8 * sum(part, &Operator::forwardFlops), sum(whole, &Operator::forwardFlops), 1e-9));
        }
    }

    void groupedQueriesKeepFewerKeys() {
        const auto many = layerOperators(llama(32), LayerKind{}, work(4096, AttentionKernel::flash3), shard(1, false));
        const auto few = layerOperators(llama(8), LayerKind{}, work(4096, AttentionKernel::flash3), shard(1, false));
        // 24 heads fewer of keys and of values, 128 wide, 16 bit, and of the packed projection's keys.
        QCOMPARE(sum(many, &Operator::savedBytes) - sum(few, &Operator::savedBytes), 4096.0 * 24 * 128 * 2 * 3);
        QCOMPARE(find(few, "attention core").forwardFlops, find(many, "attention core").forwardFlops);
        // More tensor ranks than key-value heads: every rank keeps one head.
        const auto spread = layerOperators(llama(2), LayerKind{}, work(4096, AttentionKernel::flash3), shard(8, true));
        QCOMPARE(find(spread, "query-key-value").n, (4.0 + 2 * 1) * 128);
    }

    void flashAttentionGrowsLinearly() {
        const auto kept = [](std::int64_t sequence, AttentionKernel kernel) {
            return sum(layerOperators(llama(8), LayerKind{}, work(sequence, kernel), shard(1, false)), &Operator::savedBytes);
        };
        QCOMPARE(kept(16384, AttentionKernel::flash2), 4 * kept(4096, AttentionKernel::flash2));
        QVERIFY(kept(16384, AttentionKernel::unfused) > 8 * kept(4096, AttentionKernel::unfused));
    }

    void slidingWindowLimitsTheKeys() {
        LayerKind window;
        window.slidingWindow = 1024;
        const auto local = layerOperators(llama(8), window, work(32768, AttentionKernel::flash2), shard(1, false));
        const auto global = layerOperators(llama(8), LayerKind{}, work(32768, AttentionKernel::flash2), shard(1, false));
        QVERIFY(find(local, "attention core").forwardFlops < find(global, "attention core").forwardFlops / 31);
        QVERIFY(!find(local, "attention core").causal);
        // A window longer than the sequence is none.
        window.slidingWindow = 65536;
        const auto wide = layerOperators(llama(8), window, work(32768, AttentionKernel::flash2), shard(1, false));
        QCOMPARE(find(wide, "attention core").forwardFlops, find(global, "attention core").forwardFlops);
    }

    void expertsAreSplit() {
        const ModelSpec model = mixtral();
        Sharding s = shard(1, false);
        const LayerKind kind = layerKind(model, 0);
        const auto whole = layerOperators(model, kind, work(4096, AttentionKernel::flash3), s);
        s.expert = 8;
        const auto parallel = layerOperators(model, kind, work(4096, AttentionKernel::flash3), s);
        QCOMPARE(sum(whole, &Operator::expertParameters), 8.0 * 3 * 4096 * 14336);
        QCOMPARE(sum(parallel, &Operator::expertParameters), 3.0 * 4096 * 14336);
        // Every token meets two experts, wherever they live.
        QCOMPARE(find(whole, "expert gate and up").forwardFlops, 2.0 * 4096 * 2 * 4096 * 2 * 14336);
        QCOMPARE(find(parallel, "expert gate and up").forwardFlops, find(whole, "expert gate and up").forwardFlops);
        // Each device sends two copies of its tokens, 16 bit.
        QCOMPARE(find(parallel, "expert dispatch").collectiveBytes, 2.0 * 4096 * 4096 * 2);
        s.expertTensor = 2;
        const auto halved = layerOperators(model, kind, work(4096, AttentionKernel::flash3), s);
        QCOMPARE(sum(halved, &Operator::expertParameters), 1.5 * 4096 * 14336);
        // Twice the tokens at half the width.
        QCOMPARE(find(halved, "expert gate and up").forwardFlops, find(whole, "expert gate and up").forwardFlops);
    }

    void contextParallelismSplitsTokensAndWork() {
        for (const ContextMethod method : {ContextMethod::ring, ContextMethod::ulysses, ContextMethod::all_gather, ContextMethod::usp}) {
            Sharding s = shard(1, false);
            const auto whole = layerOperators(llama(8), LayerKind{}, work(32768, AttentionKernel::flash3), s);
            s.context = 4;
            s.contextMethod = method;
            const auto part = layerOperators(llama(8), LayerKind{}, work(32768, AttentionKernel::flash3), s);
            QCOMPARE(4 * sum(part, &Operator::forwardFlops), sum(whole, &Operator::forwardFlops));
            QCOMPARE(4 * sum(part, &Operator::savedBytes), sum(whole, &Operator::savedBytes));
            double moved = 0;
            for (const Operator& op : part)
                if (op.group == CollectiveGroup::context) moved += op.collectiveBytes;
            QVERIFY(moved > 0);
        }
        Sharding s = shard(1, false);
        s.context = 16;
        s.contextMethod = ContextMethod::usp;
        const ContextSplit split = contextSplit(llama(8), LayerKind{}, s);
        QCOMPARE(split.ulysses, std::int64_t{8});  // as many as there are key-value heads
        QCOMPARE(split.ring, std::int64_t{2});
    }

    void tensorParallelCollectives() {
        const double bytes = 4096.0 * 4096 * 2;
        const auto count = [&](bool sequenceParallel, CollectiveKind kind, bool forward) {
            int n = 0;
            for (const Operator& op : layerOperators(llama(8), LayerKind{}, work(4096, AttentionKernel::flash3), shard(4, sequenceParallel)))
                if (op.group == CollectiveGroup::tensor && (forward ? op.collective : op.backwardCollective) == kind) {
                    if ((forward ? op.collectiveBytes : op.backwardCollectiveBytes) != bytes) return -1;
                    ++n;
                }
            return n;
        };
        // Shoeybi et al., arXiv 1909.08053: two all-reduces each way; with sequence parallelism a gather and a scatter instead.
        QCOMPARE(count(false, CollectiveKind::allReduce, true), 2);
        QCOMPARE(count(false, CollectiveKind::allReduce, false), 2);
        QCOMPARE(count(true, CollectiveKind::allGather, true), 2);
        QCOMPARE(count(true, CollectiveKind::reduceScatter, true), 2);
        QCOMPARE(count(true, CollectiveKind::reduceScatter, false), 2);
        QCOMPARE(count(true, CollectiveKind::allGather, false), 4);  // two of them again for the weight gradient
        for (const Operator& op : layerOperators(llama(8), LayerKind{}, work(4096, AttentionKernel::flash3), shard(1, true)))
            QVERIFY(op.kind != OperatorKind::collective);
    }

    void vocabularyIsPadded() {
        ModelSpec model = gpt(1024, 16);
        model.vocabSize = 50257;
        QCOMPARE(paddedVocabulary(model, shard(1, false)), std::int64_t{50304});
        QCOMPARE(paddedVocabulary(model, shard(2, false)), std::int64_t{50432});
        QCOMPARE(paddedVocabulary(model, shard(8, false)), std::int64_t{51200});
        Sharding plain = shard(8, false);
        plain.vocabDivisor = 1;
        QCOMPARE(paddedVocabulary(model, plain), std::int64_t{50257});
    }

    void logitsAreSplitOverTheVocabulary() {
        const auto loss = [](const Sharding& s, AttentionKernel kernel = AttentionKernel::flash2) {
            return find(headOperators(llama(8), work(8192, kernel), s), "cross-entropy");
        };
        QCOMPARE(loss(shard(1, false)).savedBytes, 8192.0 * 128256 * 4);
        QCOMPARE(loss(shard(1, false)).savedBytes + loss(shard(1, false)).workspaceBytes, 8192.0 * 128256 * 10);
        QVERIFY(near(loss(shard(8, true)).savedBytes, 8192.0 * 128256 * 4 / 8, 0.01));
        Sharding gathered = shard(8, true);
        gathered.stack = SoftwareStack::gathered;
        QVERIFY(loss(gathered).savedBytes >= 8192.0 * 128256 * 4);
        // Transformer Engine's loss writes the gradient over the 16-bit logits.
        QCOMPARE(loss(shard(1, false), AttentionKernel::flash3).savedBytes, 8192.0 * 128256 * 2);
    }

    void eightBitRecipesKeepNarrowInputs() {
        Workload w = work(4096, AttentionKernel::flash3);
        const double wide = sum(layerOperators(llama(8), LayerKind{}, w, shard(1, false)), &Operator::savedForWeightBytes);
        w.precision = Precision::fp8;
        const auto list = layerOperators(llama(8), LayerKind{}, w, shard(1, false));
        QCOMPARE(find(list, "feed-forward gate and up").savedBytes, 4096.0 * 4096);
        QVERIFY(sum(list, &Operator::savedForWeightBytes) < wide);
        w.precision = Precision::nvfp4;
        QCOMPARE(find(layerOperators(llama(8), LayerKind{}, w, shard(1, false)), "feed-forward gate and up").savedBytes, 4096.0 * 4096 * 0.5625);
    }

    void recomputedModulesDropWhatTheyCanMakeAgain() {
        const auto kept = [](const ModelSpec& model, RecomputeModule module) {
            double bytes = 0;
            for (const Operator& op : layerOperators(model, layerKind(model, 0), work(4096, AttentionKernel::flash3), shard(2, true)))
                if ((op.droppedBy & static_cast<std::uint16_t>(module)) == 0) bytes += op.savedBytes;
            return bytes;
        };
        const double tokens = 4096, none = kept(llama(8), static_cast<RecomputeModule>(0));
        // Norm outputs of attention and feed-forward, split over the two ranks.
        QCOMPARE(none - kept(llama(8), RecomputeModule::layernorm), 2 * tokens / 2 * 4096 * 2);
        QCOMPARE(none - kept(llama(8), RecomputeModule::activation), tokens * 14336 / 2 * 2);
        QVERIFY(kept(llama(8), RecomputeModule::mlp) < kept(llama(8), RecomputeModule::activation));
        QCOMPARE(kept(llama(8), RecomputeModule::moe), none);
        const double experts = kept(mixtral(), static_cast<RecomputeModule>(0));
        QVERIFY(kept(mixtral(), RecomputeModule::moe_act) < experts);
        QVERIFY(kept(mixtral(), RecomputeModule::moe) < kept(mixtral(), RecomputeModule::moe_act));
        // Per-operator policy: layer input, query, value, attention output and its row sums, half of the up product, the down product.
        const auto list = layerOperators(llama(8), LayerKind{}, work(4096, AttentionKernel::flash2), shard(1, false));
        QCOMPARE(sum(list, &Operator::keptByEverySecondMatmul), tokens * (2.0 * (4096 + 4096 + 1024 + 4096 + 14336 + 4096) + 4 * 32));
    }
};

QTEST_APPLESS_MAIN(TestLedger)
#include "test_ledger.moc"
