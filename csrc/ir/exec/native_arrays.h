// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ir/exec/native_ops.h"

// The operators of arrays of tensors.
namespace phi::ir {

void CreateArray(const Step& step, ExecContext* context);
void CreateArrayLike(const Step& step, ExecContext* context);
void ReadArray(const Step& step, ExecContext* context);
void SliceArrayDense(const Step& step, ExecContext* context);
void SliceArray(const Step& step, ExecContext* context);
void CopyArray(int from, int to, ExecContext* context);
void AssignArray(const Step& step, ExecContext* context);
void PopArray(const Step& step, ExecContext* context);
void WriteArray(const Step& step, ExecContext* context);
void ArrayLength(const Step& step, ExecContext* context);
void ArrayToTensor(const Step& step, ExecContext* context);
void TensorToArray(const Step& step, ExecContext* context);
void AddNArray(const Step& step, ExecContext* context);

// The tensors of an array, which others of a run may share, as tensors of their own. OutOfRange, with the name of the
// output that it is, where nothing was written to one of its places.
TensorArray OwnArray(const DeviceContext& context, const std::string& name, const TensorArray& array);

}  // namespace phi::ir
