// SPDX-License-Identifier: Apache-2.0
#include "ir/shape/shape_value.h"

#include <algorithm>
#include <functional>
#include <map>

#include "common/enforce.h"
#include "ir/core/builtin_attribute.h"
#include "ir/core/builtin_type.h"

namespace phi::ir {

namespace {

using Numbers = std::optional<std::vector<Dim>>;

constexpr size_t kMost = 64;     // numbers of a tensor that may be a shape
constexpr int kMostSteps = 256;  // operators that are looked at for one shape

Numbers Evaluate(Value value, int* steps);

// As many unknown numbers as the tensor has elements.
Numbers Unknown(Value value) {
  const auto type = value.type().dyn_cast<DenseTensorType>();
  if (!type || type.dims().size() > 1) return std::nullopt;
  if (type.dims().empty()) return std::vector<Dim>(1);
  const Dim size = type.dims()[0];
  if (!size.is_number() || size.number() > static_cast<int64_t>(kMost)) return std::nullopt;
  return std::vector<Dim>(static_cast<size_t>(size.number()));
}

Numbers WholeOf(double number) {
  const auto whole = static_cast<int64_t>(std::clamp(number, -9e18, 9e18));
  return static_cast<double>(whole) == number ? Numbers({Dim(whole)}) : std::nullopt;
}

Numbers IntegersOf(Attribute attribute) {
  if (const auto list = attribute.dyn_cast<IntArrayAttribute>()) {
    return std::vector<Dim>(list.data().begin(), list.data().end());
  }
  if (const auto scalar = attribute.dyn_cast<ScalarAttribute>()) {
    return scalar.is_integer() ? Numbers({Dim(scalar.integer())}) : WholeOf(scalar.parts().real);
  }
  if (const auto number = attribute.dyn_cast<Int32Attribute>()) return Numbers({Dim(number.data())});
  if (const auto number = attribute.dyn_cast<Int64Attribute>()) return Numbers({Dim(number.data())});
  if (const auto number = attribute.dyn_cast<DoubleAttribute>()) return WholeOf(number.data());
  if (const auto number = attribute.dyn_cast<FloatAttribute>()) return WholeOf(number.data());
  const auto array = attribute.dyn_cast<ArrayAttribute>();
  if (!array) return std::nullopt;
  std::vector<Dim> numbers;
  for (const Attribute item : array.items()) {
    const Numbers one = IntegersOf(item);
    if (!one || one->size() != 1) return std::nullopt;
    numbers.push_back(one->front());
  }
  return numbers;
}

// An attribute of integers, or the operand in its place.
Numbers Argument(const Operation& op, const char* name, int* steps) {
  const int input = op.info().InputIndex(name);
  if (input >= 0 && static_cast<size_t>(input) < op.num_operands() && op.operand(input)) {
    return Evaluate(op.operand(input), steps);
  }
  return IntegersOf(op.attribute(name));
}

std::optional<int64_t> Number(const Operation& op, const char* name, int* steps) {
  const Numbers numbers = Argument(op, name, steps);
  if (!numbers || numbers->size() != 1 || !numbers->front().is_number()) return std::nullopt;
  return numbers->front().number();
}

Numbers Sizes(const Operation& op) {
  const auto type = op.operand(0) ? op.operand(0).type().dyn_cast<DenseTensorType>() : DenseTensorType();
  if (!type) return std::nullopt;
  return type.dims();
}

Numbers Filled(const Operation& op, int* steps) {
  const Numbers value = Argument(op, "value", steps), shape = Argument(op, "shape", steps);
  if (!value || value->size() != 1 || !shape || shape->size() > 1) return std::nullopt;
  const Dim size = shape->empty() ? Dim(1) : shape->front();
  if (!size.is_number() || size.number() < 0 || size.number() > static_cast<int64_t>(kMost)) return std::nullopt;
  return std::vector<Dim>(static_cast<size_t>(size.number()), value->front());
}

// Elements of a tensor of one dimension.
Numbers Slice(const Operation& op, int* steps) {
  const Numbers numbers = Evaluate(op.operand(0), steps), axes = IntegersOf(op.attribute("axes"));
  const auto type = op.operand(0).type().dyn_cast<DenseTensorType>();
  const auto start = Number(op, "starts", steps), end = Number(op, "ends", steps);
  if (!numbers || !type || type.dims().size() != 1 || !axes || axes->size() != 1 || !start || !end) return std::nullopt;
  const int64_t size = static_cast<int64_t>(numbers->size());
  const auto within = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + size : at, 0, size); };
  const int64_t first = within(*start), last = std::max(first, within(*end));
  return std::vector<Dim>(numbers->begin() + first, numbers->begin() + last);
}

// Tensors of one number or of one dimension, one after another.
Numbers Joined(const Operation& op, int* steps) {
  const Operation* list = op.operand(0) ? op.operand(0).defining_op() : nullptr;
  if (list == nullptr || list->name() != "builtin.combine") return std::nullopt;
  std::vector<Dim> joined;
  for (const OpOperand& operand : list->operands()) {
    const Numbers numbers = operand.value() ? Evaluate(operand.value(), steps) : std::nullopt;
    if (!numbers || joined.size() + numbers->size() > kMost) return std::nullopt;
    joined.insert(joined.end(), numbers->begin(), numbers->end());
  }
  return joined;
}

// Numbers to a tensor of one dimension.
Numbers Stacked(const Operation& op, int* steps) {
  const auto type = op.result(0).type().dyn_cast<DenseTensorType>();
  if (type && type.dims().size() > 1) return std::nullopt;
  const Operation* list = op.operand(0) ? op.operand(0).defining_op() : nullptr;
  if (list == nullptr) return std::nullopt;
  for (const OpOperand& operand : list->operands()) {
    const auto element = operand.value() ? operand.value().type().dyn_cast<DenseTensorType>() : DenseTensorType();
    if (!element || !element.dims().empty()) return std::nullopt;
  }
  return Joined(op, steps);
}

using Combine = std::function<Dim(IrContext*, Dim, Dim)>;

Numbers Elementwise(const Operation& op, int* steps, const Combine& combine) {
  const Numbers a = Evaluate(op.operand(0), steps), b = Evaluate(op.operand(1), steps);
  if (!a || !b || (a->size() != b->size() && a->size() != 1 && b->size() != 1)) return std::nullopt;
  std::vector<Dim> numbers;
  for (size_t i = 0; i < (a->size() == 1 ? b->size() : a->size()); ++i) {  // none, where one of them has none
    const Dim x = (*a)[a->size() == 1 ? 0 : i], y = (*b)[b->size() == 1 ? 0 : i];
    numbers.push_back(combine(op.context(), x, y));
  }
  return numbers;
}

Combine FunctionOf(DimFunction function) {
  return [function](IrContext* context, Dim a, Dim b) {
    const bool divides = function == DimFunction::FloorDiv || function == DimFunction::Mod;
    return divides && (b == Dim(0) || b == Dim(-1)) ? Dim() : Dim::Function(context, function, a, b);
  };
}

Numbers Scaled(const Operation& op, int* steps) {
  const Numbers numbers = Evaluate(op.operand(0), steps), scale = Argument(op, "scale", steps);
  const Numbers bias = IntegersOf(op.attribute("bias"));
  const auto after = op.attribute<BoolAttribute>("bias_after_scale");
  if (!numbers || !scale || scale->size() != 1 || !bias || !after || !after.data()) return std::nullopt;
  std::vector<Dim> scaled;
  for (const Dim& number : *numbers) {
    scaled.push_back(Dim::Add(op.context(), Dim::Multiply(op.context(), number, scale->front()), bias->front()));
  }
  return scaled;
}

using Rule = std::function<Numbers(const Operation&, int*)>;

const std::map<std::string, Rule>& Rules() {
  const Rule same = [](const Operation& op, int* steps) { return Evaluate(op.operand(0), steps); };
  const Rule sizes = [](const Operation& op, int*) { return Sizes(op); };
  const auto of = [](const Combine& combine) -> Rule {
    return [combine](const Operation& op, int* steps) { return Elementwise(op, steps, combine); };
  };
  static const std::map<std::string, Rule> rules = {
      {"pd_op.full_int_array", [](const Operation& op, int*) { return IntegersOf(op.attribute("value")); }},
      {"pd_op.full", Filled},
      {"pd_op.shape", sizes},
      {"pd_op.shape64", sizes},
      {"pd_op.slice", Slice},
      {"pd_op.concat", Joined},
      {"pd_op.stack", Stacked},
      {"builtin.combine",
       [](const Operation& op, int* steps) -> Numbers {
         std::vector<Dim> numbers;
         for (const OpOperand& operand : op.operands()) {
           const Numbers one = operand.value() ? Evaluate(operand.value(), steps) : std::nullopt;
           if (!one || one->size() != 1) return std::nullopt;
           numbers.push_back(one->front());
         }
         return numbers;
       }},
      {"pd_op.cast", same},
      {"pd_op.assign", same},
      {"pd_op.reshape", same},
      {"pd_op.squeeze", same},
      {"pd_op.unsqueeze", same},
      {"pd_op.share_data_", same},
      {"pd_op.memcpy_d2h", same},
      {"pd_op.memcpy_h2d", same},
      {"pd_op.scale", Scaled},
      {"pd_op.add", of(Dim::Add)},
      {"pd_op.multiply", of(Dim::Multiply)},
      {"pd_op.subtract",
       of([](IrContext* context, Dim a, Dim b) { return Dim::Add(context, a, Dim::Multiply(context, Dim(-1), b)); })},
      {"pd_op.floor_divide", of(FunctionOf(DimFunction::FloorDiv))},
      {"pd_op.remainder", of(FunctionOf(DimFunction::Mod))},
      {"pd_op.maximum", of(FunctionOf(DimFunction::Max))},
      {"pd_op.minimum", of(FunctionOf(DimFunction::Min))},
  };
  return rules;
}

bool IsInteger(Type type) {
  if (type.isa<VectorType>()) return true;
  const auto tensor = type.dyn_cast<DenseTensorType>();
  return tensor && (tensor.dtype() == DataType::INT32 || tensor.dtype() == DataType::INT64);
}

Numbers Evaluate(Value value, int* steps) {
  if (!value.type() || !IsInteger(value.type())) return std::nullopt;
  const Operation* op = value.defining_op();
  const auto rule = op == nullptr ? Rules().end() : Rules().find(op->name());
  if (rule == Rules().end() || --*steps < 0) return Unknown(value);
  try {
    Numbers numbers = rule->second(*op, steps);
    if (numbers && numbers->size() <= kMost) return numbers;
  } catch (const enforce::EnforceNotMet&) {  // the numbers leave 64 bits
  }
  return Unknown(value);
}

}  // namespace

std::optional<std::vector<Dim>> ShapeValueOf(Value value) {
  int steps = kMostSteps;
  return Evaluate(value, &steps);
}

std::optional<std::vector<Dim>> ShapeArgumentOf(const Operation& op, const char* attribute) {
  int steps = kMostSteps;
  return Argument(op, attribute, &steps);
}

}  // namespace phi::ir
