// SPDX-License-Identifier: Apache-2.0
#include "ir/files/safetensors.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "common/enforce.h"
#include "ir/files/json_header.h"
#include "ir/files/mapped_file.h"
#include "ir/text/lexer.h"

namespace phi::ir {

namespace {

constexpr size_t kMaxRank = 64;
constexpr uint64_t kBeforeHeader = 8;

constexpr std::pair<std::string_view, DataType> kDataTypes[] = {
    {"BOOL", DataType::BOOL},
    {"U8", DataType::UINT8},
    {"I8", DataType::INT8},
    {"I16", DataType::INT16},
    {"U16", DataType::UINT16},
    {"I32", DataType::INT32},
    {"U32", DataType::UINT32},
    {"I64", DataType::INT64},
    {"U64", DataType::UINT64},
    {"F16", DataType::FLOAT16},
    {"BF16", DataType::BFLOAT16},
    {"F32", DataType::FLOAT32},
    {"F64", DataType::FLOAT64},
    {"F8_E4M3", DataType::FLOAT8_E4M3FN},
    {"F8_E5M2", DataType::FLOAT8_E5M2},
    {"C64", DataType::COMPLEX64},
};

// What a header says of a tensor.
struct Described {
  DataType dtype = DataType::UNDEFINED;
  std::vector<int64_t> dims, offsets;
  bool has_dims = false;
};

Described ReadDescription(JsonHeader* json) {
  Described found;
  for (json->Begin('{'); json->Next('}');) {
    const std::string key = json->Key();
    if (key == "dtype") {
      const std::string name = json->Text();
      for (const auto& [known, dtype] : kDataTypes) {
        if (name == known) found.dtype = dtype;
      }
      if (found.dtype == DataType::UNDEFINED) json->Refuse("a dtype such as F32 before it");
    } else if (key == "shape") {
      found.dims = json->Numbers(kMaxRank);
      found.has_dims = true;
    } else if (key == "data_offsets") {
      found.offsets = json->Numbers(2);
    } else {
      json->Refuse("dtype, shape or data_offsets");
    }
  }
  if (found.dtype == DataType::UNDEFINED || !found.has_dims || found.offsets.size() != 2) {
    json->Refuse("dtype, shape and two data_offsets before it");
  }
  return found;
}

// -1 for more than can be counted.
int64_t BytesOf(const Described& tensor) {
  int64_t bytes = static_cast<int64_t>(SizeOf(tensor.dtype));
  if (std::find(tensor.dims.begin(), tensor.dims.end(), 0) != tensor.dims.end()) return 0;
  for (const int64_t size : tensor.dims) {
    if (__builtin_mul_overflow(bytes, size, &bytes)) return -1;
  }
  return bytes;
}

Parameter At(const Described& tensor, const char* begin, const std::shared_ptr<void>& owner) {
  Parameter parameter;
  parameter.dtype = tensor.dtype;
  parameter.dims = tensor.dims;
  const auto bytes = static_cast<size_t>(tensor.offsets[1] - tensor.offsets[0]);
  const char* data = begin + tensor.offsets[0];
  if (reinterpret_cast<uintptr_t>(data) % SizeOf(tensor.dtype) == 0) {
    parameter.data = const_cast<char*>(data);
    parameter.owner = owner;
    return parameter;
  }
  parameter.owner = std::shared_ptr<void>(std::malloc(std::max<size_t>(bytes, 1)), &std::free);
  parameter.data = parameter.owner.get();
  if (parameter.data == nullptr) throw std::bad_alloc();
  std::memcpy(parameter.data, data, bytes);
  return parameter;
}

}  // namespace

TensorFile ReadTensors(std::string_view bytes, const std::shared_ptr<void>& owner) {
  uint64_t length = 0;
  PADDLE_ENFORCE(bytes.size() >= kBeforeHeader,
                 errors::InvalidArgument("%d bytes; expected at least %d", bytes.size(), kBeforeHeader));
  std::memcpy(&length, bytes.data(), kBeforeHeader);
  PADDLE_ENFORCE(
      length <= bytes.size() - kBeforeHeader,
      errors::InvalidArgument("a header of %d bytes; the file has %d for it", length, bytes.size() - kBeforeHeader));
  const std::string_view data = bytes.substr(kBeforeHeader + length);
  const auto size = static_cast<int64_t>(data.size());
  TensorFile file;
  std::vector<std::pair<int64_t, int64_t>> spans;
  JsonHeader json(bytes.substr(kBeforeHeader, length));
  for (json.Begin('{'); json.Next('}');) {
    const std::string name = json.Key();
    if (name == "__metadata__") {
      for (json.Begin('{'); json.Next('}');) {
        std::string key = json.Key();
        file.metadata[std::move(key)] = json.Text();
      }
      continue;
    }
    const Described tensor = ReadDescription(&json);
    const int64_t begin = tensor.offsets[0], end = tensor.offsets[1];
    PADDLE_ENFORCE(begin <= end && end <= size && end - begin == BytesOf(tensor),
                   errors::InvalidArgument("tensor '%s' does not fit: %s of %d dimensions at the bytes %d to %d of %d",
                                           name,
                                           tensor.dtype,
                                           tensor.dims.size(),
                                           begin,
                                           end,
                                           size));
    PADDLE_ENFORCE(file.tensors.emplace(name, At(tensor, data.data(), owner)).second,
                   errors::InvalidArgument("tensor '%s' is there twice", name));
    spans.emplace_back(begin, end);
  }
  json.End();
  std::sort(spans.begin(), spans.end());
  int64_t at = 0;
  for (const auto& [begin, end] : spans) {
    PADDLE_ENFORCE(
        begin == at,
        errors::InvalidArgument("the bytes from %d follow those to %d; expected no gap, and none twice", begin, at));
    at = end;
  }
  PADDLE_ENFORCE(at == size, errors::InvalidArgument("%d bytes of tensors; the header describes %d", size, at));
  return file;
}

TensorFile ReadTensors(const std::string& path) {
  const MappedFile file = MapFile(path);
  try {
    return ReadTensors(file.bytes, file.owner);
  } catch (const enforce::EnforceNotMet& error) {
    PADDLE_THROW(errors::InvalidArgument("%s: %s", path, MessageOf(error)));
  }
}

}  // namespace phi::ir
