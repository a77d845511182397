// SPDX-License-Identifier: Apache-2.0
#include "ir/core/block.h"

#include <algorithm>
#include <utility>

#include "common/enforce.h"
#include "ir/core/region.h"

namespace phi::ir {

namespace {

// Operations that are nested in it.
int HeightOf(const Operation& op) {
  int height = 0;
  for (const Region& region : op.regions()) {
    for (const auto& block : region.blocks()) {
      for (const Operation& inner : *block) height = std::max(height, 1 + HeightOf(inner));
    }
  }
  return height;
}

}  // namespace

Block::~Block() {
  for (Operation& op : *this) op.DropAllReferences();
  while (last_ != nullptr) {
    Operation* op = last_;
    Remove(op);
    op->Destroy();
  }
}

Operation* Block::parent_op() const { return region_->parent(); }

void Block::Insert(Operation* op, Operation* before) {
  PADDLE_ENFORCE(op->block_ == nullptr, errors::PreconditionNotMet("'%s' is in a block already", op->name()));
  PADDLE_ENFORCE(parent_op()->Depth() + HeightOf(*op) < kMaxDepth,
                 errors::InvalidArgument("operations may be nested %d deep, not deeper", kMaxDepth));
  op->block_ = this;
  op->next_ = before;
  op->previous_ = before ? before->previous_ : last_;
  (op->previous_ ? op->previous_->next_ : first_) = op;
  (before ? before->previous_ : last_) = op;
  ++size_;
}

void Block::Remove(Operation* op) {
  (op->previous_ ? op->previous_->next_ : first_) = op->next_;
  (op->next_ ? op->next_->previous_ : last_) = op->previous_;
  op->block_ = nullptr;
  op->next_ = op->previous_ = nullptr;
  --size_;
}

BlockArgument Block::AddArgument(Type type) {
  arguments_.push_back(std::make_unique<BlockArgumentImpl>(type, this, arguments_.size()));
  return BlockArgument(arguments_.back().get());
}

void Block::EraseArgument(size_t index) {
  PADDLE_ENFORCE(!argument(index).has_uses(), errors::PreconditionNotMet("argument %d of the block is used", index));
  arguments_.erase(arguments_.begin() + static_cast<std::ptrdiff_t>(index));
  for (size_t i = index; i < arguments_.size(); ++i) arguments_[i]->index = i;
}

size_t Region::index() const { return static_cast<size_t>(this - parent_->regions().data()); }

Block* Region::AddBlock() {
  blocks_.push_back(std::make_unique<Block>(this));
  return blocks_.back().get();
}

void Region::TakeBlocks(Region* other) {
  blocks_ = std::move(other->blocks_);
  other->blocks_.clear();
  for (const auto& block : blocks_) block->region_ = this;
}

}  // namespace phi::ir
