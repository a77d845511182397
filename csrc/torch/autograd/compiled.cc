// SPDX-License-Identifier: Apache-2.0
#include "torch/autograd/compiled.h"

#include <mutex>
#include <set>

namespace phi::torch_bridge {

bool BindsFirst(const std::string& name) {
  static std::mutex mutex;
  static std::set<std::string>& bound = *new std::set<std::string>;
  const std::lock_guard<std::mutex> lock(mutex);
  return bound.insert(name).second;
}

}  // namespace phi::torch_bridge
