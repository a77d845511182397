// SPDX-License-Identifier: Apache-2.0
#include "ir/exec/tiled_kernels.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "common/ceil_div.h"
#include "core/parallel.h"
#include "ir/exec/tile_worker.h"
#include "ir/shape/shared_dims.h"

namespace phi::ir {

namespace {

constexpr int64_t kGrain = 32768;  // elements that are worth a thread

}  // namespace

std::optional<TileForm> TileFormOf(const DenseTensor& tensor, const DDim& whole) {
  using Sizes = std::span<const int64_t>;
  const Sizes all(whole.begin(), whole.end());
  const auto shared = SharedDims<int64_t>(Sizes(tensor.dims().begin(), tensor.dims().end()), all);
  if (!tensor.is_contiguous() || !shared) return std::nullopt;
  const auto count = [&](size_t begin, size_t end) {
    return std::accumulate(all.begin() + begin, all.begin() + end, int64_t{1}, std::multiplies<>());
  };
  return TileForm{count(shared->second, all.size()), count(shared->first, shared->second)};
}

TiledKernels::TiledKernels(const std::vector<Action>& kernels,
                           DeviceContext* context,
                           std::vector<DenseTensor>* tensors)
    : kernels_(kernels), context_(context), tensors_(*tensors) {
  const int result = kernels.back().step->outputs[0][0];
  count_ = tensors_[result].numel();
  AddOperand(result);
  AssignBuffers();
  int64_t widest = 1;
  for (const auto& [slot, tile] : tiles_) widest = std::max(widest, ElementBytes(slot));
  size_ = kTileBytes / widest;
  int64_t row = 1;  // tiles of whole rows have the same vector
  for (const Operand& operand : operands_) {
    if (operand.form.inner == 1 && operand.form.count <= size_) row = std::max(row, operand.form.count);
  }
  size_ -= size_ % row;
  part_ = kPartBytes / widest;
  part_ = part_ > row ? part_ - part_ % row : row;
}

TiledKernels::~TiledKernels() = default;

void TiledKernels::AddOperand(int slot) {
  if (!tiles_.emplace(slot, static_cast<int>(tiles_.size())).second) return;
  const DenseTensor& tensor = tensors_[slot];
  const DDim& whole = tensors_[kernels_.back().step->outputs[0][0]].dims();
  operands_.push_back({&tensor, ElementBytes(slot), *TileFormOf(tensor, whole), tensor.numel() == count_});
}

void TiledKernels::AssignBuffers() {
  std::unordered_map<int, size_t> last;  // kernel that reads it
  for (size_t i = 0; i < kernels_.size(); ++i) {
    for (const Slots& slots : kernels_[i].inputs()) last[slots[0]] = i;
  }
  std::vector<int> free;
  for (size_t i = 0; i + 1 < kernels_.size(); ++i) {
    const int slot = kernels_[i].step->outputs[0][0];
    const std::vector<Slots>& inputs = kernels_[i].inputs();
    const auto release = [&](int input) {
      const auto read = last.find(input);
      const auto buffer = buffers_.find(input);
      if (read == last.end() || read->second != i || buffer == buffers_.end()) return;
      free.push_back(buffer->second);
      last.erase(read);
    };
    for (const InplacePair& pair : kernels_[i].step->infer_meta->inplace) {
      if (static_cast<size_t>(pair.input) >= inputs.size()) continue;
      const int input = inputs[pair.input][0];
      if (tensors_[input].dtype() == tensors_[slot].dtype()) release(input);
    }
    if (free.empty()) free.push_back(num_buffers_++);
    buffers_[slot] = free.back();
    free.pop_back();
    for (const Slots& slots : inputs) release(slots[0]);
  }
  for (const Action& kernel : kernels_) {
    for (const Slots& slots : kernel.inputs()) {
      if (!buffers_.contains(slots[0])) AddOperand(slots[0]);
    }
  }
  for (const auto& [slot, buffer] : buffers_) tiles_.emplace(slot, static_cast<int>(tiles_.size()));
}

void TiledKernels::Run() {
  const int64_t tiles = CeilDiv(count_, size_);
  ParallelFor(tiles, std::max<int64_t>(1, kGrain / size_), [&](int64_t begin, int64_t end) {
    std::unique_ptr<Worker> worker;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!idle_.empty()) {
        worker = std::move(idle_.back());
        idle_.pop_back();
      }
    }
    if (worker == nullptr) worker = std::make_unique<Worker>(*this);
    worker->Run(begin * size_, std::min(end * size_, count_));
    const std::lock_guard<std::mutex> lock(mutex_);
    idle_.push_back(std::move(worker));
  });
}

}  // namespace phi::ir
