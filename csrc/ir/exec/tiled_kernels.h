// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/device_context.h"
#include "ir/exec/schedule.h"

namespace phi::ir {

inline constexpr int64_t kTileBytes = 64 << 10;  // of a tensor: several fit the second cache, and calls cost little
inline constexpr int64_t kPartBytes = 8 << 10;   // of a tile, on which bare loops run: several fit the first cache
inline constexpr int64_t kLeastTiledBytes = 64 << 10;  // of the result: below, what a run costs outweighs what it saves

// How a tensor is broadcast to another: element i of that is element i / inner % count of it.
struct TileForm {
  int64_t inner = 1;
  int64_t count = 1;
};
// Nothing for a tensor that is not contiguous, or that is broadcast in another way.
std::optional<TileForm> TileFormOf(const DenseTensor& tensor, const DDim& whole);

// The elementwise kernels of a fused operation, bound to tiles: parts of their tensors that stay in the cache
// from one kernel to the next. A vector or a number for each channel is spread over a tile; what only later kernels
// read has no more memory than a tile. Kernels are called for the first elements of a run; where each of them is one
// loop, or several, the loops go through the other parts without them.
class TiledKernels {
 public:
  // `kernels`, `tensors`, by slot, and the context stay where they are; the tensors' memory may change from run to run.
  TiledKernels(const std::vector<Action>& kernels, DeviceContext* context, std::vector<DenseTensor>* tensors);
  ~TiledKernels();

  void Run();

 private:
  class Worker;  // of one thread

  // A tensor that is more than its tile.
  struct Operand {
    const DenseTensor* tensor;
    int64_t bytes;  // of an element
    TileForm form;
    bool is_whole;  // has an element for each of the result
  };

  int64_t ElementBytes(int slot) const { return static_cast<int64_t>(SizeOf(tensors_[slot].dtype())); }
  void AddOperand(int slot);
  // The buffers of what only later kernels read: its number by slot, and how many there are.
  void AssignBuffers();

  const std::vector<Action>& kernels_;
  DeviceContext* const context_;
  const std::vector<DenseTensor>& tensors_;
  int64_t count_;                         // elements of the result
  int64_t size_ = kTileBytes;             // elements of a tile
  int64_t part_ = kPartBytes;             // elements of a part of it
  std::vector<Operand> operands_;         // the first tensors of a worker
  std::unordered_map<int, int> tiles_;    // slot -> place among the tensors of a worker
  std::unordered_map<int, int> buffers_;  // slot -> buffer
  int num_buffers_ = 0;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> idle_;
};

}  // namespace phi::ir
