// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "program/op_desc.h"

namespace phi {

// The operator that computes the gradients of what `forward` reads. It has the slots that its kernels take: each has
// the variables of the forward operator's slot of that name, `X@GRAD` their gradients. A gradient that is named in
// `no_grad` is @EMPTY@ in a list, and otherwise left out. Attributes are those of `forward`. NotFound if the operator
// is unknown, Unimplemented if nothing is its gradient.
OpDesc GradOpDesc(const OpDesc& forward, const std::set<std::string>& no_grad = {});

}  // namespace phi
