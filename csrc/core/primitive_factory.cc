// SPDX-License-Identifier: Apache-2.0
#include "core/primitive_factory.h"

#include <map>
#include <mutex>
#include <string>

namespace phi {

// Tables live as long as the process: functions keep references to them.
PrimitiveTable& PrimitiveTable::Of(const char* name, size_t size) {
  static std::mutex mutex;
  static auto& tables = *new std::map<std::string, PrimitiveTable>();
  std::lock_guard<std::mutex> lock(mutex);
  PrimitiveTable& table = tables.try_emplace(name, size).first->second;
  PADDLE_ENFORCE_EQ(
      table.size_, size, errors::PreconditionNotMet("two libraries have different keys for the primitive '%s'", name));
  return table;
}

void PrimitiveTable::Register(Backend backend, size_t index, AnyFn function) {
  static std::mutex mutex;
  PADDLE_ENFORCE(index < size_, errors::OutOfRange("function %d of a primitive that has %d", index, size_));
  std::lock_guard<std::mutex> lock(mutex);
  std::atomic<std::atomic<AnyFn>*>& functions = devices_[static_cast<size_t>(backend)];
  if (functions.load() == nullptr) functions.store(new std::atomic<AnyFn>[size_]());
  functions.load()[index].store(function, std::memory_order_release);
}

void detail::ThrowNoPrimitive(const char* name, Backend backend) {
  PADDLE_THROW(errors::Unimplemented(
      "primitive '%s' has no implementation for these data types on %s", name, BackendName(backend)));
}

}  // namespace phi
