// SPDX-License-Identifier: Apache-2.0
#include "core/infermeta_utils.h"

namespace phi {

MetaFnFactory& MetaFnFactory::Instance() {
  static MetaFnFactory& factory = *new MetaFnFactory;
  return factory;
}

InferMetaFn MetaFnFactory::Get(const std::string& kernel) const {
  const auto it = functions_.find(kernel);
  PADDLE_ENFORCE(it != functions_.end(),
                 errors::NotFound("no InferMeta function is registered for the kernel '%s'", kernel));
  return it->second;
}

}  // namespace phi
