// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace phi {

// The threads that kernels on the CPU divide their work among. Whoever has threads installs them, as torch does where
// it is loaded; a program that installs none computes in the thread that calls.
class ThreadPool {
 public:
  using Range = void (*)(const void* body, int64_t begin, int64_t end);

  virtual ~ThreadPool() = default;
  // Calls range(body, begin, end) for parts of [0, n) of at least `grain`, which together are all of it, and returns
  // when the last call has. What a call throws is thrown here.
  virtual void Run(int64_t n, int64_t grain, Range range, const void* body) const = 0;
  virtual int size() const = 0;
  // Whether this thread is in a call of Run, within which another one makes no more threads.
  virtual bool is_running() const = 0;

  static const ThreadPool& Current() { return *current_.load(std::memory_order_acquire); }
  // `pool` is never destroyed.
  static void Install(const ThreadPool* pool) { current_.store(pool, std::memory_order_release); }

 private:
  static std::atomic<const ThreadPool*> current_;
};

// Calls range(begin, end) for parts of [0, n) of at least `grain`, in parallel when there are several: a small n does
// not enter the thread pool, which takes as long as a small kernel.
template <typename Body>
void ParallelFor(int64_t n, int64_t grain, const Body& range) {
  if (n <= 0) return;
  if (n <= grain) return range(int64_t{0}, n);
  const auto call = [](const void* body, int64_t begin, int64_t end) { (*static_cast<const Body*>(body))(begin, end); };
  ThreadPool::Current().Run(n, grain, call, &range);
}

}  // namespace phi
