// SPDX-License-Identifier: Apache-2.0
#include "api/plan.h"

#include <algorithm>
#include <tuple>

namespace phi {

bool Plan::operator==(const Plan& o) const {
  const auto whole = [](const Plan& p) {
    return std::tie(p.op,
                    p.kernel_name,
                    p.key,
                    p.selected.kernel,
                    p.selected.key,
                    p.place,
                    p.result_place,
                    p.transforms,
                    p.sources);
  };
  const auto same = [](const SelectionStep& a, const SelectionStep& b) {
    return a.key == b.key && a.why == b.why && a.found == b.found;
  };
  return whole(*this) == whole(o) && std::equal(steps.begin(), steps.end(), o.steps.begin(), o.steps.end(), same);
}

std::ostream& operator<<(std::ostream& os, const Plan& plan) {
  os << plan.op << " key " << plan.key << " -> " << plan.kernel_name << ' ' << plan.selected.key << " at "
     << plan.kernel().file() << ':' << plan.kernel().line();
  if (plan.selected.has_fallback_cpu) os << " [CPU fallback]";
  for (const PlannedTransform& t : plan.transforms) os << " [" << t.argument << ": " << t.what << ']';
  return os;
}

}  // namespace phi
