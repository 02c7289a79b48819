#include "core/plan/plan.h"

#include "core/base/names.h"

namespace trainyard {
namespace {

constexpr NameTable<Dimension, 5> kDimensions{{{Dimension::tensor, "tensor"},
                                               {Dimension::context, "context"},
                                               {Dimension::data, "data"},
                                               {Dimension::pipeline, "pipeline"},
                                               {Dimension::expert, "expert"}}};

constexpr NameTable<RecomputeMode, 3> kRecomputeModes{
    {{RecomputeMode::none, "none"}, {RecomputeMode::selective, "selective"}, {RecomputeMode::full, "full"}}};

constexpr NameTable<RecomputeModule, 8> kRecomputeModules{{{RecomputeModule::core_attn, "core_attn"},
                                                           {RecomputeModule::layernorm, "layernorm"},
                                                           {RecomputeModule::activation, "activation"},
                                                           {RecomputeModule::mlp, "mlp"},
                                                           {RecomputeModule::moe, "moe"},
                                                           {RecomputeModule::moe_act, "moe_act"},
                                                           {RecomputeModule::mla_up_proj, "mla_up_proj"},
                                                           {RecomputeModule::every_second_matmul, "every_second_matmul"}}};

constexpr NameTable<ContextMethod, 4> kContextMethods{{{ContextMethod::ring, "ring"},
                                                       {ContextMethod::ulysses, "ulysses"},
                                                       {ContextMethod::all_gather, "all_gather"},
                                                       {ContextMethod::usp, "usp"}}};

}  // namespace

std::string_view name(Dimension dimension) { return kDimensions.name(dimension); }
std::optional<Dimension> dimensionFromName(std::string_view text) { return kDimensions.value(text); }
std::string_view name(RecomputeMode mode) { return kRecomputeModes.name(mode); }
std::optional<RecomputeMode> recomputeModeFromName(std::string_view text) { return kRecomputeModes.value(text); }
std::string_view name(RecomputeModule module) { return kRecomputeModules.name(module); }
std::optional<RecomputeModule> recomputeModuleFromName(std::string_view text) { return kRecomputeModules.value(text); }
std::string_view name(ContextMethod method) { return kContextMethods.name(method); }
std::optional<ContextMethod> contextMethodFromName(std::string_view text) { return kContextMethods.value(text); }

}  // namespace trainyard
