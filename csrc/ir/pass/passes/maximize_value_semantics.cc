// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "ir/core/builtin_type.h"
#include "ir/core/region.h"
#include "ir/pass/effects.h"
#include "ir/pass/passes.h"

namespace phi::ir {

namespace {

// The same type as a vtensor; of a list, that of its elements. Arrays of tensors stay what they are.
Type AsVtensor(Type type) {
  if (const auto list = type.dyn_cast<VectorType>()) {
    VectorTypeKey key = list.key();
    for (Type& element : key.elements) element = AsVtensor(element);
    return VectorType::get(type.context(), std::move(key));
  }
  const auto tensor = type.dyn_cast<TensorType>();
  if (!tensor || tensor.value_semantics() || tensor.kind() == TensorKind::DenseArray) return type;
  TensorTypeKey key = tensor.key();
  key.value_semantics = true;
  return TensorType::get(type.context(), std::move(key));
}

class Maximizing {
 public:
  explicit Maximizing(Program* program) : program_(program), written_(*program) {}

  PassCounts Run() {
    Walk(program_->module(), [this](Operation* op) {
      for (size_t i = 0; i < op->num_results(); ++i) Change(op->result(i));
      for (const Region& region : op->regions()) {
        for (const auto& block : region.blocks()) {
          for (size_t i = 0; i < block->num_arguments(); ++i) Change(block->argument(i));
        }
      }
    });
    if (changed_ == 0) return {};
    // a conversion between what is one kind now
    Walk(program_->module(), [](Operation* op) {
      if (op->name() != "builtin.to_vtensor" && op->name() != "builtin.to_tensor") return;
      if (!op->operand(0) || op->operand(0).type() != op->result(0).type()) return;
      op->result(0).ReplaceAllUsesWith(op->operand(0));
      op->Erase();
    });
    return {{"tensors that are vtensors", changed_}};
  }

 private:
  void Change(Value value) {
    if (!value.type() || written_.Contains(value)) return;
    const Type type = AsVtensor(value.type());
    if (type == value.type()) return;
    value.set_type(type);
    ++changed_;
  }

  Program* const program_;
  const WrittenValues written_;
  int64_t changed_ = 0;
};

}  // namespace

PassCounts MaximizeValueSemantics(Program* program) { return Maximizing(program).Run(); }

}  // namespace phi::ir
