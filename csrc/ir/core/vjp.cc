// SPDX-License-Identifier: Apache-2.0
#include "ir/core/vjp.h"

#include <algorithm>

#include "common/enforce.h"
#include "ir/core/builder.h"
#include "ir/core/builtin_attribute.h"
#include "ir/core/type_sizes.h"

namespace phi::ir {

namespace {

Value Zeros(Builder* builder, Value like) {
  PADDLE_ENFORCE(like.type().isa<DenseTensorType>(),
                 errors::InvalidArgument("expected the gradient of a result of %s; give zeros", like.type()));
  const NamedAttribute value{"value", ScalarAttribute::Real(builder->context(), DataType::FLOAT64, 0)};
  const Value operands[] = {like, Value()};  // no operand in the place of the attribute
  return builder->Create("pd_op.full_like", operands, {&value, 1})->result(0);
}

// The operand of a gradient that is called `index`: null where there is none.
Value OperandOf(Builder* builder,
                const Operation& op,
                const Vjp::Operand& from,
                const InputInfo& input,
                std::span<const Value> gradients) {
  const auto index = static_cast<size_t>(from.index);
  switch (from.source) {
    case Vjp::Source::Input:
      return index < op.num_operands() ? op.operand(index) : Value();
    case Vjp::Source::Output:
      return index < op.num_results() && op.result(index).type() ? Value(op.result(index)) : Value();
    case Vjp::Source::Gradient:
      if (gradients[index] || input.optional || !op.result(index).type()) return gradients[index];
      return Zeros(builder, op.result(index));
    case Vjp::Source::None:
      break;
  }
  return Value();
}

Attribute AttributeOf(IrContext* context,
                      const Operation& op,
                      const Vjp::AttributeFrom& from,
                      const AttributeInfo& to) {
  if (from.from >= 0) return op.declared_attributes()[from.from];
  if (from.dtype_of < 0) return MakeAttribute(context, to.kind, to.element, from.value);
  const auto type = op.operand(from.dtype_of).type().dyn_cast<TensorType>();
  PADDLE_ENFORCE(type, errors::InvalidArgument("operand %d: expected a tensor", from.dtype_of));
  return DataTypeAttribute::get(context, type.dtype());
}

// That of a tensor, or of each of a list.
Type GradientType(Type type) {
  if (const auto list = type.dyn_cast<VectorType>()) {
    VectorTypeKey key;
    for (const Type element : list.elements()) key.elements.push_back(GradientType(element));
    return VectorType::get(type.context(), std::move(key));
  }
  const auto tensor = type.dyn_cast<TensorType>();
  if (!tensor) return type;
  TensorTypeKey key = tensor.key();
  key.value_semantics = true;
  return TensorType::get(type.context(), std::move(key));
}

bool IsProvenValue(Value value) { return !value || value.is_block_argument() || IsProven(*value.defining_op()); }

}  // namespace

std::vector<Value> Differentiate(Builder* builder,
                                 const Operation& op,
                                 std::span<const Value> gradients,
                                 const std::vector<bool>& wanted) {
  const auto* vjp = op.info().GetInterface<Vjp>();
  PADDLE_ENFORCE_NOT_NULL(vjp, errors::InvalidArgument("%s has no gradient", Describe(op)));
  PADDLE_ENFORCE(
      gradients.size() == op.num_results(),
      errors::InvalidArgument(
          "%s: expected the gradients of its %d results, got %d", Describe(op), op.num_results(), gradients.size()));
  PADDLE_ENFORCE(
      wanted.empty() || wanted.size() == op.num_operands(),
      errors::InvalidArgument("%s: expected to be told of %d operands whether their gradient is wanted, got %d",
                              Describe(op),
                              op.num_operands(),
                              wanted.size()));
  std::vector<Value> found(op.num_operands());
  std::vector<Type> types;
  for (const int16_t input : vjp->results) {
    const auto i = static_cast<size_t>(input);
    const bool is_there = i < op.num_operands() && op.operand(i) && (wanted.empty() || wanted[i]);
    types.push_back(is_there ? GradientType(op.operand(i).type()) : Type());
  }
  if (std::none_of(types.begin(), types.end(), [](Type type) { return static_cast<bool>(type); })) return found;
  const OpInfo info = builder->context()->GetOpInfo(vjp->gradient);
  std::vector<Value> operands;
  bool proven = true;
  for (size_t i = 0; i < vjp->operands.size(); ++i) {
    operands.push_back(OperandOf(builder, op, vjp->operands[i], info.row().inputs[i], gradients));
    proven &= IsProvenValue(operands.back());
  }
  std::vector<NamedAttribute> attributes;
  for (const Vjp::AttributeFrom& from : vjp->attributes) {
    const AttributeInfo& to = info.row().attributes[from.to];
    if (const Attribute value = AttributeOf(builder->context(), op, from, to)) attributes.emplace_back(to.name, value);
  }
  Operation* made = builder->Create(vjp->gradient, operands, attributes, types);
  made->set_location(op.location());
  MarkProven(made, proven);
  for (size_t i = 0; i < types.size(); ++i) {
    if (types[i]) found[vjp->results[i]] = made->result(i);
  }
  return found;
}

}  // namespace phi::ir
