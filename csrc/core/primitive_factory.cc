// SPDX-License-Identifier: Apache-2.0
#include "core/primitive_factory.h"

#include <map>
#include <mutex>
#include <string>

namespace phi {

// Tables live as long as the process: functions keep references to them.
PrimitiveTable& PrimitiveTable::Of(const char* name) {
  static std::mutex mutex;
  static auto& tables = *new std::map<std::string, PrimitiveTable>();
  std::lock_guard<std::mutex> lock(mutex);
  return tables[name];
}

void PrimitiveTable::Register(Backend backend, size_t index, AnyFn function) {
  static std::mutex mutex;
  PADDLE_ENFORCE(index < kSize, errors::OutOfRange("a primitive has %d functions at most", kSize));
  std::lock_guard<std::mutex> lock(mutex);
  std::atomic<Functions*>& functions = devices_[static_cast<size_t>(backend)];
  if (functions.load() == nullptr) functions.store(new Functions());
  (*functions.load())[index].store(function, std::memory_order_release);
}

void detail::ThrowNoPrimitive(const char* name, Backend backend) {
  PADDLE_THROW(errors::Unimplemented(
      "primitive '%s' has no implementation for these data types on %s", name, BackendName(backend)));
}

}  // namespace phi
