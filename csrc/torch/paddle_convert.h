// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "paddle/tensor.h"
#include "torch/convert.h"

// The values of Paddle's C++ API as the dispatcher's arguments, and results back.
namespace phi::torch_bridge {

inline at::Tensor Unwrap(const paddle::Tensor& tensor) { return at::Tensor(tensor.torch()); }
inline std::vector<at::Tensor> Unwrap(const std::vector<paddle::Tensor>& tensors) {
  std::vector<at::Tensor> result;
  for (const paddle::Tensor& tensor : tensors) result.push_back(Unwrap(tensor));
  return result;
}
template <class T>
auto Unwrap(const paddle::optional<T>& value) {
  return value ? std::optional(Unwrap(*value)) : std::nullopt;
}

inline at::Scalar Unwrap(const Scalar& value) {
  if (value.dtype() == DataType::BOOL) return value.to<bool>();
  if (IsComplexType(value.dtype())) return value.to<complex128>();
  return IsFloatingType(value.dtype()) ? at::Scalar(value.to<double>()) : at::Scalar(value.to<int64_t>());
}
inline std::vector<c10::SymInt> Unwrap(const IntArray& values) { return {values.begin(), values.end()}; }
inline std::optional<at::ScalarType> Unwrap(DataType dtype) {
  return dtype == DataType::UNDEFINED ? std::nullopt : std::optional(ToTorch(dtype));
}
inline std::optional<at::Device> Unwrap(const Place& place) {
  return place == Place() ? std::nullopt : std::optional(ToTorch(place));
}
inline std::string_view Unwrap(DataLayout layout) { return DataLayoutName(layout); }
inline std::string_view Unwrap(const std::string& text) { return text; }
template <class T>
  requires std::is_arithmetic_v<T>
T Unwrap(T number) {
  return number;
}
// int and float travel in the wide types
inline std::vector<int64_t> Unwrap(const std::vector<int>& values) { return {values.begin(), values.end()}; }
inline std::vector<double> Unwrap(const std::vector<float>& values) { return {values.begin(), values.end()}; }
inline std::vector<at::Scalar> Unwrap(const std::vector<Scalar>& values) {
  std::vector<at::Scalar> result;
  for (const Scalar& value : values) result.push_back(Unwrap(value));
  return result;
}
template <class T>
  requires(!std::is_same_v<T, bool>)
const std::vector<T>& Unwrap(const std::vector<T>& values) {
  return values;
}

inline paddle::Tensor Wrap(at::Tensor tensor) { return paddle::Tensor(at::TensorBase(std::move(tensor))); }
inline std::vector<paddle::Tensor> Wrap(std::vector<at::Tensor> tensors) {
  std::vector<paddle::Tensor> result;
  for (at::Tensor& tensor : tensors) result.push_back(Wrap(std::move(tensor)));
  return result;
}

}  // namespace phi::torch_bridge
