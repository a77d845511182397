// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include "core/string_tensor.h"
#include "torch/tensor_kinds.h"

// torch's tensors of strings: a class of their own, with the sizes of the whole, and neither strides nor storage.
namespace phi::torch_bridge {

struct Strings {
  at::Tensor offsets;  // int64 [n + 1]
  at::Tensor bytes;    // uint8
};

at::Tensor MakeStrings(Strings strings, at::IntArrayRef sizes);
// Null for a tensor that is none of strings.
const Strings* FindStrings(const at::Tensor& tensor);
// Is called with each tensor of strings that a kernel made: Python gives it its class.
void SetStringsHook(void (*hook)(const at::Tensor&));

template <>
struct TorchForm<StringTensor> {
  static bool Holds(const at::Tensor& tensor) { return FindStrings(tensor) != nullptr; }
  static StringTensor ToPhi(const at::Tensor& tensor);
  static at::Tensor ToTorch(const StringTensor& tensor);
  static at::Tensor Zeros(const DenseTensorMeta& meta, const at::TensorOptions& options);
};

}  // namespace phi::torch_bridge
