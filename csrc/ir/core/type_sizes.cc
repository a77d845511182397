// SPDX-License-Identifier: Apache-2.0
#include "ir/core/type_sizes.h"

#include <algorithm>
#include <utility>

#include "ir/core/builtin_attribute.h"
#include "ir/core/infer_type.h"

namespace phi::ir {

Merged Merge(Type said, Type inferred) {
  if (!said || !inferred || said == inferred) return {said};
  if (const auto a = said.dyn_cast<VectorType>(), b = inferred.dyn_cast<VectorType>(); a && b) {
    if (a.elements().size() != b.elements().size()) return {};
    Merged merged;
    VectorTypeKey key;
    for (size_t i = 0; i < a.elements().size(); ++i) {
      const Merged element = Merge(a.elements()[i], b.elements()[i]);
      if (!element.type && a.elements()[i]) return {};
      key.elements.push_back(element.type);
      merged.proven &= element.proven;
    }
    merged.type = VectorType::get(said.context(), std::move(key));
    return merged;
  }
  const auto a = said.dyn_cast<TensorType>(), b = inferred.dyn_cast<TensorType>();
  if (!a || !b || a.kind() != b.kind() || a.dtype() != b.dtype() || a.dims().size() != b.dims().size()) return {};
  Merged merged;
  TensorTypeKey key = a.key();
  for (size_t i = 0; i < key.dims.size(); ++i) {
    const Dim dim = b.dims()[i];
    if (dim.is_unknown()) {
      merged.proven &= !key.dims[i].is_number();
    } else {
      if (dim.is_number() && key.dims[i].is_number() && dim != key.dims[i]) return {};
      key.dims[i] = dim;
    }
  }
  merged.type = TensorType::get(said.context(), std::move(key));
  return merged;
}

Type WithoutContradiction(Type said, Type inferred) {
  const auto a = said.dyn_cast<TensorType>(), b = inferred.dyn_cast<TensorType>();
  if (!a || !b || a.kind() != b.kind() || a.dtype() != b.dtype() || a.dims().size() != b.dims().size()) return {};
  TensorTypeKey key = a.key();
  for (size_t i = 0; i < key.dims.size(); ++i) {
    if (key.dims[i].is_number() && b.dims()[i].is_number() && key.dims[i] != b.dims()[i]) key.dims[i] = Dim();
  }
  const Type found = TensorType::get(said.context(), std::move(key));
  return found == said ? Type() : found;
}

bool HasCountableElements(Type type) {
  if (const auto list = type.dyn_cast<VectorType>()) {
    return std::ranges::all_of(list.elements(), &HasCountableElements);
  }
  const auto tensor = type.dyn_cast<TensorType>();
  if (!tensor) return true;
  int64_t count = 1;
  for (const Dim& dim : tensor.dims()) {
    const bool counts = dim.is_number() && dim.number() > 0;
    if (counts && __builtin_mul_overflow(count, dim.number(), &count)) return false;
  }
  return true;
}

Type Common(Type a, Type b) {
  const auto x = a.dyn_cast<TensorType>(), y = b.dyn_cast<TensorType>();
  if (a == b || !x || !y || x.dims().size() != y.dims().size()) return a;
  TensorTypeKey key = x.key();
  for (size_t i = 0; i < key.dims.size(); ++i) {
    if (key.dims[i] != y.dims()[i]) key.dims[i] = Dim();
  }
  return TensorType::get(a.context(), std::move(key));
}

Type Named(Program* program, Type type, const std::string& source, int64_t lower) {
  const auto tensor = type.dyn_cast<TensorType>();
  if (const auto list = type.dyn_cast<VectorType>()) {
    VectorTypeKey key;
    for (size_t i = 0; i < list.elements().size(); ++i) {
      const std::string name = source + "." + std::to_string(i);
      key.elements.push_back(list.elements()[i] ? Named(program, list.elements()[i], name, lower) : Type());
    }
    return VectorType::get(program->context(), std::move(key));
  }
  if (!tensor) return type;
  TensorTypeKey key = tensor.key();
  for (size_t i = 0; i < key.dims.size(); ++i) {
    if (!key.dims[i].is_unknown()) continue;
    const int64_t symbol = program->symbols().Add({source + "." + std::to_string(i), lower});
    key.dims[i] = Dim::Symbol(program->context(), symbol);
  }
  return TensorType::get(program->context(), std::move(key));
}

void NameSizes(Program* program, const Operation& op) {
  if (op.name() == "builtin.combine") return;  // a list has the sizes of its values, known or not
  const auto input = op.name() == "pd_op.data" ? op.attribute<StrAttribute>("name") : StrAttribute();
  for (size_t i = 0; i < op.num_results(); ++i) {
    const Value result = op.result(i);
    if (!result.type()) continue;
    const std::string source = input ? input.data() : result.name().empty() ? op.name() : result.name();
    result.set_type(Named(program, result.type(), source, input ? 1 : 0));
  }
}

void MarkProven(Operation* op, bool proven) {
  op->set_attribute(kUnproven, proven ? Attribute() : BoolAttribute::get(op->context(), true));
}

bool IsProven(const Operation& op) { return !op.attribute(kUnproven); }

}  // namespace phi::ir
