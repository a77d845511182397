// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "ir/core/handle.h"
#include "ir/core/type.h"

namespace phi::ir {

class Block;
class OpOperand;
class Operation;

// The type of a value and the first of its uses; the low three bits of that pointer say what the value is: the result
// of that number, a result of a higher one, or an argument of a block.
class alignas(8) ValueImpl {
 public:
  static constexpr uintptr_t kMaxInline = 5, kOutOfLine = 6, kBlockArgument = 7;

  ValueImpl(Type type, uintptr_t kind) : type_(type), first_use_(kind) {}
  Type type() const { return type_; }
  void set_type(Type type) { type_ = type; }
  uintptr_t kind() const { return first_use_ & 7; }
  OpOperand* first_use() const { return reinterpret_cast<OpOperand*>(first_use_ & ~uintptr_t{7}); }
  void set_first_use(OpOperand* use) { first_use_ = reinterpret_cast<uintptr_t>(use) | kind(); }

 private:
  Type type_;
  uintptr_t first_use_;
};

class OpOutOfLineResultImpl : public ValueImpl {
 public:
  OpOutOfLineResultImpl(Type type, size_t index) : ValueImpl(type, kOutOfLine), index(index) {}
  const size_t index;
};

// A value: the result of an operation or an argument of a block. It may be null: an absent operand.
class Value {
 public:
  Value() = default;
  explicit Value(ValueImpl* impl) : impl_(impl) {}
  explicit operator bool() const { return impl_ != nullptr; }
  bool operator==(const Value&) const = default;
  ValueImpl* impl() const { return impl_; }

  Type type() const { return impl_->type(); }
  void set_type(Type type) const { impl_->set_type(type); }
  bool is_block_argument() const { return impl_->kind() == ValueImpl::kBlockArgument; }
  Operation* defining_op() const;  // null for an argument
  size_t index() const;
  Block* owner_block() const;  // of the operation, or of the argument
  const std::string& name() const;
  void set_name(std::string name) const;

  OpOperand* first_use() const { return impl_->first_use(); }
  bool has_uses() const { return first_use() != nullptr; }
  bool HasOneUse() const;
  void ReplaceAllUsesWith(Value other) const;

 protected:
  ValueImpl* impl_ = nullptr;
};

class OpResult : public Value {
 public:
  using Value::Value;
};

// The argument of a block, with its name and its handles.
class BlockArgumentImpl : public ValueImpl, public Handled {
 public:
  BlockArgumentImpl(Type type, Block* block, size_t index)
      : ValueImpl(type, kBlockArgument), block(block), index(index) {}
  const std::shared_ptr<HandleCell>& cell() { return CellOf(this); }

  Block* const block;
  size_t index;
  std::string name;
};

class BlockArgument : public Value {
 public:
  using Value::Value;
  explicit BlockArgument(BlockArgumentImpl* impl) : Value(impl) {}
  BlockArgumentImpl* impl() const { return static_cast<BlockArgumentImpl*>(impl_); }
};

// One end of an edge: the use of a value by an operation, in the list of the value's uses.
class OpOperand {
 public:
  explicit OpOperand(Operation* owner) : owner_(owner) {}
  OpOperand(const OpOperand&) = delete;
  OpOperand& operator=(const OpOperand&) = delete;
  ~OpOperand() { set(Value()); }

  Value value() const { return value_; }
  void set(Value value);
  Operation* owner() const { return owner_; }
  size_t index() const;  // from its address
  OpOperand* next_use() const { return next_; }

 private:
  Value value_;
  Operation* const owner_;
  OpOperand* next_ = nullptr;
  OpOperand* previous_ = nullptr;  // null: the first of the list
};

}  // namespace phi::ir

template <>
struct std::hash<phi::ir::Value> {
  size_t operator()(phi::ir::Value value) const { return std::hash<const void*>()(value.impl()); }
};
