// SPDX-License-Identifier: Apache-2.0
#include "torch/tensor_kinds.h"

#include <ATen/ops/_sparse_coo_tensor_unsafe.h>
#include <ATen/ops/sparse_csr_tensor.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <sstream>

#include "torch/string_tensor.h"

namespace phi::torch_bridge {

namespace {

bool SharesMemory(const at::Tensor& x, const at::Tensor& y) {
  return x.const_data_ptr() == y.const_data_ptr() && x.sizes() == y.sizes() && x.strides() == y.strides();
}

}  // namespace

bool TorchForm<SelectedRows>::Holds(const at::Tensor& tensor) {
  return tensor.layout() == at::kSparse && tensor.sparse_dim() == 1;
}

SelectedRows TorchForm<SelectedRows>::ToPhi(const at::Tensor& tensor) {
  const at::Tensor indices = tensor._indices().to(at::kCPU, at::kLong).contiguous();
  const int64_t* rows = indices.const_data_ptr<int64_t>();
  SelectedRows result(std::vector<int64_t>(rows, rows + indices.numel()), tensor.size(0));
  *result.mutable_value() = torch_bridge::ToPhi(tensor._values().contiguous());
  return result;
}

at::Tensor TorchForm<SelectedRows>::ToTorch(const SelectedRows& rows) {
  if (!rows.initialized())
    return at::zeros({rows.height()},
                     at::TensorOptions().dtype(torch_bridge::ToTorch(rows.dtype())).layout(at::kSparse));
  const at::Tensor values = torch_bridge::ToTorch(rows.value());
  const at::Tensor indices = at::tensor(rows.rows(), at::kLong).to(values.device()).unsqueeze(0);
  std::vector<int64_t> sizes = vectorize(rows.GetCompleteDims());
  return at::_sparse_coo_tensor_unsafe(indices, values, sizes, values.options().layout(at::kSparse));
}

at::Tensor TorchForm<SelectedRows>::Zeros(const DenseTensorMeta& meta, const at::TensorOptions& options) {
  return at::zeros(Ref(meta.dims), options.layout(at::kSparse));
}

SparseCooTensor TorchForm<SparseCooTensor>::ToPhi(const at::Tensor& tensor) {
  return SparseCooTensor(torch_bridge::ToPhi(tensor._indices().contiguous()),
                         torch_bridge::ToPhi(tensor._values().contiguous()),
                         DDim(tensor.sizes().data(), tensor.dim()),
                         tensor.is_coalesced());
}

at::Tensor TorchForm<SparseCooTensor>::ToTorch(const SparseCooTensor& tensor) {
  const at::Tensor values = torch_bridge::ToTorch(tensor.values());
  return at::_sparse_coo_tensor_unsafe(torch_bridge::ToTorch(tensor.indices()),
                                       values,
                                       Ref(tensor.dims()),
                                       values.options().layout(at::kSparse),
                                       tensor.coalesced());
}

at::Tensor TorchForm<SparseCooTensor>::Zeros(const DenseTensorMeta& meta, const at::TensorOptions& options) {
  return at::zeros(Ref(meta.dims), options.layout(at::kSparse));
}

SparseCsrTensor TorchForm<SparseCsrTensor>::ToPhi(const at::Tensor& tensor) {
  return SparseCsrTensor(torch_bridge::ToPhi(tensor.crow_indices().contiguous()),
                         torch_bridge::ToPhi(tensor.col_indices().contiguous()),
                         torch_bridge::ToPhi(tensor.values().contiguous()),
                         DDim(tensor.sizes().data(), tensor.dim()));
}

at::Tensor TorchForm<SparseCsrTensor>::ToTorch(const SparseCsrTensor& tensor) {
  const at::Tensor values = torch_bridge::ToTorch(tensor.values());
  return at::sparse_csr_tensor(torch_bridge::ToTorch(tensor.crows()),
                               torch_bridge::ToTorch(tensor.cols()),
                               values,
                               Ref(tensor.dims()),
                               values.options().layout(at::kSparseCsr));
}

at::Tensor TorchForm<SparseCsrTensor>::Zeros(const DenseTensorMeta& meta, const at::TensorOptions& options) {
  return at::zeros(Ref(meta.dims), options.layout(at::kSparseCsr));
}

at::Tensor WithPatternOf(const at::Tensor& x, const at::Tensor& tensor) {
  if (x.sizes() != tensor.sizes() || x.device() != tensor.device()) return tensor;
  if (x.layout() == at::kSparse) {
    const at::Tensor pattern = x.coalesce();
    return SharesMemory(pattern._indices(), tensor._indices()) ? tensor : tensor.coalesce().sparse_mask(pattern);
  }
  if (SharesMemory(x.col_indices(), tensor.col_indices())) return tensor;
  const at::Tensor elements = tensor.to_sparse().coalesce().sparse_mask(x.to_sparse().coalesce())._values();
  return at::sparse_csr_tensor(
      x.crow_indices(), x.col_indices(), elements, x.sizes(), elements.options().layout(at::kSparseCsr));
}

std::string KindsOf(const at::Tensor& tensor) {
  if (!tensor.defined()) return "none";
  if (TorchForm<StringTensor>::Holds(tensor)) return "StringTensor";
  std::ostringstream text;
  text << tensor.layout();
  if (tensor.layout() == at::kSparse) text << " with sparse_dim " << tensor.sparse_dim();
  return text.str();
}
std::string KindsOf(const std::optional<at::Tensor>& tensor) { return KindsOf(tensor.value_or(at::Tensor())); }
std::string KindsOf(at::TensorList tensors) {
  std::string text;
  for (const at::Tensor& tensor : tensors) text += (text.empty() ? "" : ", ") + KindsOf(tensor);
  return "[" + text + "]";
}
std::string KindsOf(const std::optional<std::vector<at::Tensor>>& tensors) {
  return tensors ? KindsOf(at::TensorList(*tensors)) : "none";
}

void ThrowKinds(const char* op, const char* known, std::initializer_list<std::string> given) {
  std::string text;
  for (const std::string& one : given) text += (text.empty() ? "" : ", ") + one;
  PADDLE_THROW(
      errors::Unimplemented("no kernel of %s takes tensors of the layouts (%s); there are: %s. A tensor of the kind "
                            "selected_rows has the layout Sparse with sparse_dim 1, one of the kind string is a "
                            "phi_torch.StringTensor",
                            op,
                            text,
                            known));
}

void CopyToTarget(const at::Tensor& result, const char* argument, bool may_resize, const at::Tensor& target) {
  if (result.scalar_type() != target.scalar_type()) ThrowTargetType(argument, ToPhi(result.scalar_type()), target);
  if (!may_resize && result.sizes() != target.sizes()) {
    const auto dims = [](const at::Tensor& t) { return DDim(t.sizes().data(), t.dim()); };
    ThrowTargetShape(argument, dims(result), dims(target));
  }
  if (TorchForm<StringTensor>::Holds(target))
    return target.unsafeGetTensorImpl()->shallow_copy_from(result.getIntrusivePtr());
  if (result.layout() == at::kSparseCsr) target.resize_as_sparse_(result);
  target.copy_(result);
}

}  // namespace phi::torch_bridge
