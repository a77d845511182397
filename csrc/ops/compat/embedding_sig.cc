// SPDX-License-Identifier: Apache-2.0
#include "ops/compat/choose.h"

// The gradient of a table is dense, or the rows that were looked up.
namespace phi {

namespace {

KernelSignature EmbeddingGrad(const ArgumentMappingContext& ctx) {
  const bool dense = ctx.IsDenseTensorInput("W"), rows = AttrOr<bool>(ctx, "is_sparse", false);
  const char* kernel = dense  ? rows ? "embedding_sparse_grad" : "embedding_grad"
                       : rows ? "sparse_weight_embedding_sparse_grad"
                              : "sparse_weight_embedding_grad";
  return KernelSignature(kernel, {"Ids", "W", "Out@GRAD"}, {"padding_idx"}, {"W@GRAD"});
}
KernelSignature LookupTableGrad(const ArgumentMappingContext& ctx) {
  const bool dense = ctx.IsDenseTensorInput("W"), rows = AttrOr<bool>(ctx, "is_sparse", false);
  const char* kernel = dense  ? rows ? "lookup_table_sparse_grad" : "lookup_table_grad"
                       : rows ? "lookup_table_sparse_grad_sr"
                              : "lookup_table_grad_sr";
  return KernelSignature(kernel,
                         {"W", "Ids", "Out@GRAD"},
                         {"is_sparse",
                          "is_distributed",
                          "padding_idx",
                          "remote_prefetch",
                          "entry_config",
                          "is_test",
                          "entry",
                          "table_class",
                          "table_names",
                          "trainer_id",
                          "grad_inplace",
                          "epmap",
                          "height_sections"},
                         {"W@GRAD"});
}

}  // namespace

PD_REGISTER_ARG_MAPPING_FN(lookup_table_v2_grad, EmbeddingGrad);
PD_REGISTER_ARG_MAPPING_FN(lookup_table_grad, LookupTableGrad);

}  // namespace phi
