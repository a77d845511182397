// SPDX-License-Identifier: Apache-2.0
#include "core/vector_library.h"

namespace phi {

constinit std::atomic<VectorLibrary::Finder> VectorLibrary::finder_{nullptr};

void* VectorLibrary::Find(const char* name) {
  const Finder finder = finder_.load(std::memory_order_acquire);
  return finder != nullptr ? finder(name) : nullptr;
}

}  // namespace phi
