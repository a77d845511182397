// SPDX-License-Identifier: Apache-2.0
#include "ops/compat/choose.h"

namespace phi {

namespace {

// The value as text, which holds every number exactly, comes before the value as a float.
std::string Value(const ArgumentMappingContext& ctx) {
  return AttrOr<std::string>(ctx, "str_value", "").empty() ? "value" : "str_value";
}

KernelSignature Full(const ArgumentMappingContext& ctx) {
  const bool dense = ctx.IsDenseTensorOutput("Out");
  if (!dense && !ctx.IsSelectedRowsOutput("Out")) return Unregistered();
  const std::string shape = GivenOr(ctx, {"ShapeTensor", "ShapeTensorList"}, "shape");
  const std::string value = ctx.HasInput("ValueTensor") ? "ValueTensor" : Value(ctx);
  return KernelSignature(dense ? "full" : "full_sr", {}, {shape, value, "dtype"}, {"Out"});
}
KernelSignature FullBatchSizeLike(const ArgumentMappingContext& ctx) {
  return KernelSignature(
      "full_batch_size_like", {"Input"}, {"shape", Value(ctx), "dtype", "input_dim_idx", "output_dim_idx"}, {"Out"});
}

}  // namespace

PD_REGISTER_ARG_MAPPING_FN(fill_constant, Full);
PD_REGISTER_ARG_MAPPING_FN(fill_constant_batch_size_like, FullBatchSizeLike);

}  // namespace phi
