// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "common/place.h"
#include "program/op_desc.h"
#include "program/scope.h"

namespace phi {

// Where an operator runs.
struct RunContext {
  Scope* scope;
  Place place = CPUPlace();                                          // of operators without tensors
  std::function<void(int block, Scope* scope)> run_block = nullptr;  // for operators with blocks of the program
};

// An operator that is ready to run. It may run in one scope after another; one thread at a time runs it.
class OperatorBase {
 public:
  explicit OperatorBase(OpDesc desc) : desc_(std::move(desc)) {}
  virtual ~OperatorBase() = default;
  OperatorBase(const OperatorBase&) = delete;
  OperatorBase& operator=(const OperatorBase&) = delete;

  const OpDesc& desc() const { return desc_; }
  void Run(const RunContext& context) { RunImpl(context); }

 protected:
  virtual void RunImpl(const RunContext& context) = 0;

  // The variables of a slot, null for @EMPTY@. Inputs: NotFound for one that has no value. Outputs are made in the
  // scope if they are nowhere.
  std::vector<Variable*> Inputs(const Scope& scope, const std::string& slot) const;
  std::vector<Variable*> Outputs(Scope* scope, const std::string& slot) const;
  // The only variable of a slot. InvalidArgument if there are others, or none.
  Variable* Input(const Scope& scope, const std::string& slot) const;
  Variable* Output(Scope* scope, const std::string& slot) const;
  // An attribute, or what it is where the operator has none. InvalidType if it is of another type.
  template <typename T>
  T Attr(const std::string& name, T otherwise) const {
    const auto found = desc_.attrs.find(name);
    if (found == desc_.attrs.end()) return otherwise;
    const T* value = std::get_if<T>(&found->second);
    PADDLE_ENFORCE_NOT_NULL(
        value,
        errors::InvalidType(
            "operator '%s': attribute '%s' has another type than the operator takes", desc_.type, name));
    return *value;
  }

 private:
  OpDesc desc_;
};

}  // namespace phi
