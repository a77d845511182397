// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "common/optional.h"
#include "core/dense_tensor.h"
#include "infermeta/interp_size.h"
#include "infermeta/pooling.h"
#include "kernels/funcs/interp_axis.h"

// What the arguments of an interpolation say about its axes.
namespace phi::funcs {

// Of the axes from the depth, height or width on, as many as the images have.
struct InterpSizes {
  int64_t out[3];
  double scale[3] = {0, 0, 0};  // 0: what the sizes say
};

inline int64_t IntegerAt(const DenseTensor& tensor, int64_t i) {
  return tensor.dtype() == DataType::INT64 ? tensor.data<int64_t>()[i] : tensor.data<int32_t>()[i];
}

// What says the size, in Paddle's order: size_tensor, then out_size, then the scale, then the numbers out_d, out_h and
// out_w. The tensors are on the CPU.
struct InterpSource {
  const paddle::optional<DenseTensor>& out_size;
  const paddle::optional<std::vector<const DenseTensor*>>& size_tensor;
  const paddle::optional<DenseTensor>& scale_tensor;
  int64_t numbers[3];
  const std::vector<double>& scale;

  InterpSizes Read(const DDim& x, int first_axis) const {
    const int spatial = x.size() - 2;
    const bool has_list = size_tensor && !size_tensor->empty();
    InterpSizes sizes;
    for (int i = 0; i < spatial; ++i) {
      sizes.out[i] = numbers[3 - spatial + i];
      if (has_list) {
        sizes.out[i] = IntegerAt(*(*size_tensor)[i], 0);
        CheckInterpSize(sizes.out[i], "size_tensor");
        continue;
      }
      if (scale_tensor) {
        sizes.scale[i] = scale_tensor->data<float>()[scale_tensor->numel() > 1 ? i : 0];
        PADDLE_ENFORCE(
            sizes.scale[i] > 0 && std::isfinite(sizes.scale[i]),
            errors::InvalidArgument("argument 'scale_tensor': expected positive numbers, got %g", sizes.scale[i]));
      } else if (!scale.empty()) {
        sizes.scale[i] = scale[i];
      }
      if (out_size) {
        sizes.out[i] = IntegerAt(*out_size, i);
        CheckInterpSize(sizes.out[i], "out_size");
      } else if (sizes.scale[i] > 0) {
        const char* argument = scale_tensor ? "scale_tensor" : "scale";
        sizes.out[i] = ScaledSize(x[first_axis + i], sizes.scale[i], argument);
        CheckInterpSize(sizes.out[i], argument);
      }
    }
    return sizes;
  }
};

// How positions are found.
struct InterpMethod {
  const std::string& data_format;
  const std::string& name;
  bool align_corners;
  int align_mode;

  bool channels_last() const { return IsChannelLast(data_format); }
  int first_axis() const { return channels_last() ? 1 : 2; }

  InterpShape Shape(const DDim& x, const InterpSizes& sizes) const {
    const int spatial = x.size() - 2;
    const auto axis = [&](int from_last) {
      const int i = spatial - from_last;
      const int64_t in = i < 0 ? 1 : x[first_axis() + i];
      return InterpAxis(in,
                        i < 0 ? 1 : sizes.out[i],
                        i < 0 ? 0 : sizes.scale[i],
                        name == "nearest",
                        align_corners,
                        align_mode == 0,
                        name == "linear" || name == "trilinear");
    };
    const int64_t planes = channels_last() ? x[0] : x[0] * x[1];
    return {planes, channels_last() ? x[x.size() - 1] : 1, axis(3), axis(2), axis(1), spatial == 3};
  }
};

}  // namespace phi::funcs
