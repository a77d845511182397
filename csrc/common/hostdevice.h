// SPDX-License-Identifier: Apache-2.0
#pragma once

// PHI_DEVICE_CODE: the compiler takes code for GPUs. The emulated GPU defines it for the host's compiler.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define PHI_DEVICE_CODE
#endif

// A function that runs on the host and on the device.
#ifdef PHI_DEVICE_CODE
#define HOSTDEVICE __host__ __device__
#define DEVICE __device__
#define HOST __host__
#else
#define HOSTDEVICE
#define DEVICE
#define HOST
#endif
