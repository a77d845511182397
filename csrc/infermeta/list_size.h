// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/enforce.h"
#include "core/meta_tensor.h"

namespace phi {

// A result that is a list has as many tensors as the arguments say: a program may name another number of them.
template <class Dim>
void ExpectListSize(const char* name, const std::vector<MetaTensor<Dim>*>& list, Dim expected) {
  const Dim given = static_cast<int64_t>(list.size());
  PADDLE_ENFORCE(given == expected,
                 errors::InvalidArgument("result '%s': expected %s tensors, got %d", name, expected, list.size()));
}

template <class Dim>
void ExpectOneForEach(const char* name,
                      const std::vector<MetaTensor<Dim>*>& list,
                      const std::vector<const MetaTensor<Dim>*>& of) {
  ExpectListSize(name, list, Dim(static_cast<int64_t>(of.size())));
}

}  // namespace phi
