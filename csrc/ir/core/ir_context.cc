// SPDX-License-Identifier: Apache-2.0
#include "ir/core/ir_context.h"

#include "ir/core/attribute.h"
#include "ir/core/dialect.h"
#include "ir/core/op_info.h"

namespace phi::ir {

IrContext::IrContext() = default;
IrContext::~IrContext() = default;

OpInfo IrContext::GetOpInfo(const std::string& name) {
  if (const OpInfo known = DialectRegistry::Instance().FindOp(name)) return known;
  const std::lock_guard<std::mutex> lock(mutex_);
  auto& unknown = unknown_[name];
  if (!unknown) unknown = std::make_unique<OpInfoImpl>(name);
  return OpInfo(unknown.get());
}

Attribute IrContext::DefaultOf(OpInfo op, size_t attribute) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<Attribute>& defaults = defaults_[op.impl()];
  if (defaults.empty()) {
    for (const AttributeInfo& info : op.row().attributes) {
      const bool has_none = info.default_value.kind == Literal::Kind::None;
      defaults.push_back(has_none ? Attribute() : MakeAttribute(this, info.kind, info.element, info.default_value));
    }
  }
  return defaults.at(attribute);
}

}  // namespace phi::ir
