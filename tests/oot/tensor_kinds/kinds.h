#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/sparse_bsr_tensor.h>
#include <ATen/ops/zeros.h>

#include <vector>

#include "core/meta_tensor.h"
#include "core/sparse_tensor.h"
#include "infermeta/unary.h"
#include "torch/tensor_kinds.h"

namespace kinds {

// crows [rows + 1], cols [nnz], values [nnz, height, width]: blocks of a matrix.
class BsrTensor : public phi::SparseTensorBase {
 public:
  static constexpr phi::TensorKind kKind = phi::TensorKind::kOther;
  BsrTensor() = default;
  BsrTensor(const phi::DenseTensor& crows,
            const phi::DenseTensor& cols,
            const phi::DenseTensor& values,
            const phi::DDim& dims)
      : SparseTensorBase(values, dims), crows_(crows), cols_(cols) {}

  phi::TensorKind kind() const override { return kKind; }
  phi::DataLayout layout() const override { return phi::DataLayout::ANY; }
  const phi::DenseTensor& crows() const { return crows_; }
  const phi::DenseTensor& cols() const { return cols_; }
  void ShareBlocks(const BsrTensor& o) {
    crows_ = o.crows_;
    cols_ = o.cols_;
  }

 private:
  phi::DenseTensor crows_;
  phi::DenseTensor cols_;
};

template <class Dim>
void PartsInferMeta(const phi::MetaTensor<Dim>& x, phi::MetaTensor<Dim>* indices, phi::MetaTensor<Dim>* values) {
  indices->set_dims({-1, -1});  // the kernel says how many
  indices->set_dtype(phi::DataType::INT64);
  values->set_dims({-1});
  values->set_dtype(x.dtype());
}

template <class Dim>
void MainDiagonalInferMeta(const phi::MetaTensor<Dim>& x, phi::MetaTensor<Dim>* out) {
  out->set_dims({x.dims(0), x.dims(0)});
  out->set_dtype(x.dtype());
}

template <class Dim>
void HalvesInferMeta(const phi::MetaTensor<Dim>& x, phi::MetaTensor<Dim>* rows, phi::MetaTensor<Dim>* rest) {
  phi::UnchangedInferMeta<Dim>(x, rows);
  phi::UnchangedInferMeta<Dim>(x, rest);
}

template <class Dim>
void EachInferMeta(const std::vector<const phi::MetaTensor<Dim>*>& x, std::vector<phi::MetaTensor<Dim>*> out) {
  for (size_t i = 0; i < x.size(); ++i) phi::UnchangedInferMeta<Dim>(*x[i], out[i]);
}

template <class Dim>
void ElementsInferMeta(phi::MetaTensor<Dim>* out) {
  out->set_dims({});
  out->set_dtype(phi::DataType::INT64);
}

}  // namespace kinds

template <>
struct phi::torch_bridge::TorchForm<kinds::BsrTensor> {
  static bool Holds(const at::Tensor& tensor) { return tensor.layout() == at::kSparseBsr; }
  static kinds::BsrTensor ToPhi(const at::Tensor& tensor) {
    return kinds::BsrTensor(torch_bridge::ToPhi(tensor.crow_indices()),
                            torch_bridge::ToPhi(tensor.col_indices()),
                            torch_bridge::ToPhi(tensor.values()),
                            DDim(tensor.sizes().data(), tensor.dim()));
  }
  static at::Tensor ToTorch(const kinds::BsrTensor& tensor) {
    const at::Tensor values = torch_bridge::ToTorch(tensor.values());
    return at::sparse_bsr_tensor(torch_bridge::ToTorch(tensor.crows()),
                                 torch_bridge::ToTorch(tensor.cols()),
                                 values,
                                 Ref(tensor.dims()),
                                 values.options().layout(at::kSparseBsr));
  }
  static at::Tensor Zeros(const DenseTensorMeta& meta, const at::TensorOptions& options) {
    const at::TensorOptions indices = options.dtype(at::kLong);
    return at::sparse_bsr_tensor(at::zeros({2}, indices),
                                 at::zeros({0}, indices),
                                 at::zeros({0, meta.dims[0], meta.dims[1]}, options),
                                 Ref(meta.dims),
                                 options.layout(at::kSparseBsr));
  }
};
