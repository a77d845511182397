// SPDX-License-Identifier: Apache-2.0
#include "ir/pass/rewrite/matcher.h"

#include <algorithm>

#include "ir/core/builtin_type.h"

namespace phi::ir {

namespace {

using Matches = std::vector<Match>;

// All ways in which one rewrite's pattern fits at one operation.
class Matcher {
 public:
  Matcher(const Rewrite& rewrite, const Operation* root, const MatchedProgram& program)
      : rewrite_(rewrite), root_(root), program_(program) {}

  Matches OfResult(const Term& term, Value value, const Match& match) const {
    const Term& call = term.kind == TermKind::Field ? term.children.at(0) : term;
    Operation* op = value.defining_op();
    if (call.kind != TermKind::Call || op == nullptr) return {};
    if (op->block() != root_->block() || !op->regions().empty()) return {};
    const auto outputs = op->info().row().outputs;
    const bool is_chosen = term.kind == TermKind::Field
                               ? value.index() < outputs.size() && outputs[value.index()].name == term.text
                               : value.index() == 0;
    return is_chosen ? OfCall(call, op, match) : Matches();
  }

 private:
  Matches OfCall(const Term& call, Operation* op, Match match) const {
    size_t first = 0;
    if (call.text.empty()) {
      const Term& choice = call.children.at(first++);
      const auto is_it = [&](const Term& name) { return name.text == op->name(); };
      if (std::ranges::none_of(choice.children, is_it)) return {};
      const std::string short_name = op->name().substr(op->name().find('.') + 1);
      if (!Bind(choice.text, Binding::Of(Constant::Of(short_name)), &match)) return {};
    } else if (op->name() != call.text) {
      return {};
    }
    if (std::ranges::find(match.ops, op) == match.ops.end()) match.ops.push_back(op);
    std::vector<const Term*> operands(op->num_operands(), nullptr);
    if (!MatchAttributes(call, first, *op, &operands, &match)) return {};
    Matches found = OfOperands(operands, *op, match);
    const bool has_two = operands.size() >= 2 && operands[0] != nullptr && operands[1] != nullptr;
    if (op->info().HasTrait(Trait::Commutative) && has_two) {
      std::swap(operands[0], operands[1]);
      for (Match& other : OfOperands(operands, *op, match)) found.push_back(std::move(other));
    }
    return found;
  }

  // Fills the terms of the operands.
  bool MatchAttributes(
      const Term& call, size_t first, const Operation& op, std::vector<const Term*>* operands, Match* match) const {
    std::vector<std::string> named;
    const Term* rest = nullptr;
    for (size_t i = first, position = 0; i < call.children.size(); ++i) {
      const Term& argument = call.children[i];
      if (argument.kind == TermKind::Rest) {
        rest = &argument;
      } else if (argument.kind != TermKind::Keyword) {
        if (position >= operands->size()) return false;
        (*operands)[position++] = &argument;
      } else if (op.info().AttributeIndex(argument.text) < 0) {
        const int input = op.info().InputIndex(argument.text);
        if (input < 0 || static_cast<size_t>(input) >= operands->size()) return false;
        (*operands)[input] = &argument.children.at(0);
      } else {
        named.push_back(argument.text);
        if (!OfConstant(argument.children.at(0), ConstantOf(op, argument.text), match)) return false;
      }
    }
    if (rest != nullptr) {
      Binding binding;
      binding.kind = Binding::Kind::Rest, binding.op = &op, binding.named = std::move(named);
      return Bind(rest->text, std::move(binding), match);
    }
    return std::ranges::all_of(op.info().row().attributes, [&](const AttributeInfo& attribute) {
      return std::ranges::find(named, attribute.name) != named.end() || IsDefault(op, attribute);
    });
  }

  static bool IsDefault(const Operation& op, const AttributeInfo& info) {
    IrContext* context = op.context();
    const Attribute expected = context->DefaultOf(op.info(), op.info().AttributeIndex(info.name));
    const Attribute given = op.attribute(info.name);
    if (!expected) return !given && info.optional;
    return given == expected || Equal(ConstantOf(op, info.name), ConstantOf(expected)).is_true();
  }

  bool OfConstant(const Term& term, const Constant& value, Match* match) const {
    if (term.kind == TermKind::Name) {
      return term.text == "_" || (value.is_known() && Bind(term.text, Binding::Of(value), match));
    }
    return Equal(Evaluate(term, *match, program_), value).is_true();
  }

  Matches OfOperands(const std::vector<const Term*>& operands, const Operation& op, const Match& match) const {
    Matches found = {match};
    for (size_t i = 0; i < operands.size() && !found.empty(); ++i) {
      if (i < op.info().row().inputs.size() && op.info().row().inputs[i].is_mutable_attribute) continue;
      Matches next;
      for (const Match& one : found) {
        for (Match& other : OfOperand(operands[i], op.operand(i), one)) next.push_back(std::move(other));
      }
      found = std::move(next);
    }
    return found;
  }

  // Null: the pattern names no operand here.
  Matches OfOperand(const Term* term, Value value, const Match& match) const {
    if (term == nullptr || term->kind == TermKind::None) return value ? Matches() : Matches{match};
    if (term->kind == TermKind::Name) {
      if (!value && !rewrite_.IsOptional(term->text)) return {};
      if (value && program_.written->Contains(value)) return {};
      Match bound = match;
      return Bind(term->text, Binding::Of(value), &bound) ? Matches{std::move(bound)} : Matches();
    }
    return value ? OfResult(*term, value, match) : Matches();
  }

  static bool Bind(const std::string& name, Binding binding, Match* match) {
    if (name == "_") return true;
    const auto [at, is_new] = match->names.try_emplace(name, std::move(binding));
    if (is_new) return true;
    if (at->second.kind != binding.kind || binding.kind == Binding::Kind::Rest) return false;
    if (binding.kind == Binding::Kind::Value) return at->second.value == binding.value;
    return Equal(at->second.constant, binding.constant).is_true();
  }

  const Rewrite& rewrite_;
  const Operation* const root_;
  const MatchedProgram& program_;
};

// The results of all operations but the root's one are used within the match alone, and nobody writes them.
bool IsClosed(const Match& match, const MatchedProgram& program, size_t root_result) {
  for (const Operation* op : match.ops) {
    for (size_t i = 0; i < op->num_results(); ++i) {
      if (program.written->Contains(op->result(i))) return false;
      if (op == match.ops.front() && i == root_result) continue;
      for (const OpOperand* use = op->result(i).first_use(); use != nullptr; use = use->next_use()) {
        if (std::ranges::find(match.ops, use->owner()) == match.ops.end()) return false;
      }
    }
  }
  return true;
}

}  // namespace

Binding Binding::Of(Value value) {
  Binding binding;
  binding.value = value;
  return binding;
}

Binding Binding::Of(Constant constant) {
  Binding binding;
  binding.kind = Kind::Constant, binding.constant = std::move(constant);
  return binding;
}

std::optional<Match> FindMatch(const Rewrite& rewrite, Operation* root, const MatchedProgram& program) {
  if (!HasNoEffect(*root)) return std::nullopt;
  const Matcher matcher(rewrite, root, program);
  for (size_t i = 0; i < root->num_results(); ++i) {
    if (!root->result(i).type()) continue;
    for (Match& match : matcher.OfResult(rewrite.match, root->result(i), {})) {
      if (!std::ranges::all_of(match.ops, [](const Operation* op) { return HasNoEffect(*op); })) continue;
      if (!IsClosed(match, program, i)) continue;
      const auto holds = [&](const Term& condition) { return Evaluate(condition, match, program).is_true(); };
      if (std::ranges::all_of(rewrite.where.children, holds)) return std::move(match);
    }
  }
  return std::nullopt;
}

}  // namespace phi::ir
