// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "ir/exec/schedule.h"

// Operators without a kernel, which the executor runs itself, on whatever tensors there are: those of tensor arrays,
// select_input, assert and print, and those that another library registers.
namespace phi::ir {

using TensorArray = std::vector<DenseTensor>;

// The values of a running call, by slot.
struct ExecContext {
  std::vector<DenseTensor>* tensors;
  std::vector<TensorArray>* arrays;
  const DeviceContext* context;
  const Schedule* schedule;

  DenseTensor& tensor(int slot) const { return (*tensors)[slot]; }
  TensorArray& array(int slot) const { return (*arrays)[slot]; }
  // Whether the schedule says what the tensor is that is made here.
  bool is_planned(int slot) const { return schedule->homes[slot].kind == Home::Kind::Made; }
};

struct NativeOp {
  const char* name;
  void (*run)(const Step& step, ExecContext* context);
  // What is made of an operation when it is compiled, and kept as the state of its step.
  std::shared_ptr<void> (*prepare)(const Operation& op) = nullptr;
  // What the tensors of its results are, in their order, which `run` makes then; nothing where a run must tell. Of
  // tensors that are not known there is a shape and no memory.
  std::optional<std::vector<DenseTensorMeta>> (*infer)(const Step& step,
                                                       const std::vector<DenseTensor>& tensors,
                                                       const std::function<bool(int slot)>& is_known) = nullptr;
};
const NativeOp* FindNativeOp(std::string_view name);  // null without one
// For the initializer of a static object.
bool RegisterNativeOp(const NativeOp& op);

// `to` becomes `from`, with memory of its own, or memory that nobody writes and that lives as long as it does.
void AssignTensor(const DeviceContext& context, const DenseTensor& from, bool copies, DenseTensor* to);

// The elements of a tensor of bool or of integers, on any device.
std::vector<int64_t> IntegersOf(const DenseTensor& tensor);

}  // namespace phi::ir
