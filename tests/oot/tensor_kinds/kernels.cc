#include "kinds.h"

#include "backends/cpu/cpu_context.h"
#include "core/kernel_registry.h"
#include "kernels/scale_kernel.h"

using phi::DenseTensor;
using phi::SparseCooTensor;

namespace kinds {

template <typename T, typename Context>
void Twice(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  out->Resize(x.dims());
  phi::ScaleKernel<T, Context>(dev_ctx, x, 2.0, 0.0, true, out);
}

template <typename T, typename Context>
void TwiceCooKernel(const Context& dev_ctx, const SparseCooTensor& x, SparseCooTensor* out) {
  *out->mutable_indices() = x.indices();
  out->SetCoalesced(x.coalesced());
  Twice<T, Context>(dev_ctx, x.values(), out->mutable_values());
}

template <typename T, typename Context>
void TwiceCsrKernel(const Context& dev_ctx, const phi::SparseCsrTensor& x, phi::SparseCsrTensor* out) {
  *out->mutable_crows() = x.crows();
  *out->mutable_cols() = x.cols();
  Twice<T, Context>(dev_ctx, x.values(), out->mutable_values());
}

template <typename T, typename Context>
void TwiceBsrKernel(const Context& dev_ctx, const BsrTensor& x, BsrTensor* out) {
  out->ShareBlocks(x);
  Twice<T, Context>(dev_ctx, x.values(), out->mutable_values());
}

template <typename T, typename Context>
void MaskAsDenseKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& mask, DenseTensor* out) {
  T* result = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i < x.numel(); ++i) result[i] = mask.data<T>()[i] != 0 ? x.data<T>()[i] : T(0);
}

template <typename T, typename Context>
void MaskAsCooKernel(const Context& dev_ctx, const DenseTensor& x, const SparseCooTensor& mask, SparseCooTensor* out) {
  *out->mutable_indices() = mask.indices();
  out->SetCoalesced(mask.coalesced());
  out->mutable_values()->Resize({mask.nnz()});
  T* values = dev_ctx.template Alloc<T>(out->mutable_values());
  const int64_t* indices = mask.indices().data<int64_t>();
  for (int64_t i = 0; i < mask.nnz(); ++i) {
    values[i] = x.data<T>()[indices[i] * x.dims()[1] + indices[mask.nnz() + i]];
  }
}

template <typename T, typename Context>
void PartsKernel(const Context& dev_ctx, const SparseCooTensor& x, DenseTensor* indices, DenseTensor* values) {
  indices->Resize(x.indices().dims());
  values->Resize(x.values().dims());
  std::copy_n(x.indices().data<int64_t>(), indices->numel(), dev_ctx.template Alloc<int64_t>(indices));
  std::copy_n(x.values().data<T>(), values->numel(), dev_ctx.template Alloc<T>(values));
}

template <typename T, typename Context>
void OnDiagonalKernel(const Context& dev_ctx, const DenseTensor& x, SparseCooTensor* out) {
  const int64_t n = x.numel();
  int64_t* indices = dev_ctx.template Alloc<int64_t>(&out->mutable_indices()->Resize({2, n}));
  for (int64_t i = 0; i < 2 * n; ++i) indices[i] = i % n;
  out->SetCoalesced(true);
  std::copy_n(x.data<T>(), n, dev_ctx.template Alloc<T>(&out->mutable_values()->Resize({n})));
}

template <typename T, typename Context>
void HalvesKernel(const Context& dev_ctx, const SparseCooTensor& x, SparseCooTensor* rows, SparseCooTensor* rest) {
  const int64_t half = x.nnz() / 2;
  for (SparseCooTensor* out : {rows, rest}) {
    const int64_t begin = out == rows ? 0 : half, count = out == rows ? half : x.nnz() - half;
    int64_t* indices = dev_ctx.template Alloc<int64_t>(&out->mutable_indices()->Resize({x.sparse_dim(), count}));
    for (int d = 0; d < x.sparse_dim(); ++d) {
      std::copy_n(x.indices().data<int64_t>() + d * x.nnz() + begin, count, indices + d * count);
    }
    std::copy_n(
        x.values().data<T>() + begin, count, dev_ctx.template Alloc<T>(&out->mutable_values()->Resize({count})));
  }
}

template <typename T, typename Context>
void TwiceEachKernel(const Context& dev_ctx,
                     const std::vector<const SparseCooTensor*>& x,
                     std::vector<SparseCooTensor*> out) {
  for (size_t i = 0; i < x.size(); ++i) TwiceCooKernel<T, Context>(dev_ctx, *x[i], out[i]);
}

template <typename T, typename Context>
void ElementsDenseKernel(const Context& dev_ctx,
                         const DenseTensor& x,
                         const paddle::optional<DenseTensor>& other,
                         const paddle::optional<std::vector<const DenseTensor*>>& more,
                         DenseTensor* out) {
  int64_t count = x.numel() + (other ? other->numel() : 0);
  if (more) {
    for (const DenseTensor* t : *more) count += t->numel();
  }
  *dev_ctx.template Alloc<int64_t>(out) = count;
}

template <typename T, typename Context>
void ElementsCooKernel(const Context& dev_ctx,
                       const SparseCooTensor& x,
                       const paddle::optional<SparseCooTensor>& other,
                       const paddle::optional<std::vector<const SparseCooTensor*>>& more,
                       DenseTensor* out) {
  int64_t count = x.nnz() + (other ? other->nnz() : 0);
  if (more) {
    for (const SparseCooTensor* t : *more) count += t->nnz();
  }
  *dev_ctx.template Alloc<int64_t>(out) = count;
}

template <typename T, typename Context>
void StepKernel(
    const Context& dev_ctx, const DenseTensor& param, const DenseTensor& grad, float rate, DenseTensor* param_out) {
  T* result = dev_ctx.template Alloc<T>(param_out);
  for (int64_t i = 0; i < param.numel(); ++i) result[i] = param.data<T>()[i] - T(rate) * grad.data<T>()[i];
}

template <typename T, typename Context>
void StepSparseKernel(const Context& dev_ctx,
                      const DenseTensor& param,
                      const phi::SelectedRows& grad,
                      float rate,
                      DenseTensor* param_out) {
  T* result = dev_ctx.template Alloc<T>(param_out);
  if (result != param.data<T>()) std::copy_n(param.data<T>(), param.numel(), result);
  const int64_t width = param.numel() / grad.height();
  for (size_t i = 0; i < grad.rows().size(); ++i) {
    for (int64_t j = 0; j < width; ++j) {
      result[grad.rows()[i] * width + j] -= T(rate) * grad.value().data<T>()[i * width + j];
    }
  }
}

}  // namespace kinds

PD_REGISTER_KERNEL(twice_coo, CPU, ALL_LAYOUT, kinds::TwiceCooKernel, float, double) {}
PD_REGISTER_KERNEL(twice_csr, CPU, ALL_LAYOUT, kinds::TwiceCsrKernel, float, double) {}
PD_REGISTER_KERNEL(twice_bsr, CPU, ALL_LAYOUT, kinds::TwiceBsrKernel, float, double) {}
PD_REGISTER_KERNEL(mask_as_dense, CPU, ALL_LAYOUT, kinds::MaskAsDenseKernel, float) {}
PD_REGISTER_KERNEL(mask_as_coo, CPU, ALL_LAYOUT, kinds::MaskAsCooKernel, float) {}
PD_REGISTER_KERNEL(parts_coo, CPU, ALL_LAYOUT, kinds::PartsKernel, float) {}
PD_REGISTER_KERNEL(on_diagonal, CPU, ALL_LAYOUT, kinds::OnDiagonalKernel, float) {}
PD_REGISTER_KERNEL(halves, CPU, ALL_LAYOUT, kinds::HalvesKernel, float) {}
PD_REGISTER_KERNEL(twice_each, CPU, ALL_LAYOUT, kinds::TwiceEachKernel, float) {}
PD_REGISTER_KERNEL(elements_dense, CPU, ALL_LAYOUT, kinds::ElementsDenseKernel, float) {}
PD_REGISTER_KERNEL(elements_coo, CPU, ALL_LAYOUT, kinds::ElementsCooKernel, float) {}
PD_REGISTER_KERNEL(step, CPU, ALL_LAYOUT, kinds::StepKernel, float) {}
PD_REGISTER_KERNEL(step_sparse, CPU, ALL_LAYOUT, kinds::StepSparseKernel, float) {}
