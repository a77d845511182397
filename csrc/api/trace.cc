// SPDX-License-Identifier: Apache-2.0
#include "api/trace.h"

#include <cstdio>
#include <sstream>
#include <utility>

namespace phi {

namespace {
thread_local std::vector<Plan>* g_plans = nullptr;
}

Tracer::Tracer(std::vector<Plan>* plans) : previous_(std::exchange(g_plans, plans)) {
  detail::tracers.fetch_add(1, std::memory_order_relaxed);
}
Tracer::~Tracer() {
  detail::tracers.fetch_sub(1, std::memory_order_relaxed);
  g_plans = previous_;
}
std::vector<Plan>* Tracer::Current() { return g_plans; }

bool Observe(Plan plan) {
  if (g_plans != nullptr) {
    g_plans->push_back(std::move(plan));
    return false;
  }
  std::ostringstream os;
  os << plan << '\n';
  std::fputs(os.str().c_str(), stderr);
  return true;
}

}  // namespace phi
