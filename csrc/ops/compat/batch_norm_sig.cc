// SPDX-License-Identifier: Apache-2.0
#include "ops/compat/choose.h"

namespace phi {

namespace {

KernelSignature BatchNorm(const ArgumentMappingContext& ctx) {
  const auto is = [&](const char* attr) { return AttrOr<bool>(ctx, attr, false); };
  const std::vector<std::string> inputs = {"X", "Mean", "Variance", "Scale", "Bias"};
  if (is("is_test") && !is("use_global_stats") && !is("trainable_statistics") && !is("fuse_with_relu")) {
    return KernelSignature(
        "batch_norm_infer", inputs, {"momentum", "epsilon", "data_layout"}, {"Y", "MeanOut", "VarianceOut"});
  }
  return KernelSignature("batch_norm",
                         inputs,
                         {"is_test", "momentum", "epsilon", "data_layout", "use_global_stats", "trainable_statistics"},
                         {"Y", "MeanOut", "VarianceOut", "SavedMean", "SavedVariance", "ReserveSpace"});
}

}  // namespace

PD_REGISTER_ARG_MAPPING_FN(batch_norm, BatchNorm);

}  // namespace phi
