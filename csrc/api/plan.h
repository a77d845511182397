// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "api/data_transform.h"
#include "core/kernel_selection.h"

namespace phi {

// A tensor that is changed before the kernel gets it.
struct PlannedTransform {
  std::string argument;
  DataTransform what;
  bool operator==(const PlannedTransform& o) const = default;
};

// How a call is carried out: which kernel, on what, and why. A value: it holds no tensor and no memory of a caller's,
// so it can be kept, compared, and printed. Kernels are never freed, so the kernel stays the one it was, even when a
// library registers another or a flag changes; whoever wants that one makes a new plan.
struct Plan {
  std::string op;  // with its namespace; the kernel's name for a call that no operator makes
  std::string kernel_name;
  CallRule rule;                             // what the operator's entry allows
  KernelKey key;                             // what the inputs ask for
  KernelResult selected;                     // what runs
  Place place;                               // where the kernel runs
  Place result_place;                        // where the results belong: another place after a fallback to the CPU
  std::vector<PlannedTransform> transforms;  // of the tensors that the plan was made for
  std::vector<std::string> sources;          // where each part of the key came from
  std::vector<SelectionStep> steps;          // the keys that were looked up

  const Kernel& kernel() const { return *selected.kernel; }
  bool operator==(const Plan& o) const;
};
// "phi::add key (CPU, ALL_LAYOUT, float32) -> add (CPU, ALL_LAYOUT, float32) at add.h:17 [x: make contiguous]"
std::ostream& operator<<(std::ostream& os, const Plan& plan);

}  // namespace phi
