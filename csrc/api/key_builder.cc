// SPDX-License-Identifier: Apache-2.0
#include "api/key_builder.h"

namespace phi {

DataType KeyBuilder::PromoteComplexSlow(DataType seen, DataType next) {
  if (seen == DataType::COMPLEX128 || next == DataType::COMPLEX128) return DataType::COMPLEX128;
  if (seen == DataType::COMPLEX64) return next == DataType::FLOAT64 ? DataType::COMPLEX128 : DataType::COMPLEX64;
  if (next == DataType::COMPLEX64) return seen == DataType::FLOAT64 ? DataType::COMPLEX128 : DataType::COMPLEX64;
  return next;
}

void KeyBuilder::NoteSlow(const char* part, const char* name) {
  sources_->push_back(std::string(part) + " from " + name);
}

}  // namespace phi
