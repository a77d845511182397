// SPDX-License-Identifier: Apache-2.0
#include "ir/pass/pass.h"

#include "common/enforce.h"
#include "ir/core/handle.h"
#include "ir/pass/passes.h"

namespace phi::ir {

namespace {

constexpr Pass kPasses[] = {
    {"functionalize",
     1,
     "in-place operators as what they compute, where no other value sees their writes",
     &Functionalize},
    {"maximize_value_semantics",
     1,
     "tensors that share their memory with nothing that is written are vtensors",
     &MaximizeValueSemantics},
    {"canonicalize", 1, "operations that give what they take, and chains of which one is enough", &Canonicalize},
    {"rewrite", 2, "the rewrites of yaml/rewrites.yaml, until none matches", &ApplyFusions},
    {"merge_parallel_matmul",
     2,
     "products of one tensor with several weights are one product, and parts of it",
     &MergeParallelProducts},
    {"constant_fold", 1, "what follows from weights that nobody writes becomes a weight", &FoldConstants},
    {"cse", 1, "of operations that compute the same, the first", &EliminateCommonSubexpressions},
    {"dce", 1, "without operations whose results nobody uses", &EliminateDeadCode},
    {"layout", 3, "images of large convolutions have the channels last in memory", &ChooseLayouts},
    {"pack", 3, "large convolutions take their filters in the order of the library", &PackFilters},
    {"winograd", 4, "large convolutions of 3x3 filters with fewer multiplications", &ComputeByWinograd},
    {"fuse_elementwise",
     2,
     "chains and trees of elementwise operators run together, on parts that fit a cache",
     &FuseElementwise},
};

}  // namespace

std::span<const Pass> Passes() { return kPasses; }

const Pass& FindPass(const std::string& name) {
  std::string names;
  for (const Pass& pass : kPasses) {
    if (pass.name == name) return pass;
    names += (names.empty() ? "" : ", ") + std::string(pass.name);
  }
  PADDLE_THROW(errors::InvalidArgument("no pass has the name '%s'; there are %s", name, names));
}

PassCounts RunPass(const Pass& pass, Program* program) {
  const EraseScope scope("the pass '" + std::string(pass.name) + "'");
  return pass.run(program);
}

}  // namespace phi::ir
