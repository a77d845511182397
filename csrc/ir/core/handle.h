// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

namespace phi::ir {

// What a handle from outside, such as a Python object, holds of an object of the IR: it outlives it, and says then who
// erased it.
struct HandleCell {
  void* object = nullptr;  // null: erased
  std::string erased_by;
};

// An object that handles may point to. It costs a null pointer until the first one does.
class Handled {
 public:
  Handled() = default;
  Handled(const Handled&) = delete;
  Handled& operator=(const Handled&) = delete;

 protected:
  ~Handled();
  const std::shared_ptr<HandleCell>& CellOf(void* object);

 private:
  std::shared_ptr<HandleCell> cell_;
};

// While it lives, what this thread erases is erased by that name: `the pass 'cse'`; within another scope, by both.
class EraseScope {
 public:
  explicit EraseScope(std::string by);
  ~EraseScope();
  EraseScope(const EraseScope&) = delete;
  EraseScope& operator=(const EraseScope&) = delete;
  static std::string Current();

 private:
  std::string by_;
  EraseScope* outer_;
};

}  // namespace phi::ir
