// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/argument_mapping.h"
#include "program/operator.h"
#include "program/prepared_call.h"

namespace phi {

// An operator that runs a kernel. The first run decides which: from what stands in its slots to the kernel and its
// arguments, from the tensors to a key and a plan. Later runs keep these as long as the variables hold tensors of the
// same kinds, data types and places.
class KernelOperator final : public OperatorBase {
 public:
  // Where the program says float32, a kernel runs in the data type `float32`.
  explicit KernelOperator(OpDesc desc, DataType float32 = DataType::FLOAT32);
  ~KernelOperator() override;

  // The attributes that are given, and the defaults of the others.
  const OpAttributeMap& attributes() const { return attributes_; }
  // Why the arguments of the signature are not those of its kernel, or there is none; empty if they fit.
  std::string Misfit(const KernelSignature& signature) const;
  // Of the last run; null before the first.
  const KernelSignature* signature() const;
  const Plan* plan() const;

 protected:
  void RunImpl(const RunContext& context) override;

 private:
  KernelSignature Map(const Scope& scope) const;
  std::unique_ptr<PreparedCall> Prepare(const RunContext& context) const;
  void AddInputs(const Scope& scope, PreparedCall* prepared) const;
  void AddAttributes(const Scope& scope, PreparedCall* prepared) const;
  void AddOutputs(Scope* scope, PreparedCall* prepared) const;

  OpAttributeMap attributes_;
  DataType float32_;
  std::unique_ptr<PreparedCall> prepared_;
};

}  // namespace phi
