// SPDX-License-Identifier: Apache-2.0
#include "core/infermeta_utils.h"

#include <mutex>

namespace phi {

MetaFnFactory& MetaFnFactory::Instance() {
  static MetaFnFactory& factory = *new MetaFnFactory;
  return factory;
}

bool MetaFnFactory::Contains(const std::string& kernel) const {
  const std::shared_lock lock(mutex_);
  return entries_.count(kernel) != 0;
}

void MetaFnFactory::Insert(const std::string& kernel, InferMetaEntry entry) {
  const std::unique_lock lock(mutex_);
  entries_[kernel].push_front(std::move(entry));
}

const InferMetaEntry& MetaFnFactory::Get(const std::string& kernel) const {
  const std::shared_lock lock(mutex_);
  const auto it = entries_.find(kernel);
  PADDLE_ENFORCE(it != entries_.end(),
                 errors::NotFound("no InferMeta function is registered for the kernel '%s'", kernel));
  return it->second.front();
}

}  // namespace phi
