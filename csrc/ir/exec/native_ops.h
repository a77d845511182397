// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "ir/exec/lower.h"

// Operators without a kernel, which the executor runs itself, on whatever tensors there are: those of tensor arrays,
// select_input, assert and print.
namespace phi::ir {

using TensorArray = std::vector<DenseTensor>;

// The values of a running call, by slot.
struct ExecContext {
  std::vector<DenseTensor>* tensors;
  std::vector<TensorArray>* arrays;
  const DeviceContext* context;

  DenseTensor& tensor(int slot) const { return (*tensors)[slot]; }
  TensorArray& array(int slot) const { return (*arrays)[slot]; }
};

struct NativeOp {
  const char* name;
  void (*run)(const Step& step, ExecContext* context);
};
const NativeOp* FindNativeOp(std::string_view name);  // null without one

// `to` becomes `from`, with memory of its own, or memory that nobody writes and that lives as long as it does.
void AssignTensor(const DeviceContext& context, const DenseTensor& from, bool copies, DenseTensor* to);

// The elements of a tensor of bool or of integers, on any device.
std::vector<int64_t> IntegersOf(const DenseTensor& tensor);

}  // namespace phi::ir
