// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "ir/core/ir_context.h"
#include "ir/core/storage_manager.h"

namespace phi::ir {

// A handle of one pointer to a uniqued storage: equal if the storage is the same. It may be null.
class Uniqued {
 public:
  Uniqued() = default;
  explicit Uniqued(const StorageBase* storage) : storage_(storage) {}

  explicit operator bool() const { return storage_ != nullptr; }
  bool operator==(const Uniqued&) const = default;
  TypeId id() const { return storage_ ? storage_->id() : TypeId(); }
  IrContext* context() const { return storage_ ? storage_->context() : nullptr; }
  const StorageBase* storage() const { return storage_; }
  size_t Hash() const { return std::hash<const void*>()(storage_); }
  int Depth() const { return storage_ ? storage_->depth() : -1; }

  template <typename T>
  bool isa() const {
    return storage_ != nullptr && T::classof(*this);
  }
  // Of another class: null.
  template <typename T>
  T dyn_cast() const {
    return isa<T>() ? T(storage_) : T();
  }

 protected:
  const StorageBase* storage_ = nullptr;
};

// What a class of types or attributes derives from: `class VectorType : public UniquedOf<VectorType, Type, VectorKey>`.
template <typename Concrete, typename Base, typename KeyType>
class UniquedOf : public Base {
 public:
  using Key = KeyType;
  UniquedOf() = default;
  explicit UniquedOf(const StorageBase* storage) : Base(storage) {}

  static Concrete get(IrContext* context, Key key) {
    return Concrete(context->storages().Get(context, TypeId::Get<Concrete>(), std::move(key)));
  }
  static bool classof(const Uniqued& object) { return object.id() == TypeId::Get<Concrete>(); }
  const Key& key() const { return static_cast<const KeyedStorage<Key>*>(this->storage_)->key(); }
};

}  // namespace phi::ir
