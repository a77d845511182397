// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "common/enforce.h"
#include "ir/core/builtin_attribute.h"
#include "ir/core/builtin_type.h"
#include "ir/core/verify.h"

// What a table of operators says of one operation.
namespace phi::ir {

namespace {

using enforce::Format;

std::string KindText(const AttributeInfo& info) {
  if (info.kind != AttributeKind::Array) return AttributeKindName(info.kind);
  return Format("array<%s>", AttributeKindName(info.element));
}

bool IsOfKind(Attribute value, AttributeKind kind, AttributeKind element) {
  if (kind == AttributeKind::Any || value.isa<OpaqueAttribute>()) return true;
  if (value.kind() != kind) return false;
  if (kind != AttributeKind::Array || element == AttributeKind::Any) return true;
  for (const Attribute item : ArrayAttribute(value.storage()).items()) {
    if (!item || item.kind() != element) return false;
  }
  return true;
}

bool MayBeEqual(TensorType a, TensorType b) {
  if (a.dims().size() != b.dims().size()) return false;
  for (size_t i = 0; i < a.dims().size(); ++i) {
    const Dim x = a.dims()[i], y = b.dims()[i];
    if (x.is_number() && y.is_number() && x != y) return false;
  }
  return true;
}

void CheckCounts(const Operation& op, const Program& program, Report* report) {
  const OpRow& row = op.info().row();
  if (op.context() != program.context()) report->Add(op, "it belongs to another context than the program");
  if (row.regions >= 0 && op.regions().size() != static_cast<size_t>(row.regions)) {
    report->Add(op, Format("expected %d regions, got %d", row.regions, op.regions().size()));
  }
  const auto check = [&](const char* what, size_t expected, bool more, size_t got) {
    if (more ? got >= expected : got == expected) return;
    report->Add(op, Format("expected %s%d %s, got %d", more ? "at least " : "", expected, what, got));
  };
  check("operands", row.inputs.size(), row.variadic_operands, op.num_operands());
  check("results", row.outputs.size(), row.variadic_results, op.num_results());
}

// Lists are where the table says so.
void CheckLists(const Operation& op, Report* report) {
  const OpRow& row = op.info().row();
  const auto check = [&](const std::string& name, Type type, bool is_list) {
    if (!type || type.isa<VectorType>() == is_list || type.isa<OpaqueType>()) return;
    report->Add(op, Format("%s: expected %s, got %s", name, is_list ? "a list" : "a tensor", type));
  };
  for (size_t i = 0; i < std::min(row.inputs.size(), op.num_operands()); ++i) {
    const InputInfo& info = row.inputs[i];
    if (info.is_mutable_attribute || !op.operand(i)) continue;
    check(Format("operand %d '%s'", i, info.name), op.operand(i).type(), info.is_list);
  }
  for (size_t i = 0; i < std::min(row.outputs.size(), op.num_results()); ++i) {
    check(Format("result %d '%s'", i, row.outputs[i].name), op.result(i).type(), row.outputs[i].is_list);
  }
}

void CheckAttributes(const Operation& op, const Program& program, Report* report) {
  const auto declared = op.info().row().attributes;
  for (size_t i = 0; i < declared.size(); ++i) {
    const AttributeInfo& info = declared[i];
    const Attribute value = op.declared_attributes()[i];
    const std::string name = Format("attribute '%s'", info.name);
    if (!value) {
      const int input = info.is_mutable ? op.info().InputIndex(info.name) : -1;
      const bool is_operand = input >= 0 && static_cast<size_t>(input) < op.num_operands() && op.operand(input);
      if (!info.optional && !is_operand) report->Add(op, name + " is missing");
    } else if (!IsOfKind(value, info.kind, info.element)) {
      report->Add(op, Format("%s: expected %s, got %s", name, KindText(info), value));
    }
  }
  for (const auto& [name, value] : op.other_attributes()) {
    if (value.context() != program.context()) report->Add(op, Format("attribute '%s' is of another context", name));
  }
}

// A result that shares its operand's memory is there if that is, and has its data type.
void CheckInplace(const Operation& op, Report* report) {
  for (const auto& [input, output] : op.info().row().inplace) {
    if (static_cast<size_t>(input) >= op.num_operands() || static_cast<size_t>(output) >= op.num_results()) continue;
    const Type from = op.operand(input) ? op.operand(input).type() : Type();
    const Type to = op.result(output).type();
    const auto a = from.dyn_cast<TensorType>(), b = to.dyn_cast<TensorType>();
    const std::string pair = Format("result %d is operand %d in place", output, input);
    if (to && !from) report->Add(op, pair + ", which is absent");
    if (!a || !b) continue;
    if (a.dtype() != b.dtype() || a.kind() != b.kind()) {
      report->Add(op, Format("%s: expected the data type of %s, got %s", pair, from, to));
    } else if (op.info().HasTrait(Trait::Inplace) && !op.info().HasTrait(Trait::ViewLike) &&
               !from.isa<DenseTensorArrayType>() && !MayBeEqual(a, b)) {  // an array says how some tensor of it is
      report->Add(op, Format("%s: expected the shape of %s, got %s", pair, from, to));
    }
  }
}

// A weight that the program has is what its result says.
void CheckWeight(const Operation& op, const Program& program, Report* report) {
  const auto name = op.attribute<StrAttribute>("name");
  const Parameter* weight = name ? program.weights()->Find(name.data()) : nullptr;
  const auto type = op.num_results() == 1 ? op.result(0).type().dyn_cast<TensorType>() : TensorType();
  if (weight == nullptr || !type) return;
  bool fits = weight->dtype == type.dtype() && weight->dims.size() == type.dims().size();
  for (size_t i = 0; fits && i < weight->dims.size(); ++i) {
    fits = !type.dims()[i].is_number() || type.dims()[i].number() == weight->dims[i];
  }
  if (fits) return;
  const char* pattern = "the weight '%s' is %s, but its result is %s";
  report->Add(op, Format(pattern, name.data(), TypeText(weight->dtype, weight->dims), type));
}

}  // namespace

void VerifyAgainstTable(const Operation& op, const Program& program, Report* report) {
  CheckCounts(op, program, report);
  CheckLists(op, report);
  CheckAttributes(op, program, report);
  CheckInplace(op, report);
  if (op.name() == "builtin.parameter") CheckWeight(op, program, report);
  const OpRow& row = op.info().row();
  if (row.verify != nullptr) row.verify(op, report);
}

}  // namespace phi::ir
