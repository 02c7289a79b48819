#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <cmath>

#include "core/cluster/topology.h"
#include "core/io/presets/preset_library.h"
#include "tests/support/test_main.h"

using namespace trainyard;

namespace {

ClusterSpec expanded(const ClusterPreset& preset) {
    const auto cluster = PresetLibrary().expand(preset);
    if (!cluster) qFatal("%s", cluster.error().message.c_str());
    return *cluster;
}

double nodeBandwidth(const ClusterSpec& cluster) {
    return cluster.links.at(0).bandwidthBytesPerS * static_cast<double>(cluster.links.at(0).count);
}

}  // namespace

class TestPresetLibrary : public QObject {
    Q_OBJECT
  private slots:
    void everyAcceleratorNodeAndNetworkReads() {
        const PresetLibrary library;
        QCOMPARE(library.ids(PresetKind::accelerators).size(), std::size_t{47});
        QCOMPARE(library.accelerators().size(), std::size_t{47});
        QCOMPARE(library.ids(PresetKind::nodes).size(), std::size_t{25});
        QCOMPARE(library.nodes().size(), std::size_t{25});
        QCOMPARE(library.ids(PresetKind::networks).size(), std::size_t{23});
        for (const std::string& id : library.ids(PresetKind::networks)) QVERIFY(library.network(id).has_value());
        for (const std::string& id : library.ids(PresetKind::accelerators)) QCOMPARE((*library.accelerator(id))->id, id);
    }

    void figuresAreThoseOfTheDataSheet() {
        const auto spec = *PresetLibrary().accelerator("h100-sxm5-80");
        QCOMPARE(spec->peak(Precision::bf16), 989e12);
        QCOMPARE(spec->peak(Precision::fp8), 1979e12);
        QCOMPARE(spec->peak(Precision::nvfp4), 0.0);
        QCOMPARE(spec->memoryUsableBytes, 81559.0 * 1048576);
        QCOMPARE(spec->scaleUpBytesPerS, 450e9);
        QCOMPARE(spec->tdpW, 700.0);
        // where the driver's figure is not known: 0.985 of the label in GiB
        QCOMPARE((*PresetLibrary().accelerator("a100-sxm4-80"))->memoryUsableBytes, 0.985 * 80 * 1073741824);
    }

    void driverNamesAreUnderstood() {
        QCOMPARE((*PresetLibrary().accelerator("NVIDIA H100 80GB HBM3"))->id, std::string("h100-sxm5-80"));
    }

    void unknownNamesAreAnErrorThatNamesTheNearest() {
        const auto spec = PresetLibrary().accelerator("h100");
        QVERIFY(!spec);
        QVERIFY(spec.error().message.find("h100-") != std::string::npos);
        QVERIFY(!PresetLibrary().expand({.id = "dgx-z9"}));
    }

    void aPodIsNodesASwitchAndCables() {
        const ClusterSpec cluster = expanded({.id = "dgx-h100", .nodes = 16});
        QCOMPARE(cluster.devices(), std::int64_t{128});
        QCOMPARE(cluster.nodes.size(), std::size_t{1});
        QCOMPARE(cluster.switches.size(), std::size_t{1});
        QCOMPARE(cluster.links.size(), std::size_t{1});
        QCOMPARE(cluster.links[0].count, std::int64_t{8});
        QVERIFY(cluster.links[0].kind == LinkKind::infiniband);
        QCOMPARE(nodeBandwidth(cluster), 400e9);
        QVERIFY(cluster.links[0].latencyS > 0);
        QVERIFY(cluster.nodes[0].intra.inNetworkReduction);
        QVERIFY(cluster.preset.has_value());
    }

    void fewerAcceleratorsKeepTheNetworkPerAccelerator_data() {
        QTest::addColumn<QString>("node");
        QTest::addColumn<int>("wanted");
        QTest::addColumn<double>("bytesPerS");
        QTest::addRow("half a DGX A100") << "dgx-a100" << 4 << 100e9;
        QTest::addRow("three of eight") << "dgx-h100" << 3 << 150e9;
        QTest::addRow("one of a DGX-2") << "dgx2" << 1 << 6.25e9;
        QTest::addRow("64 of an NVL72") << "gb200-nvl72" << 64 << 3200e9;
    }
    void fewerAcceleratorsKeepTheNetworkPerAccelerator() {
        QFETCH(QString, node);
        QFETCH(int, wanted);
        QFETCH(double, bytesPerS);
        const ClusterSpec cluster = expanded({.id = node.toStdString(), .nodes = 2, .acceleratorsPerNode = wanted});
        QCOMPARE(cluster.devices(), std::int64_t{2 * wanted});
        QCOMPARE(nodeBandwidth(cluster), bytesPerS);
    }

    void aNetworkRateIsThatOfTheNodeAsGiven() {
        QCOMPARE(nodeBandwidth(expanded({.id = "dgx-a100", .nodes = 4, .networkGbpsPerNode = 800.0})), 100e9);
        QCOMPARE(nodeBandwidth(expanded({.id = "dgx-a100", .nodes = 4, .acceleratorsPerNode = 2, .networkGbpsPerNode = 800.0})),
                 100e9);
    }

    void anotherAcceleratorBringsItsLinks() {
        const PresetLibrary library;
        const ClusterSpec a800 = expanded({.id = "dgx-a100", .nodes = 2, .accelerator = *library.accelerator("a800-sxm4-80")});
        QCOMPARE(a800.nodes[0].intra.bandwidthBytesPerS, 200e9);
        QCOMPARE(a800.nodes[0].accelerators[0].accelerator->id, std::string("a800-sxm4-80"));
        const ClusterSpec mi325x = expanded({.id = "mi300x-8", .nodes = 1, .accelerator = *library.accelerator("mi325x")});
        QVERIFY(mi325x.nodes[0].intra.shape == IntraNodeLinks::Shape::mesh);
        QCOMPARE(mi325x.nodes[0].intra.bandwidthBytesPerS, 64e9);
    }

    void consumerCardsHaveNoPeerToPeer() {
        const ClusterSpec cluster = expanded({.id = "pcie-rtx4090-4"});
        QVERIFY(!cluster.nodes[0].intra.peerToPeer);
        QVERIFY(cluster.nodes[0].intra.shape == IntraNodeLinks::Shape::pcieTree);
    }

    void unevenLinksAreAMatrix() {
        const ClusterSpec cluster = expanded({.id = "dgx1-v100"});
        const auto& matrix = cluster.nodes[0].intra.matrixBytesPerS;
        QCOMPARE(matrix.size(), std::size_t{64});
        double ofFirst = 0;
        for (std::size_t i = 0; i < 64; ++i) QCOMPARE(matrix[i], matrix[(i % 8) * 8 + i / 8]);
        for (std::size_t i = 0; i < 8; ++i) ofFirst += matrix[i] >= 25e9 ? matrix[i] : 0;
        QCOMPARE(ofFirst, 150e9);  // six NVLink 2 links
    }

    void everyClusterExpands() {
        const PresetLibrary library;
        QVERIFY(library.ids(PresetKind::clusters).size() >= 12);
        for (const std::string& id : library.ids(PresetKind::clusters)) {
            const auto cluster = library.expand({.id = id});
            QVERIFY2(cluster.has_value(), cluster ? "" : cluster.error().message.c_str());
            QVERIFY(cluster->devices() > 0);
            QVERIFY(Topology(std::make_shared<const ClusterSpec>(*cluster)).connected());
            QCOMPARE(cluster->preset->id, id);
            QVERIFY(!cluster->name.empty());
        }
        QCOMPARE(expanded({.id = "dgx-h100-2048"}).devices(), std::int64_t{16384});
        QCOMPARE(expanded({.id = "dgx-h100-16", .nodes = 2}).devices(), std::int64_t{256});
        QCOMPARE(expanded({.id = "mixed-hall"}).nodes.size(), std::size_t{3});
        QVERIFY(!library.expand({.id = "mixed-hall", .nodes = 2}));
    }

    void aClusterThatNamesItselfIsRefused() {
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkpath("clusters"));
        QFile out(folder.filePath("clusters/loop.json"));
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(R"({"id":"loop","name":"Loop","cluster":{"preset":"loop","nodes":2}})");
        out.close();
        const PresetLibrary library({folder.path().toStdString()});
        QCOMPARE(library.errors().size(), std::size_t{1});
        QVERIFY(!library.expand({.id = "loop"}));
    }

    void tooManyNodesAreRefused() { QVERIFY(!PresetLibrary().expand({.id = "dgx-h100", .nodes = std::int64_t{1} << 40})); }

    void userFilesAddReplaceAndAreChecked() {
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkpath("accelerators") && QDir(folder.path()).mkpath("nodes"));
        const auto put = [&](const QString& file, const QByteArray& text) {
            QFile out(folder.filePath(file));
            QVERIFY(out.open(QIODevice::WriteOnly));
            out.write(text);
        };
        put("accelerators/mine.json",
            R"({"id":"mine","name":"Mine","memory_bytes":1e9,"memory_bandwidth_bytes_per_s":1e11,"peak_flops_per_s":{"bf16":1e12}})");
        put("accelerators/t4.json",
            R"({"id":"t4","name":"My T4","memory_bytes":1e9,"memory_bandwidth_bytes_per_s":1e11,"peak_flops_per_s":{"fp16":1e12}})");
        put("accelerators/bad.json", R"({"id":"bad","name":"Bad","memory_bytes":"lots"})");
        put("accelerators/torn.json", R"({"id":)");
        put("nodes/box.json",
            R"({"id":"box","name":"Box","accelerators":[{"accelerator":"mine","count":2}],"intra":{"shape":"pcie_tree","kind":"pcie","bandwidth_bytes_per_s":1e10}})");
        const PresetLibrary library({folder.path().toStdString(), folder.filePath("missing").toStdString()});
        QCOMPARE(library.errors().size(), std::size_t{2});
        QVERIFY(library.errors()[0].where.find("torn.json") != std::string::npos);
        QVERIFY(library.errors()[0].kind == Error::Kind::unreadable);
        QVERIFY(library.errors()[1].where.find("bad.json#/memory_bytes") != std::string::npos);
        QCOMPARE((*library.accelerator("t4"))->name, std::string("My T4"));
        QCOMPARE(library.ids(PresetKind::accelerators).size(), std::size_t{48});
        const auto cluster = library.expand({.id = "box", .nodes = 1});
        QVERIFY(cluster.has_value());
        QCOMPARE(cluster->devices(), std::int64_t{2});
        QVERIFY(cluster->links.empty());
    }
};

TRAINYARD_CORE_TEST_MAIN(TestPresetLibrary)
#include "test_preset_library.moc"
