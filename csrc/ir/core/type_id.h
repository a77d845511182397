// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>
#include <typeinfo>

namespace phi::ir {

// The identity of a C++ class across shared libraries: its name, interned once per process.
class TypeId {
 public:
  TypeId() = default;
  template <typename T>
  static TypeId Get() {
    static const TypeId id = Intern(typeid(T).name());
    return id;
  }

  bool operator==(const TypeId&) const = default;
  bool operator<(const TypeId& o) const { return std::less<>()(name_, o.name_); }
  explicit operator bool() const { return name_ != nullptr; }
  size_t Hash() const { return std::hash<const void*>()(name_); }

 private:
  static TypeId Intern(std::string_view name);

  const void* name_ = nullptr;
};

}  // namespace phi::ir
