// SPDX-License-Identifier: Apache-2.0
#include "core/parallel.h"

namespace phi {

namespace {

class CallingThread final : public ThreadPool {
 public:
  void Run(int64_t n, int64_t, Range range, const void* body) const override { range(body, 0, n); }
  int size() const override { return 1; }
  bool is_running() const override { return false; }
};

constinit const CallingThread calling_thread;

}  // namespace

constinit std::atomic<const ThreadPool*> ThreadPool::current_{&calling_thread};

}  // namespace phi
