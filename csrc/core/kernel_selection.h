// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/kernel_factory.h"

namespace phi {

// One key that selection looked up, and what it found.
struct SelectionStep {
  KernelKey key;
  std::string why;
  bool found;
};

// PHI's order: STRIDED; oneDNN on the CPU; the exact layout; ALL_LAYOUT; any dtype; GPUDNN -> GPU; KPS; any backend;
// the CPU by policy. `steps`, if given, receives every lookup. Throws Unimplemented when nothing fits.
KernelResult SelectKernelOrThrowError(const KernelSet& set,
                                      const KernelKey& key,
                                      bool use_strided_kernel,
                                      std::vector<SelectionStep>* steps = nullptr);

}  // namespace phi
