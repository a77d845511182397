// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "ir/core/builder.h"
#include "ir/core/builtin_attribute.h"
#include "ir/pass/images.h"
#include "ir/pass/passes.h"

namespace phi::ir {

namespace {

const char* const kPacked = "machine.packed_conv2d";

void Pack(Program* program, Operation* op) {
  std::vector<Value> operands(4);
  for (size_t i = 0; i < op->num_operands(); ++i) operands[i] = op->operand(i);
  std::vector<NamedAttribute> attributes;
  for (const AttributeInfo& attribute : program->context()->GetOpInfo(kPacked).row().attributes) {
    if (const Attribute given = op->attribute(attribute.name)) attributes.emplace_back(attribute.name, given);
  }
  const Type type = op->result(0).type();
  Operation* packed = Builder(program, op->block(), op).Create(kPacked, operands, attributes, {&type, 1});
  packed->set_location(op->location());
  packed->set_result_name(0, op->result_name(0));
  op->result(0).ReplaceAllUsesWith(packed->result(0));
  op->Erase();
}

}  // namespace

PassCounts PackFilters(Program* program) {
  std::vector<Operation*> left;
  for (Operation* op : FindLargeConvolutions(*program).all) {
    if (op->name() != kPacked) left.push_back(op);
  }
  if (left.empty()) return {};
  const auto count = static_cast<int64_t>(left.size());
  if (!HasPackedConvolution()) return {{"convolutions left alone, as nothing here packs their filters", count}};
  for (Operation* op : left) Pack(program, op);
  return {{"filters packed", count}};
}

}  // namespace phi::ir
