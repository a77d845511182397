// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "ir/core/block.h"

namespace phi::ir {

// A list of blocks in an operation.
class Region {
 public:
  explicit Region(Operation* parent) : parent_(parent) {}
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  Operation* parent() const { return parent_; }
  size_t index() const;
  bool empty() const { return blocks_.empty(); }
  size_t size() const { return blocks_.size(); }
  Block* block(size_t index) const { return blocks_[index].get(); }
  Block* AddBlock();
  void TakeBlocks(Region* other);  // all of them; this one is empty

  const std::vector<std::unique_ptr<Block>>& blocks() const { return blocks_; }

 private:
  Operation* const parent_;
  std::vector<std::unique_ptr<Block>> blocks_;
};

}  // namespace phi::ir
