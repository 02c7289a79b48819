#include <fmt/format.h>

#include "core/engine/traffic_options.h"
#include "core/explain/explain.h"

namespace trainyard {
namespace {

constexpr const char* kBian = "Bian et al., arXiv 2301.02654: t = t_enc + alpha + bytes x ratio / B + t_dec";

struct CodecFacts {
    const char* name;
    const char* source;
};

CodecFacts factsOf(Codec codec) {
    switch (codec) {
        case Codec::none: return {"no compression", "plan.compression"};
        case Codec::quantize: return {"q bits of each element and a 16-bit scale per 128", "AccEPT, arXiv 2311.05827; Bian et al., arXiv 2301.02654"};
        case Codec::top_k: return {"largest elements with 32-bit places; sums are gathered", "Bian et al., arXiv 2301.02654"};
        case Codec::low_rank: return {"product of two thin matrices", "Vogels et al., arXiv 1905.13727 (PowerSGD)"};
        case Codec::subspace: return {"coordinates in a fixed subspace", "Protocol Models, arXiv 2506.01260"};
        case Codec::sparse: return {"non-zero gradients with a bitmap", "Zen, arXiv 2309.13254"};
        case Codec::unique_rows: return {"rows of the embedding that the batch touched", "Patwary et al., arXiv 1810.10045"};
    }
    return {"", ""};
}

}  // namespace

Result<Explanation> explainCompression(const Scenario& scenario, const EvaluationDetail& detail, std::string_view boundary, std::string_view key) {
    for (const Boundary one : {Boundary::pipeline, Boundary::tensor, Boundary::data}) {
        if (name(one) != boundary) continue;
        const BoundaryCompression& how = scenario.plan.compression.at(one);
        const MessageShape shape = messageShape(one, scenario, detail.evaluation.plan, detail.costs, 0);
        const CompressedMessage message = compressedMessage(how, shape, detail.costs.devices.front());
        const CodecFacts facts = factsOf(how.codec);
        const auto bytes = [&] { return leaf("V", "message before compression", message.bytes, "B", "rows x columns x bytes per element"); };
        const auto ratio = [&] { return leaf("x", fmt::format("share that goes over the wire: {}", facts.name), message.ratio, "1", facts.source); };
        const auto codec = [&] {
            return derived("t_codec", "encoding and decoding", message.codecS(), "s", "t_enc + t_dec", kBian,
                           {leaf("t_enc", "encoding on the sender", message.encodeS, "s", "passes over memory and thin products on the device"),
                            leaf("t_dec", "decoding on the receiver", message.decodeS, "s", "passes over memory and thin products on the device")});
        };
        if (key == "ratio") return ratio();
        if (key == "codec_s") return codec();
        if (key == "bytes")
            return derived("V_wire", "bytes of one message on the wire", message.bytes * message.ratio, "B", "V * x", facts.source, {bytes(), ratio()});
        if (key == "pays_below_bytes_per_s") {
            if (message.codecS() <= 0) return leaf("B_pays", "bandwidth below which the codec pays", message.paysBelowBytesPerS(), "B/s", kBian);
            return derived("B_pays", "bandwidth below which the codec pays", message.paysBelowBytesPerS(), "B/s", "V * (1 - x) / t_codec", kBian,
                           {bytes(), ratio(), codec()});
        }
    }
    return noSuchFigure(fmt::format("/compression/{}/{}", boundary, key));
}

}  // namespace trainyard
