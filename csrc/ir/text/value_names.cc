// SPDX-License-Identifier: Apache-2.0
#include "ir/text/value_names.h"

namespace phi::ir {

namespace {

constexpr size_t kPrefix = 2;  // "0:" or "n:"

}  // namespace

void ValueNames::Define(const ValueName& name, Value value) {
  if (name.key.empty()) return;
  broken_.erase(name.key);
  if (!values_.try_emplace(name.key, value).second) {
    throw SyntaxError(name.place, "%" + name.key.substr(kPrefix) + " is defined twice");
  }
  order_.push_back(name.key);
  if (!name.is_numbered) value.set_name(name.key.substr(kPrefix));
}

Value ValueNames::Find(const ValueName& name) const {
  if (broken_.count(name.key) != 0) throw Follows();
  const auto found = values_.find(name.key);
  if (found == values_.end()) {
    throw SyntaxError(name.place, "%" + name.key.substr(kPrefix) + " is not defined, or outside of its region");
  }
  return found->second;
}

void ValueNames::Break(const ValueName& name) {
  if (values_.count(name.key) == 0) broken_.insert(name.key);
}

ValueNames::Scope::~Scope() {
  for (size_t i = first_; i < names_->order_.size(); ++i) names_->values_.erase(names_->order_[i]);
  names_->order_.resize(first_);
}

}  // namespace phi::ir
