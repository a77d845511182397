// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/TensorBase.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "backends/gpu/gpu_context.h"
#include "common/int_array.h"
#include "common/optional.h"
#include "common/scalar.h"
#include "core/dense_tensor.h"

namespace paddle {

// A torch tensor with the interface that Paddle's custom operators know. Copies share the memory.
class Tensor final {
 public:
  Tensor() = default;
  // Without memory, until mutable_data says of which type.
  explicit Tensor(const Place& place) : place_(place) {}
  Tensor(const Place& place, const std::vector<int64_t>& shape) : place_(place), shape_(shape) {}
  explicit Tensor(const std::shared_ptr<phi::TensorBase>& impl) { set_impl(impl); }
  explicit Tensor(at::TensorBase tensor) : tensor_(std::move(tensor)) {}
  const at::TensorBase& torch() const { return tensor_; }

  int64_t numel() const;
  int64_t size() const { return numel(); }
  std::vector<int64_t> shape() const;
  phi::DDim dims() const { return phi::DDim(shape()); }
  phi::DDim strides() const;
  // UNDEFINED without memory.
  DataType dtype() const;
  DataType type() const { return dtype(); }
  DataLayout layout() const { return DataLayout::NCHW; }
  bool is_dense_tensor() const { return tensor_.defined() && tensor_.layout() == at::kStrided; }
  bool is_contiguous() const { return tensor_.is_contiguous(); }
  Tensor contiguous() const;

  Place place() const;
  bool is_cpu() const { return place().GetType() == phi::AllocationType::CPU; }
  bool is_gpu() const { return place().GetType() == phi::AllocationType::GPU; }
  bool is_xpu() const { return false; }
  bool is_custom_device() const { return place().GetType() == phi::AllocationType::CUSTOM; }
  // The current stream of the tensor's GPU, where the kernels that work on it belong.
  phi::gpuStream_t stream() const;

  bool defined() const { return tensor_.defined() || shape_.has_value(); }
  bool initialized() const { return tensor_.defined(); }
  bool is_initialized() const { return initialized(); }
  bool has_allocation() const { return initialized(); }
  void reset() { *this = Tensor(); }

  // The memory; InvalidType if the elements are no T.
  template <typename T>
  const T* data() const {
    return static_cast<const T*>(Data(phi::CppTypeToDataType<T>::Type()));
  }
  template <typename T>
  T* data() {
    return static_cast<T*>(MutableData(phi::CppTypeToDataType<T>::Type()));
  }
  const void* data() const { return Data(dtype()); }
  void* data() { return MutableData(dtype()); }
  // The memory, made when there is none yet for T on this place.
  template <typename T>
  T* mutable_data(const Place& place) {
    return static_cast<T*>(Allocate(phi::CppTypeToDataType<T>::Type(), place));
  }
  template <typename T>
  T* mutable_data() {
    return mutable_data<T>(place());
  }
  // Another shape. With another number of elements the next mutable_data makes new memory.
  void reshape(const std::vector<int64_t>& shape);

  // Elements [begin, end) along the first dimension, on the same memory.
  Tensor slice(int64_t begin, int64_t end) const;
  Tensor cast(DataType dtype) const;
  Tensor copy_to(const Place& place, bool blocking) const;
  template <typename T>
  Tensor copy_to(const Place& place) const {
    return copy_to(place, /*blocking=*/true);
  }
  void copy_(const Tensor& source, const Place& place, bool blocking);

  // As the tensor that kernels take, on the same memory.
  std::shared_ptr<phi::TensorBase> impl() const;
  void set_impl(const std::shared_ptr<phi::TensorBase>& impl);

  Tensor operator+(const Tensor& other) const;
  Tensor operator-(const Tensor& other) const;
  Tensor operator*(const Tensor& other) const;
  Tensor operator/(const Tensor& other) const;
  Tensor operator+(const Scalar& other) const { return *this + Like(other); }
  Tensor operator-(const Scalar& other) const { return *this - Like(other); }
  Tensor operator*(const Scalar& other) const { return *this * Like(other); }
  Tensor operator/(const Scalar& other) const { return *this / Like(other); }
  Tensor operator-() const { return *this * Scalar(-1); }
  Tensor operator==(const Tensor& other) const;
  Tensor operator!=(const Tensor& other) const;
  Tensor operator<(const Tensor& other) const;
  Tensor operator<=(const Tensor& other) const;
  Tensor operator>(const Tensor& other) const;
  Tensor operator>=(const Tensor& other) const;
  Tensor operator~() const;
  Tensor operator&(const Tensor& other) const;
  Tensor operator|(const Tensor& other) const;
  Tensor operator^(const Tensor& other) const;

 private:
  friend Tensor operator+(const Scalar& x, const Tensor& y) { return y.Like(x) + y; }
  friend Tensor operator-(const Scalar& x, const Tensor& y) { return y.Like(x) - y; }
  friend Tensor operator*(const Scalar& x, const Tensor& y) { return y.Like(x) * y; }
  friend Tensor operator/(const Scalar& x, const Tensor& y) { return y.Like(x) / y; }

  const void* Data(DataType dtype) const;
  void* MutableData(DataType dtype);
  void* Allocate(DataType dtype, const Place& place);
  // A number as a 0-d tensor of this one's data type.
  Tensor Like(const Scalar& value) const;

  at::TensorBase tensor_;
  // of memory that is to be made
  Place place_;
  std::optional<std::vector<int64_t>> shape_;
};

}  // namespace paddle
