// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/meta_tensor.h"
#include "infermeta/data_types.h"
#include "infermeta/set_contiguous.h"

namespace phi {

template <class Dim>
void EditDistanceInferMeta(const MetaTensor<Dim>& hyps,
                           const MetaTensor<Dim>& refs,
                           const MetaTensor<Dim>& hypslength,
                           const MetaTensor<Dim>& refslength,
                           MetaTensor<Dim>* sequencenum,
                           MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(
      hyps.dims().size() == 2 && refs.dims().size() == 2 && hyps.dims(0) == refs.dims(0),
      errors::InvalidArgument("expected matrices 'hyps' and 'refs' with equal numbers of rows, got the shapes "
                              "%s and %s",
                              hyps.dims(),
                              refs.dims()));
  PADDLE_ENFORCE(hyps.dtype() == refs.dtype(),
                 errors::InvalidType("expected one data type of 'hyps' and 'refs', got %s and %s",
                                     DataTypeName(hyps.dtype()),
                                     DataTypeName(refs.dtype())));
  const auto check = [&](const char* name, const MetaTensor<Dim>& lengths) {
    if (!lengths) return;
    CheckIndexType(name, lengths);
    PADDLE_ENFORCE(lengths.numel() == hyps.dims(0),
                   errors::InvalidArgument("argument '%s': expected a number for each of the %s rows, got the shape %s",
                                           name,
                                           hyps.dims(0),
                                           lengths.dims()));
  };
  check("hypslength", hypslength);
  check("refslength", refslength);
  SetContiguous({Dim(1)}, DataType::INT64, sequencenum);
  SetContiguous({hyps.dims(0), Dim(1)}, DataType::FLOAT32, out);
}

}  // namespace phi
