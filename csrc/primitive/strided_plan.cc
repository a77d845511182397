// SPDX-License-Identifier: Apache-2.0
#include "primitive/strided_plan.h"

#include <algorithm>

namespace phi::primitive {
namespace {

// Stride of the operand in dimension `dim` of an output of `rank` dimensions.
int64_t BroadcastStride(const DenseTensor& operand, const DDim& out_dims, int dim) {
  const int own = dim - (out_dims.size() - operand.dims().size());
  if (own < 0 || (operand.dims()[own] == 1 && out_dims[dim] != 1)) return 0;
  PADDLE_ENFORCE_EQ(
      operand.dims()[own],
      out_dims[dim],
      errors::InvalidArgument("an input of shape %s does not broadcast to the output's shape %s; it must be "
                              "equal to it or 1 in each dimension, from the last one",
                              operand.dims(),
                              out_dims));
  return operand.strides()[own];
}

// Whether dimension `outer` continues `inner`, for all operands.
bool Joins(const StridedPlan& plan, int inner, int outer) {
  for (int k = 0; k < plan.operands; ++k) {
    if (plan.strides[outer][k] != plan.strides[inner][k] * plan.sizes[inner]) return false;
  }
  return true;
}

void MoveDim(StridedPlan* plan, int from, int to) {
  plan->sizes[to] = plan->sizes[from];
  std::copy_n(plan->strides[from], plan->operands, plan->strides[to]);
}

}  // namespace

StridedPlan MakeStridedPlan(std::span<const DenseTensor* const> tensors) {
  const DDim& dims = tensors[0]->dims();
  StridedPlan plan;
  for (const DenseTensor* tensor : tensors) {
    PADDLE_ENFORCE(tensor->dims().size() <= dims.size(),
                   errors::InvalidArgument(
                       "an input of shape %s does not broadcast to the output's shape %s", tensor->dims(), dims));
    plan.data[plan.operands++] = static_cast<char*>(const_cast<void*>(tensor->data()));
  }
  // insertion sort of the dimensions by the output's strides
  for (int dim = dims.size() - 1; dim >= 0; --dim) {
    if (dims[dim] == 1) continue;
    int64_t strides[StridedPlan::kMaxOperands];
    int k = 0;
    for (const DenseTensor* tensor : tensors) {
      strides[k++] = BroadcastStride(*tensor, dims, dim) * static_cast<int64_t>(SizeOf(tensor->dtype()));
    }
    int at = plan.rank++;
    for (; at > 0 && plan.strides[at - 1][0] > strides[0]; --at) MoveDim(&plan, at - 1, at);
    plan.sizes[at] = dims[dim];
    std::copy_n(strides, plan.operands, plan.strides[at]);
  }
  if (plan.rank == 0) {  // one element
    plan.sizes[0] = 1;
    std::fill_n(plan.strides[0], plan.operands, 0);
  }
  int last = 0;
  for (int dim = 1; dim < plan.rank; ++dim) {
    if (Joins(plan, last, dim)) {
      plan.sizes[last] *= plan.sizes[dim];
    } else if (++last != dim) {
      MoveDim(&plan, dim, last);
    }
  }
  plan.rank = last + 1;
  return plan;
}

}  // namespace phi::primitive
