// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/packed_matmul.h"
#include "kernels/funcs/rnn_cells.h"
#include "kernels/random/dropout.h"
#include "primitive/cast.h"
#include "primitive/copy_nd.h"
#include "primitive/fill.h"
#include "primitive/for_each.h"
#include "primitive/loop/tensor_view.h"
#include "primitive/matmul.h"
#include "primitive/reduction.h"

namespace phi::funcs {

// Where things stand: the weights in weight_list, and in `reserve`, for each layer and direction, the gates, then the
// cells, then the outputs of all layers but the last one.
template <typename Cell>
struct RnnLayout {
  int64_t time, batch, hidden, layers, directions;

  RnnLayout(const DenseTensor& x, int hidden_size, int num_layers, bool is_bidirec)
      : time(x.dims()[0]), batch(x.dims()[1]), hidden(hidden_size), layers(num_layers), directions(1 + is_bidirec) {}
  int64_t steps() const { return time * batch; }
  int64_t width() const { return directions * hidden; }
  int64_t gates(int64_t k) const { return k * steps() * Cell::kGates * hidden; }
  int64_t cells(int64_t k) const { return gates(layers * directions) + (Cell::kHasCells ? k * steps() * hidden : 0); }
  int64_t outputs(int64_t layer) const { return cells(layers * directions) + layer * steps() * width(); }
  DenseTensor Output(const DenseTensor& out, const DenseTensor& reserve, int64_t layer) const {
    const DDim dims{steps(), width()};
    return layer + 1 == layers ? primitive::ViewOf(out, dims) : primitive::ViewOf(reserve, dims, outputs(layer));
  }
  DenseTensor Masks(const DenseTensor& masks, int64_t layer) const {
    return primitive::ViewOf(masks, {steps(), width()}, layer * steps() * width());
  }
};

// What is the same in the forward and the backward kernel, for cells of one kind. Functions with lambdas for devices
// are public, as nvcc demands.
template <typename T, typename Context, typename Cell>
class Rnn {
 public:
  using Tensors = std::vector<const DenseTensor*>;

  Rnn(const Context& dev_ctx,
      const RnnLayout<Cell>& at,
      const Tensors& weights,
      const paddle::optional<DenseTensor>& lengths,
      float dropout)
      : dev_ctx_(dev_ctx),
        at_(at),
        weights_(weights),
        lengths_tensor_(lengths ? primitive::ToInt64(dev_ctx, *lengths) : DenseTensor()),
        lengths_(lengths ? lengths_tensor_.template data<int64_t>() : nullptr),
        scale_(static_cast<primitive::ComputeType<T>>(DropoutScale(dropout, "upscale_in_train"))) {}

  // `state` has the states before the first step.
  void Forward(const DenseTensor& x,
               const DenseTensor* masks,
               const std::vector<DenseTensor*>& state,
               const DenseTensor& reserve,
               const DenseTensor& out) const {
    for (int64_t layer = 0; layer < at_.layers; ++layer) {
      const DenseTensor input = Input(x, masks, reserve, layer);
      const DenseTensor output = at_.Output(out, reserve, layer);
      for (int64_t d = 0; d < at_.directions; ++d)
        RunDirection(input, layer * at_.directions + d, state, reserve, output);
    }
  }

  // `state_grad` has the gradients of the last states, and gets those of the first. A null gradient is not computed.
  void Backward(const DenseTensor& x,
                const Tensors& pre_state,
                const DenseTensor* masks,
                const DenseTensor& out,
                const DenseTensor& reserve,
                const DenseTensor& out_grad,
                const std::vector<DenseTensor>& state_grad,
                DenseTensor* x_grad,
                const std::vector<DenseTensor*>& weight_grads) const {
    DenseTensor grad = primitive::ViewOf(out_grad, {at_.steps(), at_.width()});
    for (int64_t layer = at_.layers - 1; layer >= 0; --layer) {
      const DenseTensor input = Input(x, masks, reserve, layer);
      const DenseTensor output = at_.Output(out, reserve, layer);
      DenseTensor input_grad;
      if (layer > 0) {
        input_grad = Empty(input.dims());
      } else if (x_grad) {
        dev_ctx_.template Alloc<T>(x_grad);
        input_grad = primitive::ViewOf(*x_grad, input.dims());
      }
      for (int64_t d = 0; d < at_.directions; ++d) {
        const int64_t k = layer * at_.directions + d;
        DirectionGrad(input, k, pre_state, output, reserve, grad, state_grad, &input_grad, weight_grads);
      }
      if (layer > 0) grad = masks ? Drop(at_.Masks(*masks, layer - 1), input_grad) : std::move(input_grad);
    }
  }

  static constexpr int64_t kGates = Cell::kGates;

  DenseTensor Empty(const DDim& dims) const { return primitive::EmptyTensor<T>(dev_ctx_, dims); }
  // The weights and the bias of an input (0) or of h (1).
  const DenseTensor& Weight(int64_t k, int of) const { return *weights_[2 * k + of]; }
  const DenseTensor& Bias(int64_t k, int of) const { return *weights_[weights_.size() / 2 + 2 * k + of]; }
  bool IsReverse(int64_t k) const { return k % at_.directions == 1; }
  int64_t Time(int64_t k, int64_t step) const { return IsReverse(k) ? at_.time - 1 - step : step; }
  // [batch, width] at a time of a tensor of `width` columns.
  DenseTensor Rows(const DenseTensor& x, int64_t width, int64_t time, int64_t begin = 0) const {
    return primitive::ViewOf(x, {at_.batch, width}, begin + time * at_.batch * width);
  }

  DenseTensor Drop(const DenseTensor& mask, const DenseTensor& x) const {
    DenseTensor out = Empty(x.dims());
    primitive::Elementwise<T, uint8_t, T>(dev_ctx_, &out, DropoutGradFunctor<T>{scale_}, mask, x);
    return out;
  }

  DenseTensor Input(const DenseTensor& x, const DenseTensor* masks, const DenseTensor& reserve, int64_t layer) const {
    if (layer == 0) return primitive::ViewOf(x, {at_.steps(), x.dims()[2]});
    const DenseTensor before = at_.Output(x, reserve, layer - 1);
    return masks ? Drop(at_.Masks(*masks, layer - 1), before) : before;
  }

  // Both biases of a gate as one, but for the last gate of a GRU.
  DenseTensor Biases(int64_t k) const {
    DenseTensor biases = Empty({Cell::kBiases * at_.hidden});
    const T *x = Bias(k, 0).template data<T>(), *h = Bias(k, 1).template data<T>();
    T* to = biases.data<T>();
    const int64_t hidden = at_.hidden;
    const int64_t shared = (Cell::kBiases == kGates ? kGates : kGates - 1) * hidden;
    primitive::ForEach(dev_ctx_, biases.numel(), [=] HOSTDEVICE(int64_t i) {
      to[i] = i < shared ? x[i] + h[i] : i < shared + hidden ? x[i] : h[i - hidden];
    });
    return biases;
  }

  void RunDirection(const DenseTensor& input,
                    int64_t k,
                    const std::vector<DenseTensor*>& state,
                    const DenseTensor& reserve,
                    const DenseTensor& output) const {
    const int64_t hidden = at_.hidden, n = kGates * hidden;
    const DenseTensor biases = Biases(k);
    DenseTensor gates = primitive::ViewOf(reserve, {at_.steps(), n}, at_.gates(k));
    DenseTensor h = Rows(*state[0], hidden, k), products;
    if constexpr (Cell::kHasProducts) products = Empty({at_.batch, n});
    PackedMatMul<T, Context>(dev_ctx_, Weight(k, 0), true, at_.steps()).Run(input, false, false, &gates);
    RnnStep<T> s{};
    s.hidden = hidden;
    s.lengths = lengths_;
    s.bias = biases.data<T>();
    s.h = h.data<T>();
    s.c = state.size() > 1 ? Rows(*state[1], hidden, k).template data<T>() : nullptr;
    s.out_stride = at_.width();
    if constexpr (Cell::kHasProducts) s.products = products.data<T>();
    PackedMatMul<T, Context> by_weight(dev_ctx_, Weight(k, 1), true, at_.batch);
    for (int64_t step = 0; step < at_.time; ++step) {
      s.time = Time(k, step);
      DenseTensor sums = Rows(gates, n, s.time);
      by_weight.Run(h, false, !Cell::kHasProducts, Cell::kHasProducts ? &products : &sums);
      s.gates = sums.data<T>();
      s.cells = Rows(reserve, hidden, s.time, at_.cells(k)).template data<T>();
      s.out = Rows(output, at_.width(), s.time, IsReverse(k) ? hidden : 0).template data<T>();
      primitive::ForEachRun(dev_ctx_, at_.batch, hidden, [=] HOSTDEVICE(int64_t row, int64_t begin, int64_t end) {
        if (!s.Ended(row)) return Cell::Run(s, row, begin, end);
        for (int64_t i = begin; i < end; ++i) {
          for (int64_t gate = 0; gate < kGates; ++gate) s.gates[(row * kGates + gate) * s.hidden + i] = T(0);
          if (Cell::kHasCells) s.cells[row * s.hidden + i] = T(0);
          s.out[row * s.out_stride + i] = T(0);
        }
      });
    }
  }

  // [time, batch, hidden]: for each step the values of the step before it, the first ones of `initial`. The rows of
  // `values` are `stride` apart.
  DenseTensor Previous(const T* values, int64_t stride, const DenseTensor& initial, int64_t k) const {
    const int64_t time = at_.time, batch = at_.batch, hidden = at_.hidden;
    DenseTensor previous = Empty({at_.steps(), hidden});
    const T* first = Rows(initial, hidden, k).template data<T>();
    T* to = previous.data<T>();
    const int64_t *lengths = lengths_, before = IsReverse(k) ? 1 : -1;
    primitive::ForEachRun(dev_ctx_, at_.steps(), hidden, [=] HOSTDEVICE(int64_t row, int64_t begin, int64_t end) {
      const int64_t b = row % batch, t = row / batch + before;
      const bool is_first = t < 0 || t >= time || (lengths && t >= lengths[b]);
      const T* from = is_first ? first + b * hidden : values + (t * batch + b) * stride;
      for (int64_t i = begin; i < end; ++i) to[row * hidden + i] = from[i];
    });
    return previous;
  }

  void DirectionGrad(const DenseTensor& input,
                     int64_t k,
                     const Tensors& pre_state,
                     const DenseTensor& output,
                     const DenseTensor& reserve,
                     const DenseTensor& grad,
                     const std::vector<DenseTensor>& state_grad,
                     DenseTensor* input_grad,
                     const std::vector<DenseTensor*>& weight_grads) const {
    const int64_t hidden = at_.hidden, n = kGates * hidden, begin_of_out = IsReverse(k) ? hidden : 0;
    const DenseTensor previous_h = Previous(output.data<T>() + begin_of_out, at_.width(), *pre_state[0], k);
    DenseTensor previous_c, product_grads, gate_grads = Empty({at_.steps(), n});
    if (pre_state.size() > 1) previous_c = Previous(reserve.data<T>() + at_.cells(k), hidden, *pre_state[1], k);
    if constexpr (Cell::kHasProducts) product_grads = Empty(gate_grads.dims());
    const DenseTensor& of_products = Cell::kHasProducts ? product_grads : gate_grads;
    DenseTensor h_grad = Rows(state_grad[0], hidden, k);
    RnnGradStep<T> s{};
    s.hidden = hidden;
    s.lengths = lengths_;
    s.out_stride = at_.width();
    s.h_grad = h_grad.data<T>();
    if (pre_state.size() > 1) s.c_grad = Rows(state_grad[1], hidden, k).template data<T>();
    PackedMatMul<T, Context> by_weight(dev_ctx_, Weight(k, 1), false, at_.batch);
    for (int64_t step = at_.time - 1; step >= 0; --step) {
      s.time = Time(k, step);
      s.gates = Rows(reserve, n, s.time, at_.gates(k)).template data<T>();
      s.cells = Rows(reserve, hidden, s.time, at_.cells(k)).template data<T>();
      s.previous_h = Rows(previous_h, hidden, s.time).template data<T>();
      if (pre_state.size() > 1) s.previous_c = Rows(previous_c, hidden, s.time).template data<T>();
      s.out_grad = Rows(grad, at_.width(), s.time, begin_of_out).template data<T>();
      s.gate_grads = Rows(gate_grads, n, s.time).template data<T>();
      const DenseTensor products = Rows(of_products, n, s.time);
      s.product_grads = const_cast<T*>(products.data<T>());
      primitive::ForEachRun(dev_ctx_, at_.batch, hidden, [=] HOSTDEVICE(int64_t row, int64_t begin, int64_t end) {
        if (!s.Ended(row)) return Cell::RunGrad(s, row, begin, end);
        for (int64_t i = begin; i < end; ++i) {
          for (int64_t gate = 0; gate < kGates; ++gate) {
            const int64_t at = (row * kGates + gate) * s.hidden + i;
            s.gate_grads[at] = s.product_grads[at] = T(0);
          }
        }
      });
      by_weight.Run(products, false, true, &h_grad);
    }
    if (input_grad->initialized()) {
      PackedMatMul<T, Context>(dev_ctx_, Weight(k, 0), false, at_.steps())
          .Run(gate_grads, false, IsReverse(k), input_grad);
    }
    if (weight_grads.empty()) return;
    const size_t biases = weights_.size() / 2;
    MultiplySteps(gate_grads, input, weight_grads[2 * k]);
    MultiplySteps(of_products, previous_h, weight_grads[2 * k + 1]);
    SumSteps(gate_grads, weight_grads[biases + 2 * k]);
    SumSteps(of_products, weight_grads[biases + 2 * k + 1]);
  }

  void MultiplySteps(const DenseTensor& x, const DenseTensor& y, DenseTensor* out) const {
    if (out == nullptr) return;
    dev_ctx_.template Alloc<T>(out);
    PackedMatMul<T, Context>(dev_ctx_, y, false, x.dims()[1]).Run(x, true, false, out);
  }

  void SumSteps(const DenseTensor& x, DenseTensor* out) const {
    if (out == nullptr) return;
    primitive::AxisSet rows;
    rows.Add(0);
    primitive::Reduce(dev_ctx_, primitive::ReduceOp::kSum, x, rows, x.dtype(), out);
  }

 private:
  const Context& dev_ctx_;
  const RnnLayout<Cell> at_;
  const Tensors& weights_;
  DenseTensor lengths_tensor_;
  const int64_t* lengths_;
  const primitive::ComputeType<T> scale_;
};

template <typename Use>
void WithRnnCell(const std::string& mode, const Use& use) {
  if (mode == "LSTM") return use(LstmCell());
  if (mode == "GRU") return use(GruCell());
  if (mode == "RNN_RELU") return use(PlainRnnCell<true>());
  return use(PlainRnnCell<false>());
}

}  // namespace phi::funcs
