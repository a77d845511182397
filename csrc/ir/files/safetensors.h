// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "ir/core/weights.h"

namespace phi::ir {

// Tensors by name, and texts by name.
struct TensorFile {
  std::map<std::string, Parameter> tensors;
  std::map<std::string, std::string> metadata;
};

// The tensors of a file of the format safetensors: 8 bytes with the size of a header, the header as JSON, and the
// tensors' bytes without gaps. They share a private map of the file: what is written to one does not reach it. NotFound
// without the file, InvalidArgument with the path for one that is none of the format.
TensorFile ReadTensors(const std::string& path);

// The same of bytes in memory, which `owner` keeps.
TensorFile ReadTensors(std::string_view bytes, const std::shared_ptr<void>& owner);

}  // namespace phi::ir
