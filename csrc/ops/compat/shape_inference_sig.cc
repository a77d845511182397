// SPDX-License-Identifier: Apache-2.0
#include "ops/compat/choose.h"

// Mappings that differ while shapes are inferred.
namespace phi {

namespace {

KernelSignature Flatten(const ArgumentMappingContext& ctx) {
  const bool infer = ctx.IsForInferShape(), xshape = ctx.HasOutput("XShape");
  std::vector<std::string> outputs = {"Out"};
  if (infer || xshape) outputs.emplace_back("XShape");
  return KernelSignature(
      !infer && xshape ? "flatten_with_xshape" : "flatten", {"X"}, {"start_axis", "stop_axis"}, std::move(outputs));
}

KernelSignature MatrixRank(const ArgumentMappingContext& ctx) {
  if (ctx.IsForInferShape() || ctx.HasInput("TolTensor")) {
    return KernelSignature("matrix_rank_tol", {"X", "TolTensor"}, {"use_default_tol", "hermitian"}, {"Out"});
  }
  return KernelSignature("matrix_rank", {"X"}, {"tol", "use_default_tol", "hermitian"}, {"Out"});
}

// An older program does not sort what it finds.
KernelSignature Unique(const ArgumentMappingContext& ctx) {
  std::vector<std::string> attrs = {"return_index", "return_inverse", "return_counts", "axis", "dtype"};
  const bool plain = !ctx.IsForInferShape() && AttrOr<bool>(ctx, "is_sorted", false);
  if (!plain) attrs.emplace_back("is_sorted");
  return KernelSignature(
      plain ? "unique" : "unique_raw", {"X"}, std::move(attrs), {"Out", "Indices", "Index", "Counts"});
}

}  // namespace

PD_REGISTER_ARG_MAPPING_FN(flatten_contiguous_range, Flatten);
PD_REGISTER_ARG_MAPPING_FN(matrix_rank, MatrixRank);
PD_REGISTER_ARG_MAPPING_FN(unique, Unique);

}  // namespace phi
