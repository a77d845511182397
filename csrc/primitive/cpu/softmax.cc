// SPDX-License-Identifier: Apache-2.0
#include "primitive/softmax.h"

#include "primitive/cpu/softmax_rows.h"
#include "primitive/impl/types.h"

namespace phi::primitive {

namespace {

template <typename T>
void SoftmaxOnCpu(const DeviceContext&, const DenseTensor& x, int axis, DenseTensor* out) {
  using MT = Acc<T>;
  const AxisShape shape(x.dims(), axis);
  const T* data = x.data<T>();
  T* result = out->data<T>();
  const bool stream = detail::Streams(shape.outer * shape.dim, result, data);
  const auto rows = [&](int64_t first, int64_t last) {
    const auto buffer = SoftmaxBuffer<T>(shape.dim, stream);
    for (int64_t i = first; i < last; ++i) {
      const T* row = data + i * shape.dim;
      const MT max = RowMax(shape.dim, row);
      RowSoftmax(shape.dim, row, max, result + i * shape.dim, buffer.get(), stream);
    }
    if (stream) detail::EndStream();
  };
  const auto columns = [&](int64_t outer, int64_t begin, int64_t width) {
    MT max[kColumnTile];
    MT sum[kColumnTile];
    const int64_t at = outer * shape.dim * shape.inner + begin;
    const ColumnRows lines(shape.dim, shape.inner, width);
    ColumnMax(lines, data + at, max);
    const auto buffer = ColumnBuffer<T>(shape.dim, width);
    ColumnSoftmax(lines, data + at, max, result + at, sum, buffer.get());
  };
  ForEachAxisTile(shape, rows, columns);
}

template <typename T>
void LogSoftmaxOnCpu(const DeviceContext&, const DenseTensor& x, int axis, DenseTensor* out) {
  using MT = Acc<T>;
  const AxisShape shape(x.dims(), axis);
  const T* data = x.data<T>();
  T* result = out->data<T>();
  const bool stream = detail::Streams(shape.outer * shape.dim, result, data);
  const auto rows = [&](int64_t first, int64_t last) {
    for (int64_t at = first * shape.dim; at < last * shape.dim; at += shape.dim) {
      RowLogSoftmax(shape.dim, data + at, RowMax(shape.dim, data + at), result + at, stream);
    }
    if (stream) detail::EndStream();
  };
  const auto columns = [&](int64_t outer, int64_t begin, int64_t width) {
    MT max[kColumnTile];
    MT sum[kColumnTile];
    const int64_t at = outer * shape.dim * shape.inner + begin;
    const ColumnRows lines(shape.dim, shape.inner, width);
    ColumnMax(lines, data + at, max);
    ColumnLogSoftmax(lines, data + at, max, result + at, sum);
  };
  ForEachAxisTile(shape, rows, columns);
}

template <typename F, typename T>
void GradientOnCpu(
    const DeviceContext&, const DenseTensor& out, const DenseTensor& out_grad, int axis, DenseTensor* x_grad) {
  const AxisShape shape(out.dims(), axis);
  SoftmaxGradAxis<F>(shape, out.data<T>(), out_grad.data<T>(), x_grad->data<T>());
}

[[maybe_unused]] const bool softmax_registered = [] {
  const auto add = [](auto type) {
    using T = typename decltype(type)::Type;
    constexpr DataType kType = CppTypeToDataType<T>::Type();
    RegisterPrimitive<Softmax>(Backend::CPU, &SoftmaxOnCpu<T>, kType);
    RegisterPrimitive<LogSoftmax>(Backend::CPU, &LogSoftmaxOnCpu<T>, kType);
    RegisterPrimitive<SoftmaxGrad>(Backend::CPU, &GradientOnCpu<SoftmaxGradFunctor, T>, kType);
    RegisterPrimitive<LogSoftmaxGrad>(Backend::CPU, &GradientOnCpu<LogSoftmaxGradFunctor, T>, kType);
  };
  ForEachType(add, FloatingTypes());
  return true;
}();

}  // namespace

}  // namespace phi::primitive
