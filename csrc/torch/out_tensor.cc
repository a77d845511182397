// SPDX-License-Identifier: Apache-2.0
#include "torch/out_tensor.h"

#include <ATen/EmptyTensor.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/empty_strided.h>

#include <algorithm>

#include "api/trace.h"
#include "torch/small_blocks.h"

namespace phi::torch_bridge {

namespace {

// The size of a contiguous tensor that a small block holds, else 0. Sizes that make no sense are left to torch.
size_t SmallSize(const DDim& dims, size_t element) {
  size_t size = element;
  for (const int64_t d : dims) {
    if (static_cast<uint64_t>(d) > kSmallBlock) return 0;
    size *= static_cast<size_t>(d);
    if (size > kSmallBlock) return 0;
  }
  return size;
}

// What at::detail::empty_cpu makes, around a small block.
at::Tensor EmptySmall(const DDim& dims, size_t size, caffe2::TypeMeta dtype, c10::Allocator* allocator) {
  auto storage = c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(),
                                                       static_cast<int64_t>(size),
                                                       AllocateSmallBlock(size),
                                                       allocator,
                                                       /*resizable=*/true);
  at::Tensor tensor =
      at::detail::make_tensor<c10::TensorImpl>(std::move(storage), c10::DispatchKeySet(c10::DispatchKey::CPU), dtype);
  tensor.unsafeGetTensorImpl()->set_sizes_contiguous(Ref(dims));
  return tensor;
}

at::Tensor Empty(const DenseTensorMeta& meta, at::ScalarType dtype, const Place& place) {
  if (place.GetType() == AllocationType::CPU) {
    const size_t small = meta.contiguous ? SmallSize(meta.dims, c10::elementSize(dtype)) : 0;
    if (__builtin_expect(small != 0, 1)) {
      c10::Allocator* allocator = c10::GetAllocator(c10::kCPU);
      if (UsesSmallBlocks(allocator)) {
        return EmptySmall(meta.dims, small, c10::scalarTypeToTypeMeta(dtype), allocator);
      }
    }
    return meta.contiguous ? at::Tensor(at::detail::empty_cpu(Ref(meta.dims), dtype))
                           : at::Tensor(at::detail::empty_strided_cpu(Ref(meta.dims), Ref(meta.strides), dtype));
  }
  return at::empty_strided(Ref(meta.dims), Ref(meta.strides), at::TensorOptions().dtype(dtype).device(ToTorch(place)));
}

}  // namespace

at::Tensor EmptyExpanded(at::IntArrayRef sizes, at::ScalarType dtype) {
  at::Tensor tensor = Empty(DenseTensorMeta(), dtype, CPUPlace());
  tensor.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, at::DimVector(sizes.size(), 0));
  return tensor;
}

void ThrowTargetType(const char* argument, DataType expected, const at::Tensor& target) {
  PADDLE_THROW(errors::InvalidType("argument '%s' receives the result: expected data type %s, got %s",
                                   argument,
                                   DataTypeName(expected),
                                   DataTypeName(ToPhi(target.scalar_type()))));
}

void ThrowTargetShape(const char* argument, const enforce::Printable& expected, const enforce::Printable& got) {
  PADDLE_THROW(
      errors::InvalidArgument("argument '%s' receives the result: expected the shape %s, got %s; it is an "
                              "input too, or shares memory with one, and so is not resized",
                              argument,
                              expected,
                              got));
}

bool OutTensor::is_unknown() const {
  return std::ranges::any_of(dims(), [](int64_t size) { return size < 0; });
}

void OutTensor::Check(const char* argument, bool may_resize) const {
  if (meta().dtype != ToPhi(target_.scalar_type())) ThrowTargetType(argument, meta().dtype, target_);
  if (!may_resize && has_other_shape() && !is_unknown()) {
    ThrowTargetShape(argument, dims(), DDim(target_.sizes().data(), target_.dim()));
  }
}

void OutTensor::Bind(const char* argument, bool may_resize) {
  may_resize_ = may_resize;
  Check(argument, may_resize);
  if (has_other_shape()) {
    if (is_unknown()) return;
    at::native::resize_output(target_, Ref(dims()));
  }
  UseTarget();
}

void OutTensor::UseTarget() {
  const bool is_plain = !target_.is_conj() && !target_.is_neg();  // else the memory holds other numbers than the tensor
  if (is_plain && at::IntArrayRef(Ref(strides())) == target_.strides()) {
    tensor_ = target_;
    set_place(ToPhi(target_.device()));
    set_data(target_.data_ptr());
  }
}

void* OutTensor::AllocateFrom(Allocator*, const Place& place, DataType dtype, size_t) {
  PADDLE_ENFORCE(dtype == meta().dtype,
                 errors::Fatal("the kernel makes an output of data type %s, but InferMeta says %s",
                               DataTypeName(dtype),
                               DataTypeName(meta().dtype)));
  if (is_found()) UseFound();
  const auto is_elsewhere = [&] { return this->place() != place && ToTorch(this->place()) != ToTorch(place); };
  if (!initialized() || is_elsewhere()) {
    tensor_ = Empty(meta(), ToTorch(dtype), place);
    set_data(tensor_.data_ptr());
  }
  set_place(place);
  return data();
}

bool OutTensor::is_found() const { return target_.defined() && has_other_shape(); }

void OutTensor::UseFound() {
  if (!may_resize_) ThrowTargetShape("out", dims(), DDim(target_.sizes().data(), target_.dim()));
  at::native::resize_output(target_, Ref(dims()));
  UseTarget();
}

void OutTensor::Assign(at::Tensor result) {
  if (is_found()) UseFound();
  if (target_.defined() && initialized()) {
    target_.copy_(result);
    return;
  }
  const bool same_strides = result.strides() == at::IntArrayRef(Ref(strides()));
  if (!same_strides) result = Empty(meta(), result.scalar_type(), ToPhi(result.device())).copy_(result);
  tensor_ = std::move(result);
  set_place(ToPhi(tensor_.device()));
  set_data(tensor_.data_ptr());
}

at::Tensor OutTensor::ReleaseSlow(const Place& place) {
  if (IsTraced()) {  // no kernel ran
    if (target_.defined()) return target_;
    DDim found = dims();
    for (int i = 0; i < found.size(); ++i) found[i] = std::max<int64_t>(found[i], 0);  // those that a kernel would find
    Resize(found);
    const at::Tensor made = Empty(meta(), ToTorch(meta().dtype), place);
    return is_cpu_place(place) ? made.zero_() : made;
  }
  if (!tensor_.defined()) {
    PADDLE_ENFORCE(numel() == 0, errors::Fatal("the kernel did not make one of its outputs"));
    tensor_ = Empty(meta(), ToTorch(meta().dtype), place);
    set_place(place);
  }
  if (!target_.defined()) return this->place() == place ? std::move(tensor_) : tensor_.to(ToTorch(place));
  if (!tensor_.is_same(target_)) target_.copy_(tensor_);
  return target_;
}

void AssignResult(DenseTensor* out, at::Tensor result) {
  if (auto* torch_out = dynamic_cast<OutTensor*>(out)) return torch_out->Assign(std::move(result));
  if (out->initialized()) {
    ToTorch(*out).copy_(result);
    return;
  }
  *out = ToPhi(result.contiguous());
}

}  // namespace phi::torch_bridge
