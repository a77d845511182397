// SPDX-License-Identifier: Apache-2.0
#include "paddle/tensor.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/bitwise_not.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>

#include "core/device_context_pool.h"
#include "torch/paddle_convert.h"
#include "torch/tensor_adapter.h"

namespace paddle {

using phi::torch_bridge::ToPhi;
using phi::torch_bridge::ToTorch;
using phi::torch_bridge::Unwrap;
using phi::torch_bridge::Wrap;

namespace {

int64_t Product(const std::vector<int64_t>& shape) {
  int64_t product = 1;
  for (const int64_t size : shape) product *= size;
  return product;
}

// By name, since a trimmed build may lack the operator.
Tensor CallBinary(const char* op, const Tensor& x, const Tensor& y) {
  using Signature = at::Tensor(const at::Tensor&, const at::Tensor&);
  const c10::OperatorHandle handle = c10::Dispatcher::singleton().findSchemaOrThrow(op, "");
  return Wrap(handle.typed<Signature>().call(Unwrap(x), Unwrap(y)));
}

}  // namespace

int64_t Tensor::numel() const {
  if (shape_) return Product(*shape_);
  return tensor_.defined() ? tensor_.numel() : 0;
}

std::vector<int64_t> Tensor::shape() const {
  if (shape_) return *shape_;
  return tensor_.defined() ? tensor_.sizes().vec() : std::vector<int64_t>();
}

phi::DDim Tensor::strides() const {
  if (!tensor_.defined()) return phi::contiguous_strides(dims());
  return phi::DDim(tensor_.strides().data(), tensor_.dim());
}

DataType Tensor::dtype() const { return tensor_.defined() ? ToPhi(tensor_.scalar_type()) : DataType::UNDEFINED; }

Tensor Tensor::contiguous() const { return Wrap(Unwrap(*this).contiguous()); }

Place Tensor::place() const { return tensor_.defined() ? ToPhi(tensor_.device()) : place_; }

phi::gpuStream_t Tensor::stream() const {
  PADDLE_ENFORCE(is_gpu(), phi::errors::Unavailable("stream(): expected a tensor on a GPU, got one on %s", place()));
  return static_cast<const phi::GPUContext*>(phi::DeviceContextPool::Instance().Get(place()))->stream();
}

const void* Tensor::Data(DataType dtype) const {
  PADDLE_ENFORCE(
      tensor_.defined(),
      phi::errors::PreconditionNotMet("the data of a tensor without memory are asked for; call mutable_data"));
  PADDLE_ENFORCE(dtype == this->dtype(),
                 phi::errors::InvalidType(
                     "the data of a tensor are asked for as %s, but its data type is %s", dtype, this->dtype()));
  return tensor_.const_data_ptr();
}

void* Tensor::MutableData(DataType dtype) {
  Data(dtype);
  return tensor_.mutable_data_ptr();
}

void* Tensor::Allocate(DataType dtype, const Place& place) {
  if (shape_ || !tensor_.defined() || this->dtype() != dtype || this->place() != place) {
    tensor_ = at::empty(shape(), at::TensorOptions().dtype(ToTorch(dtype)).device(ToTorch(place)));
    place_ = place;
    shape_.reset();
  }
  return tensor_.mutable_data_ptr();
}

void Tensor::reshape(const std::vector<int64_t>& shape) {
  if (tensor_.defined() && tensor_.numel() == Product(shape)) {
    tensor_ = Unwrap(*this).reshape(shape);
    shape_.reset();
  } else {
    shape_ = shape;
  }
}

Tensor Tensor::slice(int64_t begin, int64_t end) const { return Wrap(Unwrap(*this).slice(0, begin, end)); }

Tensor Tensor::cast(DataType dtype) const { return Wrap(Unwrap(*this).to(ToTorch(dtype))); }

Tensor Tensor::copy_to(const Place& place, bool blocking) const {
  return Wrap(Unwrap(*this).to(ToTorch(place), tensor_.scalar_type(), /*non_blocking=*/!blocking, /*copy=*/true));
}

void Tensor::copy_(const Tensor& source, const Place& place, bool blocking) {
  const bool fits = tensor_.defined() && dtype() == source.dtype() && shape() == source.shape();
  if (fits && this->place() == place) {
    Unwrap(*this).copy_(Unwrap(source), /*non_blocking=*/!blocking);
  } else {
    *this = source.copy_to(place, blocking);
  }
}

std::shared_ptr<phi::TensorBase> Tensor::impl() const {
  if (!tensor_.defined()) return nullptr;
  return std::make_shared<phi::DenseTensor>(ToPhi(Unwrap(*this)));
}

void Tensor::set_impl(const std::shared_ptr<phi::TensorBase>& impl) {
  const auto dense = std::dynamic_pointer_cast<phi::DenseTensor>(impl);
  PADDLE_ENFORCE(dense != nullptr || impl == nullptr,
                 phi::errors::Unimplemented("paddle::Tensor holds dense tensors; this one is of another class"));
  reset();
  if (dense != nullptr) tensor_ = ToTorch(*dense);
}

Tensor Tensor::Like(const Scalar& value) const {
  return Wrap(at::full({}, Unwrap(value), at::TensorOptions().dtype(tensor_.dtype()).device(tensor_.device())));
}

Tensor Tensor::operator+(const Tensor& other) const { return CallBinary("phi::add", *this, other); }
Tensor Tensor::operator-(const Tensor& other) const { return CallBinary("phi::subtract", *this, other); }
Tensor Tensor::operator*(const Tensor& other) const { return CallBinary("phi::multiply", *this, other); }
Tensor Tensor::operator/(const Tensor& other) const { return CallBinary("phi::divide", *this, other); }
Tensor Tensor::operator==(const Tensor& other) const { return CallBinary("phi::equal", *this, other); }
Tensor Tensor::operator!=(const Tensor& other) const { return CallBinary("phi::not_equal", *this, other); }
Tensor Tensor::operator<(const Tensor& other) const { return CallBinary("phi::less_than", *this, other); }
Tensor Tensor::operator>(const Tensor& other) const { return CallBinary("phi::greater_than", *this, other); }
Tensor Tensor::operator<=(const Tensor& other) const { return CallBinary("phi::less_equal", *this, other); }
Tensor Tensor::operator>=(const Tensor& other) const { return CallBinary("phi::greater_equal", *this, other); }
Tensor Tensor::operator~() const { return Wrap(at::bitwise_not(Unwrap(*this))); }
Tensor Tensor::operator&(const Tensor& other) const { return CallBinary("phi::bitwise_and", *this, other); }
Tensor Tensor::operator|(const Tensor& other) const { return CallBinary("phi::bitwise_or", *this, other); }
Tensor Tensor::operator^(const Tensor& other) const { return CallBinary("phi::bitwise_xor", *this, other); }

}  // namespace paddle
