// SPDX-License-Identifier: Apache-2.0
#include "ir/core/operation.h"

#include <algorithm>
#include <new>

#include "common/enforce.h"
#include "ir/core/builtin_attribute.h"
#include "ir/core/region.h"

namespace phi::ir {

namespace {

constexpr size_t kInline = ValueImpl::kMaxInline + 1;

// The bytes of the results, which stand before the operation.
size_t ResultBytes(size_t results) {
  const size_t inlined = std::min(results, kInline);
  return inlined * sizeof(ValueImpl) + (results - inlined) * sizeof(OpOutOfLineResultImpl);
}

static_assert(sizeof(ValueImpl) % 8 == 0 && sizeof(OpOutOfLineResultImpl) % 8 == 0);
static_assert(sizeof(Operation) % alignof(OpOperand) == 0 && sizeof(OpOperand) % alignof(Attribute) == 0 &&
              sizeof(Attribute) % alignof(Region) == 0);

ValueImpl* ResultAt(const Operation* op, size_t index) {
  char* end = reinterpret_cast<char*>(const_cast<Operation*>(op));
  const size_t count = index + 1;
  return reinterpret_cast<ValueImpl*>(end - ResultBytes(count));
}

auto NameLess() {
  return [](const NamedAttribute& entry, std::string_view name) { return entry.first < name; };
}

}  // namespace

Operation::Operation(IrContext* context, OpInfo info, size_t results, size_t operands, size_t regions)
    : context_(context),
      info_(info),
      num_results_(static_cast<uint32_t>(results)),
      num_operands_(static_cast<uint32_t>(operands)),
      num_declared_(static_cast<uint32_t>(info.row().attributes.size())),
      num_regions_(static_cast<uint32_t>(regions)) {}

Operation* Operation::Create(IrContext* context,
                             OpInfo info,
                             std::span<const Value> operands,
                             std::span<const NamedAttribute> attributes,
                             std::span<const Type> results,
                             size_t regions) {
  constexpr size_t kMost = 1u << 24;
  PADDLE_ENFORCE(operands.size() < kMost && results.size() < kMost && regions < kMost,
                 errors::InvalidArgument("'%s' has too many operands, results or regions", info.name()));
  const size_t declared = info.row().attributes.size();
  const size_t before = ResultBytes(results.size());
  const size_t size = before + sizeof(Operation) + operands.size() * sizeof(OpOperand) + declared * sizeof(Attribute) +
                      regions * sizeof(Region);
  char* memory = static_cast<char*>(::operator new(size)) + before;
  auto* op = new (memory) Operation(context, info, results.size(), operands.size(), regions);
  for (size_t i = 0; i < results.size(); ++i) {
    if (i < kInline) {
      new (ResultAt(op, i)) ValueImpl(results[i], i);
    } else {
      new (ResultAt(op, i)) OpOutOfLineResultImpl(results[i], i);
    }
  }
  for (OpOperand& operand : op->operands()) new (&operand) OpOperand(op);
  for (size_t i = 0; i < operands.size(); ++i) op->operands()[i].set(operands[i]);
  for (Attribute& attribute : op->declared_attributes()) new (&attribute) Attribute();
  for (Region& region : op->regions()) new (&region) Region(op);
  for (size_t i = 0; i < declared; ++i) op->declared_attributes()[i] = op->default_attribute(i);
  for (const auto& [name, value] : attributes) op->set_attribute(name, value);
  return op;
}

void Operation::Destroy() {
  DropAllReferences();
  for (size_t i = 0; i < num_results_; ++i) {
    PADDLE_ENFORCE(!result(i).has_uses(), errors::PreconditionNotMet("result %d of %s is used", i, Describe(*this)));
  }
  for (Region& region : regions()) region.~Region();
  for (OpOperand& operand : operands()) operand.~OpOperand();
  char* memory = Begin();
  this->~Operation();
  ::operator delete(memory);
}

char* Operation::Begin() const {
  return reinterpret_cast<char*>(const_cast<Operation*>(this)) - ResultBytes(num_results_);
}

std::span<OpOperand> Operation::operands() const {
  return {reinterpret_cast<OpOperand*>(const_cast<Operation*>(this) + 1), num_operands_};
}

std::span<Attribute> Operation::declared_attributes() const {
  return {reinterpret_cast<Attribute*>(operands().data() + num_operands_), num_declared_};
}

std::span<Region> Operation::regions() const {
  return {reinterpret_cast<Region*>(declared_attributes().data() + num_declared_), num_regions_};
}

OpResult Operation::result(size_t index) const { return OpResult(ResultAt(this, index)); }

Operation* Operation::OfResult(ValueImpl* result, size_t index) {
  return reinterpret_cast<Operation*>(reinterpret_cast<char*>(result) + ResultBytes(index + 1));
}

Attribute Operation::attribute(std::string_view name) const {
  const int declared = info_.AttributeIndex(name);
  if (declared >= 0) return declared_attributes()[declared];
  const auto at = std::lower_bound(other_attributes_.begin(), other_attributes_.end(), name, NameLess());
  return at != other_attributes_.end() && at->first == name ? at->second : Attribute();
}

void Operation::set_attribute(std::string_view name, Attribute value) {
  PADDLE_ENFORCE(!value || value.context() == context_,
                 errors::InvalidArgument("attribute '%s' of %s is of another context", name, Describe(*this)));
  const int declared = info_.AttributeIndex(name);
  if (declared >= 0) {
    declared_attributes()[declared] = value;
    return;
  }
  const auto at = std::lower_bound(other_attributes_.begin(), other_attributes_.end(), name, NameLess());
  const bool found = at != other_attributes_.end() && at->first == name;
  if (found && value) {
    at->second = value;
  } else if (found) {
    other_attributes_.erase(at);
  } else if (value) {
    other_attributes_.emplace(at, std::string(name), value);
  }
}

Attribute Operation::default_attribute(size_t index) const {
  const AttributeInfo& info = info_.row().attributes[index];
  if (info.is_mutable) {
    const int input = info_.InputIndex(info.name);
    if (input >= 0 && static_cast<uint32_t>(input) < num_operands_ && operand(input)) return Attribute();
  }
  return context_->DefaultOf(info_, index);
}

const std::string& Operation::result_name(size_t index) const {
  static const std::string none;
  return index < result_names_.size() ? result_names_[index] : none;
}

void Operation::set_result_name(size_t index, std::string name) {
  if (result_names_.empty()) result_names_.resize(num_results_);
  result_names_.at(index) = std::move(name);
}

Region* Operation::parent_region() const { return block_ ? block_->region() : nullptr; }
Operation* Operation::parent_op() const { return block_ ? block_->parent_op() : nullptr; }

bool Operation::Contains(const Operation* other) const {
  while (other != nullptr && other != this) other = other->parent_op();
  return other == this;
}

int Operation::Depth() const {
  int depth = 0;
  for (const Operation* op = parent_op(); op != nullptr; op = op->parent_op()) ++depth;
  return depth;
}

namespace {

// A use of a value that `op` or what stands in it makes, by an operation outside; null without one.
const OpOperand* UseOutside(const Operation& op, const Operation& whole) {
  const auto outside = [&](Value value) -> const OpOperand* {
    for (const OpOperand* use = value.first_use(); use != nullptr; use = use->next_use()) {
      if (!whole.Contains(use->owner())) return use;
    }
    return nullptr;
  };
  for (size_t i = 0; i < op.num_results(); ++i) {
    if (const OpOperand* use = outside(op.result(i))) return use;
  }
  for (const Region& region : op.regions()) {
    for (const auto& block : region.blocks()) {
      for (size_t i = 0; i < block->num_arguments(); ++i) {
        if (const OpOperand* use = outside(block->argument(i))) return use;
      }
      for (const Operation& inner : *block) {
        if (const OpOperand* use = UseOutside(inner, whole)) return use;
      }
    }
  }
  return nullptr;
}

}  // namespace

void Operation::Erase() {
  PADDLE_ENFORCE(block_ != nullptr, errors::PreconditionNotMet("%s is in no block", Describe(*this)));
  if (const OpOperand* use = UseOutside(*this, *this)) {
    PADDLE_THROW(errors::PreconditionNotMet("%s cannot be erased: %s uses a value of it; replace its uses first",
                                            Describe(*this),
                                            Describe(*use->owner())));
  }
  block_->Remove(this);
  Destroy();
}

void Operation::DropAllReferences() {
  for (OpOperand& operand : operands()) operand.set(Value());
  for (Region& region : regions()) {
    for (const auto& block : region.blocks()) {
      for (Operation& op : *block) op.DropAllReferences();
    }
  }
}

std::string Describe(const Operation& op) {
  std::string text = "'" + op.name() + "'";
  if (op.num_results() > 0 && !op.result_name(0).empty()) text += " (%" + op.result_name(0) + ")";
  if (const auto location = op.location().dyn_cast<StrAttribute>()) text += " at \"" + location.data() + "\"";
  return text;
}

}  // namespace phi::ir
