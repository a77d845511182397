// SPDX-License-Identifier: Apache-2.0
#include "ir/core/builtin_attribute.h"
#include "ir/core/dialect.h"
#include "ir/core/memory_effect.h"
#include "ir/core/trait.h"

// Operators of pd_op that do less than their entries say where they do not train.
namespace phi::ir {
namespace {

bool IsTrue(const Operation& op, const char* attribute, bool if_absent = false) {
  const auto value = op.attribute<BoolAttribute>(attribute);
  return value ? value.data() : if_absent;
}

// Dropout, alone or within another operator.
void Dropout(const Operation& op, Effects* effects) {
  if (IsTrue(op, "is_test")) effects->is_random = false;
}

// A batch norm that reads its statistics, and gives them as they were.
void BatchNorm(const Operation& op, Effects* effects) {
  if (IsTrue(op, "use_global_stats") || (IsTrue(op, "is_test") && !IsTrue(op, "trainable_statistics", true))) {
    effects->written.clear();
  }
}

constexpr MemoryEffect::Concept kDropout = {Dropout}, kBatchNorm = {BatchNorm};

[[maybe_unused]] const bool kEffectsRegistered = [] {
  Dialect& dialect = DialectRegistry::Instance().GetOrCreate("pd_op");
  for (const char* op : {"pd_op.dropout", "pd_op.rnn", "pd_op.flash_attn"}) {
    dialect.AddInterface<MemoryEffect>(op, &kDropout);
  }
  for (const char* op : {"pd_op.batch_norm_", "pd_op.sync_batch_norm_"}) {
    dialect.AddInterface<MemoryEffect>(op, &kBatchNorm);
  }
  return true;
}();

}  // namespace
}  // namespace phi::ir
