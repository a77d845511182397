// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/math/multiply.h"
#include "primitive/cast.h"
#include "primitive/ctc.h"
#include "primitive/elementwise.h"
#include "primitive/for_each.h"
#include "primitive/loop/tensor_view.h"

namespace phi {

// `warpctcgrad`, the gradient of the losses, may be null.
template <typename T, typename Context>
void WarpctcKernel(const Context& dev_ctx,
                   const DenseTensor& logits,
                   const DenseTensor& label,
                   const paddle::optional<DenseTensor>& logits_length,
                   const paddle::optional<DenseTensor>& labels_length,
                   int blank,
                   bool,
                   DenseTensor* loss,
                   DenseTensor* warpctcgrad) {
  dev_ctx.template Alloc<T>(loss);
  if (warpctcgrad) dev_ctx.template Alloc<T>(warpctcgrad);
  if (loss->numel() == 0) return;
  const primitive::CtcInputs in{logits, label, logits_length.get_ptr(), labels_length.get_ptr(), blank};
  GetPrimitive<primitive::CtcLoss>(dev_ctx, logits.dtype())(dev_ctx, in, loss, warpctcgrad);
}

struct CtcGradPerStepFunctor {
  template <typename C>
  HOSTDEVICE C operator()(C x, C grad, int64_t steps) const {
    return steps > 0 ? x * grad / static_cast<C>(steps) : C(0);
  }
};

// Each sequence has its own incoming gradient, which `norm_by_times` divides by the number of its steps.
template <typename T, typename Context>
void WarpctcGradKernel(const Context& dev_ctx,
                       const DenseTensor& logits,
                       const paddle::optional<DenseTensor>& logits_length,
                       const DenseTensor& warpctcgrad,
                       const DenseTensor& loss_grad,
                       int,
                       bool norm_by_times,
                       DenseTensor* logits_grad) {
  const int64_t most = logits.dims()[0], batch = logits.dims()[1];
  const DDim sequences = {1, batch, 1};
  const DenseTensor grad = primitive::ViewOf(loss_grad, sequences);
  if (!norm_by_times) {
    return primitive::ElementwiseBinary<T>(dev_ctx, warpctcgrad, grad, logits_grad, MultiplyFunctor());
  }
  DenseTensor given, steps;
  if (logits_length) {
    given = primitive::ToInt64(dev_ctx, *logits_length);
    steps = primitive::ViewOf(given, sequences);
  } else {
    steps = primitive::EmptyTensor<int64_t>(dev_ctx, sequences);
    int64_t* data = steps.data<int64_t>();
    primitive::ForEach(dev_ctx, batch, [=] HOSTDEVICE(int64_t i) { data[i] = most; });
  }
  primitive::Elementwise<T, T, T, int64_t>(dev_ctx, logits_grad, CtcGradPerStepFunctor(), warpctcgrad, grad, steps);
}

}  // namespace phi
