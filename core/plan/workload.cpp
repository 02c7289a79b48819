#include "core/plan/workload.h"

#include "core/base/names.h"

namespace trainyard {
namespace {

constexpr NameTable<AttentionKernel, 4> kAttentionKernels{{{AttentionKernel::unfused, "unfused"},
                                                           {AttentionKernel::flash, "flash"},
                                                           {AttentionKernel::flash2, "flash2"},
                                                           {AttentionKernel::flash3, "flash3"}}};

}  // namespace

std::string_view name(AttentionKernel kernel) { return kAttentionKernels.name(kernel); }
std::optional<AttentionKernel> attentionKernelFromName(std::string_view text) { return kAttentionKernels.value(text); }

}  // namespace trainyard
