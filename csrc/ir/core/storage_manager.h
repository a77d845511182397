// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "ir/core/type_id.h"

namespace phi::ir {

class IrContext;

// What a type or an attribute stands for. It is read-only, and the only one of its class and key in a context.
class StorageBase {
 public:
  StorageBase(TypeId id, size_t hash) : id_(id), hash_(hash) {}
  virtual ~StorageBase() = default;
  virtual bool HasKeyOf(const StorageBase& other) const = 0;  // other has the same id

  TypeId id() const { return id_; }
  size_t hash() const { return hash_; }
  IrContext* context() const { return context_; }
  int depth() const { return depth_; }  // how deep it is nested: 0 for one that holds no other

 private:
  friend class StorageManager;
  TypeId id_;
  size_t hash_;
  IrContext* context_ = nullptr;
  int depth_ = 0;
};

inline size_t CombineHash(size_t seed, size_t value) {
  return seed ^ (value + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2));
}

// The storage of the class `id` with a key, which has ==, Hash(), and Depth(): the depth of what it holds, or -1.
template <typename Key>
class KeyedStorage final : public StorageBase {
 public:
  KeyedStorage(TypeId id, Key key) : StorageBase(id, CombineHash(id.Hash(), key.Hash())), key_(std::move(key)) {}
  bool HasKeyOf(const StorageBase& other) const override {
    return key_ == static_cast<const KeyedStorage&>(other).key_;
  }
  const Key& key() const { return key_; }

 private:
  Key key_;
};

// Owns the storages of a context: one of each. Safe for threads: storages are spread over shards, each with a lock.
class StorageManager {
 public:
  template <typename Key>
  const StorageBase* Get(IrContext* context, TypeId id, Key key) {
    const int depth = CheckedDepth(key.Depth() + 1);
    auto made = std::make_unique<KeyedStorage<Key>>(id, std::move(key));
    return Unique(context, std::move(made), depth);
  }
  size_t size() const;  // storages

  static constexpr int kMaxDepth = 64;

 private:
  static int CheckedDepth(int depth);
  const StorageBase* Unique(IrContext* context, std::unique_ptr<StorageBase> made, int depth);

  struct Shard {
    mutable std::mutex mutex;
    std::unordered_multimap<size_t, std::unique_ptr<StorageBase>> storages;
  };
  std::array<Shard, 8> shards_;
};

}  // namespace phi::ir
