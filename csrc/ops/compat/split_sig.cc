// SPDX-License-Identifier: Apache-2.0
#include "ops/compat/choose.h"

// `num` parts of one size, where it is positive; otherwise parts of the sizes `sections`.
namespace phi {

namespace {

KernelSignature Split(const ArgumentMappingContext& ctx) {
  const std::string axis = GivenOr(ctx, {"AxisTensor"}, "axis");
  if (AttrOr<int>(ctx, "num", 0) > 0) return KernelSignature("split_with_num", {"X"}, {"num", axis}, {"Out"});
  return KernelSignature("split", {"X"}, {GivenOr(ctx, {"SectionsTensorList"}, "sections"), axis}, {"Out"});
}

}  // namespace

PD_REGISTER_ARG_MAPPING_FN(split, Split);

}  // namespace phi
