// SPDX-License-Identifier: Apache-2.0
#include "torch/tensor_adapter.h"

#include <ATen/EmptyTensor.h>
#include <ATen/ops/from_blob.h>

#include <typeinfo>

#include "primitive/tensor_copy.h"
#include "torch/given_tensor.h"

namespace phi::torch_bridge {

namespace {

// Memory that a torch tensor owns.
class TorchAllocation final : public Allocation {
 public:
  explicit TorchAllocation(at::Tensor tensor)
      : Allocation(tensor.data_ptr(), tensor.numel() * tensor.element_size(), ToPhi(tensor.device())),
        tensor_(std::move(tensor)) {}

  const at::Tensor& tensor() const { return tensor_; }

 private:
  at::Tensor tensor_;
};

// What at::from_blob makes, at a third of its cost.
at::Tensor OnHost(const DenseTensor& tensor, c10::DataPtr data) {
  const caffe2::TypeMeta dtype = c10::scalarTypeToTypeMeta(ToTorch(tensor.dtype()));
  const size_t size = at::detail::computeStorageNbytes(Ref(tensor.dims()), Ref(tensor.strides()), dtype.itemsize());
  auto storage = c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(),
                                                       static_cast<int64_t>(size),
                                                       std::move(data),
                                                       /*allocator=*/nullptr,
                                                       /*resizable=*/false);
  at::Tensor result =
      at::detail::make_tensor<c10::TensorImpl>(std::move(storage), c10::DispatchKeySet(c10::DispatchKey::CPU), dtype);
  result.unsafeGetTensorImpl()->set_sizes_and_strides(Ref(tensor.dims()), Ref(tensor.strides()));
  return result;
}

// What torch copies in any case.
[[maybe_unused]] const bool tensor_adapter_registered = [] {
  for (const Backend backend : {Backend::CPU, Backend::GPU, Backend::CUSTOM}) {
    RegisterPrimitive<primitive::TensorCopy>(backend, [](const DeviceContext&, const DenseTensor& x, DenseTensor* out) {
      const at::Tensor to = ToTorch(*out);
      to.copy_(ToTorch(x));
    });
  }
  return true;
}();

}  // namespace

DenseTensor ToPhi(const at::Tensor& tensor) {
  DenseTensor result;
  BorrowMeta(tensor, &result);
  result.ResetHolder(std::make_shared<TorchAllocation>(tensor));
  return result;
}

at::Tensor ToTorch(const DenseTensor& tensor) {
  void* data = const_cast<void*>(tensor.data());
  if (is_cpu_place(tensor.place())) {
    if (tensor.Holder() == nullptr) return OnHost(tensor, c10::DataPtr(data, c10::kCPU));
    using Holder = std::shared_ptr<Allocation>;
    const auto drop = [](void* holder) { delete static_cast<Holder*>(holder); };
    return OnHost(tensor, c10::DataPtr(data, new Holder(tensor.Holder()), drop, c10::kCPU));
  }
  // the deleter keeps the holder alive as long as the torch tensor
  return at::from_blob(
      const_cast<void*>(tensor.data()),
      Ref(tensor.dims()),
      Ref(tensor.strides()),
      [holder = tensor.Holder()](void*) {},
      at::TensorOptions().dtype(ToTorch(tensor.dtype())).device(ToTorch(tensor.place())),
      ToTorch(tensor.place()));
}

at::Tensor GivenOrToTorch(const DenseTensor& tensor) {
  const Allocation* holder = tensor.Holder().get();
  if (holder != nullptr && typeid(*holder) == typeid(TorchAllocation)) {
    const at::Tensor& t = static_cast<const TorchAllocation*>(holder)->tensor();
    const bool is_all = t.const_data_ptr() == tensor.data() && ToPhi(t.scalar_type()) == tensor.dtype() &&
                        t.sizes() == Ref(tensor.dims()) && t.strides() == Ref(tensor.strides());
    if (is_all) return t;
  }
  return ToTorch(tensor);
}

}  // namespace phi::torch_bridge
