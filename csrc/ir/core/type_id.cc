// SPDX-License-Identifier: Apache-2.0
#include "ir/core/type_id.h"

#include <mutex>
#include <set>
#include <string>

namespace phi::ir {

TypeId TypeId::Intern(std::string_view name) {
  static std::mutex mutex;
  static auto& names = *new std::set<std::string, std::less<>>();  // ids outlive every static object
  const std::lock_guard<std::mutex> lock(mutex);
  TypeId id;
  id.name_ = &*names.emplace(name).first;
  return id;
}

}  // namespace phi::ir
