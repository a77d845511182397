// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/data_type.h"
#include "common/layout.h"
#include "common/place.h"
#include "core/allocator.h"
#include "core/tensor_meta.h"

namespace phi {

// kOther: the class of an extension.
enum class TensorKind : uint8_t { kDense, kSelectedRows, kSparseCoo, kSparseCsr, kOther };

// Common base of all tensor classes; what a KernelContext holds. A class says its kind as a constant `kKind`, too.
class TensorBase {
 public:
  virtual ~TensorBase() = default;
  virtual TensorKind kind() const = 0;
  virtual const DDim& dims() const = 0;
  virtual int64_t numel() const = 0;
  virtual DataType dtype() const = 0;
  virtual DataLayout layout() const = 0;
  virtual const Place& place() const = 0;
  virtual bool initialized() const = 0;
  // What InferMeta functions read and set.
  virtual DenseTensorMeta* mutable_meta() = 0;
  // Memory for the tensor's own dims and `dtype` (or for `requested` bytes if that is more).
  virtual void* AllocateFrom(Allocator* allocator, const Place& place, DataType dtype, size_t requested) = 0;
};

}  // namespace phi
