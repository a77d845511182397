// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "core/argument_mapping.h"
#include "core/op_info.h"

// How operators of programs are mapped to kernels.
namespace phi {

// Every result that the rows have, whatever the operator is given.
std::vector<KernelSignature> ResultsOf(const std::vector<SignatureRow>& rows);

class OpUtilsMap {
 public:
  static OpUtilsMap& Instance();

  // Registered twice is an error, which waits for KernelFactory::TakeErrors.
  bool InsertBaseKernelName(const std::string& op_type, const std::string& kernel);
  bool InsertArgumentMappingFn(const std::string& op_type, ArgumentMappingFn fn);
  bool InsertSignatures(const std::string& op_type, std::initializer_list<SignatureRow> rows);

  // The name of the kernels of an operator in the plain case, which is its own if nothing says otherwise.
  std::string GetBaseKernelName(const std::string& op_type) const;
  // Null where the rows of the operator decide.
  ArgumentMappingFn GetArgumentMappingFn(const std::string& op_type) const;
  // What follows from the operator's definition alone.
  // Raises NotFound for an operator that nothing defines.
  KernelSignature GetDefaultSignature(const std::string& op_type) const;

  // Whether something says how the operator is mapped.
  bool Maps(const std::string& op_type) const;
  // All that Map may answer for the operator, but for that no kernel fits.
  // Raises NotFound for an unknown operator, Unimplemented for one whose function declares no results.
  std::vector<KernelSignature> Signatures(const std::string& op_type) const;
  // The kernel and the arguments for what the operator is given: its function decides, or the first of its rows that
  // fits. The name is KernelSignature::kUnregistered if none does.
  // Raises NotFound for an unknown operator, Fatal if a function's answer is not among its declared results.
  KernelSignature Map(const std::string& op_type, const ArgumentMappingContext& ctx) const;

 private:
  std::vector<SignatureRow> RowsOf(const std::string& op_type) const;

  mutable std::mutex mutex_;
  std::map<std::string, std::string> base_kernel_names_;
  std::map<std::string, ArgumentMappingFn> functions_;
  std::map<std::string, std::vector<SignatureRow>> rows_;
};

}  // namespace phi

#define PHI_OP_UTILS(kind, op_type, ...)                         \
  [[maybe_unused]] static const bool phi_##kind##_of_##op_type = \
      ::phi::OpUtilsMap::Instance().Insert##kind(#op_type, __VA_ARGS__)

// The kernels of an operator of programs have another name than the operator.
#define PD_REGISTER_BASE_KERNEL_NAME(op_type, base_kernel_name) PHI_OP_UTILS(BaseKernelName, op_type, #base_kernel_name)
// A function `KernelSignature fn(const ArgumentMappingContext& ctx)` maps an operator.
#define PD_REGISTER_ARG_MAPPING_FN(op_type, arg_mapping_fn) PHI_OP_UTILS(ArgumentMappingFn, op_type, arg_mapping_fn)
// The kernels that an operator may be mapped to, as rows of SignatureRow: those that a function may answer with, or,
// without a function, those of which the first that fits is taken:
//   PD_REGISTER_SIGNATURES(my_scale, {"scale", "dense X", "ScaleTensor|scale", "Out"});
#define PD_REGISTER_SIGNATURES(op_type, ...) PHI_OP_UTILS(Signatures, op_type, {__VA_ARGS__})
