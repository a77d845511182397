// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/core/op_base.h"

namespace phi::ir {

class Builder;

// The interface of an operator that has a gradient: the operator that computes it, and what its operands, attributes
// and results are of those of the operation that it differentiates.
class Vjp : public OpInterfaceBase<Vjp> {
 public:
  using OpInterfaceBase::OpInterfaceBase;
  enum class Source : uint8_t { Input, Output, Gradient, None };  // Gradient: that of an output
  struct Operand {
    Source source;
    int16_t index;
  };
  // A declared attribute of the gradient: one of the operation, a value, or the data type of an input. The others are
  // at their default.
  struct AttributeFrom {
    int16_t to;
    int16_t from = -1;
    int16_t dtype_of = -1;
    Literal value = {};
  };
  struct Concept {
    const char* gradient;
    std::span<const Operand> operands;
    std::span<const AttributeFrom> attributes;
    std::span<const int16_t> results;  // the inputs that they are the gradients of
  };
};

// The gradients of an operation's operands, null for those without one, by an operation that is inserted. `gradients`
// are those of its results, null where nothing flows: then it is zero. Of the gradients that `wanted` does not ask for,
// none is made if the kernel can be without. InvalidArgument for an operation without the interface, and for another
// number of gradients.
std::vector<Value> Differentiate(Builder* builder,
                                 const Operation& op,
                                 std::span<const Value> gradients,
                                 const std::vector<bool>& wanted = {});

}  // namespace phi::ir
