// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "ir/core/infer_type.h"
#include "ir/core/program.h"

namespace phi::ir {

// Where operations are inserted, and how they are made.
class Builder {
 public:
  explicit Builder(Program* program) : Builder(program, program->block()) {}
  // Before an operation of the block; null: at its end.
  Builder(Program* program, Block* block, Operation* before = nullptr)
      : program_(program), block_(block), before_(before) {}

  Program* program() const { return program_; }
  IrContext* context() const { return program_->context(); }
  Block* block() const { return block_; }
  Operation* before() const { return before_; }

  Operation* Create(const std::string& name,
                    std::span<const Value> operands,
                    std::span<const NamedAttribute> attributes,
                    std::span<const Type> results,
                    size_t regions = 0) {
    Operation* op = Operation::Create(context(), context()->GetOpInfo(name), operands, attributes, results, regions);
    return Insert(op);
  }
  // With the results that its operator says it has.
  Operation* Create(const std::string& name,
                    std::span<const Value> operands,
                    std::span<const NamedAttribute> attributes = {}) {
    return Insert(CreateInferred(program_, name, operands, attributes));
  }
  // Takes it; it is destroyed where it cannot be inserted.
  Operation* Insert(Operation* op) {
    try {
      block_->Insert(op, before_);
    } catch (...) {
      op->Destroy();
      throw;
    }
    return op;
  }

 private:
  Program* program_;
  Block* block_;
  Operation* before_;
};

}  // namespace phi::ir
