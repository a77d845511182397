// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "ir/core/builder.h"
#include "ir/core/builtin_attribute.h"
#include "ir/core/builtin_type.h"
#include "ir/pass/constants.h"
#include "ir/pass/effects.h"
#include "ir/pass/passes.h"

namespace phi::ir {

namespace {

// Whether a value has all the sizes of another, of which none is unknown.
bool SameType(Value a, Value b) {
  if (a.type() != b.type()) return false;
  const auto type = a.type().dyn_cast<TensorType>();
  return type && std::ranges::none_of(type.dims(), [](const Dim& dim) { return dim.is_unknown(); });
}

bool SameKind(Value a, Value b) {
  const auto of = a.type().dyn_cast<TensorType>(), as = b.type().dyn_cast<TensorType>();
  return of && as && of.kind() == as.kind() && of.dtype() == as.dtype() &&
         of.value_semantics() == as.value_semantics() && of.dims().size() == as.dims().size();
}

// The operand that the first result is equal to; null without one.
Value SameAs(const Operation& op) {
  const Value x = op.operand(0);
  if (!SameKind(x, op.result(0))) return Value();
  const std::string& name = op.name();
  if (name == "pd_op.dropout") {
    const auto mode = op.attribute<StrAttribute>("mode");
    const bool is_test = ConstantBool(op, "is_test").value_or(false);
    const bool keeps = (mode && mode.data() == "upscale_in_train") || ConstantNumber(op, "p") == 0;
    return is_test && keeps && !op.result(1).has_uses() ? x : Value();
  }
  if (name == "pd_op.scale") {
    return ConstantNumber(op, "scale") == 1 && ConstantNumber(op, "bias") == 0 ? x : Value();
  }
  if (name == "pd_op.assign") return x;
  if (name == "pd_op.cast") return x;  // of the same dtype
  if (name == "pd_op.reshape") return SameType(x, op.result(0)) ? x : Value();
  if (name == "pd_op.transpose") {
    const auto perm = ConstantInts(op, "perm");
    if (!perm) return Value();
    const int64_t rank = static_cast<int64_t>(perm->size());
    for (int64_t i = 0; i < rank; ++i) {
      if ((*perm)[i] != i && (*perm)[i] != i - rank) return Value();
    }
    return x;
  }
  return Value();
}

class Canonicalization {
 public:
  explicit Canonicalization(Program* program) : program_(program), written_(*program) {}

  PassCounts Run() {
    // before the operations that use it, so that a chain is done in one walk
    Walk(program_->module(), [this](Operation* op) {
      if (op->num_results() == 0 || op->num_operands() == 0 || !op->operand(0)) return;
      // a copy of what is written later is not what it was copied from
      if (written_.Contains(op->result(0)) || written_.Contains(op->operand(0))) return;
      if (const Value same = SameAs(*op)) {
        op->result(0).ReplaceAllUsesWith(same);
        op->Erase();
        ++counts_["operations that gave what they took"];
      } else {
        Join(op);
      }
    });
    return std::move(counts_);
  }

 private:
  // A reshape of a reshape, a transpose of a transpose.
  void Join(Operation* op) {
    const bool reshapes = op->name() == "pd_op.reshape", transposes = op->name() == "pd_op.transpose";
    if ((!reshapes && !transposes) || !op->operand(0)) return;
    const Operation* inner = op->operand(0).defining_op();
    if (inner == nullptr || inner->name() != op->name() || !inner->operand(0)) return;
    const auto outer = ConstantInts(*op, reshapes ? "shape" : "perm");
    if (!outer || (reshapes && std::ranges::find(*outer, 0) != outer->end())) return;  // a 0 is the operand's size
    if (transposes && !SetPermutation(op, *inner, *outer)) return;
    op->operands()[0].set(inner->operand(0));
    ++counts_["chains joined"];
    if (const Value same = SameAs(*op)) {
      op->result(0).ReplaceAllUsesWith(same);
      op->Erase();
    }
  }

  static bool SetPermutation(Operation* op, const Operation& inner, const std::vector<int64_t>& outer) {
    const auto first = ConstantInts(inner, "perm");
    const int64_t rank = static_cast<int64_t>(outer.size());
    if (!first || first->size() != outer.size()) return false;
    std::vector<Attribute> joined;
    for (const int64_t axis : outer) {
      const int64_t from = (*first)[axis < 0 ? axis + rank : axis];
      joined.push_back(Int32Attribute::get(op->context(), static_cast<int32_t>(from < 0 ? from + rank : from)));
    }
    op->set_attribute("perm", ArrayAttribute::get(op->context(), {std::move(joined)}));
    return true;
  }

  Program* const program_;
  const WrittenValues written_;
  PassCounts counts_;
};

}  // namespace

PassCounts Canonicalize(Program* program) { return Canonicalization(program).Run(); }

}  // namespace phi::ir
