// SPDX-License-Identifier: Apache-2.0
#include "ir/core/verify.h"

#include <unordered_set>

#include "common/enforce.h"
#include "ir/core/builtin_attribute.h"

namespace phi::ir {

namespace {

using enforce::Format;

class Verifier {
 public:
  explicit Verifier(const Program& program) : program_(program) {}

  std::vector<std::string> Run() {
    Enter(*program_.module());
    CheckOp(*program_.module());
    return report_.messages();
  }

 private:
  // What uses need: every operation knows its block and its place in it.
  void Enter(const Operation& op) {
    for (const Region& region : op.regions()) {
      for (const auto& block : region.blocks()) {
        if (block->region() != &region) report_.Add(op, "a block of it belongs to another region");
        for (const Operation& inner : *block) {
          ops_.insert(&inner);
          Enter(inner);
        }
      }
    }
  }

  void CheckOp(const Operation& op) {
    if (report_.full()) return;
    CheckCounts(op);
    CheckOperands(op);
    CheckResults(op);
    CheckAttributes(op);
    CheckInplace(op);
    if (op.name() == "builtin.parameter") CheckWeight(op);
    const OpRow& row = op.info().row();
    if (row.verify != nullptr) row.verify(op, &report_);
    for (const Region& region : op.regions()) {
      std::vector<Value> defined;
      for (const auto& block : region.blocks()) CheckBlock(op, *block, &defined);
      for (const Value value : defined) visible_.erase(value);
    }
  }

  void CheckBlock(const Operation& parent, const Block& block, std::vector<Value>* defined) {
    const auto define = [&](Value value) {
      visible_.insert(value);
      defined->push_back(value);
    };
    for (size_t i = 0; i < block.num_arguments(); ++i) {
      CheckType(parent, Format("argument %d of its block", i), block.argument(i).type(), false);
      CheckUses(parent, block.argument(i));
      define(block.argument(i));
    }
    for (const Operation& op : block) {
      if (op.info().HasTrait(Trait::Terminator) && &op != block.back()) {
        report_.Add(op, "it ends a block, but more operations come after it");
      }
      CheckOp(op);
      for (size_t i = 0; i < op.num_results(); ++i) define(op.result(i));
    }
    const bool ends = !block.empty() && block.back()->info().HasTrait(Trait::Terminator);
    const bool is_program = &parent == program_.module();
    if (is_program && ends) report_.Add(*block.back(), "a program has no terminator");
    if (!is_program && !ends && parent.info().is_registered()) {
      report_.Add(parent, "a block of it does not end with a terminator such as cf.yield");
    }
  }

  void CheckCounts(const Operation& op) {
    const OpRow& row = op.info().row();
    if (op.context() != program_.context()) report_.Add(op, "it belongs to another context than the program");
    if (row.regions >= 0 && op.regions().size() != static_cast<size_t>(row.regions)) {
      report_.Add(op, Format("expected %d regions, got %d", row.regions, op.regions().size()));
    }
    const auto check = [&](const char* what, size_t expected, bool more, size_t got) {
      if (more ? got >= expected : got == expected) return;
      report_.Add(op, Format("expected %s%d %s, got %d", more ? "at least " : "", expected, what, got));
    };
    check("operands", row.inputs.size(), row.variadic_operands, op.num_operands());
    check("results", row.outputs.size(), row.variadic_results, op.num_results());
  }

  void CheckOperands(const Operation& op) {
    const auto inputs = op.info().row().inputs;
    for (size_t i = 0; i < op.num_operands(); ++i) {
      const Value value = op.operand(i);
      const InputInfo* info = i < inputs.size() ? &inputs[i] : nullptr;
      const std::string name = info ? Format("operand %d '%s'", i, info->name) : Format("operand %d", i);
      if (!value) {
        if (info != nullptr && !info->optional && !info->is_mutable_attribute)
          report_.Add(op, name + " is absent, but not optional");
        continue;
      }
      if (visible_.count(value) == 0) {
        report_.Add(op, name + " is used before it is defined, or outside of its region");
      } else if (listed_.count(&op.operands()[i]) == 0) {
        report_.Add(op, name + " is not in the use list of its value");
      }
      if (!value.type()) {
        report_.Add(op, name + " is a result that is absent");
      } else if (info != nullptr && !info->is_mutable_attribute) {
        CheckIsList(op, name, value.type(), info->is_list);
      }
    }
  }

  void CheckUses(const Operation& op, Value value) {
    for (const OpOperand* use = value.first_use(); use != nullptr; use = use->next_use()) {
      if (use->value() != value) report_.Add(op, "a use list of it has the use of another value");
      if (ops_.count(use->owner()) == 0)
        report_.Add(op, "a value of it is used by an operation outside of the program");
      listed_.insert(use);
    }
  }

  void CheckResults(const Operation& op) {
    const auto outputs = op.info().row().outputs;
    for (size_t i = 0; i < op.num_results(); ++i) {
      const OutputInfo* info = i < outputs.size() ? &outputs[i] : nullptr;
      const std::string name = info ? Format("result %d '%s'", i, info->name) : Format("result %d", i);
      const Type type = op.result(i).type();
      CheckType(op, name, type, info ? info->optional || info->intermediate : !op.info().is_registered());
      CheckUses(op, op.result(i));
      if (type && info != nullptr) CheckIsList(op, name, type, info->is_list);
    }
  }

  void CheckIsList(const Operation& op, const std::string& name, Type type, bool is_list) {
    if (type.isa<VectorType>() == is_list || type.isa<OpaqueType>()) return;
    report_.Add(op, Format("%s: expected %s, got %s", name, is_list ? "a list" : "a tensor", type));
  }

  void CheckType(const Operation& op, const std::string& name, Type type, bool may_be_absent) {
    if (!type) {
      if (!may_be_absent) report_.Add(op, name + " has no type");
      return;
    }
    if (type.context() != program_.context()) report_.Add(op, name + ": its type is of another context");
    std::vector<int64_t> symbols;
    CollectSymbols(type, &symbols);
    for (const int64_t symbol : symbols) {
      if (symbol < static_cast<int64_t>(program_.symbols().size())) continue;
      report_.Add(op, Format("%s: %s has the symbol s%d, which the program does not define", name, type, symbol));
    }
  }

  void CheckAttributes(const Operation& op) {
    const auto declared = op.info().row().attributes;
    for (size_t i = 0; i < declared.size(); ++i) {
      const AttributeInfo& info = declared[i];
      const Attribute value = op.declared_attributes()[i];
      const std::string name = Format("attribute '%s'", info.name);
      if (!value) {
        const int input = info.is_mutable ? op.info().InputIndex(info.name) : -1;
        const bool is_operand = input >= 0 && static_cast<size_t>(input) < op.num_operands() && op.operand(input);
        if (!info.optional && !is_operand) report_.Add(op, name + " is missing");
      } else if (!IsOfKind(value, info.kind, info.element)) {
        report_.Add(op, Format("%s: expected %s, got %s", name, KindText(info), value));
      }
    }
    for (const auto& [name, value] : op.other_attributes()) {
      if (value.context() != program_.context()) report_.Add(op, Format("attribute '%s' is of another context", name));
    }
  }

  static std::string KindText(const AttributeInfo& info) {
    if (info.kind != AttributeKind::Array) return AttributeKindName(info.kind);
    return Format("array<%s>", AttributeKindName(info.element));
  }

  static bool IsOfKind(Attribute value, AttributeKind kind, AttributeKind element) {
    if (kind == AttributeKind::Any || value.isa<OpaqueAttribute>()) return true;
    if (value.kind() != kind) return false;
    if (kind != AttributeKind::Array || element == AttributeKind::Any) return true;
    for (const Attribute item : ArrayAttribute(value.storage()).items()) {
      if (!item || item.kind() != element) return false;
    }
    return true;
  }

  // A result that shares its operand's memory is there if that is, and has its data type.
  void CheckInplace(const Operation& op) {
    for (const auto& [input, output] : op.info().row().inplace) {
      if (static_cast<size_t>(input) >= op.num_operands() || static_cast<size_t>(output) >= op.num_results()) continue;
      const Type from = op.operand(input) ? op.operand(input).type() : Type();
      const Type to = op.result(output).type();
      const auto a = from.dyn_cast<TensorType>(), b = to.dyn_cast<TensorType>();
      const std::string pair = Format("result %d is operand %d in place", output, input);
      if (to && !from) report_.Add(op, pair + ", which is absent");
      if (!a || !b) continue;
      if (a.dtype() != b.dtype() || a.kind() != b.kind()) {
        report_.Add(op, Format("%s: expected the data type of %s, got %s", pair, from, to));
      } else if (op.info().HasTrait(Trait::Inplace) && !op.info().HasTrait(Trait::ViewLike) && !MayBeEqual(a, b)) {
        report_.Add(op, Format("%s: expected the shape of %s, got %s", pair, from, to));
      }
    }
  }

  // A weight that the program has is what its result says.
  void CheckWeight(const Operation& op) {
    const auto name = op.attribute<StrAttribute>("name");
    const Parameter* weight = name ? program_.weights()->Find(name.data()) : nullptr;
    const auto type = op.num_results() == 1 ? op.result(0).type().dyn_cast<TensorType>() : TensorType();
    if (weight == nullptr || !type) return;
    bool fits = weight->dtype == type.dtype() && weight->dims.size() == type.dims().size();
    std::string shape;
    for (size_t i = 0; i < weight->dims.size(); ++i) {
      shape += (i ? "," : "") + std::to_string(weight->dims[i]);
      fits = fits && (!type.dims()[i].is_number() || type.dims()[i].number() == weight->dims[i]);
    }
    if (fits) return;
    const char* pattern = "the weight '%s' is %s[%s], but its result is %s";
    report_.Add(op, Format(pattern, name.data(), weight->dtype, shape, type));
  }

  static bool MayBeEqual(TensorType a, TensorType b) {
    if (a.dims().size() != b.dims().size()) return false;
    for (size_t i = 0; i < a.dims().size(); ++i) {
      const Dim x = a.dims()[i], y = b.dims()[i];
      if (x.is_number() && y.is_number() && x != y) return false;
    }
    return true;
  }

  const Program& program_;
  Report report_;
  std::unordered_set<const Operation*> ops_;
  std::unordered_set<Value> visible_;
  std::unordered_set<const OpOperand*> listed_;  // the uses of the values so far
};

}  // namespace

void Report::Add(const Operation& op, const std::string& what) {
  if (!full()) messages_.push_back(Describe(op) + ": " + what);
}

std::vector<std::string> Verify(const Program& program) { return Verifier(program).Run(); }

}  // namespace phi::ir
