#pragma once

#include "infermeta/decided_by_values.h"
#include "infermeta/reduction.h"
#include "infermeta/unary.h"
#include "primitive/math.h"

namespace tested {

template <typename T>
struct SoftswishFunctor {
  T beta;
  HOSTDEVICE T operator()(T x) const { return x * phi::math::Sigmoid(beta * x); }
};

template <typename T>
struct SoftswishGradFunctor {
  T beta;
  HOSTDEVICE T operator()(T x, T out_grad) const {
    const T s = phi::math::Sigmoid(beta * x);
    return out_grad * s * (T(1) + beta * x * (T(1) - s));
  }
};

template <class Dim>
void WeightedSumInferMeta(const phi::MetaTensor<Dim>& x,
                          const phi::MetaTensor<Dim>& weight,
                          int64_t axis,
                          phi::MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(x.dims() == weight.dims(),
                 phi::errors::InvalidArgument("argument 'weight': expected the shape of 'x'"));
  phi::SumInferMeta(x, phi::IntArrayBase<Dim>({Dim(axis)}), phi::DataType::UNDEFINED, false, out);
}

template <class Dim>
void TwoSumsInferMeta(const phi::MetaTensor<Dim>& x,
                      const phi::MetaTensor<Dim>& weight,
                      const phi::IntArrayBase<Dim>& axis,
                      phi::MetaTensor<Dim>* out,
                      phi::MetaTensor<Dim>* scaled) {
  PADDLE_ENFORCE(x.dims() == weight.dims(),
                 phi::errors::InvalidArgument("argument 'weight': expected the shape of 'x'"));
  phi::SumInferMeta(x, axis, phi::DataType::UNDEFINED, false, out);
  phi::SumInferMeta(x, axis, phi::DataType::UNDEFINED, false, scaled);
}

template <class Dim>
void PositivesInferMeta(const phi::MetaTensor<Dim>& x, phi::MetaTensor<Dim>* out) {
  out->set_dims({Dim(phi::kDecidedByValues)});
  out->set_dtype(x.dtype());
}

template <class Dim>
void DoubledLikeInferMeta(const phi::MetaTensor<Dim>& x, const phi::MetaTensor<Dim>& like, phi::MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(x.dims() == like.dims(), phi::errors::InvalidArgument("argument 'like': expected the shape of 'x'"));
  phi::UnchangedInferMeta(x, out);
}

}  // namespace tested
