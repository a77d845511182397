// SPDX-License-Identifier: Apache-2.0
#include "ops/compat/choose.h"

namespace phi {

namespace {

// A list of tensors comes before the attribute, one tensor only where the attribute is empty.
std::string Shape(const ArgumentMappingContext& ctx) {
  if (ctx.HasInput("ShapeTensorList")) return "ShapeTensorList";
  return IsEmptyList(ctx, "shape") ? GivenOr(ctx, {"ShapeTensor"}, "shape") : "shape";
}

KernelSignature Gaussian(const ArgumentMappingContext& ctx) {
  return KernelSignature("gaussian", {}, {Shape(ctx), "mean", "std", "seed", "dtype"}, {"Out"});
}
KernelSignature Randint(const ArgumentMappingContext& ctx) {
  return KernelSignature("randint_with_seed", {}, {"low", "high", Shape(ctx), "seed", "dtype"}, {"Out"});
}
KernelSignature Uniform(const ArgumentMappingContext& ctx) {
  const bool dense = ctx.IsDenseTensorOutput("Out");
  if (!dense && !ctx.IsSelectedRowsOutput("Out")) return Unregistered();
  return KernelSignature(dense ? "uniform_raw" : "uniform_raw_sr",
                         {},
                         {Shape(ctx), "dtype", "min", "max", "seed", "diag_num", "diag_step", "diag_val"},
                         {"Out"});
}

}  // namespace

PD_REGISTER_ARG_MAPPING_FN(gaussian_random, Gaussian);
PD_REGISTER_ARG_MAPPING_FN(randint, Randint);
PD_REGISTER_ARG_MAPPING_FN(uniform_random, Uniform);

}  // namespace phi
