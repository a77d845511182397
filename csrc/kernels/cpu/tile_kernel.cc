// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/tile_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(tile, CPU, ALL_LAYOUT, phi::TileKernel, PHI_ALL_DTYPES) {}
