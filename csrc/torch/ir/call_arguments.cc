// SPDX-License-Identifier: Apache-2.0
#include "torch/ir/call_arguments.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "common/enforce.h"
#include "ir/core/builtin_attribute.h"
#include "ir/core/builtin_type.h"
#include "ir/core/type_sizes.h"
#include "ir/text/lexer.h"
#include "torch/ir/call_constant.h"

namespace phi::ir {

namespace {

using c10::IValue;
using c10::TypeKind;
using Kind = CallArgument::Kind;

// What an operand for an argument of this type is; nothing where it cannot be one.
std::optional<Kind> KindOf(const c10::Type& type) {
  switch (type.kind()) {
    case TypeKind::OptionalType:
      return KindOf(*type.expectRef<c10::OptionalType>().getElementType());
    case TypeKind::TensorType:
      return Kind::Tensor;
    case TypeKind::IntType:
    case TypeKind::NumberType:
      return Kind::Number;
    case TypeKind::ListType: {
      const c10::Type& element = *type.expectRef<c10::ListType>().getElementType();
      if (element.kind() == TypeKind::NumberType) return std::nullopt;
      const auto kind = KindOf(element);
      if (kind == Kind::Number) return Kind::Numbers;
      if (kind != Kind::Tensor) return std::nullopt;
      return element.kind() == TypeKind::OptionalType ? Kind::OptionalTensors : Kind::Tensors;
    }
    default:
      return std::nullopt;
  }
}

c10::OperatorHandle Target(const Operation& op) {
  const auto target = op.attribute<StrAttribute>("target");
  PADDLE_ENFORCE(target, errors::InvalidArgument("attribute 'target': expected a text"));
  const std::string& name = target.data();
  const size_t first = name.find('.'), last = name.rfind('.');
  PADDLE_ENFORCE(first != std::string::npos && first < last,
                 errors::InvalidArgument("target '%s': expected 'namespace.operator.overload'", name));
  const std::string overload = name.substr(last + 1);
  const auto found = c10::Dispatcher::singleton().findSchema(
      {name.substr(0, first) + "::" + name.substr(first + 1, last - first - 1), overload == "default" ? "" : overload});
  PADDLE_ENFORCE(found.has_value(), errors::NotFound("torch has no operator '%s'", name));
  return *found;
}

// The place in the schema of each operand.
std::vector<size_t> Places(const Operation& op, const c10::FunctionSchema& schema) {
  std::vector<size_t> places;
  const auto& arguments = schema.arguments();
  if (const auto names = op.attribute<ArrayAttribute>("inputs")) {
    for (const Attribute item : names.items()) {
      const auto name = item.dyn_cast<StrAttribute>();
      const auto found = std::find_if(arguments.begin(), arguments.end(), [&](const c10::Argument& argument) {
        return name && argument.name() == name.data() && KindOf(*argument.type());
      });
      PADDLE_ENFORCE(found != arguments.end(),
                     errors::InvalidArgument("attribute 'inputs': %s is no argument that an operand can be; the schema "
                                             "is %s",
                                             item,
                                             c10::str(schema)));
      places.push_back(static_cast<size_t>(found - arguments.begin()));
    }
  } else {
    for (size_t i = 0; i < arguments.size() && places.size() < op.num_operands(); ++i) {
      const auto kind = KindOf(*arguments[i].type());
      if (kind && *kind != Kind::Number && *kind != Kind::Numbers) places.push_back(i);
    }
  }
  PADDLE_ENFORCE(
      places.size() == op.num_operands(),
      errors::InvalidArgument(
          "expected %d operands, got %d; the schema is %s", places.size(), op.num_operands(), c10::str(schema)));
  return places;
}

void CheckSchema(const Operation& op, const c10::FunctionSchema& schema) {
  PADDLE_ENFORCE(
      !schema.is_mutable(),
      errors::Unimplemented("an operator that writes its arguments cannot be a target: %s", c10::str(schema)));
  PADDLE_ENFORCE(schema.returns().size() == op.num_results(),
                 errors::InvalidArgument("expected %d results, got %d; the schema is %s",
                                         schema.returns().size(),
                                         op.num_results(),
                                         c10::str(schema)));
  for (const c10::Argument& result : schema.returns()) {
    const auto kind = KindOf(*result.type());
    PADDLE_ENFORCE(kind == Kind::Tensor || kind == Kind::Tensors,
                   errors::Unimplemented("a result is no tensor: %s", c10::str(schema)));
  }
  const auto& arguments = schema.arguments();
  for (const auto& [name, value] : op.other_attributes()) {
    const bool is_known = std::any_of(
        arguments.begin(), arguments.end(), [&, &key = name](const auto& argument) { return argument.name() == key; });
    PADDLE_ENFORCE(is_known || name == "inputs" || name == kUnproven,
                   errors::InvalidArgument("attribute '%s' is no argument of %s", name, c10::str(schema)));
  }
}

void AddDtypes(Type type, std::vector<DataType>* dtypes) {
  if (const auto list = type.dyn_cast<VectorType>()) {
    for (const Type element : list.elements()) AddDtypes(element, dtypes);
    return;
  }
  const auto tensor = type.dyn_cast<TensorType>();
  dtypes->push_back(tensor ? tensor.dtype() : DataType::UNDEFINED);
}

bool TakesStrides(const c10::FunctionSchema& schema) {
  const std::string_view name = schema.name();
  // oneDNN's are internal too: mkldnn_rnn_layer reads any input as a contiguous one
  if (!name.starts_with("aten::") || name.starts_with("aten::_") || name.starts_with("aten::mkldnn_")) return false;
  const auto& returns = schema.returns();
  return std::none_of(returns.begin(), returns.end(), [](const c10::Argument& one) { return one.alias_info(); });
}

}  // namespace

bool TakesStrides(const Operation& op) { return TakesStrides(Target(op).schema()); }

PreparedCall PrepareCall(const Operation& op) {
  PreparedCall call{Target(op), {}, {}, {}};
  for (size_t i = 0; i < op.num_results(); ++i) AddDtypes(op.result(i).type(), &call.dtypes);
  const c10::FunctionSchema& schema = call.target.schema();
  call.takes_strides = TakesStrides(schema);
  CheckSchema(op, schema);
  const std::vector<size_t> places = Places(op, schema);
  for (const size_t place : places) call.operands.push_back({*KindOf(*schema.arguments()[place].type()), place});
  for (size_t i = 0; i < schema.arguments().size(); ++i) {
    const c10::Argument& argument = schema.arguments()[i];
    const auto operand = std::find(places.begin(), places.end(), i);
    const bool is_given = operand != places.end() && op.operand(operand - places.begin());
    const bool is_target = argument.name() == "target";  // that of nll_loss_forward is an operand
    const Attribute value = is_target ? Attribute() : op.attribute(argument.name());
    try {
      if (is_given) {
        PADDLE_ENFORCE(!value, errors::InvalidArgument("an operand is in its place"));
        call.stack.emplace_back();
      } else if (value) {
        call.stack.push_back(ToConstant(*argument.type(), value));
      } else if (argument.default_value()) {
        call.stack.push_back(*argument.default_value());
      } else {
        PADDLE_ENFORCE(argument.type()->kind() == TypeKind::OptionalType, errors::InvalidArgument("it is missing"));
        call.stack.emplace_back();
      }
    } catch (const enforce::EnforceNotMet& error) {
      PADDLE_THROW(
          errors::InvalidArgument("argument '%s' of %s: %s", argument.name(), c10::str(schema), MessageOf(error)));
    }
  }
  return call;
}

IValue ToIValue(const CallArgument& operand, const std::vector<at::Tensor>& tensors) {
  if (operand.kind == Kind::Tensor) return tensors.front();
  if (operand.kind == Kind::Tensors) return c10::List<at::Tensor>(tensors);
  c10::List<std::optional<at::Tensor>> list;
  for (const at::Tensor& tensor : tensors) list.push_back(tensor.defined() ? std::optional(tensor) : std::nullopt);
  return list;
}

}  // namespace phi::ir
