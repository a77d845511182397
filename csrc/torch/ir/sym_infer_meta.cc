// SPDX-License-Identifier: Apache-2.0
#include "torch/ir/sym_infer_meta.h"

#include "common/enforce.h"
#include "ir/core/builtin_attribute.h"
#include "ir/core/dialect.h"
#include "ir/shape/shape_value.h"

namespace phi::ir {

namespace {

[[noreturn]] void Refuse(const char* expected, Attribute got) {
  PADDLE_THROW(errors::InvalidArgument("expected %s, got %s", expected, got));
}

// A result may be a tensor that another value shares its memory with where an operand may.
bool HasValueSemantics(const Operation& op) {
  for (const OpOperand& operand : op.operands()) {
    const auto type = operand.value() ? operand.value().type().dyn_cast<TensorType>() : TensorType();
    if (type && !type.value_semantics()) return false;
  }
  return true;
}

}  // namespace

namespace detail {

bool ToBool(Attribute attribute) {
  if (const auto value = attribute.dyn_cast<BoolAttribute>()) return value.data();
  Refuse("a bool", attribute);
}

int64_t ToInteger(Attribute attribute) {
  if (const auto value = attribute.dyn_cast<Int32Attribute>()) return value.data();
  if (const auto value = attribute.dyn_cast<Int64Attribute>()) return value.data();
  if (const auto value = attribute.dyn_cast<ScalarAttribute>(); value && value.is_integer()) return value.integer();
  Refuse("an integer", attribute);
}

double ToReal(Attribute attribute) {
  if (const auto value = attribute.dyn_cast<FloatAttribute>()) return value.data();
  if (const auto value = attribute.dyn_cast<DoubleAttribute>()) return value.data();
  if (const auto value = attribute.dyn_cast<ScalarAttribute>()) return value.parts().real;
  Refuse("a number", attribute);
}

Scalar ToScalar(Attribute attribute) {
  if (const auto value = attribute.dyn_cast<ScalarAttribute>()) return value.data();
  if (const auto value = attribute.dyn_cast<BoolAttribute>()) return Scalar(value.data());
  if (attribute.isa<Int32Attribute>() || attribute.isa<Int64Attribute>()) return Scalar(ToInteger(attribute));
  return Scalar(ToReal(attribute));
}

std::string ToText(Attribute attribute) {
  if (const auto value = attribute.dyn_cast<StrAttribute>()) return value.data();
  Refuse("text", attribute);
}

DataType ToDataType(Attribute attribute) {
  if (const auto value = attribute.dyn_cast<DataTypeAttribute>()) return value.data();
  Refuse("a data type", attribute);
}

std::vector<Attribute> ToItems(Attribute attribute) {
  if (const auto value = attribute.dyn_cast<ArrayAttribute>()) return value.items();
  Refuse("a list", attribute);
}

}  // namespace detail

void SymInferCall::Begin(std::span<const InferArgument> arguments, std::span<const InferResult> results) {
  arguments_ = arguments;
  next_argument_ = next_result_ = 0;
  tensors_.clear();
  metas_.clear();
  results_.clear();
  const auto outputs = op_.info().row().outputs;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const InferResult& rule = results[i];
    Result& result = results_.emplace_back();
    result.is_list = outputs[i].is_list;
    result.wanted = rule.needs < 0 || op_.operand(rule.needs);
    size_t size = result.is_list ? 0 : 1;
    if (result.is_list) {
      const auto known = i < op_.num_results() ? op_.result(i).type().dyn_cast<VectorType>() : VectorType();
      if (known) {
        size = known.elements().size();
      } else if (rule.list_operand >= 0) {
        const auto list = op_.operand(rule.list_operand).type().dyn_cast<VectorType>();
        size = list ? list.elements().size() : 0;
      } else if (rule.list_attribute >= 0) {
        const InferArgument from{
            static_cast<int16_t>(op_.info().InputIndex(op_.info().row().attributes[rule.list_attribute].name)),
            rule.list_attribute};
        const std::vector<Dim> numbers = Numbers(from);
        const AttributeKind kind = op_.info().row().attributes[rule.list_attribute].kind;
        const bool is_count = kind != AttributeKind::IntArray && kind != AttributeKind::Array;
        if (is_count && (numbers.size() != 1 || !numbers[0].is_number())) throw DependsOnData();
        size = is_count ? static_cast<size_t>(numbers[0].number()) : numbers.size();
        PADDLE_ENFORCE(size < 100000, errors::InvalidArgument("a list has less than 100000 tensors, got %d", size));
      } else {
        throw DependsOnData();
      }
    }
    for (size_t k = 0; k < size; ++k) result.metas.push_back(NewMeta());
  }
}

Value SymInferCall::Operand(const InferArgument& argument) const {
  const bool given = argument.operand >= 0 && static_cast<size_t>(argument.operand) < op_.num_operands();
  return given ? op_.operand(argument.operand) : Value();
}

Attribute SymInferCall::AttributeOf(const InferArgument& argument) const {
  if (Operand(argument)) throw DependsOnData();
  const Attribute attribute = op_.declared_attributes()[argument.attribute];
  PADDLE_ENFORCE(
      attribute,
      errors::InvalidArgument("attribute '%s' is missing", op_.info().row().attributes[argument.attribute].name));
  return attribute;
}

SymInferCall::Meta* SymInferCall::NewMeta() {
  tensors_.emplace_back();
  return &metas_.emplace_back(&tensors_.back());
}

SymInferCall::Meta* SymInferCall::MetaOf(Type type) {
  if (!type) return &metas_.emplace_back();
  const auto tensor = type.dyn_cast<TensorType>();
  if (!tensor) throw DependsOnData();
  Meta* meta = NewMeta();
  BasicDDim<SymInt> dims;
  for (const Dim& dim : tensor.dims()) dims.push_back(shapes_.ToSymInt(dim));
  meta->set_dims(dims);
  meta->set_dtype(tensor.dtype());
  meta->set_layout(tensor.layout());
  return meta;
}

SymInferCall::Meta SymInferCall::TakeTensor() {
  const InferArgument& argument = Next();
  const Value value = Operand(argument);
  const Type type = value ? value.type() : Type();
  if (!type && argument.operand >= 0) {
    const InputInfo& input = op_.info().row().inputs[argument.operand];
    PADDLE_ENFORCE(input.optional, errors::InvalidArgument("operand '%s' is missing", input.name));
  }
  return *MetaOf(type);
}

std::vector<const SymInferCall::Meta*> SymInferCall::TakeTensors() {
  std::vector<const Meta*> metas;
  const Value value = Operand(Next());
  if (!value) return metas;
  const auto list = value.type().dyn_cast<VectorType>();
  if (!list) throw DependsOnData();
  for (const Type type : list.elements()) metas.push_back(MetaOf(type));
  return metas;
}

std::vector<Dim> SymInferCall::Numbers(const InferArgument& argument) {
  if (const Value value = Operand(argument)) {
    auto numbers = ShapeValueOf(value);
    if (!numbers) throw DependsOnData();
    return *numbers;
  }
  const Attribute attribute = AttributeOf(argument);
  if (const auto list = attribute.dyn_cast<IntArrayAttribute>()) return {list.data().begin(), list.data().end()};
  if (!attribute.isa<ArrayAttribute>()) return {Dim(detail::ToInteger(attribute))};
  std::vector<Dim> numbers;
  for (const Attribute item : detail::ToItems(attribute)) numbers.emplace_back(detail::ToInteger(item));
  return numbers;
}

Scalar SymInferCall::TakeScalar() {
  const InferArgument& argument = Next();
  const Value operand = Operand(argument);
  const Operation* maker = operand ? operand.defining_op() : nullptr;
  const bool is_constant = maker != nullptr && maker->name() == "pd_op.full" && maker->attribute("value");
  if (operand && !is_constant) {
    const std::vector<Dim> numbers = Numbers(argument);
    if (numbers.size() != 1 || !numbers[0].is_number()) throw DependsOnData();
    return Scalar(numbers[0].number());
  }
  const Attribute attribute = is_constant ? maker->attribute("value") : AttributeOf(argument);
  return detail::ToScalar(attribute);
}

std::vector<Type> SymInferCall::Results() const {
  const bool value_semantics = HasValueSemantics(op_);
  const auto type_of = [&](const Meta& meta) {
    if (meta.dtype() == DataType::UNDEFINED) return Type();
    TensorTypeKey key{TensorKind::Dense, meta.dtype(), {}, meta.layout(), value_semantics};
    for (const SymInt& size : meta.dims()) {
      const Dim dim = shapes_.ToDim(size);
      key.dims.push_back(dim.is_number() && dim.number() < 0 ? Dim() : dim);
    }
    return Type(TensorType::get(program_.context(), std::move(key)).storage());
  };
  std::vector<Type> types;
  for (const Result& result : results_) {
    if (!result.wanted || !result.is_list) {
      types.push_back(result.wanted ? type_of(*result.metas.front()) : Type());
      continue;
    }
    VectorTypeKey key;
    for (const Meta* meta : result.metas) key.elements.push_back(type_of(*meta));
    types.push_back(VectorType::get(program_.context(), std::move(key)));
  }
  return types;
}

std::optional<InferredTypes> SymInferType::Infer(const Concept& self, const Operation& op, const Program& program) {
  const auto& model = static_cast<const SymInferType&>(self);
  SymInferCall call(op, program);
  for (;;) {
    try {
      call.Begin(model.arguments, model.results);
      model.call(call);
      return InferredTypes{call.Results(), !call.shapes().has_guessed()};
    } catch (const DependsOnData&) {
      return std::nullopt;
    } catch (const enforce::EnforceNotMet&) {
      if (!call.shapes().TurnGuess()) throw;
    }
  }
}

bool RegisterInferType(const char* dialect, std::initializer_list<std::pair<const char*, const SymInferType*>> models) {
  Dialect& of = DialectRegistry::Instance().GetOrCreate(dialect);
  for (const auto& [op, model] : models) of.AddInterface<InferType>(op, model);
  return true;
}

}  // namespace phi::ir
