// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace phi::primitive {

struct ScanOptions {
  bool exclusive = false;  // an element does not count in its own result
  bool reverse = false;    // from the last element to the first
};

}  // namespace phi::primitive
