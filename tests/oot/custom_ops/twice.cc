// SPDX-License-Identifier: Apache-2.0
// An operator that errors.cc declares too.
#include "paddle/extension.h"

std::vector<paddle::Tensor> Again(const paddle::Tensor& x) { return {x}; }
PD_BUILD_OP(twice).Inputs({"X"}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(Again));
