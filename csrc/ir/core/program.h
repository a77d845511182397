// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "ir/core/ir_context.h"
#include "ir/core/region.h"
#include "ir/core/weights.h"
#include "ir/shape/symbol_table.h"

namespace phi::ir {

// A graph of operations, its weights, and its symbols. One thread at a time.
class Program {
 public:
  // Without a context: with one of its own.
  explicit Program(std::shared_ptr<IrContext> context = nullptr, std::shared_ptr<Weights> weights = nullptr);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  IrContext* context() const { return context_.get(); }
  const std::shared_ptr<IrContext>& shared_context() const { return context_; }
  const std::shared_ptr<Weights>& weights() const { return weights_; }
  SymbolTable& symbols() { return symbols_; }
  const SymbolTable& symbols() const { return symbols_; }
  Operation* module() const { return module_; }  // builtin.module, of one region and one block
  Block* block() const { return module_->regions()[0].block(0); }

  // Another one with the same context and weights.
  std::unique_ptr<Program> Clone() const;

 private:
  std::shared_ptr<IrContext> context_;
  std::shared_ptr<Weights> weights_;
  SymbolTable symbols_;
  Operation* module_;
};

// Calls it for all operations below, one before what stands in its regions. `visit` may erase the operation that it
// gets.
void Walk(Operation* root, const std::function<void(Operation*)>& visit);

}  // namespace phi::ir
