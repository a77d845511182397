// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace phi::ir {

std::string Base64(std::string_view bytes);
std::optional<std::string> FromBase64(std::string_view text);  // nothing for a text that Base64 does not make

}  // namespace phi::ir
