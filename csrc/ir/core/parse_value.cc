// SPDX-License-Identifier: Apache-2.0
#include "ir/core/parse_value.h"

#include <charconv>

#include "common/enforce.h"

namespace phi::ir {

std::string NameOf(DataType dtype) { return dtype == DataType::UNDEFINED ? "undefined" : DataTypeName(dtype); }
std::string NameOf(DataLayout layout) { return layout == DataLayout::UNDEFINED ? "undefined" : DataLayoutName(layout); }

DataType ParseDataType(const std::string& name) {
  return name == "undefined" ? DataType::UNDEFINED : StringToDataType(name);
}

DataLayout ParseLayout(const std::string& name) {
  return name == "undefined" ? DataLayout::UNDEFINED : StringToDataLayout(name);
}

Place ParsePlace(const std::string& name) {
  const size_t colon = name.find(':');
  const std::string device = name.substr(0, colon);
  int id = 0;
  if (colon != std::string::npos) {
    const char* first = name.data() + colon + 1;
    const char* last = name.data() + name.size();
    const auto [end, error] = std::from_chars(first, last, id);
    const bool good = error == std::errc() && end == last && id >= 0 && id <= INT8_MAX;
    PADDLE_ENFORCE(good, errors::InvalidArgument("'%s' is no place: the device's number is from 0 to 127", name));
  }
  for (const AllocationType type : {AllocationType::UNDEFINED,
                                    AllocationType::CPU,
                                    AllocationType::GPU,
                                    AllocationType::GPUPINNED,
                                    AllocationType::CUSTOM}) {
    const Place place(type, static_cast<int8_t>(id));
    const std::string known = place.DebugString();
    if (known == name || known == device + ":" + std::to_string(id)) return place;
  }
  PADDLE_THROW(
      errors::InvalidArgument("'%s' is no place; known are cpu, gpu:0, gpu_pinned, custom:0, undefined", name));
}

}  // namespace phi::ir
