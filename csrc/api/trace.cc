// SPDX-License-Identifier: Apache-2.0
#include "api/trace.h"

#include <cstdio>
#include <sstream>

namespace phi {

namespace {
thread_local std::vector<CallRecord>* g_records = nullptr;
}

Tracer::Tracer(std::vector<CallRecord>* records) : previous_(g_records) {
  g_records = records;
  detail::tracers.fetch_add(1, std::memory_order_relaxed);
}
Tracer::~Tracer() {
  detail::tracers.fetch_sub(1, std::memory_order_relaxed);
  g_records = previous_;
}
std::vector<CallRecord>* Tracer::Current() { return g_records; }

void Observe(const CallRecord& record) {
  if (g_records != nullptr) {
    g_records->push_back(record);
    throw TraceStop();
  }
  std::ostringstream os;
  os << record.op << " key " << record.key << " -> " << record.kernel_name << ' ' << record.result.key << " at "
     << record.result.kernel->file() << ':' << record.result.kernel->line();
  if (record.result.has_fallback_cpu) os << " [CPU fallback]";
  for (const TransformRecord& t : record.transforms) os << " [" << t.argument << ": " << t.what << ']';
  os << '\n';
  std::fputs(os.str().c_str(), stderr);
}

}  // namespace phi
