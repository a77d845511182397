// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace paddle {

// std::optional with the accessors that PHI kernels use.
template <typename T>
class optional : public std::optional<T> {
 public:
  using std::optional<T>::optional;
  bool is_initialized() const { return this->has_value(); }
  const T& get() const { return **this; }
  T& get() { return **this; }
  const T* get_ptr() const { return this->has_value() ? &**this : nullptr; }
  T* get_ptr() { return this->has_value() ? &**this : nullptr; }
};

inline constexpr std::nullopt_t none = std::nullopt;

}  // namespace paddle
