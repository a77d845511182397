// SPDX-License-Identifier: Apache-2.0
#include "backends/emulated/launch.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include "backends/emulated/block.h"
#include "backends/emulated/devices.h"
#include "backends/emulated/memory.h"
#include "backends/emulated/settings.h"
#include "backends/emulated/shared_memory.h"

namespace phi::emulated {

namespace {

constexpr size_t kMostShared = 48 << 10;  // static shared memory of a block

Block& CurrentBlock() {
  static Block& block = *new Block;  // never destroyed: kernels may run while the process ends
  return block;
}

std::vector<uint64_t> BlockOrder(uint64_t blocks, Order order, std::mt19937_64& random) {
  std::vector<uint64_t> numbers(blocks);
  std::iota(numbers.begin(), numbers.end(), 0);
  if (order == Order::kDescending) std::reverse(numbers.begin(), numbers.end());
  if (order == Order::kRandom) std::shuffle(numbers.begin(), numbers.end(), random);
  return numbers;
}

}  // namespace

Settings& CurrentSettings() {
  static Settings settings;
  return settings;
}

bool IsValid(dim3 grid, dim3 block) {
  const uint64_t threads = uint64_t{block.x} * block.y * block.z;
  return grid.x > 0 && grid.y > 0 && grid.z > 0 && grid.x <= 0x7fffffff && grid.y <= 65535 && grid.z <= 65535 &&
         threads > 0 && threads <= 1024 && block.z <= 64;
}

int64_t MostBlocks() { return int64_t{2} * CurrentSettings().processors; }

void RunGrid(dim3 grid, dim3 block, const std::function<void()>& kernel) {
  static std::mutex mutex;
  static SharedMemory shared;
  const std::lock_guard<std::mutex> lock(mutex);
  const Access access(CurrentDevice());
  const Settings settings = CurrentSettings();
  std::mt19937_64 random(settings.seed);
  grid_size = grid;
  bool is_first = true;
  for (const uint64_t b : BlockOrder(uint64_t{grid.x} * grid.y * grid.z, settings.order, random)) {
    block_index = {static_cast<unsigned>(b % grid.x),
                   static_cast<unsigned>(b / grid.x % grid.y),
                   static_cast<unsigned>(b / grid.x / grid.y)};
    shared.Fill();
    CurrentBlock().Run(block, kernel, settings, random);
    if (is_first && shared.Used() > kMostShared) {
      throw std::runtime_error("emulated GPU: a kernel has more than 48 KB of static shared memory");
    }
    is_first = false;
  }
}

void Barrier(const char* file, int line) { CurrentBlock().Barrier({file, line}); }

void Exchange(
    unsigned mask, unsigned lane, const void* given, void* received, size_t size, const char* file, int line) {
  CurrentBlock().Exchange(mask, lane, given, received, size, {file, line});
}

}  // namespace phi::emulated
