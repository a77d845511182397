// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/meta_tensor.h"
#include "infermeta/data_types.h"
#include "infermeta/nn.h"
#include "infermeta/pooling.h"
#include "infermeta/set_contiguous.h"

namespace phi {

template <class Dim>
void GroupNormInferMeta(const MetaTensor<Dim>& x,
                        const MetaTensor<Dim>& scale,
                        const MetaTensor<Dim>& bias,
                        int64_t groups,
                        const std::string& data_format,
                        MetaTensor<Dim>* y,
                        MetaTensor<Dim>* mean,
                        MetaTensor<Dim>* variance) {
  const int rank = x.dims().size();
  PADDLE_ENFORCE(rank >= 2,
                 errors::InvalidArgument("argument 'x': expected at least 2 dimensions, got the shape %s", x.dims()));
  const Dim channels = x.dims(IsChannelLast(data_format) ? rank - 1 : 1);
  PADDLE_ENFORCE(groups > 0 && channels / groups * groups == channels,
                 errors::InvalidArgument(
                     "argument 'groups': expected a divisor of the %d channels of 'x', got %d", channels, groups));
  CheckNormParameter("scale", scale, channels, x.dtype());
  CheckNormParameter("bias", bias, channels, x.dtype());
  const BasicDDim<Dim> statistics{x.dims(0), Dim(groups)};
  SetContiguous(x.dims(), x.dtype(), y);
  SetContiguous(statistics, AccumulateType(x.dtype()), mean);
  SetContiguous(statistics, AccumulateType(x.dtype()), variance);
}

// A group is a channel; the statistics of all of them are vectors.
template <class Dim>
void InstanceNormInferMeta(const MetaTensor<Dim>& x,
                           const MetaTensor<Dim>& scale,
                           const MetaTensor<Dim>& bias,
                           double epsilon,
                           MetaTensor<Dim>* y,
                           MetaTensor<Dim>* saved_mean,
                           MetaTensor<Dim>* saved_variance) {
  const int rank = x.dims().size();
  PADDLE_ENFORCE(rank >= 2 && rank <= 5,
                 errors::InvalidArgument("argument 'x': expected 2 to 5 dimensions, got the shape %s", x.dims()));
  PADDLE_ENFORCE(epsilon >= 0, errors::InvalidArgument("argument 'epsilon': expected a value >= 0, got %f", epsilon));
  CheckNormParameter("scale", scale, x.dims(1), x.dtype());
  CheckNormParameter("bias", bias, x.dims(1), x.dtype());
  const BasicDDim<Dim> statistics{x.dims(0) * x.dims(1)};
  SetContiguous(x.dims(), x.dtype(), y);
  SetContiguous(statistics, AccumulateType(x.dtype()), saved_mean);
  SetContiguous(statistics, AccumulateType(x.dtype()), saved_variance);
}

}  // namespace phi
