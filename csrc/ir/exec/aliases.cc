// SPDX-License-Identifier: Apache-2.0
#include "ir/exec/aliases.h"

#include <vector>

#include "ir/core/builtin_attribute.h"
#include "ir/core/region.h"

namespace phi::ir {

namespace {

// Whether the results are the operands, in another form.
bool IsIdentity(const Operation& op) {
  const std::string& name = op.name();
  return name == "builtin.combine" || name == "builtin.split" || name == "builtin.slice" ||
         name == "builtin.to_tensor" || name == "builtin.to_vtensor" || name == "pd_op.shadow_feed" ||
         name == "pd_op.share_data_" || name == "pd_op.memcpy_d2h" || name == "pd_op.memcpy_h2d";
}

}  // namespace

bool HasValueSemantics(Value value) {
  const auto type = value.type().dyn_cast<TensorType>();
  return !type || type.value_semantics();
}

Aliases::Aliases(const Program& program) : weights_(*program.weights()) {
  std::vector<Value> written;
  Walk(program.module(), [&](Operation* op) {
    if (IsIdentity(*op)) {
      for (const OpOperand& operand : op->operands()) {
        for (size_t i = 0; i < op->num_results(); ++i) shared_.Join(operand.value(), op->result(i));
      }
    }
    if (op->name() == "pd_kernel.fused_elementwise") {
      shared_.Join(op->regions()[0].block(0)->back()->operand(0), op->result(0));
    }
    const bool is_inplace = op->info().HasTrait(Trait::Inplace);
    for (const auto& [operand, result] : op->info().row().inplace) {
      if (static_cast<size_t>(operand) >= op->num_operands() || static_cast<size_t>(result) >= op->num_results())
        continue;
      if (!op->operand(operand) || (is_inplace && WritesElsewhere(*op, operand))) continue;
      if (!is_inplace && HasValueSemantics(op->result(result))) continue;
      shared_.Join(op->operand(operand), op->result(result));
      if (is_inplace) written.push_back(op->operand(operand));
    }
  });
  for (const Value value : written) written_.insert(shared_.Find(value));
}

bool Aliases::IsFromOutside(Value value) const {
  const Operation* op = value.defining_op();
  if (op == nullptr) return false;
  if (op->name() == "pd_op.data" || op->name() == "pd_op.feed") return true;
  const auto name = op->attribute<StrAttribute>("name");
  if (op->name() != "builtin.parameter" || !name) return false;
  const Parameter* parameter = weights_.Find(name.data());
  return parameter == nullptr || !parameter->is_mutable;
}

bool Aliases::WritesElsewhere(const Operation& op, size_t operand) const {
  const Value value = op.operand(operand);
  return value.HasOneUse() && IsFromOutside(value);
}

bool Aliases::IsWritten(Value value) const { return written_.contains(shared_.Find(value)); }

}  // namespace phi::ir
