// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/hostdevice.h"
#include "primitive/impl/types.h"
#include "primitive/scan.h"

#ifdef PHI_DEVICE_CODE
#include "primitive/gpu/scan.cuh"
#else
#include "primitive/cpu/scan.h"
#endif

namespace phi::primitive {

template <typename T, typename Context>
void ScanTensor(const DeviceContext& dev_ctx,
                const DenseTensor& x,
                const AxisShape& shape,
                const ScanOptions& options,
                DenseTensor* out) {
  detail::ScanAxis(static_cast<const Context&>(dev_ctx), shape, options, x.data<T>(), out->data<T>());
}

template <typename Context>
bool RegisterScan(Backend backend) {
  const auto scan = [](auto type) { return &ScanTensor<typename decltype(type)::Type, Context>; };
  return RegisterForTypes<Scan>(backend, scan, IntegerTypes(), FloatingTypes(), ComplexTypes());
}

}  // namespace phi::primitive
