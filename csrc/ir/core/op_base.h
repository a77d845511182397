// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "common/enforce.h"
#include "ir/core/operation.h"

namespace phi::ir {

// A typed view of an operation. It may be null.
class OpBase {
 public:
  explicit OpBase(Operation* op = nullptr) : op_(op) {}
  explicit operator bool() const { return op_ != nullptr; }
  Operation* operation() const { return op_; }
  Operation* operator->() const { return op_; }

 protected:
  // Null where there is none.
  Value OperandAt(size_t index) const { return index < op_->num_operands() ? op_->operand(index) : Value(); }
  // InvalidArgument for one that is missing or of another kind.
  template <typename T>
  T AttributeAt(size_t index) const {
    const T value = op_->declared_attributes()[index].template dyn_cast<T>();
    PADDLE_ENFORCE(value,
                   errors::InvalidArgument("%s: attribute '%s' is %s",
                                           Describe(*op_),
                                           op_->info().row().attributes[index].name,
                                           op_->declared_attributes()[index]));
    return value;
  }

  Operation* op_;
};

// A trait of a user's own: a class without members, `class Fusible : public OpTraitBase<Fusible> {};`, which a dialect
// gives to its operators.
template <typename ConcreteTrait>
class OpTraitBase : public OpBase {
 public:
  using OpBase::OpBase;
  static bool classof(const Operation* op) { return op->info().HasTrait<ConcreteTrait>(); }
};

// An interface: `struct Concept` in the class lists its functions, and a dialect gives each operator its own table of
// them.
template <typename ConcreteInterface>
class OpInterfaceBase : public OpBase {
 public:
  using OpBase::OpBase;
  static bool classof(const Operation* op) { return op->info().GetInterface<ConcreteInterface>() != nullptr; }
  // Of an operation that has it.
  const auto& impl() const { return *op_->info().GetInterface<ConcreteInterface>(); }
};

// The view of one operator: `class IfOp : public Op<IfOp>` with its name in kName. Traits are classes of OpTraitBase.
template <typename ConcreteOp, typename... Traits>
class Op : public OpBase {
 public:
  using OpBase::OpBase;
  static bool classof(const Operation* op) { return op->name() == ConcreteOp::kName; }
  template <typename Trait>
  static constexpr bool HasTrait() {
    return (std::is_same_v<Trait, Traits> || ...);
  }
};

// The view, null where the operation is none of its kind.
template <typename T>
T DynCast(Operation* op) {
  return op != nullptr && T::classof(op) ? T(op) : T();
}

}  // namespace phi::ir
