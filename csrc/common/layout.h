// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace phi {

enum class DataLayout : uint8_t {
  UNDEFINED = 0,
  NHWC,
  NCHW,
  NCDHW,
  NDHWC,
  ONEDNN,
  SPARSE_COO,
  SPARSE_CSR,
  PSTRING_UNION,
  STRIDED,
  NUM_DATA_LAYOUTS,
  ALL_LAYOUT = UNDEFINED,
  ANY = UNDEFINED,
  // older names
  kAnyLayout = ANY,
  kNHWC = NHWC,
  kNCHW = NCHW,
  kNCDHW = NCDHW,
  kNDHWC = NDHWC,
};

const char* DataLayoutName(DataLayout layout);
DataLayout StringToDataLayout(const std::string& name);

}  // namespace phi

namespace common {
using phi::DataLayout;
using phi::StringToDataLayout;
}  // namespace common
namespace paddle {
using phi::DataLayout;
}
