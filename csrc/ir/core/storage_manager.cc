// SPDX-License-Identifier: Apache-2.0
#include "ir/core/storage_manager.h"

#include "common/enforce.h"

namespace phi::ir {

int StorageManager::CheckedDepth(int depth) {
  PADDLE_ENFORCE(depth <= kMaxDepth,
                 errors::InvalidArgument("types and attributes may be nested %d deep, not deeper", kMaxDepth));
  return depth;
}

const StorageBase* StorageManager::Unique(IrContext* context, std::unique_ptr<StorageBase> made, int depth) {
  Shard& shard = shards_[(made->hash() >> 3) % shards_.size()];
  const std::lock_guard<std::mutex> lock(shard.mutex);
  const auto [first, last] = shard.storages.equal_range(made->hash());
  for (auto it = first; it != last; ++it) {
    if (it->second->id() == made->id() && it->second->HasKeyOf(*made)) return it->second.get();
  }
  made->context_ = context;
  made->depth_ = depth;
  const size_t hash = made->hash();
  return shard.storages.emplace(hash, std::move(made))->second.get();
}

size_t StorageManager::size() const {
  size_t size = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard<std::mutex> lock(shard.mutex);
    size += shard.storages.size();
  }
  return size;
}

}  // namespace phi::ir
