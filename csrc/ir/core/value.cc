// SPDX-License-Identifier: Apache-2.0
#include "ir/core/value.h"

#include <utility>

#include "ir/core/block.h"
#include "ir/core/operation.h"

namespace phi::ir {

namespace {

const BlockArgumentImpl* ArgumentOf(const ValueImpl* impl) { return static_cast<const BlockArgumentImpl*>(impl); }

}  // namespace

Operation* Value::defining_op() const { return is_block_argument() ? nullptr : Operation::OfResult(impl_, index()); }

size_t Value::index() const {
  const uintptr_t kind = impl_->kind();
  if (kind <= ValueImpl::kMaxInline) return kind;
  return is_block_argument() ? ArgumentOf(impl_)->index : static_cast<const OpOutOfLineResultImpl*>(impl_)->index;
}

Block* Value::owner_block() const { return is_block_argument() ? ArgumentOf(impl_)->block : defining_op()->block(); }

const std::string& Value::name() const {
  return is_block_argument() ? ArgumentOf(impl_)->name : defining_op()->result_name(index());
}

void Value::set_name(std::string name) const {
  if (is_block_argument()) {
    static_cast<BlockArgumentImpl*>(impl_)->name = std::move(name);
  } else {
    defining_op()->set_result_name(index(), std::move(name));
  }
}

bool Value::HasOneUse() const { return has_uses() && first_use()->next_use() == nullptr; }

void Value::ReplaceAllUsesWith(Value other) const {
  if (other == *this) return;
  while (OpOperand* use = first_use()) use->set(other);
}

void OpOperand::set(Value value) {
  if (value == value_) return;
  if (value_) {
    if (previous_) {
      previous_->next_ = next_;
    } else {
      value_.impl()->set_first_use(next_);
    }
    if (next_) next_->previous_ = previous_;
    next_ = previous_ = nullptr;
  }
  value_ = value;
  if (value_) {
    next_ = value_.first_use();
    if (next_) next_->previous_ = this;
    value_.impl()->set_first_use(this);
  }
}

size_t OpOperand::index() const { return static_cast<size_t>(this - owner_->operands().data()); }

}  // namespace phi::ir
