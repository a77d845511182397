// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <utility>

// Where the entries of the operators stand. Apart from the code that is generated from them, so that an edit which
// moves entries recompiles one small file.
namespace phi {

// Makes a library's places known.
class YamlPlaces {
 public:
  explicit YamlPlaces(std::initializer_list<std::pair<const char*, const char*>> places);
};

// `yaml/ops.yaml:14` for `phi::relu`; what is not known is called the entry of that op.
std::string YamlPlace(const std::string& op);

}  // namespace phi
