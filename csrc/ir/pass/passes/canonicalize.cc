// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "ir/core/builder.h"
#include "ir/core/builtin_attribute.h"
#include "ir/core/builtin_type.h"
#include "ir/core/fold.h"
#include "ir/pass/constants.h"
#include "ir/pass/effects.h"
#include "ir/pass/passes.h"

namespace phi::ir {

namespace {

// Whether one value may be used in the place of another: sizes may be known of one alone.
bool MayStandFor(Value value, Value other) {
  const auto of = value.type().dyn_cast<TensorType>(), as = other.type().dyn_cast<TensorType>();
  if (!of || !as) return value.type() == other.type();
  return of.kind() == as.kind() && of.dtype() == as.dtype() && of.value_semantics() == as.value_semantics() &&
         of.dims().size() == as.dims().size();
}

// What the first result is equal to; null where there is nothing, and where another result is used.
Value SameAs(const Operation& op) {
  const auto* fold = op.info().GetInterface<Fold>();
  if (fold == nullptr) return Value();
  for (size_t i = 1; i < op.num_results(); ++i) {
    if (op.result(i).has_uses()) return Value();
  }
  const Value same = fold->fold(op);
  return same && MayStandFor(same, op.result(0)) ? same : Value();
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
        if (written_.Contains(same)) return;
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
