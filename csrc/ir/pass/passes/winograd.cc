// SPDX-License-Identifier: Apache-2.0
#include "ir/pass/images.h"
#include "ir/pass/passes.h"
#include "primitive/packed_convolution.h"

namespace phi::ir {

namespace {

const char* const kWinograd = "machine.winograd_conv2d";

}  // namespace

PassCounts ComputeByWinograd(Program* program) {
  if (FindPrimitive<primitive::WinogradFilter>(Backend::CPU, DataType::FLOAT32) == nullptr) return {};
  int64_t count = 0;
  for (Operation* op : FindLargeConvolutions(*program).all) {
    if (op->name() == kWinograd || !IsForWinograd(*op)) continue;
    ReplaceConvolution(program, op, kWinograd);
    ++count;
  }
  if (count == 0) return {};
  return {{"convolutions by Winograd's algorithm", count}};
}

}  // namespace phi::ir
