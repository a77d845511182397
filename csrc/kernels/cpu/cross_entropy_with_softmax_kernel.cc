// SPDX-License-Identifier: Apache-2.0
#include "kernels/cross_entropy_with_softmax_kernel.h"

#include "backends/cpu/cpu_context.h"
#include "core/kernel_registry.h"
#include "core/parallel.h"
#include "kernels/funcs/cross_entropy.h"
#include "primitive/cpu/softmax_rows.h"

namespace phi {
namespace {

// label * value, where a label of 0 counts even against an infinite value
template <typename V>
V Weigh(const V& label, const V& value) {
  return V::blendv(label * value, V(0), label == V(0));
}

template <typename T>
struct Losses {
  using MT = primitive::Acc<T>;
  using V = primitive::Vec<T>;

  const primitive::AxisShape& shape;
  const DenseTensor& label;
  int64_t ignore_index;
  T* loss;

  // Probabilities: loss[i] of one position whose classes are `stride` apart.
  void OfProbabilities(int64_t i, const T* p, const T* soft) const {
    if (soft) {
      MT sum = 0;
      for (int64_t d = 0; d < shape.dim; ++d) {
        sum += static_cast<MT>(soft[d * shape.inner]) * TolerableNegativeLog(static_cast<MT>(p[d * shape.inner]));
      }
      loss[i] = static_cast<T>(sum);
    } else {
      const int64_t l = HardLabels(label)[i];
      const bool counts = IsCounted(l, i, shape.dim, ignore_index);
      loss[i] = counts ? static_cast<T>(TolerableNegativeLog(static_cast<MT>(p[l * shape.inner]))) : T(0);
    }
  }

  // Logits of `width` neighbouring positions from i on, with their maxima. The loss is linear in the logarithm of the
  // softmax's sum: loss = log(sum) * weight - dot. To be called before softmax overwrites x.
  void Parts(int64_t i, int64_t width, const T* logits, const T* soft, const MT* max, MT* weight, MT* dot) const {
    if (soft && shape.inner == 1) {
      const V m(*max);
      *weight = primitive::VecSum(shape.dim, soft);
      *dot = primitive::VecSum(shape.dim, [=](const V& v, const V& w) { return Weigh(w, v - m); }, logits, soft);
    } else if (soft) {
      std::fill_n(weight, width, MT(0));
      std::fill_n(dot, width, MT(0));
      const auto product = [](const V& s, const V& v, const V& w, const V& m) { return s + Weigh(w, v - m); };
      for (int64_t at = 0; at < shape.dim * shape.inner; at += shape.inner) {
        primitive::VecMap(width, weight, [](const V& s, const V& w) { return s + w; }, weight, soft + at);
        primitive::VecMap(width, dot, product, dot, logits + at, soft + at, max);
      }
    } else {
      const HardLabels hard(label);
      for (int64_t j = 0; j < width; ++j) {
        const int64_t l = hard[i + j];
        const bool counts = IsCounted(l, i + j, shape.dim, ignore_index);
        weight[j] = counts ? 1 : 0;
        dot[j] = counts ? static_cast<MT>(logits[l * shape.inner + j]) - max[j] : 0;
      }
    }
  }

  void Store(int64_t i, int64_t width, const MT* sum, const MT* weight, const MT* dot) const {
    // the loss of an ignored position is 0, whatever its logits are
    for (int64_t j = 0; j < width; ++j) {
      loss[i + j] = static_cast<T>(weight[j] == 0 ? -dot[j] : std::log(sum[j]) * weight[j] - dot[j]);
    }
  }
};

}  // namespace

// softmax = softmax(input, axis) and loss = -sum(label * log(softmax), axis), where a hard label is the index of the
// class. Without use_softmax, input holds probabilities already, and softmax is a copy of it; softmax may be input.
template <typename T, typename Context>
void CrossEntropyWithSoftmaxKernel(const Context& dev_ctx,
                                   const DenseTensor& input,
                                   const DenseTensor& label,
                                   bool soft_label,
                                   bool use_softmax,
                                   bool,
                                   int ignore_index,
                                   int axis,
                                   DenseTensor* softmax,
                                   DenseTensor* loss) {
  using MT = primitive::Acc<T>;
  const primitive::AxisShape shape(input.dims(), axis);
  const T* x = input.data<T>();
  const T* soft = soft_label ? label.data<T>() : nullptr;
  T* y = dev_ctx.template Alloc<T>(softmax);
  T* losses = dev_ctx.template Alloc<T>(loss);
  if (input.numel() == 0) {
    for (int64_t i = 0; !soft_label && i < loss->numel(); ++i)
      IsCounted(HardLabels(label)[i], i, shape.dim, ignore_index);
    std::fill_n(losses, loss->numel(), T(0));
    return;
  }
  const Losses<T> parts{shape, label, ignore_index, losses};

  if (!use_softmax) {
    if (y != x) std::copy_n(x, input.numel(), y);
    ParallelFor(shape.outer * shape.inner, primitive::RowGrain(shape.dim), [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) {
        const int64_t at = i / shape.inner * shape.dim * shape.inner + i % shape.inner;
        parts.OfProbabilities(i, x + at, soft ? soft + at : nullptr);
      }
    });
    return;
  }
  const bool stream = primitive::detail::Streams(input.numel(), y, x);
  const auto rows = [&](int64_t first, int64_t last) {
    const auto buffer = primitive::SoftmaxBuffer<T>(shape.dim, stream);
    for (int64_t i = first; i < last; ++i) {
      const int64_t at = i * shape.dim;
      const MT max = primitive::RowMax(shape.dim, x + at);
      MT weight, dot;
      parts.Parts(i, 1, x + at, soft ? soft + at : nullptr, &max, &weight, &dot);
      const MT sum = primitive::RowSoftmax(shape.dim, x + at, max, y + at, buffer.get(), stream);
      parts.Store(i, 1, &sum, &weight, &dot);
    }
    if (stream) primitive::detail::EndStream();
  };
  const auto columns = [&](int64_t outer, int64_t begin, int64_t width) {
    MT max[primitive::kColumnTile], sum[primitive::kColumnTile], weight[primitive::kColumnTile],
        dot[primitive::kColumnTile];
    const int64_t at = outer * shape.dim * shape.inner + begin;
    const int64_t i = outer * shape.inner + begin;
    const primitive::ColumnRows lines(shape.dim, shape.inner, width);
    primitive::ColumnMax(lines, x + at, max);
    parts.Parts(i, width, x + at, soft ? soft + at : nullptr, max, weight, dot);
    const auto buffer = primitive::ColumnBuffer<T>(shape.dim, width);
    primitive::ColumnSoftmax(lines, x + at, max, y + at, sum, buffer.get());
    parts.Store(i, width, sum, weight, dot);
  };
  primitive::ForEachAxisTile(shape, rows, columns);
}

}  // namespace phi

PD_REGISTER_KERNEL(cross_entropy_with_softmax,
                   CPU,
                   ALL_LAYOUT,
                   phi::CrossEntropyWithSoftmaxKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {
  kernel->InputAt(1).SetDataType(phi::DataType::UNDEFINED);
}
