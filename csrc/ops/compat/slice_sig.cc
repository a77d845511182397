// SPDX-License-Identifier: Apache-2.0
#include "ops/compat/choose.h"

// Of an array of tensors a slice is an array, or one tensor where an axis is dropped.
namespace phi {

namespace {

KernelSignature Sliced(const ArgumentMappingContext& ctx,
                       const std::string& suffix,
                       const std::vector<std::string>& inputs,
                       const char* output) {
  const std::string starts = GivenOr(ctx, {"StartsTensor", "StartsTensorList"}, "starts");
  const std::string ends = GivenOr(ctx, {"EndsTensor", "EndsTensorList"}, "ends");
  if (!ctx.IsDenseTensorVectorInput("Input")) {
    return KernelSignature("slice" + suffix, inputs, {"axes", starts, ends, "infer_flags", "decrease_axis"}, {output});
  }
  if (IsEmptyList(ctx, "decrease_axis"))
    return KernelSignature("slice_array" + suffix, inputs, {starts, ends}, {output});
  return KernelSignature("slice_array_dense" + suffix, inputs, {starts}, {output});
}

KernelSignature Slice(const ArgumentMappingContext& ctx) { return Sliced(ctx, "", {"Input"}, "Out"); }
KernelSignature SliceGrad(const ArgumentMappingContext& ctx) {
  return Sliced(ctx, "_grad", {"Input", "Out@GRAD"}, "Input@GRAD");
}

}  // namespace

PD_REGISTER_ARG_MAPPING_FN(slice, Slice);
PD_REGISTER_ARG_MAPPING_FN(slice_grad, SliceGrad);

}  // namespace phi
