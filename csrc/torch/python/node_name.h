// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace phi::python {

// Makes a `grad_fn` that has no Python class of its own, as ours and those of extensions, print its name.
void NameNodes();

}  // namespace phi::python
