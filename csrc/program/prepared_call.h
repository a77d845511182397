// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <memory>
#include <string>
#include <vector>

#include "api/boxed_call.h"
#include "core/argument_mapping.h"
#include "core/infermeta_utils.h"
#include "program/called_kernel.h"
#include "program/operator.h"

namespace phi {

// The tensor of a variable; null for one that holds none.
const TensorBase* TensorOf(const Variable& variable);
// The tensor, of a kind other than dense, that a kernel makes in a variable.
TensorBase* MutableTensorOf(Variable* variable, TensorKind kind);

// A tensor that was read, and what of it the plan depends on.
struct ReadTensor {
  size_t position;
  Variable* variable;
  const TensorBase* tensor;
  DataType dtype;
  Place place;
};

// What a kernel writes, and the variable that gets it.
struct WrittenTensor {
  WrittenTensor(Variable* variable, bool is_input, bool in_place)
      : variable(variable),
        is_input(is_input),
        in_place(in_place),
        target(variable == nullptr || is_input ? &own : variable->GetMutable<DenseTensor>()) {}

  Variable* variable;  // null for an output that no variable of the operator receives
  // Where the variable is an input as well, the kernel writes to `own`: on the memory of the variable's tensor if the
  // operator's entry allows it, else the variable gets `own` afterwards.
  bool is_input;
  bool in_place;
  DenseTensor own = {};
  DenseTensor* target;
};

// A kernel's call on the variables of a scope, made once for many runs.
struct PreparedCall {
  explicit PreparedCall(const DeviceContext* device_context) : device_context(device_context) {}

  const Scope* scope = nullptr;
  uint64_t epoch = 0;
  KernelSignature signature;
  CalledKernel called;
  const DeviceContext* device_context;
  KernelContext call{device_context};
  std::vector<ReadTensor> reads;
  bool reads_values = false;                                    // an attribute is the value of tensors
  std::unique_ptr<AlignedOperands> aligned;                     // null for a call that takes its operands as they are
  std::list<std::pair<const DenseTensor*, DenseTensor>> noted;  // inputs that are notes of shapes, and what they note
  std::vector<std::unique_ptr<WrittenTensor>> writes;
  std::vector<std::pair<const Variable*, const TensorBase*>> targets;  // variables whose tensors the kernel writes to
  Variable* shape_note = nullptr;  // the variable that gets the shape of the first input, if any
  Plan plan;
  const InferMetaEntry* infer_meta = nullptr;
  InferMetaContext infer_meta_context;

  void AlignBy(const Attribute& axis) {
    aligned.reset(new AlignedOperands{static_cast<int>(std::get<int64_t>(axis)), {}, {}});
  }
  // What the kernel takes in the place of an input: a tensor of this call, or the input itself.
  const TensorBase* Adapted(size_t position, const std::string& slot, const TensorBase* input);
  // Makes the tensors of this call from the inputs.
  void AdaptInputs();
  // Once everything else is there.
  void Complete(const Scope* of);
  // Whether the variables hold what they did, but for the values and sizes of tensors.
  bool HoldsFor(const RunContext& context) const;
  void Run();
};

}  // namespace phi
