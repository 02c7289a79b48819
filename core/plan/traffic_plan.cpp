#include "core/plan/traffic_plan.h"

#include "core/base/names.h"

namespace trainyard {
namespace {

constexpr NameTable<Codec, 7> kCodecs{{{Codec::none, "none"},
                                       {Codec::quantize, "quantize"},
                                       {Codec::top_k, "top_k"},
                                       {Codec::low_rank, "low_rank"},
                                       {Codec::subspace, "subspace"},
                                       {Codec::sparse, "sparse"},
                                       {Codec::unique_rows, "unique_rows"}}};
constexpr NameTable<Boundary, 3> kBoundaries{{{Boundary::pipeline, "pipeline"}, {Boundary::tensor, "tensor"}, {Boundary::data, "data"}}};
constexpr NameTable<LocalUpdateScope, 2> kScopes{{{LocalUpdateScope::replicas, "replicas"}, {LocalUpdateScope::sites, "sites"}}};

}  // namespace

std::string_view name(Codec codec) { return kCodecs.name(codec); }
std::optional<Codec> codecFromName(std::string_view text) { return kCodecs.value(text); }
std::string_view name(Boundary boundary) { return kBoundaries.name(boundary); }
std::string_view name(LocalUpdateScope scope) { return kScopes.name(scope); }
std::optional<LocalUpdateScope> localUpdateScopeFromName(std::string_view text) { return kScopes.value(text); }

}  // namespace trainyard
