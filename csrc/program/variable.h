// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <any>
#include <vector>

#include "core/argument_mapping.h"
#include "core/selected_rows.h"
#include "core/sparse_tensor.h"

namespace phi {

using TensorArray = std::vector<DenseTensor>;

// What a name stands for in a scope: a tensor of some kind, an array of tensors, or a value of somebody's own type.
class Variable {
 public:
  // Null where it holds nothing, or another type.
  template <typename T>
  const T* TryGet() const {
    return std::any_cast<T>(&value_);
  }
  template <typename T>
  T* TryGet() {
    return std::any_cast<T>(&value_);
  }
  // The value, made if it is not there or is of another type. A tensor stays at its address until the variable gets a
  // value of another type.
  template <typename T>
  T* GetMutable() {
    if (T* value = TryGet<T>()) return value;
    return &value_.emplace<T>();
  }

  // Whether it has a value. One that was cleared has none.
  bool IsInitialized() const;
  // Lets go of the value and its memory.
  void Clear();
  VariableKind Kind() const;

 private:
  std::any value_;
};

}  // namespace phi
