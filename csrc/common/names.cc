// SPDX-License-Identifier: Apache-2.0
#include <iterator>

#include "common/backend.h"
#include "common/data_type.h"
#include "common/enforce.h"
#include "common/layout.h"
#include "common/place.h"

namespace phi {

namespace {

constexpr const char* kBackends[] = {"ALL_BACKEND", "CPU", "ONEDNN", "GPU", "GPUDNN", "XPU", "IPU", "KPS", "CUSTOM"};
constexpr const char* kLayouts[] = {
    "ALL_LAYOUT", "NHWC", "NCHW", "NCDHW", "NDHWC", "ONEDNN", "SPARSE_COO", "SPARSE_CSR", "PSTRING_UNION", "STRIDED"};
constexpr const char* kDataTypes[] = {"ALL_DTYPE",
                                      "bool",
                                      "uint8",
                                      "int8",
                                      "uint16",
                                      "int16",
                                      "uint32",
                                      "int32",
                                      "uint64",
                                      "int64",
                                      "float32",
                                      "float64",
                                      "complex64",
                                      "complex128",
                                      "pstring",
                                      "float16",
                                      "bfloat16",
                                      "float8_e4m3fn",
                                      "float8_e5m2"};
constexpr size_t kSizes[] = {0, 1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 8, 16, 48, 2, 2, 1, 1};

static_assert(std::size(kBackends) == static_cast<size_t>(Backend::NUM_BACKENDS));
static_assert(std::size(kLayouts) == static_cast<size_t>(DataLayout::NUM_DATA_LAYOUTS));
static_assert(std::size(kDataTypes) == static_cast<size_t>(DataType::NUM_DATA_TYPES));
static_assert(std::size(kSizes) == static_cast<size_t>(DataType::NUM_DATA_TYPES));

template <typename Enum, size_t N>
Enum Find(const char* const (&names)[N], const std::string& name, const char* what) {
  std::string known;
  for (size_t i = 0; i < N; ++i) {
    if (name == names[i]) return static_cast<Enum>(i);
    known += (i ? ", " : "") + std::string(names[i]);
  }
  PADDLE_THROW(errors::InvalidArgument("unknown %s '%s'; known are: %s", what, name, known));
}

}  // namespace

const char* BackendName(Backend backend) { return kBackends[static_cast<int>(backend)]; }
const char* DataLayoutName(DataLayout layout) { return kLayouts[static_cast<int>(layout)]; }
const char* DataTypeName(DataType dtype) { return kDataTypes[static_cast<int>(dtype)]; }
size_t SizeOf(DataType dtype) { return kSizes[static_cast<int>(dtype)]; }

Backend StringToBackend(const std::string& name) { return Find<Backend>(kBackends, name, "backend"); }
DataType StringToDataType(const std::string& name) { return Find<DataType>(kDataTypes, name, "data type"); }
DataLayout StringToDataLayout(const std::string& name) {
  if (name == "AnyLayout") return DataLayout::ANY;
  return Find<DataLayout>(kLayouts, name, "layout");
}

std::string Place::DebugString() const {
  switch (type_) {
    case AllocationType::CPU:
      return "cpu";
    case AllocationType::GPU:
      return "gpu:" + std::to_string(id_);
    case AllocationType::GPUPINNED:
      return "gpu_pinned";
    case AllocationType::CUSTOM:
      return "custom:" + std::to_string(id_);
    default:
      return "undefined";
  }
}

const char* ErrorCodeName(ErrorCode code) {
  constexpr const char* kNames[] = {"InvalidArgument",
                                    "NotFound",
                                    "OutOfRange",
                                    "AlreadyExists",
                                    "PreconditionNotMet",
                                    "Unimplemented",
                                    "Unavailable",
                                    "InvalidType",
                                    "Fatal",
                                    "External"};
  return kNames[static_cast<int>(code)];
}

}  // namespace phi
