// SPDX-License-Identifier: Apache-2.0
#include "program/op_registry.h"

#include "core/kernel_factory.h"
#include "core/op_utils.h"
#include "program/kernel_operator.h"

namespace phi {

OpRegistry& OpRegistry::Instance() {
  static OpRegistry registry;
  return registry;
}

bool OpRegistry::Insert(const std::string& type, Creator creator) {
  const std::lock_guard lock(mutex_);
  if (creators_.emplace(type, creator).second) return true;
  KernelFactory::Instance().AddError(enforce::Format("the operator '%s' is registered twice", type));
  return false;
}

OpRegistry::Creator OpRegistry::Find(const std::string& type) const {
  const std::lock_guard lock(mutex_);
  const auto found = creators_.find(type);
  return found == creators_.end() ? nullptr : found->second;
}

bool OpRegistry::Contains(const std::string& type) const { return Find(type) != nullptr; }

std::vector<std::string> OpRegistry::Types() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> types;
  for (const auto& [type, creator] : creators_) types.push_back(type);
  return types;
}

std::unique_ptr<OperatorBase> OpRegistry::CreateOp(OpDesc desc) {
  if (const Creator creator = Instance().Find(desc.type)) return creator(std::move(desc));
  PADDLE_ENFORCE(OpUtilsMap::Instance().Maps(desc.type),
                 errors::NotFound("no operator of programs has the name '%s'", desc.type));
  return std::make_unique<KernelOperator>(std::move(desc));
}

}  // namespace phi
