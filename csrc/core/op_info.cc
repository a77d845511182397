// SPDX-License-Identifier: Apache-2.0
#include "core/op_info.h"

namespace phi {

OpInfoMap& OpInfoMap::Instance() {
  static OpInfoMap map;
  return map;
}

bool OpInfoMap::Insert(std::span<const OpInfo> infos) {
  const std::lock_guard lock(mutex_);
  new_.push_back(infos);
  return true;
}

const std::map<std::string_view, const OpInfo*>& OpInfoMap::Indexed() const {
  for (const std::span<const OpInfo> infos : new_) {
    for (const OpInfo& info : infos) infos_.emplace(info.type, &info);
  }
  new_.clear();
  return infos_;
}

const OpInfo* OpInfoMap::Find(std::string_view type) const {
  const std::lock_guard lock(mutex_);
  const auto& infos = Indexed();
  const auto found = infos.find(type);
  return found == infos.end() ? nullptr : found->second;
}

std::vector<std::string> OpInfoMap::Types() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> types;
  for (const auto& [type, info] : Indexed()) types.emplace_back(type);
  return types;
}

}  // namespace phi
