// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ostream>

#include "common/backend.h"
#include "common/data_type.h"
#include "common/layout.h"

namespace phi {

// By what a kernel is picked. UNDEFINED is also ALL_*: a kernel for any.
class KernelKey {
 public:
  constexpr KernelKey() = default;
  constexpr KernelKey(Backend backend, DataLayout layout, DataType dtype)
      : backend_(backend), layout_(layout), dtype_(dtype) {}

  constexpr Backend backend() const { return backend_; }
  constexpr DataLayout layout() const { return layout_; }
  constexpr DataType dtype() const { return dtype_; }

  // backend in bits 0-7, layout 8-11, dtype 12-19
  constexpr uint32_t hash_value() const {
    return static_cast<uint32_t>(backend_) | static_cast<uint32_t>(layout_) << 8 | static_cast<uint32_t>(dtype_) << 12;
  }
  constexpr bool operator==(const KernelKey& o) const { return hash_value() == o.hash_value(); }
  constexpr bool operator!=(const KernelKey& o) const { return !(*this == o); }
  constexpr bool operator<(const KernelKey& o) const { return hash_value() < o.hash_value(); }

 private:
  Backend backend_ = Backend::UNDEFINED;
  DataLayout layout_ = DataLayout::UNDEFINED;
  DataType dtype_ = DataType::UNDEFINED;
};

inline std::ostream& operator<<(std::ostream& os, const KernelKey& key) {
  return os << '(' << BackendName(key.backend()) << ", " << DataLayoutName(key.layout()) << ", "
            << DataTypeName(key.dtype()) << ')';
}

}  // namespace phi
