// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "backends/emulated/fiber.h"
#include "backends/emulated/settings.h"
#include "backends/emulated/thread_index.h"

namespace phi::emulated {

// A line of device code at which threads wait.
struct Line {
  const char* file = nullptr;
  int number = 0;
  bool operator==(const Line& o) const = default;
  std::string Text() const { return std::string(file) + ":" + std::to_string(number); }
};

// The threads of a block, warp after warp: each thread runs until it waits, and its warp until all of its threads have
// returned or wait for the block. What would hang on a device, or have no meaning there, raises an error.
class Block {
 public:
  // Runs the kernel for all threads of a block of this size, in the order of the settings.
  void Run(dim3 size, const std::function<void()>& kernel, const Settings& settings, std::mt19937_64& random);

  // For a thread: waits for all threads of the block.
  void Barrier(Line line);
  // For a thread: waits for the lanes of `mask`, then gets what `lane` gave. `size` is at most 8 bytes.
  void Exchange(unsigned mask, unsigned lane, const void* given, void* received, size_t size, Line line);

 private:
  static constexpr size_t kWarp = 32;

  enum class State { kNew, kReady, kAtBarrier, kExchanging, kDone };

  struct Thread {
    uint3 index;
    State state = State::kNew;
    Fiber* fiber = nullptr;
    Line line;
    unsigned mask = 0;
    unsigned lane = 0;
    unsigned char given[8];
    unsigned char received[8];
  };

  static void Body(void* block) { static_cast<Block*>(block)->RunThreads(); }
  void RunThreads();
  void Resume(size_t i);
  void WaitAs(State state, Line line);
  static void Sort(std::vector<size_t>* numbers, const Settings& settings, std::mt19937_64& random);
  void RunWarp(size_t first, const Settings& settings, std::mt19937_64& random);
  void ReleaseWarp(size_t first);
  void ReleaseLanes(size_t first, size_t lead);
  void ReleaseBarrier();
  void Abandon();

  const std::function<void()>* kernel_ = nullptr;
  std::vector<Thread> threads_;
  std::vector<size_t> warps_;  // their first threads, in the order in which they run
  std::vector<size_t> ready_;  // those of a warp that need not wait, in the order in which they run
  size_t next_ = 0;            // of ready_
  Thread* current_ = nullptr;
  size_t done_ = 0;
  bool abandoned_ = false;
  std::exception_ptr failure_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> idle_;
};

}  // namespace phi::emulated
