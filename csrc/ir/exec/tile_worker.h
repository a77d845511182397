// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <deque>
#include <memory>
#include <vector>

#include "backends/cpu/cpu_context.h"
#include "core/bound_call.h"
#include "ir/exec/memory_planner.h"
#include "ir/exec/tile_loops.h"
#include "ir/exec/tiled_kernels.h"

namespace phi::ir {

// n times the value of so many bytes.
inline void Repeat(const char* value, int64_t bytes, int64_t n, char* to) {
  const auto fill = [&]<typename Bits>(Bits bits) {
    std::memcpy(&bits, value, sizeof(bits));
    std::fill_n(reinterpret_cast<Bits*>(to), n, bits);
  };
  switch (bytes) {
    case 1:
      return fill(uint8_t());
    case 2:
      return fill(uint16_t());
    case 4:
      return fill(uint32_t());
    case 8:
      return fill(uint64_t());
    default:
      for (int64_t i = 0; i < n; ++i) std::memcpy(to + i * bytes, value, bytes);
  }
}

// What a thread runs: the kernels with tensors of its own, which are aimed at one tile after another.
class TiledKernels::Worker {
 public:
  explicit Worker(const TiledKernels& of) : of_(of), spreads_(of.operands_.size()) {
    context_.SetAllocator(of.context_->GetAllocator());
    context_.SetHostAllocator(of.context_->GetAllocator());
    context_.SetGenerator(of.context_->GetGenerator());
    tensors_.resize(of.tiles_.size());
    for (const auto& [slot, tile] : of.tiles_) {
      tensors_[tile] =
          DenseTensor({.dims = {1}, .strides = {1}, .dtype = of.tensors_[slot].dtype()}, of.context_->GetPlace());
    }
    const auto is_spread = [](const Operand& operand) { return !operand.is_whole && operand.form.count > 1; };
    const size_t buffers = of.num_buffers_ + std::ranges::count_if(of.operands_, is_spread);
    memory_ = std::make_unique<char[]>(buffers * kTileBytes + kBufferAlignment);
    const auto begin = reinterpret_cast<uintptr_t>(memory_.get());
    char* buffer = memory_.get() + (kBufferAlignment - begin % kBufferAlignment) % kBufferAlignment;
    for (const auto& [slot, number] : of.buffers_) {
      tensors_[of.tiles_.at(slot)].Borrow(of.context_->GetPlace(), buffer + number * kTileBytes);
    }
    buffer += of.num_buffers_ * kTileBytes;
    for (size_t i = 0; i < spreads_.size(); ++i) {
      if (!is_spread(of.operands_[i])) continue;
      spreads_[i].buffer = buffer;
      buffer += kTileBytes;
    }
    part_memory_.start.resize(tensors_.size());
    for (const DenseTensor& tensor : tensors_)
      part_memory_.bytes.push_back(static_cast<int64_t>(SizeOf(tensor.dtype())));
    for (size_t i = 0; i < of.operands_.size(); ++i) {
      if (!of.operands_[i].is_whole && !is_spread(of.operands_[i])) part_memory_.bytes[i] = 0;
    }
    for (const Action& kernel : of.kernels_) Bind(kernel);
  }

  void Run(int64_t begin, int64_t end) {
    for (Spread& spread : spreads_) spread.n = 0;  // of another run
    bool has_loops = false;
    if (end - begin > kNoted) {  // a functor may hold what was a tensor's value, so each run takes the loops anew
      has_loops = TakeLoops(begin);
      begin += kNoted;
    }
    const bool is_chain = has_loops && loops_.is_one_chain() &&
                          std::ranges::all_of(spreads_, [](const Spread& spread) { return spread.buffer == nullptr; });
    while (begin < end) {
      // values in registers need no tiles, each of which begins by reading what the tensors have pushed out of the
      // caches
      const int64_t tiles = is_chain ? std::max<int64_t>(1, (end - begin) / of_.size_) : 1;
      const int64_t n = std::min(tiles * of_.size_, end - begin);
      Aim(begin, n);
      if (has_loops) {
        RunLoops(n);
      } else {
        for (const BoundCall& call : bound_) call.run(call.bound.get());
      }
      begin += n;
    }
    if (has_loops && stream_) std::atomic_thread_fence(std::memory_order_seq_cst);
  }

 private:
  static constexpr int64_t kNoted = 256;  // elements, which the kernels compute to have their loops noted

  // What a buffer holds: n elements from that row or channel on, where it holds one alone.
  struct Spread {
    char* buffer = nullptr;
    int64_t from = 0;
    int64_t n = 0;
  };

  // Calls the kernels for the first elements of what is to be done, and notes their loops. False if there is one of
  // which the loops are not all that it does.
  bool TakeLoops(int64_t begin) {
    Aim(begin, kNoted);
    loops_.Clear();
    bool are_all = true;
    std::vector<ElementwiseLoop> noted;
    context_.NoteLoopsIn(&noted);
    for (size_t i = 0; i < bound_.size(); ++i) {
      noted.clear();
      bound_[i].run(bound_[i].bound.get());
      are_all = are_all && !noted.empty() && std::ranges::all_of(noted, [&](const ElementwiseLoop& loop) {
                  return loop.run != nullptr && AddLoop(loop, of_.kernels_[i]);
                });
    }
    context_.NoteLoopsIn(nullptr);
    if (are_all) loops_.Chain(0);
    const void* const written = of_.operands_[0].tensor->data();
    stream_ = of_.count_ * of_.operands_[0].bytes > kStreamBytes &&
              std::ranges::none_of(of_.operands_.begin() + 1, of_.operands_.end(), [&](const Operand& operand) {
                return operand.tensor->data() == written;
              });
    return are_all;
  }

  // False for one that goes through memory which is of none of the kernel's tensors, or of two.
  bool AddLoop(const ElementwiseLoop& loop, const Action& kernel) {
    TileLoops::Loop added{loop, {}};
    const int output = of_.tiles_.at(kernel.step->outputs[0][0]);
    for (int k = 0; k < loop.operands; ++k) {
      const auto is_here = [&](int tile) { return tensors_[tile].data() == loop.data[k]; };
      int found = -1;
      if (k > 0) {
        for (const Slots& slots : kernel.inputs()) {
          const int tile = of_.tiles_.at(slots[0]);
          if (!is_here(tile) || tile == found) continue;
          if (found >= 0) return false;
          found = tile;
        }
      }
      if (found < 0 && is_here(output)) found = output;
      if (found < 0) return false;
      added.tensors[k] = found;
    }
    loops_.Add(added);
    return added.tensors[0] == output;
  }

  void RunLoops(int64_t n) {
    for (size_t i = 0; i < tensors_.size(); ++i) part_memory_.start[i] = static_cast<char*>(tensors_[i].data());
    const int64_t part = loops_.is_one_chain() ? n : of_.part_;
    for (int64_t at = 0; at < n; at += part) {
      loops_.Run(part_memory_, std::min(part, n - at), stream_);
      for (size_t i = 0; i < of_.operands_.size(); ++i) part_memory_.start[i] += part * part_memory_.bytes[i];
    }
  }

  void Bind(const Action& kernel) {
    const auto to_tiles = [&](std::vector<Slots> all) {
      for (Slots& slots : all) {
        for (int& slot : slots) slot = of_.tiles_.at(slot);
      }
      return all;
    };
    KernelContext& call = calls_.emplace_back(&context_);
    AddArguments(kernel.chosen(),
                 to_tiles(kernel.inputs()),
                 kernel.attributes(),
                 to_tiles(kernel.step->outputs),
                 &tensors_,
                 &call);
    bound_.push_back(phi::Bind(kernel.chosen().kernel(), &call));
  }

  void Aim(int64_t begin, int64_t n) {
    if (n != n_) {
      for (size_t i = 0; i < tensors_.size(); ++i) {
        const bool is_scalar = i < spreads_.size() && of_.operands_[i].form.count == 1 && !of_.operands_[i].is_whole;
        tensors_[i].Resize({is_scalar ? 1 : n});
      }
      n_ = n;
    }
    for (size_t i = 0; i < spreads_.size(); ++i) {
      const Operand& operand = of_.operands_[i];
      tensors_[i].Borrow(tensors_[i].place(), const_cast<char*>(Part(operand, begin, n, &spreads_[i])));
    }
  }

  // The elements of an operand for n of the result.
  static const char* Part(const Operand& operand, int64_t begin, int64_t n, Spread* spread) {
    const auto* data = static_cast<const char*>(operand.tensor->data());
    const auto [inner, count] = operand.form;
    const int64_t bytes = operand.bytes;
    if (operand.is_whole) return data + begin * bytes;
    if (count == 1) return data;
    const int64_t from = begin / inner % count;
    if (inner == 1 && from + n <= count) return data + from * bytes;
    const bool is_repeated = inner == 1 || begin % inner + n <= inner;
    if (is_repeated && from == spread->from && n <= spread->n) return spread->buffer;
    for (int64_t i = 0; i < n;) {
      const int64_t at = (begin + i) / inner % count;
      const int64_t run = std::min(inner == 1 ? count - at : inner - (begin + i) % inner, n - i);
      if (inner == 1) {
        std::memcpy(spread->buffer + i * bytes, data + at * bytes, run * bytes);
      } else {
        Repeat(data + at * bytes, bytes, run, spread->buffer + i * bytes);
      }
      i += run;
    }
    spread->from = from;
    spread->n = is_repeated ? n : 0;
    return spread->buffer;
  }

  const TiledKernels& of_;
  CPUContext context_;
  std::vector<Spread> spreads_;  // by operand
  std::vector<DenseTensor> tensors_;
  std::unique_ptr<char[]> memory_;
  std::deque<KernelContext> calls_;
  std::vector<BoundCall> bound_;
  TileLoops loops_;
  TileLoops::Memory part_memory_;
  bool stream_ = false;
  int64_t n_ = -1;
};

}  // namespace phi::ir
