// SPDX-License-Identifier: Apache-2.0
#include "ir/core/infer_type.h"

#include <utility>

#include "common/enforce.h"
#include "ir/core/type_sizes.h"

namespace phi::ir {

std::optional<InferredTypes> InferTypes(const Operation& op, const Program& program) {
  const auto* model = op.info().GetInterface<InferType>();
  return model == nullptr ? std::nullopt : model->infer(*model, op, program);
}

Operation* CreateInferred(Program* program,
                          const std::string& name,
                          std::span<const Value> operands,
                          std::span<const NamedAttribute> attributes) {
  IrContext* context = program->context();
  const OpInfo info = context->GetOpInfo(name);
  const OpRow& row = info.row();
  const bool has_results = !row.outputs.empty() || row.variadic_results;
  InferredTypes inferred;
  if (has_results && info.is_registered()) {
    PADDLE_ENFORCE(row.variadic_operands || operands.size() <= row.inputs.size(),
                   errors::InvalidArgument("expected %d operands, got %d", row.inputs.size(), operands.size()));
    Operation* probe = Operation::Create(context, info, operands, attributes, {});
    std::optional<InferredTypes> answer;
    try {
      answer = InferTypes(*probe, *program);
    } catch (...) {
      probe->Destroy();
      throw;
    }
    probe->Destroy();
    PADDLE_ENFORCE(answer, errors::InvalidArgument("it does not tell the types of its results; give them"));
    inferred = std::move(*answer);
  }
  Operation* op = Operation::Create(context, info, operands, attributes, inferred.types);
  NameSizes(program, *op);
  bool proven = inferred.proven;
  for (const Value operand : operands) {
    proven &= !operand || operand.is_block_argument() || IsProven(*operand.defining_op());
  }
  MarkProven(op, proven);
  return op;
}

}  // namespace phi::ir
