// SPDX-License-Identifier: Apache-2.0
#include "primitive/attention.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/_flash_attention_backward.h>
#include <ATen/ops/_flash_attention_forward.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu_backward.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <limits>

#include "torch/inference_scope.h"
#include "torch/out_tensor.h"

namespace phi::primitive {

namespace {

using torch_bridge::ToTorch;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// torch's kernels take no mask of another rank that broadcasts.
at::Tensor OfFourDimensions(const at::Tensor& mask) {
  c10::SmallVector<int64_t, 4> shape(4 - mask.dim(), 1);
  shape.append(mask.sizes().begin(), mask.sizes().end());
  return mask.view(shape);
}

class Problem {
 public:
  explicit Problem(const AttentionInputs& in)
      : q(ToTorch(in.q)), k(ToTorch(in.k)), v(ToTorch(in.v)), scale(1 / std::sqrt(static_cast<double>(q.size(3)))) {
    causal = in.causal;
    if (in.mask) mask = OfFourDimensions(ToTorch(*in.mask));
    if (in.keep) keep = ToTorch(*in.keep);
  }

  int64_t queries() const { return q.size(1); }
  int64_t keys() const { return k.size(1); }
  bool is_empty() const { return q.numel() == 0 || k.numel() == 0; }

  // [queries, keys]
  at::Tensor Visible() const {
    return at::ones({queries(), keys()}, q.options().dtype(at::kBool)).tril(keys() - queries());
  }
  // torch's flag for images of one size; its kernels do not agree on others
  bool IsCausalSquare() const { return causal && queries() == keys(); }
  std::optional<at::Tensor> LibraryMask() const {
    if (!causal || IsCausalSquare()) return mask;
    return at::where(Visible(), mask.value_or(at::zeros({}, q.options())), at::scalar_tensor(-kInfinity, q.options()));
  }

  at::Tensor q, k, v;
  double scale;
  bool causal;
  std::optional<at::Tensor> mask;
  std::optional<at::Tensor> keep;
};

at::Tensor HeadsFirst(const at::Tensor& x) { return x.transpose(1, 2); }

bool RunsOnCpuFlash(const Problem& p) { return p.q.is_cpu() && !p.keep; }

bool RunsOnGpuFlash(const Problem& p) {
  const int64_t dim = p.q.size(3);
  return p.q.is_cuda() && !p.keep && !p.mask && dim % 8 == 0 && dim <= 256 &&
         (p.q.scalar_type() == at::kHalf || p.q.scalar_type() == at::kBFloat16);
}

// By matrix products: what no library does. In float, or in double for double.
class Products {
 public:
  explicit Products(const Problem& p) : p_(p), type_(p.q.scalar_type() == at::kDouble ? at::kDouble : at::kFloat) {
    groups_ = p.q.size(2) / p.k.size(2);
    q_ = Wide(p.q);
    k_ = Wide(p.k).repeat_interleave(groups_, 1);
    v_ = Wide(p.v).repeat_interleave(groups_, 1);
  }

  at::Tensor Scores() const {
    at::Tensor scores = at::matmul(q_ * p_.scale, k_.transpose(2, 3));
    if (p_.mask) scores += *p_.mask;
    if (p_.causal) scores.masked_fill_(p_.Visible().logical_not_(), -kInfinity);
    return scores;
  }

  // The softmax; 0 for a query that sees nothing, and so is its logarithm of the sum.
  at::Tensor Softmax(at::Tensor* lse) const {
    const at::Tensor scores = Scores();
    at::Tensor largest = scores.amax(-1, true);
    largest.masked_fill_(largest == -kInfinity, 0);
    at::Tensor softmax = (scores - largest).exp_();
    at::Tensor sum = softmax.sum(-1, true);
    const at::Tensor nothing = sum == 0;
    sum.masked_fill_(nothing, 1);
    *lse = (sum.log() + largest).masked_fill_(nothing, 0).squeeze(-1);
    return softmax.div_(sum);
  }

  at::Tensor Kept(const at::Tensor& x) const { return p_.keep ? x * *p_.keep : x; }

  at::Tensor Out(const at::Tensor& softmax) const { return Narrow(at::matmul(Kept(softmax), v_)); }

  std::array<at::Tensor, 3> Grad(const at::Tensor& lse, const at::Tensor& out_grad) const {
    const at::Tensor grad = Wide(out_grad);
    const at::Tensor softmax = (Scores() - lse.unsqueeze(-1)).exp_();
    const at::Tensor softmax_grad = Kept(at::matmul(grad, v_.transpose(2, 3)));
    const at::Tensor mean = (softmax_grad * softmax).sum(-1, true);
    const at::Tensor scores_grad = (softmax_grad - mean).mul_(softmax).mul_(p_.scale);
    return {Narrow(at::matmul(scores_grad, k_)),
            Narrow(SumOfGroup(at::matmul(scores_grad.transpose(2, 3), q_))),
            Narrow(SumOfGroup(at::matmul(Kept(softmax).transpose(2, 3), grad)))};
  }

 private:
  at::Tensor Wide(const at::Tensor& x) const { return HeadsFirst(x).to(type_); }
  at::Tensor Narrow(const at::Tensor& x) const { return HeadsFirst(x).to(p_.q.scalar_type()); }
  at::Tensor SumOfGroup(const at::Tensor& x) const {
    if (groups_ == 1) return x;
    return x.reshape({x.size(0), x.size(1) / groups_, groups_, x.size(2), x.size(3)}).sum(2);
  }

  const Problem& p_;
  at::ScalarType type_;
  int64_t groups_;
  at::Tensor q_, k_, v_;
};

void Assign(DenseTensor* out, const at::Tensor& result) {
  if (out) torch_bridge::AssignResult(out, result.contiguous());
}

void AssignZeros(DenseTensor* out, const at::Tensor& like) {
  if (!out) return;
  const std::vector<int64_t> dims(out->dims().Get(), out->dims().Get() + out->dims().size());
  const at::ScalarType dtype = out->dtype() == DataType::FLOAT32 ? at::kFloat : like.scalar_type();
  Assign(out, at::zeros(dims, like.options().dtype(dtype)));
}

void TorchAttention(
    const DeviceContext&, const AttentionInputs& in, DenseTensor* out, DenseTensor* softmax, DenseTensor* lse) {
  const torch_bridge::InferenceScope scope;
  const Problem p(in);
  if (p.is_empty()) {
    for (DenseTensor* tensor : {out, softmax, lse}) AssignZeros(tensor, p.q);
  } else if (!softmax && RunsOnCpuFlash(p)) {
    const auto [result, sums] = at::_scaled_dot_product_flash_attention_for_cpu(
        HeadsFirst(p.q), HeadsFirst(p.k), HeadsFirst(p.v), 0, p.IsCausalSquare(), p.LibraryMask(), p.scale);
    Assign(out, HeadsFirst(result));
    Assign(lse, sums);
  } else if (!softmax && RunsOnGpuFlash(p)) {
    const auto results =
        at::_flash_attention_forward(p.q, p.k, p.v, {}, {}, p.queries(), p.keys(), 0, p.causal, false, p.scale);
    Assign(out, std::get<0>(results));
    const at::Tensor& sums = std::get<1>(results);  // infinite for a query that sees nothing
    Assign(lse, p.causal && p.queries() > p.keys() ? sums.masked_fill(sums.isinf(), 0) : sums);
  } else {
    const Products products(p);
    at::Tensor sums;
    const at::Tensor probabilities = products.Softmax(&sums);
    Assign(out, products.Out(probabilities));
    Assign(softmax, probabilities.to(p.q.scalar_type()));
    Assign(lse, sums);
  }
}

void TorchAttentionGrad(const DeviceContext&,
                        const AttentionInputs& in,
                        const DenseTensor& out,
                        const DenseTensor& lse,
                        const DenseTensor& out_grad,
                        DenseTensor* q_grad,
                        DenseTensor* k_grad,
                        DenseTensor* v_grad) {
  const torch_bridge::InferenceScope scope;
  const Problem p(in);
  if (p.is_empty()) {
    for (DenseTensor* tensor : {q_grad, k_grad, v_grad}) AssignZeros(tensor, p.q);
    return;
  }
  std::array<at::Tensor, 3> grads;
  if (RunsOnCpuFlash(p)) {
    std::tie(grads[0], grads[1], grads[2]) =
        at::_scaled_dot_product_flash_attention_for_cpu_backward(HeadsFirst(ToTorch(out_grad)),
                                                                 HeadsFirst(p.q),
                                                                 HeadsFirst(p.k),
                                                                 HeadsFirst(p.v),
                                                                 HeadsFirst(ToTorch(out)),
                                                                 ToTorch(lse),
                                                                 0,
                                                                 p.IsCausalSquare(),
                                                                 p.LibraryMask(),
                                                                 p.scale);
    for (at::Tensor& grad : grads) grad = HeadsFirst(grad);
  } else if (RunsOnGpuFlash(p)) {
    std::tie(grads[0], grads[1], grads[2]) =
        at::_flash_attention_backward(ToTorch(out_grad),
                                      p.q,
                                      p.k,
                                      p.v,
                                      ToTorch(out),
                                      ToTorch(lse),
                                      {},
                                      {},
                                      p.queries(),
                                      p.keys(),
                                      0,
                                      p.causal,
                                      at::empty({2}, p.q.options().dtype(at::kUInt64)),  // of no use without dropout
                                      at::empty({0}, p.q.options().dtype(at::kUInt64)),
                                      p.scale);
  } else {
    grads = Products(p).Grad(ToTorch(lse), ToTorch(out_grad));
  }
  Assign(q_grad, grads[0]);
  Assign(k_grad, grads[1]);
  Assign(v_grad, grads[2]);
}

[[maybe_unused]] const bool attention_registered = [] {
  for (const Backend backend : {Backend::CPU, Backend::GPU}) {
    for (const DataType dtype : {DataType::FLOAT32, DataType::FLOAT64, DataType::FLOAT16, DataType::BFLOAT16}) {
      RegisterPrimitive<Attention>(backend, &TorchAttention, dtype);
      RegisterPrimitive<AttentionGrad>(backend, &TorchAttentionGrad, dtype);
    }
  }
  return true;
}();

}  // namespace

}  // namespace phi::primitive
