// SPDX-License-Identifier: Apache-2.0
#include "primitive/ctc.h"

#include <ATen/ops/_ctc_loss.h>
#include <ATen/ops/_ctc_loss_backward.h>
#include <ATen/ops/full.h>
#include <ATen/ops/isinf.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/where.h>

#include <vector>

#include "torch/inference_scope.h"
#include "torch/out_tensor.h"

namespace phi::primitive {

namespace {

using torch_bridge::ToTorch;

// As torch's functions take them: on the CPU.
at::Tensor Lengths(const char* argument, const DenseTensor* given, int64_t batch, int64_t most) {
  if (given == nullptr) return at::full({batch}, most, at::kLong);
  const at::Tensor lengths = ToTorch(*given).to(at::kCPU, at::kLong).contiguous();
  for (const int64_t length : at::IntArrayRef(lengths.const_data_ptr<int64_t>(), batch)) {
    PADDLE_ENFORCE(
        length >= 0 && length <= most,
        errors::InvalidArgument("argument '%s': expected lengths from 0 to %d, got %d", argument, most, length));
  }
  return lengths;
}

// The labels that count, which torch does not check, and `blank` in the place of the others. Of a label that is the
// blank torch's gradient is not that of its loss.
at::Tensor Labels(const DenseTensor& given, const at::Tensor& lengths, int64_t classes, int64_t blank) {
  const at::Tensor labels = ToTorch(given);
  const at::Tensor checked = labels.to(at::kCPU, at::kLong, /*non_blocking=*/false, /*copy=*/true).contiguous();
  int64_t* label = checked.mutable_data_ptr<int64_t>();
  for (const int64_t length : at::IntArrayRef(lengths.const_data_ptr<int64_t>(), lengths.size(0))) {
    for (int64_t i = 0; i < labels.size(1); ++i, ++label) {
      if (i >= length) {
        *label = blank;
        continue;
      }
      PADDLE_ENFORCE(
          *label >= 0 && *label < classes && *label != blank,
          errors::InvalidArgument(
              "argument 'label': expected classes from 0 to %d but the blank, %d, got another", classes - 1, blank));
    }
  }
  return checked.to(labels.device());
}

void TorchCtcLoss(const DeviceContext&, const CtcInputs& in, DenseTensor* loss, DenseTensor* logits_grad) {
  const torch_bridge::InferenceScope scope;
  const at::Tensor log_probs = at::log_softmax(ToTorch(in.logits), -1);
  const int64_t steps = log_probs.size(0), batch = log_probs.size(1);
  const at::Tensor times = Lengths("logits_length", in.logits_length, batch, steps);
  const at::Tensor counts = Lengths("labels_length", in.labels_length, batch, in.label.dims()[1]);
  const at::Tensor labels = Labels(in.label, counts, log_probs.size(2), in.blank);
  const at::IntArrayRef of_times(times.const_data_ptr<int64_t>(), batch);
  const at::IntArrayRef of_counts(counts.const_data_ptr<int64_t>(), batch);
  const auto [losses, alpha] = at::_ctc_loss(log_probs, labels, of_times, of_counts, in.blank);
  torch_bridge::AssignResult(loss, at::where(at::isinf(losses), 0, losses).unsqueeze(1).contiguous());
  if (logits_grad == nullptr) return;
  const at::Tensor grad = at::_ctc_loss_backward(
      at::ones_like(losses), log_probs, labels, of_times, of_counts, losses, alpha, in.blank, /*zero_infinity=*/true);
  torch_bridge::AssignResult(logits_grad, grad.contiguous());
}

[[maybe_unused]] const bool ctc_registered = [] {
  for (const Backend backend : {Backend::CPU, Backend::GPU}) {
    for (const DataType dtype : {DataType::FLOAT32, DataType::FLOAT64}) {
      RegisterPrimitive<CtcLoss>(backend, &TorchCtcLoss, dtype);
    }
  }
  return true;
}();

}  // namespace

}  // namespace phi::primitive
