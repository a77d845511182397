// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/meta_tensor.h"
#include "infermeta/pool.h"
#include "infermeta/pooling.h"
#include "infermeta/set_contiguous.h"

// InferMeta of fractional_max_pool2d and 3d.
namespace phi {

template <class Dim>
void SetFractionalPool(int spatial,
                       const MetaTensor<Dim>& x,
                       const std::vector<int>& output_size,
                       const std::vector<int>& kernel_size,
                       double random_u,
                       MetaTensor<Dim>* out,
                       MetaTensor<Dim>* mask) {
  CheckPoolRank(spatial, x);
  const auto check = [&](const char* name, const std::vector<int>& sizes, int least) {
    PADDLE_ENFORCE(
        static_cast<int>(sizes.size()) == spatial,
        errors::InvalidArgument(
            "argument '%s': expected %d values (%s), got %d", name, spatial, ImageAxes(spatial), sizes.size()));
    for (const int size : sizes) {
      PADDLE_ENFORCE(
          size >= least,
          errors::InvalidArgument("argument '%s': expected values of at least %d, got %d", name, least, size));
    }
  };
  check("output_size", output_size, 1);
  check("kernel_size", kernel_size, 0);
  PADDLE_ENFORCE(random_u >= 0 && random_u < 1,
                 errors::InvalidArgument(
                     "argument 'random_u': expected a number in (0, 1), or 0 for a random one, got %f", random_u));
  BasicDDim<Dim> dims{x.dims(0), x.dims(1)};
  for (int i = 0; i < spatial; ++i) {
    const int64_t count = output_size[i];
    const int64_t least = kernel_size[i] > 0 ? count - 1 + kernel_size[i] : count;
    PADDLE_ENFORCE(x.dims(i + 2) >= least,
                   errors::InvalidArgument("argument 'x': expected a size of at least %d along axis %d for %d windows, "
                                           "got the shape %s",
                                           least,
                                           i + 2,
                                           count,
                                           x.dims()));
    dims.push_back(Dim(count));
  }
  SetContiguous(dims, x.dtype(), out);
  SetContiguous(dims, DataType::INT32, mask);
}

template <class Dim>
void FractionalMaxPool2DInferMeta(const MetaTensor<Dim>& x,
                                  const std::vector<int>& output_size,
                                  const std::vector<int>& kernel_size,
                                  double random_u,
                                  MetaTensor<Dim>* out,
                                  MetaTensor<Dim>* mask) {
  SetFractionalPool(2, x, output_size, kernel_size, random_u, out, mask);
}

template <class Dim>
void FractionalMaxPool3DInferMeta(const MetaTensor<Dim>& x,
                                  const std::vector<int>& output_size,
                                  const std::vector<int>& kernel_size,
                                  double random_u,
                                  MetaTensor<Dim>* out,
                                  MetaTensor<Dim>* mask) {
  SetFractionalPool(3, x, output_size, kernel_size, random_u, out, mask);
}

}  // namespace phi
