// SPDX-License-Identifier: Apache-2.0
// Boxed kernels for the keys that need nothing of an op but its schema; torch/register_keys.cc and autograd_*.cc say
// which op has which.
#pragma once
#include <torch/library.h>

#include <string>
#include <vector>

namespace phi::torch_bridge {

// FuncTorchBatched for elementwise ops, functional and in-place: aligns the batch dimensions and calls the op once.
torch::CppFunction ElementwiseBatchRule();
// FuncTorchBatched through the composite of the op, if InferMeta takes one sample.
torch::CppFunction CompositeBatchRule();
// FuncTorchBatched, one call for each sample: for ops with tensor lists and ops in place, which torch's own loop does
// not serve.
torch::CppFunction LoopBatchRule();

// FuncTorchVmapMode for ops that draw random numbers, functional and in-place, by vmap's `randomness`. `elementwise`:
// if no argument is batched, the op is called once, with the batch in front of its argument 'shape'.
torch::CppFunction RandomBatchRule(bool elementwise);

// The argument with this index is overwritten with that output of the functional op.
struct Mutation {
  size_t argument;
  size_t output;
};
// Functionalize for an in-place or out= overload: calls the op `functional` with the first `inputs` arguments, then
// updates the overwritten ones, tensors or lists. `mutations` are in the order of the overload's aliased returns.
torch::CppFunction Functionalize(std::string functional, size_t inputs, std::vector<Mutation> mutations);

enum class AutocastPolicy {
  kLower,    // to autocast's lower precision
  kFloat32,  // to float32
  kPromote,  // to the widest among the inputs
};
// AutocastCPU and AutocastCUDA.
torch::CppFunction Autocast(AutocastPolicy policy, c10::DeviceType device);

// BackendSelect for ops without tensor arguments: the backend of `device`, CPU by default.
torch::CppFunction BackendSelect();

// CompositeExplicitAutograd for ops that take lists of tensors alone: an error that names the empty list. Torch calls
// it where no tensor says a backend, and for backends without a kernel. The names end with a null pointer.
void RefuseEmptyLists(torch::Library& m, const char* const* names);

// Conjugate and Negative for the overloads that write, whose names end with nullptr: their kernels resolve such views.
// Torch's fallback takes a single written tensor, which is returned first.
inline void PassViews(torch::Library& m, const char* const* names) {
  for (; *names; ++names) m.impl(*names, torch::CppFunction::makeFallthrough());
}

// Autograd for the out= overloads: an error for arguments that take part in automatic differentiation.
torch::CppFunction RefuseGradients();
// ADInplaceOrView: counts the overwriting of the arguments that the schema says are written.
torch::CppFunction CountOverwriting();

// The `.tensor` overload of an op: attributes given as tensors are read, then the default overload is called.
torch::CppFunction TensorOverload();
// FuncTorchBatchedDecomposition for it: one call for each sample if attributes are batched.
torch::CppFunction BatchedTensorOverload();

}  // namespace phi::torch_bridge
