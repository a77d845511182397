// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/argument_mapping.h"
#include "core/dense_tensor.h"
#include "core/kernel.h"
#include "program/op_desc.h"

namespace phi {

inline constexpr const char* kShapeSlot = "XShape";  // of an empty tensor, whose sizes after the first are those of X

// The kernel that a signature calls. Some that programs name are others: `add_raw` is `add`, of which one operand
// begins at a dimension of the other; `max_raw` is `max`, of all dimensions if it says so; `reshape_with_xshape` is
// `reshape`, and notes the shape of X for the gradient.
struct CalledKernel {
  KernelSignature signature;  // with slots and attributes of the operator
  OpAttributeMap constants;   // attributes that stand before the operator's
  bool is_aligned = false;    // by the operator's attribute `axis`
  bool notes_shape = false;

  // Null where neither has it.
  const OpAttribute* Find(const OpAttributeMap& attributes, const std::string& name) const;
};

CalledKernel CalledBy(const KernelSignature& signature, const OpAttributeMap& attributes);

// What a kernel takes; null if no loaded library has it.
const KernelArgsDef* ArgumentsOf(const std::string& kernel);
// Why the arguments of an operator are not those of the kernel, or there is none; empty if they fit.
std::string Misfit(const CalledKernel& called, const OpDesc& desc, const OpAttributeMap& attributes);

// Whether a slot of the operator names a variable.
bool IsGiven(const OpDesc& desc, const std::string& slot);

// Two operands, of which the one with fewer dimensions begins at dimension `axis` of the other; -1 where both end
// alike. Dimensions of 1 at its end do not count if they are too many.
struct AlignedOperands {
  int axis;
  const DenseTensor* sources[2] = {};
  DenseTensor operands[2] = {};

  // Makes `operands`, which share memory with the sources. InvalidArgument if they do not fit.
  void Make();
};

// An empty tensor that says what shape x has, and x without its elements.
DenseTensor NoteOfShape(const DenseTensor& x);
DenseTensor TensorOfNote(const DenseTensor& note);

}  // namespace phi
