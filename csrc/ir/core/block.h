// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <vector>

#include "ir/core/handle.h"
#include "ir/core/operation.h"

namespace phi::ir {

// A list of operations, run one after another, and the arguments that are given to it. It owns the operations.
class Block final : public Handled {
 public:
  explicit Block(Region* region) : region_(region) {}
  ~Block();

  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Operation;
    using difference_type = std::ptrdiff_t;
    using pointer = Operation*;
    using reference = Operation&;
    explicit Iterator(Operation* op = nullptr) : op_(op) {}
    Operation& operator*() const { return *op_; }
    Operation* operator->() const { return op_; }
    Iterator& operator++() {
      op_ = op_->next();
      return *this;
    }
    bool operator==(const Iterator&) const = default;

   private:
    Operation* op_;
  };
  Iterator begin() const { return Iterator(first_); }
  Iterator end() const { return Iterator(); }
  bool empty() const { return first_ == nullptr; }
  size_t size() const { return size_; }
  Operation* front() const { return first_; }
  Operation* back() const { return last_; }

  Region* region() const { return region_; }
  Operation* parent_op() const;

  // Takes an operation that has no block; `before` null: at the end. InvalidArgument where operations would be nested
  // too deep.
  void Insert(Operation* op, Operation* before = nullptr);
  void Remove(Operation* op);  // which is the caller's then
  static constexpr int kMaxDepth = 64;

  size_t num_arguments() const { return arguments_.size(); }
  BlockArgument argument(size_t index) const { return BlockArgument(arguments_[index].get()); }
  BlockArgument AddArgument(Type type);
  void EraseArgument(size_t index);  // PreconditionNotMet while it is used

  const std::shared_ptr<HandleCell>& cell() { return CellOf(this); }

 private:
  friend class Region;
  Region* region_;
  Operation* first_ = nullptr;
  Operation* last_ = nullptr;
  size_t size_ = 0;
  std::vector<std::unique_ptr<BlockArgumentImpl>> arguments_;
};

}  // namespace phi::ir
