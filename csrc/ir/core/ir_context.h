// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "ir/core/storage_manager.h"

namespace phi::ir {

class Attribute;
class OpInfo;
class OpInfoImpl;

// Owns what programs share by pointer: types, attributes, and operators that no dialect has. It belongs to a program,
// or to several on purpose; what a context made lives as long as it does. Safe for threads.
class IrContext {
 public:
  IrContext();
  ~IrContext();
  IrContext(const IrContext&) = delete;
  IrContext& operator=(const IrContext&) = delete;

  StorageManager& storages() { return storages_; }

  // The operator of that name: a dialect's, or one that stands for what is unknown.
  OpInfo GetOpInfo(const std::string& name);
  // What a declared attribute is where nothing is given; null if it must be.
  Attribute DefaultOf(OpInfo op, size_t attribute);

 private:
  StorageManager storages_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<OpInfoImpl>> unknown_;
  std::map<const OpInfoImpl*, std::vector<Attribute>> defaults_;
};

}  // namespace phi::ir
