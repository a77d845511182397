// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernels/sum_kernel.h"
#include "primitive/loop/tensor_view.h"
#include "primitive/matmul.h"

namespace phi {

// out = x @ y as numpy.matmul, of x and y with their last two dimensions transposed where asked for. Any strides.
template <typename T, typename Context>
void MatmulKernel(const Context& dev_ctx,
                  const DenseTensor& x,
                  const DenseTensor& y,
                  bool transpose_x,
                  bool transpose_y,
                  DenseTensor* out) {
  dev_ctx.template Alloc<T>(out);
  primitive::MatMul(dev_ctx, x, transpose_x, y, transpose_y, out);
}

namespace detail {

// A vector as the matrix that it is multiplied as.
inline DenseTensor AsMatrices(const DenseTensor& tensor, bool is_left) {
  if (tensor.dims().size() != 1) return tensor;
  const int64_t size = tensor.dims()[0];
  const int64_t stride = tensor.strides()[0];
  return is_left ? primitive::ViewOf(tensor, {1, size}, {size * stride, stride})
                 : primitive::ViewOf(tensor, {size, 1}, {stride, stride});
}

// out = op(a) @ op(b), summed over the dimensions of which `out` has one element.
template <typename T, typename Context>
void MatMulReduced(const Context& dev_ctx,
                   const DenseTensor& a,
                   bool trans_a,
                   const DenseTensor& b,
                   bool trans_b,
                   const DDim& batch,
                   const primitive::MatMulOptions& options,
                   DenseTensor* out) {
  const int rank = out->dims().size();
  DDim dims = batch;
  dims.push_back(out->dims()[rank - 2]);
  dims.push_back(out->dims()[rank - 1]);
  std::vector<int64_t> axes;
  const int missing = dims.size() - rank;
  for (int i = 0; i < batch.size(); ++i) {
    if (i < missing || (out->dims()[i - missing] == 1 && dims[i] != 1)) axes.push_back(i);
  }
  if (axes.empty()) return primitive::MatMul(dev_ctx, a, trans_a, b, trans_b, out, options);
  DenseTensor product = primitive::EmptyTensor<T>(dev_ctx, dims);
  primitive::MatMul(dev_ctx, a, trans_a, b, trans_b, &product, options);
  SumKernel<T, Context>(dev_ctx, product, IntArray(axes), product.dtype(), false, out);
}

}  // namespace detail

// A null gradient is not computed.
template <typename T, typename Context>
void MatmulGradKernel(const Context& dev_ctx,
                      const DenseTensor& x,
                      const DenseTensor& y,
                      const DenseTensor& out_grad,
                      bool transpose_x,
                      bool transpose_y,
                      DenseTensor* x_grad,
                      DenseTensor* y_grad) {
  const bool tx = transpose_x && x.dims().size() > 1;
  const bool ty = transpose_y && y.dims().size() > 1;
  DenseTensor a = detail::AsMatrices(x, true);
  const DenseTensor b = detail::AsMatrices(y, false);
  // the gradient of the product of matrices, which has the dimensions that vectors lack in out_grad
  const int batch_rank = std::max(a.dims().size(), b.dims().size()) - 2;
  const DDim batch = slice_ddim(out_grad.dims(), 0, batch_rank);
  DDim dims = batch;
  dims.push_back(a.dims()[a.dims().size() - (tx ? 1 : 2)]);
  dims.push_back(b.dims()[b.dims().size() - (ty ? 2 : 1)]);
  DenseTensor grad = dims == out_grad.dims() ? out_grad : primitive::ViewOf(out_grad, dims);
  const primitive::MatMulOptions conj_left{.conj_x = dtype::is_complex_v<T>};
  const primitive::MatMulOptions conj_right{.conj_y = dtype::is_complex_v<T>};

  if (x_grad) {
    dev_ctx.template Alloc<T>(x_grad);
    DenseTensor out = detail::AsMatrices(*x_grad, true);
    if (tx) {
      detail::MatMulReduced<T>(dev_ctx, b, ty, grad, true, batch, conj_left, &out);
    } else {
      detail::MatMulReduced<T>(dev_ctx, grad, false, b, !ty, batch, conj_right, &out);
    }
  }
  if (y_grad) {
    dev_ctx.template Alloc<T>(y_grad);
    DenseTensor out = detail::AsMatrices(*y_grad, false);
    DDim product_batch = batch;
    if (b.dims().size() == 2 && !tx && a.is_contiguous() && grad.is_contiguous()) {
      // one product of the flattened batch, instead of a sum of products
      a = primitive::ViewOf(a, flatten_to_2d(a.dims(), a.dims().size() - 1));
      grad = primitive::ViewOf(grad, flatten_to_2d(grad.dims(), grad.dims().size() - 1));
      product_batch = DDim();
    }
    if (ty) {
      detail::MatMulReduced<T>(dev_ctx, grad, true, a, tx, product_batch, conj_right, &out);
    } else {
      detail::MatMulReduced<T>(dev_ctx, a, !tx, grad, false, product_batch, conj_left, &out);
    }
  }
}

}  // namespace phi
