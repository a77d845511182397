// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <vector>

#include "common/data_type.h"
#include "ir/core/operation.h"

// The arguments of `torch.call {target = "aten.add.Tensor"}`. Its operands are the target's tensors and lists of
// tensors, in the order of its schema, or what the attribute `inputs` names; integers and lists of them may be operands
// by name. The other arguments are attributes by their names, at the schema's default where they are not given.
namespace phi::ir {

// An argument that is an operand.
struct CallArgument {
  enum class Kind : uint8_t { Tensor, Tensors, OptionalTensors, Number, Numbers };
  Kind kind;
  size_t at;  // in the stack
};

struct PreparedCall {
  c10::OperatorHandle target;
  torch::jit::Stack stack;  // with the constants
  std::vector<CallArgument> operands;
  // Of the results, one after the other, as the program says; UNDEFINED where it does not.
  std::vector<DataType> dtypes;
  bool takes_strides = true;
};

// Whether the target of `torch.call` reads tensors that are not contiguous: what torch makes public does, unless it
// makes a view, which may need strides as view_as_complex does. Internal operators read the strides that their callers
// checked, and those of other libraries the strides that the model gave them.
bool TakesStrides(const Operation& op);

// NotFound for a target that torch has not, Unimplemented for one that writes its arguments or gives what is no tensor,
// InvalidArgument for operands and attributes that do not fit it.
PreparedCall PrepareCall(const Operation& op);

c10::IValue ToIValue(const CallArgument& operand, const std::vector<at::Tensor>& tensors);

}  // namespace phi::ir
