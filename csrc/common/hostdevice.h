// SPDX-License-Identifier: Apache-2.0
#pragma once

// A function that runs on the host and on the device.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define HOSTDEVICE __host__ __device__
#define DEVICE __device__
#define HOST __host__
#else
#define HOSTDEVICE
#define DEVICE
#define HOST
#endif
