// SPDX-License-Identifier: Apache-2.0
#include "backends/emulated/block.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace phi::emulated {

uint3 thread_index, block_index;
dim3 block_size, grid_size;

namespace {

// Unwinds the stack of a thread whose block has failed.
struct Abandoned {};

[[noreturn]] void Fail(const std::string& what) { throw std::runtime_error("emulated GPU: " + what); }

}  // namespace

void Block::Run(dim3 size, const std::function<void()>& kernel, const Settings& settings, std::mt19937_64& random) {
  kernel_ = &kernel;
  block_size = size;
  threads_.clear();
  for (unsigned z = 0; z < size.z; ++z) {
    for (unsigned y = 0; y < size.y; ++y) {
      for (unsigned x = 0; x < size.x; ++x) threads_.emplace_back().index = {x, y, z};
    }
  }
  warps_.clear();
  for (size_t first = 0; first < threads_.size(); first += kWarp) warps_.push_back(first);
  done_ = 0;
  try {
    for (;;) {
      Sort(&warps_, settings, random);
      for (const size_t first : warps_) RunWarp(first, settings, random);
      if (done_ == threads_.size()) break;
      ReleaseBarrier();
    }
  } catch (...) {
    failure_ = std::current_exception();
  }
  if (failure_) Abandon();  // not while an exception is caught: theirs end the other threads
}

void Block::Sort(std::vector<size_t>* numbers, const Settings& settings, std::mt19937_64& random) {
  std::sort(numbers->begin(), numbers->end());
  if (settings.order == Order::kDescending) std::reverse(numbers->begin(), numbers->end());
  if (settings.order == Order::kRandom) std::shuffle(numbers->begin(), numbers->end(), random);
}

// Until its threads have returned or wait for the block.
void Block::RunWarp(size_t first, const Settings& settings, std::mt19937_64& random) {
  const size_t last = std::min(first + kWarp, threads_.size());
  for (;;) {
    ready_.clear();
    for (size_t i = first; i < last; ++i) {
      if (threads_[i].state == State::kNew || threads_[i].state == State::kReady) ready_.push_back(i);
    }
    if (ready_.empty()) return;
    Sort(&ready_, settings, random);
    next_ = 0;
    while (next_ < ready_.size()) {
      Resume(ready_[next_++]);
      if (failure_) std::rethrow_exception(failure_);
    }
    ReleaseWarp(first);
  }
}

void Block::Resume(size_t i) {
  current_ = &threads_[i];
  if (current_->fiber == nullptr) {
    if (idle_.empty()) idle_.push_back(fibers_.emplace_back(std::make_unique<Fiber>(&Body, this)).get());
    current_->fiber = idle_.back();
    idle_.pop_back();
  }
  thread_index = current_->index;
  current_->state = State::kReady;
  current_->fiber->Resume();
}

// What a fiber does: thread after thread, as long as they are new ones.
void Block::RunThreads() {
  for (;;) {
    try {
      (*kernel_)();
    } catch (const Abandoned&) {
    } catch (...) {
      if (!failure_) failure_ = std::current_exception();
    }
    Fiber* fiber = std::exchange(current_->fiber, nullptr);
    current_->state = State::kDone;
    ++done_;
    if (!failure_ && next_ < ready_.size() && threads_[ready_[next_]].state == State::kNew) {
      current_ = &threads_[ready_[next_++]];
      current_->fiber = fiber;
      current_->state = State::kReady;
      thread_index = current_->index;
    } else {
      idle_.push_back(fiber);
      fiber->Wait();
    }
  }
}

void Block::WaitAs(State state, Line line) {
  current_->state = state;
  current_->line = line;
  current_->fiber->Wait();
  if (abandoned_) throw Abandoned();
}

void Block::Barrier(Line line) { WaitAs(State::kAtBarrier, line); }

void Block::Exchange(unsigned mask, unsigned lane, const void* given, void* received, size_t size, Line line) {
  Thread* self = current_;
  self->mask = mask;
  self->lane = lane;
  std::memcpy(self->given, given, size);
  WaitAs(State::kExchanging, line);
  std::memcpy(received, self->received, size);
}

// Lets those lanes of the warp go on that exchange values: nobody else will come.
void Block::ReleaseWarp(size_t first) {
  const size_t last = std::min(first + kWarp, threads_.size());
  for (size_t i = first; i < last; ++i) {
    if (threads_[i].state == State::kExchanging) ReleaseLanes(first, i);
  }
}

void Block::ReleaseLanes(size_t first, size_t lead) {
  const unsigned mask = threads_[lead].mask;
  const Line line = threads_[lead].line;
  const auto in_mask = [mask](size_t lane) { return (mask >> lane & 1) != 0; };
  if (!in_mask(lead - first))
    Fail("lane " + std::to_string(lead - first) + " is not in its own mask at " + line.Text());
  for (size_t lane = 0; lane < kWarp; ++lane) {
    if (!in_mask(lane)) continue;
    if (first + lane >= threads_.size()) Fail("the mask at " + line.Text() + " has lanes that the block lacks");
    const Thread& thread = threads_[first + lane];
    if (thread.state != State::kExchanging || thread.mask != mask || thread.line != line) {
      Fail("lane " + std::to_string(lane) + " of the mask does not come to " + line.Text());
    }
    if (!in_mask(thread.lane)) Fail("a lane reads from one that is not in the mask at " + line.Text());
  }
  for (size_t lane = 0; lane < kWarp; ++lane) {
    if (!in_mask(lane)) continue;
    Thread& thread = threads_[first + lane];
    std::memcpy(thread.received, threads_[first + thread.lane].given, sizeof thread.received);
    thread.state = State::kReady;
  }
}

void Block::ReleaseBarrier() {
  const auto waits = [](const Thread& thread) { return thread.state == State::kAtBarrier; };
  const Line line = std::find_if(threads_.begin(), threads_.end(), waits)->line;
  for (size_t i = 0; i < threads_.size(); ++i) {
    if (threads_[i].state == State::kDone) Fail("a thread has returned while others wait at " + line.Text());
    if (threads_[i].line != line) Fail("threads wait at " + line.Text() + " and at " + threads_[i].line.Text());
    threads_[i].state = State::kReady;
  }
}

// Ends all threads that wait, and raises the failure.
void Block::Abandon() {
  abandoned_ = true;
  for (Thread& thread : threads_) {
    if (thread.fiber == nullptr) continue;
    current_ = &thread;
    thread.fiber->Resume();
  }
  abandoned_ = false;
  std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace phi::emulated
