#include "core/plan/workload.h"

#include "core/base/names.h"

namespace trainyard {
namespace {

constexpr NameTable<AttentionKernel, 4> kAttentionKernels{{{AttentionKernel::unfused, "unfused"},
                                                           {AttentionKernel::flash, "flash"},
                                                           {AttentionKernel::flash2, "flash2"},
                                                           {AttentionKernel::flash3, "flash3"}}};

constexpr NameTable<SoftwareStack, 5> kStacks{{{SoftwareStack::fused, "fused"},
                                              {SoftwareStack::classic, "classic"},
                                              {SoftwareStack::eager, "eager"},
                                              {SoftwareStack::gathered, "gathered"},
                                              {SoftwareStack::sharded, "sharded"}}};

constexpr NameTable<InPlaceOperator, 3> kInPlace{{{InPlaceOperator::activation, "activation"},
                                                 {InPlaceOperator::norm, "norm"},
                                                 {InPlaceOperator::dropout, "dropout"}}};

}  // namespace

std::string_view name(InPlaceOperator which) { return kInPlace.name(which); }
std::optional<InPlaceOperator> inPlaceOperatorFromName(std::string_view text) { return kInPlace.value(text); }
std::string_view name(SoftwareStack stack) { return kStacks.name(stack); }
std::optional<SoftwareStack> softwareStackFromName(std::string_view text) { return kStacks.value(text); }
std::string_view name(AttentionKernel kernel) { return kAttentionKernels.name(kernel); }
std::optional<AttentionKernel> attentionKernelFromName(std::string_view text) { return kAttentionKernels.value(text); }

}  // namespace trainyard
