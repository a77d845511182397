// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/library.h>

#include <initializer_list>
#include <string_view>

namespace phi::torch_bridge {

// Defines an op with tags by name; those that this torch does not have are left out.
void Define(torch::Library& m, const char* schema, std::initializer_list<std::string_view> tags);

}  // namespace phi::torch_bridge
