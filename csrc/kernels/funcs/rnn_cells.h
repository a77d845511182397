// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/map_lanes.h"
#include "primitive/math.h"

// The cells of recurrent networks: what a step makes of the sums of its gates, for numbers and SIMD vectors.
namespace phi::funcs {

// One step of one direction, for a batch. Rows follow each other without gaps where no stride is named.
template <typename T>
struct RnnStep {
  int64_t hidden;
  int64_t time;
  const int64_t* lengths;  // of each sequence, or null
  const T* bias;           // [Cell::kBiases, hidden]
  const T* products;       // of a GRU, the product of h and its weights
  T* gates;                // in: the sums without bias; out: the gates
  T* cells;                // what the gradient needs of the cell besides: c of an LSTM; of a GRU h's part of n
  T* h;                    // the states, which are updated
  T* c;
  T* out;
  int64_t out_stride;

  HOSTDEVICE bool Ended(int64_t row) const { return lengths && time >= lengths[row]; }
};

// The gradient of such a step. `h_grad` and `c_grad` come from the following step, and are what the preceding one gets,
// but for what the product of `product_grads` and the weights adds to h_grad.
template <typename T>
struct RnnGradStep {
  int64_t hidden;
  int64_t time;
  const int64_t* lengths;
  const T* gates;
  const T* cells;
  const T* previous_h;
  const T* previous_c;
  const T* out_grad;
  int64_t out_stride;
  T* h_grad;
  T* c_grad;
  T* gate_grads;     // of the part of the sums that comes from the input
  T* product_grads;  // of the part that comes from h: the same memory, but for a GRU

  HOSTDEVICE bool Ended(int64_t row) const { return lengths && time >= lengths[row]; }
};

struct LstmCell {
  static constexpr int kGates = 4;
  static constexpr int kBiases = 4;
  static constexpr bool kHasCells = true;
  static constexpr bool kHasProducts = false;

  struct Forward {
    template <typename V>
    HOSTDEVICE void operator()(const V (&in)[9], V (&out)[8]) const {
      const V i = math::Sigmoid(in[0] + in[4]), f = math::Sigmoid(in[1] + in[5]);
      const V g = math::Tanh(in[2] + in[6]), o = math::Sigmoid(in[3] + in[7]);
      const V c = f * in[8] + i * g;
      out[0] = i, out[1] = f, out[2] = g, out[3] = o;
      out[4] = out[5] = c;
      out[6] = out[7] = o * math::Tanh(c);
    }
  };
  struct Backward {
    template <typename V>
    HOSTDEVICE void operator()(const V (&in)[9], V (&out)[6]) const {
      const V i = in[0], f = in[1], g = in[2], o = in[3];
      const V tanh_c = math::Tanh(in[4]), h_grad = in[6] + in[7];
      const V c_grad = in[8] + h_grad * o * (V(1) - tanh_c * tanh_c);
      out[0] = c_grad * g * i * (V(1) - i);
      out[1] = c_grad * in[5] * f * (V(1) - f);
      out[2] = c_grad * i * (V(1) - g * g);
      out[3] = h_grad * tanh_c * o * (V(1) - o);
      out[4] = V(0);
      out[5] = c_grad * f;
    }
  };

  template <typename T>
  HOSTDEVICE static void Run(const RnnStep<T>& s, int64_t row, int64_t begin, int64_t end) {
    const int64_t n = s.hidden;
    T* gates = s.gates + row * 4 * n;
    T *c = s.c + row * n, *cells = s.cells + row * n, *h = s.h + row * n, *out = s.out + row * s.out_stride;
    const T* const from[9] = {
        gates, gates + n, gates + 2 * n, gates + 3 * n, s.bias, s.bias + n, s.bias + 2 * n, s.bias + 3 * n, c};
    T* const to[8] = {gates, gates + n, gates + 2 * n, gates + 3 * n, c, cells, h, out};
    primitive::MapLanes(from, to, begin, end, Forward());
  }
  template <typename T>
  HOSTDEVICE static void RunGrad(const RnnGradStep<T>& s, int64_t row, int64_t begin, int64_t end) {
    const int64_t n = s.hidden;
    const T* gates = s.gates + row * 4 * n;
    T *grads = s.gate_grads + row * 4 * n, *h_grad = s.h_grad + row * n, *c_grad = s.c_grad + row * n;
    const T* const from[9] = {gates,
                              gates + n,
                              gates + 2 * n,
                              gates + 3 * n,
                              s.cells + row * n,
                              s.previous_c + row * n,
                              s.out_grad + row * s.out_stride,
                              h_grad,
                              c_grad};
    T* const to[6] = {grads, grads + n, grads + 2 * n, grads + 3 * n, h_grad, c_grad};
    primitive::MapLanes(from, to, begin, end, Backward());
  }
};

struct GruCell {
  static constexpr int kGates = 3;
  static constexpr int kBiases = 4;  // n has one inside of its product with r
  static constexpr bool kHasCells = true;
  static constexpr bool kHasProducts = true;

  struct Forward {
    template <typename V>
    HOSTDEVICE void operator()(const V (&in)[11], V (&out)[6]) const {
      const V r = math::Sigmoid(in[0] + in[3] + in[6]), z = math::Sigmoid(in[1] + in[4] + in[7]);
      const V inner = in[5] + in[9];
      const V n = math::Tanh(in[2] + in[8] + r * inner);
      out[0] = r, out[1] = z, out[2] = n, out[3] = inner;
      out[4] = out[5] = (in[10] - n) * z + n;
    }
  };
  struct Backward {
    template <typename V>
    HOSTDEVICE void operator()(const V (&in)[7], V (&out)[7]) const {
      const V r = in[0], z = in[1], n = in[2], h_grad = in[5] + in[6];
      const V n_grad = h_grad * (V(1) - z) * (V(1) - n * n);
      out[0] = out[3] = n_grad * in[3] * r * (V(1) - r);
      out[1] = out[4] = h_grad * (in[4] - n) * z * (V(1) - z);
      out[2] = n_grad;
      out[5] = n_grad * r;
      out[6] = h_grad * z;
    }
  };

  template <typename T>
  HOSTDEVICE static void Run(const RnnStep<T>& s, int64_t row, int64_t begin, int64_t end) {
    const int64_t n = s.hidden;
    T* gates = s.gates + row * 3 * n;
    const T* products = s.products + row * 3 * n;
    T *cells = s.cells + row * n, *h = s.h + row * n, *out = s.out + row * s.out_stride;
    const T* const from[11] = {gates,
                               gates + n,
                               gates + 2 * n,
                               products,
                               products + n,
                               products + 2 * n,
                               s.bias,
                               s.bias + n,
                               s.bias + 2 * n,
                               s.bias + 3 * n,
                               h};
    T* const to[6] = {gates, gates + n, gates + 2 * n, cells, h, out};
    primitive::MapLanes(from, to, begin, end, Forward());
  }
  template <typename T>
  HOSTDEVICE static void RunGrad(const RnnGradStep<T>& s, int64_t row, int64_t begin, int64_t end) {
    const int64_t n = s.hidden;
    const T* gates = s.gates + row * 3 * n;
    T *grads = s.gate_grads + row * 3 * n, *products = s.product_grads + row * 3 * n, *h_grad = s.h_grad + row * n;
    const T* const from[7] = {gates,
                              gates + n,
                              gates + 2 * n,
                              s.cells + row * n,
                              s.previous_h + row * n,
                              s.out_grad + row * s.out_stride,
                              h_grad};
    T* const to[7] = {grads, grads + n, grads + 2 * n, products, products + n, products + 2 * n, h_grad};
    primitive::MapLanes(from, to, begin, end, Backward());
  }
};

template <bool is_relu>
struct PlainRnnCell {
  static constexpr int kGates = 1;
  static constexpr int kBiases = 1;
  static constexpr bool kHasCells = false;
  static constexpr bool kHasProducts = false;

  struct Forward {
    template <typename V>
    HOSTDEVICE void operator()(const V (&in)[2], V (&out)[3]) const {
      const V sum = in[0] + in[1];
      if constexpr (is_relu) {
        out[0] = math::AtLeast(sum, V(0));
      } else {
        out[0] = math::Tanh(sum);
      }
      out[1] = out[2] = out[0];
    }
  };
  struct Backward {
    template <typename V>
    HOSTDEVICE void operator()(const V (&in)[3], V (&out)[2]) const {
      const V h_grad = in[1] + in[2];
      if constexpr (is_relu) {
        out[0] = math::Select(in[0] <= V(0), V(0), h_grad);
      } else {
        out[0] = h_grad * (V(1) - in[0] * in[0]);
      }
      out[1] = V(0);
    }
  };

  template <typename T>
  HOSTDEVICE static void Run(const RnnStep<T>& s, int64_t row, int64_t begin, int64_t end) {
    T* gates = s.gates + row * s.hidden;
    const T* const from[2] = {gates, s.bias};
    T* const to[3] = {gates, s.h + row * s.hidden, s.out + row * s.out_stride};
    primitive::MapLanes(from, to, begin, end, Forward());
  }
  template <typename T>
  HOSTDEVICE static void RunGrad(const RnnGradStep<T>& s, int64_t row, int64_t begin, int64_t end) {
    T* h_grad = s.h_grad + row * s.hidden;
    const T* const from[3] = {s.gates + row * s.hidden, s.out_grad + row * s.out_stride, h_grad};
    T* const to[2] = {s.gate_grads + row * s.hidden, h_grad};
    primitive::MapLanes(from, to, begin, end, Backward());
  }
};

}  // namespace phi::funcs
