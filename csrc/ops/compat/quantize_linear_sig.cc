// SPDX-License-Identifier: Apache-2.0
#include "ops/compat/choose.h"

namespace phi {

namespace {

KernelSignature QuantizeLinear(const ArgumentMappingContext& ctx) {
  const std::vector<std::string> attrs = {"quant_axis", "bit_length", "qmin", "qmax", "round_type", "only_observer"};
  if (AttrOr<bool>(ctx, "is_test", true)) {
    return KernelSignature("quantize_linear_deprecated_infer", {"X", "Scale", "ZeroPoint"}, attrs, {"Y"});
  }
  return KernelSignature("quantize_linear_deprecated_train",
                         {"X", "Scale", "ZeroPoint", "InAccum", "InState"},
                         attrs,
                         {"Y", "OutState", "OutAccum", "OutScale"});
}

}  // namespace

PD_REGISTER_ARG_MAPPING_FN(quantize_linear, QuantizeLinear);

}  // namespace phi
