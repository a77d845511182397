// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace phi::torch_bridge {

// ATen for tensors of the emulated GPUs: memory, copies and views, and all else on copies in the host's memory.
void RegisterAtenOnDevice();

}  // namespace phi::torch_bridge
