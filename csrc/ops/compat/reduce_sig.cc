// SPDX-License-Identifier: Apache-2.0
#include "ops/compat/choose.h"

// The kernels of the plain names reduce over `dim` alone; those that know `reduce_all` infer shapes as well.
namespace phi {

namespace {

bool OverDims(const ArgumentMappingContext& ctx) {
  return !AttrOr<bool>(ctx, "reduce_all", false) && !ctx.IsForInferShape();
}

KernelSignature Reduce(const ArgumentMappingContext& ctx, const char* plain, const char* raw) {
  if (!ctx.IsDenseTensorInput("X")) return Unregistered();
  if (OverDims(ctx)) return KernelSignature(plain, {"X"}, {"dim", "keep_dim"}, {"Out"});
  return KernelSignature(raw, {"X"}, {"dim", "keep_dim", "reduce_all"}, {"Out"});
}

KernelSignature All(const ArgumentMappingContext& ctx) { return Reduce(ctx, "all", "all_raw"); }
KernelSignature Any(const ArgumentMappingContext& ctx) { return Reduce(ctx, "any", "any_raw"); }
KernelSignature Amax(const ArgumentMappingContext& ctx) { return Reduce(ctx, "amax", "amax_raw"); }
KernelSignature Amin(const ArgumentMappingContext& ctx) { return Reduce(ctx, "amin", "amin_raw"); }
KernelSignature Max(const ArgumentMappingContext& ctx) { return Reduce(ctx, "max", "max_raw"); }
KernelSignature Mean(const ArgumentMappingContext& ctx) { return Reduce(ctx, "mean", "mean_raw"); }
KernelSignature Min(const ArgumentMappingContext& ctx) { return Reduce(ctx, "min", "min_raw"); }
KernelSignature Prod(const ArgumentMappingContext& ctx) { return Reduce(ctx, "prod_infer", "prod"); }
KernelSignature Sum(const ArgumentMappingContext& ctx) {
  if (!ctx.IsDenseTensorInput("X")) return Unregistered();
  if (OverDims(ctx)) return KernelSignature("sum", {"X"}, {"dim", "out_dtype", "keep_dim"}, {"Out"});
  return KernelSignature("sum_raw", {"X"}, {"dim", "keep_dim", "reduce_all", "out_dtype"}, {"Out"});
}

}  // namespace

PD_REGISTER_ARG_MAPPING_FN(reduce_all, All);
PD_REGISTER_ARG_MAPPING_FN(reduce_any, Any);
PD_REGISTER_ARG_MAPPING_FN(reduce_amax, Amax);
PD_REGISTER_ARG_MAPPING_FN(reduce_amin, Amin);
PD_REGISTER_ARG_MAPPING_FN(reduce_max, Max);
PD_REGISTER_ARG_MAPPING_FN(reduce_mean, Mean);
PD_REGISTER_ARG_MAPPING_FN(reduce_min, Min);
PD_REGISTER_ARG_MAPPING_FN(reduce_prod, Prod);
PD_REGISTER_ARG_MAPPING_FN(reduce_sum, Sum);

}  // namespace phi
