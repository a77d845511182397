// SPDX-License-Identifier: Apache-2.0
#include "api/op_site.h"

#include <cstdio>
#include <sstream>

#include "common/flags.h"

namespace phi {

void OpSite::WarnFallback(const KernelKey& key) const {
  if (Flags::Instance().cpu_fallback != static_cast<int>(FallbackPolicy::kWarn) || warned_.exchange(true)) return;
  std::ostringstream os;
  os << op_ << ": no kernel for " << key << "; the data is copied to the CPU and back (shown once; set the flag "
     << "cpu_fallback to 'error' or 'silent')\n";
  std::fputs(os.str().c_str(), stderr);
}

}  // namespace phi
