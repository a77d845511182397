// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/broadcast_grad_impl.h"

namespace phi::funcs {

PHI_INSTANTIATE_SUM_BROADCAST(CPUContext)

}  // namespace phi::funcs
