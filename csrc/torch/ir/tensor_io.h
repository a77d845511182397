// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/util/SmallVector.h>

#include <deque>
#include <map>
#include <vector>

#include "ir/exec/executable.h"
#include "torch/out_tensor.h"

// What goes into a run of a program and comes out of it, as torch's tensors.
namespace phi::torch_bridge {

// A tensor whose memory holds its numbers: that of a conjugate or negative view holds others, a zero tensor, as forward
// mode makes, has none.
at::Tensor Resolved(const at::Tensor& tensor);

// Whether it lies in memory; fake tensors, those of vmap and wrappers do not, whatever they say of their device.
bool HasMemory(const at::Tensor& tensor);

// The memory of an input: a copy where it is not contiguous. InvalidArgument, naming the input, for a tensor on another
// device, or without memory.
class ProgramInput {
 public:
  ProgramInput(const ir::Port& port, const Place& place, const at::Tensor& tensor, DenseTensor* lent);

 private:
  at::Tensor copy_;
};

// The outputs of a run. `kept`, if given, holds those of the last run, whose memory is used again.
class ProgramOutputs final : public ir::OutputReceiver {
 public:
  ProgramOutputs(size_t count, const Place& place, std::vector<at::Tensor>* kept)
      : place_(place), tensors_(count), kept_(kept) {}
  void* Allocate(size_t i, const DenseTensorMeta& meta) override;
  void Receive(size_t i, DenseTensor tensor) override;
  void ReceiveArray(size_t i, ir::TensorArray array) override;
  // The tensors of an output that is an array; null for another one.
  std::vector<at::Tensor>* ArrayAt(size_t i);
  c10::SmallVector<at::Tensor, 4> Release();

 private:
  const Place place_;
  c10::SmallVector<at::Tensor, 4> tensors_;
  std::map<size_t, std::vector<at::Tensor>> arrays_;
  std::vector<at::Tensor>* const kept_;
};

}  // namespace phi::torch_bridge
