// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace phi::ir {

struct MappedFile {
  std::shared_ptr<void> owner;  // of the map, in which `bytes` lie
  std::string_view bytes;
};

// A private map of a file: writing to it does not reach the file. NotFound without one.
MappedFile MapFile(const std::string& path);

}  // namespace phi::ir
