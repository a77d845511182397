// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/data_type.h"

namespace phi::ir {

// A weight. Its memory is borrowed from `owner`, which lives as long as the parameter.
struct Parameter {
  DataType dtype = DataType::UNDEFINED;
  std::vector<int64_t> dims;
  void* data = nullptr;
  std::shared_ptr<void> owner;
  bool is_mutable = false;  // the program writes it
  int64_t version = 0;      // how often it was replaced
};

// The weights of a program by name, shared with its clones. No pass copies one.
class Weights {
 public:
  // The version of one that is replaced goes up.
  const Parameter& Set(const std::string& name, Parameter parameter);
  const Parameter* Find(const std::string& name) const;  // null without one
  bool Erase(const std::string& name) { return parameters_.erase(name) != 0; }
  const std::map<std::string, Parameter>& parameters() const { return parameters_; }

 private:
  std::map<std::string, Parameter> parameters_;
};

}  // namespace phi::ir
