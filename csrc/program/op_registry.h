// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "program/operator.h"

namespace phi {

// Operators by type. One that has no class of its own runs the kernel that it is mapped to.
class OpRegistry {
 public:
  using Creator = std::unique_ptr<OperatorBase> (*)(OpDesc desc);

  static OpRegistry& Instance();

  // Registered twice is an error, which waits for KernelFactory::TakeErrors.
  bool Insert(const std::string& type, Creator creator);
  // Whether a class was registered for the type.
  bool Contains(const std::string& type) const;
  std::vector<std::string> Types() const;
  // The operator, ready to run. NotFound for a type that has neither a class nor a mapping.
  static std::unique_ptr<OperatorBase> CreateOp(OpDesc desc);

 private:
  Creator Find(const std::string& type) const;

  mutable std::mutex mutex_;
  std::map<std::string, Creator> creators_;
};

}  // namespace phi

// An operator without a kernel: `op_class` is derived from phi::OperatorBase and made from an OpDesc.
//   REGISTER_OPERATOR(my_print, MyPrintOp);
#define REGISTER_OPERATOR(op_type, op_class)                                                                          \
  [[maybe_unused]] static const bool phi_operator_##op_type =                                                         \
      ::phi::OpRegistry::Instance().Insert(#op_type, [](::phi::OpDesc desc) -> std::unique_ptr<::phi::OperatorBase> { \
        return std::make_unique<op_class>(std::move(desc));                                                           \
      })
