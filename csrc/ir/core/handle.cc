// SPDX-License-Identifier: Apache-2.0
#include "ir/core/handle.h"

#include <utility>

namespace phi::ir {

namespace {

thread_local EraseScope* current = nullptr;

}  // namespace

Handled::~Handled() {
  if (!cell_) return;
  cell_->object = nullptr;
  cell_->erased_by = EraseScope::Current();
}

const std::shared_ptr<HandleCell>& Handled::CellOf(void* object) {
  if (!cell_) {
    cell_ = std::make_shared<HandleCell>();
    cell_->object = object;
  }
  return cell_;
}

EraseScope::EraseScope(std::string by) : by_(std::move(by)), outer_(std::exchange(current, this)) {
  if (outer_ != nullptr) by_ += " in " + outer_->by_;
}
EraseScope::~EraseScope() { current = outer_; }
std::string EraseScope::Current() { return current ? current->by_ : "the program's owner"; }

}  // namespace phi::ir
