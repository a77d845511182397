// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <span>

#include "core/device_context.h"
#include "core/kernel.h"

// What a kernel's argument definition and the operator's entry demand of a tensor, and how it is made so.
namespace phi {

// What an argument allows, from the YAML.
enum InputFlags : int {
  kContiguous = 0,
  kStrided = 1,         // the kernel takes any strides
  kSkipTransform = 2,   // data_transform.skip_transform
  kTransDtype = 4,      // data_transform.support_trans_dtype
  kNoBuffer = 8,        // only the shape is read
  kGivesDataType = 16,  // the kernel is that for its dtype
  kGivesLayout = 32,    // and for its layout
  kPromoted = 64,       // type_promotion: of one data type with the others, or made complex as they are
};

// A tensor argument of an operator.
struct InputRule {
  const char* name;
  int flags = kContiguous;
  int position = -1;  // among the kernel's tensors; -1 for one that only InferMeta reads
};

// What the entry of an operator says of the calls of its kernel; it lives as long as the process.
struct CallRule {
  std::span<const InputRule> inputs;  // in the order of the entry
  int dtype_attribute = -1;           // the kernel's attribute that, where it is given, is the dtype of the key
};

// The copies that a tensor goes through before the kernel gets it, in this order. None by default.
struct DataTransform {
  bool make_contiguous = false;
  DataLayout layout = DataLayout::ALL_LAYOUT;  // NHWC or NDHWC: whose order the memory gets
  DataType dtype = DataType::UNDEFINED;        // what it is cast to
  Place place;                                 // where it is copied to

  explicit operator bool() const {
    return make_contiguous || layout != DataLayout::ALL_LAYOUT || dtype != DataType::UNDEFINED || place != Place();
  }
  bool operator==(const DataTransform& o) const = default;
};
// "make contiguous, cast to float32, copy to gpu:0"
std::ostream& operator<<(std::ostream& os, const DataTransform& transform);

// Where a kernel runs, as far as its inputs see it.
struct TransformTarget {
  Place place;                 // of the kernel
  bool takes_strides = false;  // a kernel of the layout STRIDED
  bool is_fallback = false;    // the inputs lie elsewhere, and go to `place` and back
};

// Whether a kernel takes this tensor as images with the channels last.
bool TakesChannelsLast(const TensorArgDef& def, int flags, const DenseTensor& tensor);

// What `tensor` needs. InvalidArgument, naming `argument`, for one on a device that it may not be on; InvalidType for
// an operand of another data type than the kernel's that is not made complex.
DataTransform NeededTransform(
    const DenseTensor& tensor, const TensorArgDef& def, int flags, const TransformTarget& target, const char* argument);

// A copy of `tensor` in memory of its own, transformed.
DenseTensor Transformed(const DenseTensor& tensor, const DataTransform& transform);
// A copy of `tensor` on another device, once all work on it is done.
DenseTensor CopiedTo(const DenseTensor& tensor, const Place& place);

}  // namespace phi
