// SPDX-License-Identifier: Apache-2.0
#include "ops/compat/choose.h"

// `axis` is where the shape of Y begins in that of X. It is -1 where both end alike, which is all that the kernels of
// the plain names know.
namespace phi {

namespace {

KernelSignature Plain(const char* kernel) { return KernelSignature(kernel, {"X", "Y"}, {}, {"Out"}); }
KernelSignature Raw(const char* kernel) { return KernelSignature(kernel, {"X", "Y"}, {"axis"}, {"Out"}); }
bool EndAlike(const ArgumentMappingContext& ctx) { return AttrOr<int>(ctx, "axis", -1) == -1; }

KernelSignature Add(const ArgumentMappingContext& ctx) { return EndAlike(ctx) ? Plain("add") : Raw("add_raw"); }
KernelSignature Subtract(const ArgumentMappingContext& ctx) {
  return EndAlike(ctx) ? Plain("subtract") : Raw("subtract_raw");
}
KernelSignature Divide(const ArgumentMappingContext& ctx) {
  return EndAlike(ctx) ? Plain("divide") : Raw("divide_raw");
}
KernelSignature Multiply(const ArgumentMappingContext& ctx) {
  const bool dense = ctx.IsDenseTensorInput("X");
  if (EndAlike(ctx)) return Plain(dense ? "multiply" : "multiply_sr");
  return Raw(dense ? "multiply_raw" : "multiply_raw_sr");
}

// While shapes are inferred these take `axis` in any case.
template <const char* plain, const char* raw>
KernelSignature AtRuntime(const ArgumentMappingContext& ctx) {
  return !ctx.IsForInferShape() && EndAlike(ctx) ? Plain(plain) : Raw(raw);
}

#define PHI_PLAIN_AT_RUNTIME(op_type, kernel)      \
  constexpr char op_type##_plain[] = #kernel;      \
  constexpr char op_type##_raw[] = #kernel "_raw"; \
  constexpr ArgumentMappingFn op_type##_fn = &AtRuntime<op_type##_plain, op_type##_raw>
PHI_PLAIN_AT_RUNTIME(elementwise_floordiv, floor_divide);
PHI_PLAIN_AT_RUNTIME(elementwise_max, maximum);
PHI_PLAIN_AT_RUNTIME(elementwise_min, minimum);
PHI_PLAIN_AT_RUNTIME(elementwise_mod, remainder);
PHI_PLAIN_AT_RUNTIME(elementwise_pow, elementwise_pow);

}  // namespace

PD_REGISTER_ARG_MAPPING_FN(elementwise_add, Add);
PD_REGISTER_ARG_MAPPING_FN(elementwise_sub, Subtract);
PD_REGISTER_ARG_MAPPING_FN(elementwise_mul, Multiply);
PD_REGISTER_ARG_MAPPING_FN(elementwise_div, Divide);
PD_REGISTER_ARG_MAPPING_FN(elementwise_floordiv, elementwise_floordiv_fn);
PD_REGISTER_ARG_MAPPING_FN(elementwise_max, elementwise_max_fn);
PD_REGISTER_ARG_MAPPING_FN(elementwise_min, elementwise_min_fn);
PD_REGISTER_ARG_MAPPING_FN(elementwise_mod, elementwise_mod_fn);
PD_REGISTER_ARG_MAPPING_FN(elementwise_pow, elementwise_pow_fn);

}  // namespace phi
