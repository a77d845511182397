// SPDX-License-Identifier: Apache-2.0
#include "ops/compat/choose.h"

// Before a program runs the tensors that say a shape have no values: the attribute counts, where it has any.
namespace phi {

namespace {

bool AttrCounts(const ArgumentMappingContext& ctx, const char* attr) {
  return !ctx.IsRuntime() && !IsEmptyList(ctx, attr);
}
std::string ShapeOf(const ArgumentMappingContext& ctx, const char* slot, const char* list_slot, const char* attr) {
  return AttrCounts(ctx, attr) ? attr : GivenOr(ctx, {slot, list_slot}, attr);
}

KernelSignature Expand(const ArgumentMappingContext& ctx) {
  return KernelSignature("expand", {"X"}, {ShapeOf(ctx, "Shape", "expand_shapes_tensor", "shape")}, {"Out"});
}
KernelSignature ExpandGrad(const ArgumentMappingContext& ctx) {
  const auto shape = ShapeOf(ctx, "Shape", "expand_shapes_tensor", "shape");
  return KernelSignature("expand_grad", {"X", "Out@GRAD"}, {shape}, {"X@GRAD"});
}
KernelSignature LegacyExpand(const ArgumentMappingContext& ctx) {
  const auto times = ShapeOf(ctx, "ExpandTimes", "expand_times_tensor", "expand_times");
  return KernelSignature("legacy_expand", {"X"}, {times}, {"Out"});
}
KernelSignature LegacyExpandGrad(const ArgumentMappingContext& ctx) {
  const auto times = ShapeOf(ctx, "ExpandTimes", "expand_times_tensor", "expand_times");
  return KernelSignature("legacy_expand_grad", {"X", "Out@GRAD"}, {times}, {"X@GRAD"});
}
KernelSignature Tile(const ArgumentMappingContext& ctx) {
  std::string times = "RepeatTimes";
  if (!ctx.HasInput(times)) times = ShapeOf(ctx, "repeat_times_tensor", "repeat_times_tensor", "repeat_times");
  return KernelSignature("tile", {"X"}, {times}, {"Out"});
}

}  // namespace

PD_REGISTER_ARG_MAPPING_FN(expand_v2, Expand);
PD_REGISTER_ARG_MAPPING_FN(expand_v2_grad, ExpandGrad);
PD_REGISTER_ARG_MAPPING_FN(expand, LegacyExpand);
PD_REGISTER_ARG_MAPPING_FN(expand_grad, LegacyExpandGrad);
PD_REGISTER_ARG_MAPPING_FN(tile, Tile);

}  // namespace phi
