// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "common/enforce.h"
#include "common/int_array.h"
#include "core/ddim.h"

// The geometry of a pooling window, for InferMeta (any Dim) and kernels.
namespace phi {

// Whether `data_format` names a layout whose last dimension is the channel.
inline bool IsChannelLast(const std::string& data_format) {
  const bool last = data_format == "NHWC" || data_format == "NDHWC";
  PADDLE_ENFORCE(
      last || data_format == "NCHW" || data_format == "NCDHW",
      errors::InvalidArgument("argument 'data_format': expected \"NCHW\" or \"NHWC\", got \"%s\"", data_format));
  return last;
}

template <typename Int>
std::string IntsText(const std::vector<Int>& values) {
  std::ostringstream os;
  for (size_t i = 0; i < values.size(); ++i) os << (i ? ", " : "[") << values[i];
  return values.empty() ? "[]" : os.str() + "]";
}

// Twice that and an image have a size in 32 bits, which the libraries' windows count in.
inline constexpr int64_t kMostPadding = int64_t{1} << 29;

// One spatial axis. The window of output i starts at i * stride - before; an adaptive one divides the axis evenly.
template <class Dim>
struct PoolAxis {
  Dim in = 0;
  Dim kernel = 1;
  Dim before = 0;
  Dim after = 0;
  int64_t stride = 1;
  bool adaptive = false;

  // PHI's rule: a window that is larger than the padded axis is cut, as long as one output remains.
  Dim OutSize(bool ceil_mode) const {
    if (adaptive) return kernel;
    const Dim room = in + before + after - kernel + (ceil_mode ? stride - 1 : 0);
    PADDLE_ENFORCE(
        room + stride > 0,
        errors::InvalidArgument("argument 'kernel_size': expected a window that fits the padded input of size "
                                "%d, got %d (stride %d); lower kernel_size or raise paddings",
                                in + before + after,
                                kernel,
                                stride));
    return (room < 0 ? Dim(0) : room) / stride + 1;
  }
};

// The spatial axes of images (2) or of volumes (3), and their two sides each, as messages name them.
inline const char* ImageAxes(int spatial) { return spatial == 2 ? "height, width" : "depth, height, width"; }
inline const char* ImageSides(int spatial) {
  return spatial == 2 ? "top, bottom, left, right" : "front, back, top, bottom, left, right";
}

// The attributes of pooling and their meaning for an input of shape `dims`, which has 4 or 5 dimensions; makes their
// checks.
template <class Dim>
class PoolGeometry {
 public:
  PoolGeometry(const BasicDDim<Dim>& dims,
               const IntArrayBase<Dim>& kernel_size,
               const std::vector<int64_t>& strides,
               const std::vector<int64_t>& paddings,
               bool channel_last,
               bool global_pooling,
               bool adaptive,
               const std::string& padding_algorithm) {
    const int spatial = dims.size() - 2;
    Check(spatial, kernel_size, strides, paddings, global_pooling, padding_algorithm);
    const bool two_sided = static_cast<int>(paddings.size()) != spatial;
    for (int i = 0; i < spatial; ++i) {
      PoolAxis<Dim>& a = axes_[i];
      a.in = dims[channel_last ? i + 1 : i + 2];
      a.adaptive = adaptive && !global_pooling;
      a.kernel = global_pooling ? a.in : kernel_size[i];
      PADDLE_ENFORCE(!(adaptive || global_pooling) || a.in > 0,
                     errors::InvalidArgument("argument 'x': expected a %s and width above 0 (%s is true), got the "
                                             "shape %s",
                                             spatial == 2 ? "height" : "depth, height",
                                             global_pooling ? "global_pooling" : "adaptive",
                                             dims));
      a.stride = strides[i];
      if (global_pooling || adaptive || padding_algorithm == "VALID") continue;
      if (padding_algorithm == "SAME") {
        const Dim sum = ((a.in + a.stride - 1) / a.stride - 1) * a.stride + a.kernel - a.in;
        a.before = sum < 0 ? Dim(0) : sum / 2;
        a.after = sum < 0 ? Dim(0) : sum - a.before;
      } else {
        a.before = paddings[two_sided ? 2 * i : i];
        a.after = paddings[two_sided ? 2 * i + 1 : i];
      }
    }
  }

  const PoolAxis<Dim>& axis(int i) const { return axes_[i]; }

 private:
  static void Check(int spatial,
                    const IntArrayBase<Dim>& kernel_size,
                    const std::vector<int64_t>& strides,
                    const std::vector<int64_t>& paddings,
                    bool global_pooling,
                    const std::string& padding_algorithm) {
    PADDLE_ENFORCE(
        padding_algorithm == "EXPLICIT" || padding_algorithm == "SAME" || padding_algorithm == "VALID",
        errors::InvalidArgument("argument 'padding_algorithm': expected \"EXPLICIT\", \"SAME\" or \"VALID\", "
                                "got \"%s\"",
                                padding_algorithm));
    PADDLE_ENFORCE(global_pooling || static_cast<int>(kernel_size.size()) == spatial,
                   errors::InvalidArgument("argument 'kernel_size': expected %d values (%s), got %d",
                                           spatial,
                                           ImageAxes(spatial),
                                           kernel_size.size()));
    PADDLE_ENFORCE(
        static_cast<int>(strides.size()) == spatial && std::ranges::all_of(strides, IsExtent),
        errors::InvalidArgument(
            "argument 'strides': expected %d positive values below 2^31, got %s", spatial, IntsText(strides)));
    const int count = static_cast<int>(paddings.size());
    PADDLE_ENFORCE(count == spatial || count == 2 * spatial,
                   errors::InvalidArgument("argument 'paddings': expected %d values (%s) or %d (%s), got %d",
                                           spatial,
                                           ImageAxes(spatial),
                                           2 * spatial,
                                           ImageSides(spatial),
                                           count));
    for (int64_t p : paddings) {
      PADDLE_ENFORCE(
          p >= 0 && p <= kMostPadding,
          errors::InvalidArgument("argument 'paddings': expected values in [0, 2^29], got %s", IntsText(paddings)));
    }
    if (global_pooling) return;
    for (const Dim& k : kernel_size) {
      PADDLE_ENFORCE(k > 0 && k <= Dim(kInt32Max),
                     errors::InvalidArgument("argument 'kernel_size': expected positive values below 2^31, got %d", k));
    }
  }

  // PHI's programs hold them in 32 bits, so that no sum of them and of an image's size overflows.
  static constexpr int64_t kInt32Max = std::numeric_limits<int32_t>::max();
  static bool IsExtent(int64_t value) { return value > 0 && value <= kInt32Max; }

  PoolAxis<Dim> axes_[3];
};

}  // namespace phi
