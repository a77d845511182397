// SPDX-License-Identifier: Apache-2.0
#include "core/infermeta_utils.h"

namespace phi {

MetaFnFactory& MetaFnFactory::Instance() {
  static MetaFnFactory& factory = *new MetaFnFactory;
  return factory;
}

const InferMetaEntry& MetaFnFactory::Get(const std::string& kernel) const {
  const auto it = entries_.find(kernel);
  PADDLE_ENFORCE(it != entries_.end(),
                 errors::NotFound("no InferMeta function is registered for the kernel '%s'", kernel));
  return it->second;
}

}  // namespace phi
