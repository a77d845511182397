// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/core/op_base.h"
#include "ir/core/program.h"

namespace phi::ir {

struct InferredTypes {
  std::vector<Type> types;  // null: a result that is absent; a size that nothing tells is unknown
  bool proven = true;       // false: a comparison was guessed that neither form nor range decides
};

// The interface of an operator that says what its results are.
class InferType : public OpInterfaceBase<InferType> {
 public:
  using OpInterfaceBase::OpInterfaceBase;
  struct Concept {
    // Nothing where it depends on what only a run tells. InvalidArgument where the operands do not fit.
    std::optional<InferredTypes> (*infer)(const Concept& self, const Operation& op, const Program& program);
  };
};

// What the operator says of an operation's results; nothing if it says nothing.
std::optional<InferredTypes> InferTypes(const Operation& op, const Program& program);

// Gives each size of a program that is not known what follows from its operands, and where nothing follows a symbol.
// The results of an operation whose types contradict its operator stay as they are. Marks the operations whose types,
// or whose operands' types, are guessed.
void RefineTypes(Program* program);

// An operation without a block, whose results are what its operator says. InvalidArgument where it says nothing, or
// where the operands do not fit. One that nobody knows has no results.
Operation* CreateInferred(Program* program,
                          const std::string& name,
                          std::span<const Value> operands,
                          std::span<const NamedAttribute> attributes);

// Whether passes may rely on the sizes of an operation's results.
bool IsProven(const Operation& op);

}  // namespace phi::ir
