// SPDX-License-Identifier: Apache-2.0
// Mappings of operators of programs, in Paddle's style.
#include "core/op_utils.h"

namespace phi {

KernelSignature PowerMeanOpArgumentMapping(const ArgumentMappingContext& ctx) {
  if (!ctx.IsDenseTensorInput("X")) {
    return KernelSignature("unregistered", {}, {}, {});
  }
  const int norm = paddle::any_cast<int>(ctx.Attr("norm"));
  if (ctx.HasInput("AxisTensor")) {
    paddle::small_vector<const char*> attrs;
    attrs.emplace_back("AxisTensor");
    for (const char* name : {"p", "epsilon", "keep_dim"}) attrs.push_back(name);
    return KernelSignature("power_mean", {"X"}, std::move(attrs), {"Out"});
  }
  return KernelSignature(
      norm == 2 ? "root_mean_square" : "power_mean", {"X"}, {"axis", "p", "epsilon", "keep_dim"}, {"Out"});
}

}  // namespace phi

PD_REGISTER_BASE_KERNEL_NAME(power_mean_v2, power_mean);
PD_REGISTER_ARG_MAPPING_FN(power_mean_v2, phi::PowerMeanOpArgumentMapping);
PD_REGISTER_SIGNATURES(power_mean_v2,
                       {"power_mean", "dense X", "AxisTensor|axis,p,epsilon,keep_dim", "Out"},
                       {"root_mean_square", "dense X", "axis,p,epsilon,keep_dim", "Out"});

// Without a function the first of the rows that fits is taken.
PD_REGISTER_SIGNATURES(masked_scale_v2,
                       {"masked_scale", "dense X,Mask", "ScaleTensor|scale", "Out"},
                       {"masked_scale_sr", "selected_rows X,Mask", "scale", "Out"});
PD_REGISTER_BASE_KERNEL_NAME(masked_scale_v2, masked_scale);
