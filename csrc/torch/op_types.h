// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

// The C++ API is a struct for each op, torch/ops/<op>.h: `call` goes through the dispatcher, `redispatch` to the next
// key. Whoever uses `handle` includes <ATen/core/dispatch/Dispatcher.h>, which is too slow to compile for all others.
namespace c10 {
template <class FuncType>
class TypedOperatorHandle;
}
