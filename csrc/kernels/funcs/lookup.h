// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/all_context.h"
#include "core/dense_tensor.h"
#include "kernels/funcs/axis_shape.h"

// Rows of a table by their indices, for embedding, gather and index_select.
namespace phi::funcs {

// A table [outer, rows, width], and how the ids of rows are read.
struct LookupTable {
  const char* ids_name;  // of the argument, for errors
  int64_t outer = 1;     // each has the same rows looked up
  int64_t rows = 0;
  int64_t width = 0;         // elements
  bool wraps = true;         // negative ids count from the end
  int64_t padding_idx = -1;  // an id whose row counts as zero; -1 means none

  int64_t lowest() const { return wraps ? -rows : 0; }
};

inline LookupTable TableAlong(const DenseTensor& x, int axis) {
  const AxisShape shape(x.dims(), axis);
  return {"index", shape.outer, shape.dim, shape.inner};
}

// out [outer, ids, width] = the rows `ids` of `table`, which has its memory in `x`. out is allocated, of the dtype of
// x. An id that is no row raises OutOfRange on the CPU, and stops the kernel on a GPU.
void LookUpRows(const CPUContext& dev_ctx,
                const LookupTable& table,
                const DenseTensor& ids,
                const DenseTensor& x,
                DenseTensor* out);
void LookUpRows(const GPUContext& dev_ctx,
                const LookupTable& table,
                const DenseTensor& ids,
                const DenseTensor& x,
                DenseTensor* out);

// The gradient of LookUpRows: x_grad, allocated, is for each row the sum of the rows of out_grad that it was looked up
// for, in their order. The result does not depend on the number of threads.
// Compiled once for each device, for the types of gradients.
template <typename T, typename Context>
void SumLookups(const Context& dev_ctx,
                const LookupTable& table,
                const DenseTensor& ids,
                const DenseTensor& out_grad,
                DenseTensor* x_grad);

#define PHI_INSTANTIATE_SUM_LOOKUPS(Context)      \
  PHI_SUM_LOOKUPS(int32_t, Context)               \
  PHI_SUM_LOOKUPS(int64_t, Context)               \
  PHI_SUM_LOOKUPS(float, Context)                 \
  PHI_SUM_LOOKUPS(double, Context)                \
  PHI_SUM_LOOKUPS(dtype::float16, Context)        \
  PHI_SUM_LOOKUPS(dtype::bfloat16, Context)       \
  PHI_SUM_LOOKUPS(dtype::complex<float>, Context) \
  PHI_SUM_LOOKUPS(dtype::complex<double>, Context)
#define PHI_SUM_LOOKUPS(T, Context)     \
  template void SumLookups<T, Context>( \
      const Context&, const LookupTable&, const DenseTensor&, const DenseTensor&, DenseTensor*);

}  // namespace phi::funcs
