// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/scalar.h"
#include "core/meta_tensor.h"
#include "infermeta/attention.h"
#include "infermeta/broadcast.h"
#include "infermeta/data_types.h"
#include "infermeta/given.h"
#include "infermeta/set_contiguous.h"

// Attention of sequences of different lengths.
namespace phi {

// Sequences one after the other; `ends` says where each begins and the last one ends. Returns how many there are.
template <class Dim>
Dim CheckSequenceEnds(const char* name, const MetaTensor<Dim>& ends) {
  CheckIndexType(name, ends);
  PADDLE_ENFORCE(ends.dims().size() == 1 && ends.dims(0) >= 2,
                 errors::InvalidArgument(
                     "argument '%s': expected a vector of at least two numbers, got the shape %s", name, ends.dims()));
  return ends.dims(0) - 1;
}

template <class Dim>
void FlashAttnUnpaddedInferMeta(const MetaTensor<Dim>& q,
                                const MetaTensor<Dim>& k,
                                const MetaTensor<Dim>& v,
                                const MetaTensor<Dim>& cu_seqlens_q,
                                const MetaTensor<Dim>& cu_seqlens_k,
                                const MetaTensor<Dim>& fixed_seed_offset,
                                const MetaTensor<Dim>& attn_mask,
                                const Scalar& max_seqlen_q,
                                const Scalar& max_seqlen_k,
                                double dropout,
                                bool return_softmax,
                                MetaTensor<Dim>* out,
                                MetaTensor<Dim>* softmax,
                                MetaTensor<Dim>* softmax_lse,
                                MetaTensor<Dim>* seed_offset) {
  PADDLE_ENFORCE(
      q.dims().size() == 3 && k.dims().size() == 3 && v.dims().size() == 3,
      errors::InvalidArgument("expected 3 dimensions [length, heads, dim] of 'q', 'k' and 'v', got the shapes "
                              "%s, %s and %s",
                              q.dims(),
                              k.dims(),
                              v.dims()));
  const Dim batch = CheckSequenceEnds("cu_seqlens_q", cu_seqlens_q);
  const Dim batch_k = CheckSequenceEnds("cu_seqlens_k", cu_seqlens_k);
  PADDLE_ENFORCE(batch == batch_k,
                 errors::InvalidArgument("'cu_seqlens_q' and 'cu_seqlens_k' must have one shape, got %s and %s",
                                         cu_seqlens_q.dims(),
                                         cu_seqlens_k.dims()));
  PADDLE_ENFORCE(Same(k.dims(), v.dims()),
                 errors::InvalidArgument("'k' and 'v' must have one shape, got %s and %s", k.dims(), v.dims()));
  const auto most_q = max_seqlen_q.to<int64_t>(), most_k = max_seqlen_k.to<int64_t>();
  PADDLE_ENFORCE(
      most_q >= 0 && most_k >= 0,
      errors::InvalidArgument(
          "arguments 'max_seqlen_q' and 'max_seqlen_k': expected at least 0, got %d and %d", most_q, most_k));
  // as padded to the longest
  TensorMeta<Dim> metas[4];
  const auto pad = [&](int i, const MetaTensor<Dim>& x, int64_t most) {
    MetaTensor<Dim> one(&metas[i]);
    SetContiguous({batch, Dim(most), x.dims(1), x.dims(2)}, x.dtype(), &one);
    return one;
  };
  MetaTensor<Dim> padded_out(&metas[3]);
  FlashAttnInferMeta<Dim>(pad(0, q, most_q),
                          pad(1, k, most_k),
                          pad(2, v, most_k),
                          fixed_seed_offset,
                          attn_mask,
                          dropout,
                          return_softmax,
                          &padded_out,
                          softmax,
                          softmax_lse,
                          seed_offset);
  SetContiguous(q.dims(), q.dtype(), out);
}

template <class Dim>
void FlashAttnUnpaddedGradInferMeta(const MetaTensor<Dim>& q,
                                    const MetaTensor<Dim>& k,
                                    const MetaTensor<Dim>& v,
                                    const MetaTensor<Dim>& cu_seqlens_q,
                                    const MetaTensor<Dim>& cu_seqlens_k,
                                    const MetaTensor<Dim>& softmax_lse,
                                    const MetaTensor<Dim>& seed_offset,
                                    const MetaTensor<Dim>& attn_mask,
                                    const MetaTensor<Dim>& out_grad,
                                    const Scalar& max_seqlen_q,
                                    const Scalar& max_seqlen_k,
                                    double dropout,
                                    MetaTensor<Dim>* q_grad,
                                    MetaTensor<Dim>* k_grad,
                                    MetaTensor<Dim>* v_grad) {
  TensorMeta<Dim> out_meta, lse_meta;
  MetaTensor<Dim> out(&out_meta), lse(&lse_meta);
  FlashAttnUnpaddedInferMeta<Dim>(q,
                                  k,
                                  v,
                                  cu_seqlens_q,
                                  cu_seqlens_k,
                                  seed_offset,
                                  attn_mask,
                                  max_seqlen_q,
                                  max_seqlen_k,
                                  dropout,
                                  false,
                                  &out,
                                  nullptr,
                                  &lse,
                                  nullptr);
  CheckGiven("out_grad", out_grad, out);
  CheckGiven("softmax_lse", softmax_lse, lse);
  SetContiguous(q.dims(), q.dtype(), q_grad);
  SetContiguous(k.dims(), k.dtype(), k_grad);
  SetContiguous(v.dims(), v.dtype(), v_grad);
}

template <class Dim>
void MemoryEfficientAttentionInferMeta(const MetaTensor<Dim>& query,
                                       const MetaTensor<Dim>& key,
                                       const MetaTensor<Dim>& value,
                                       const MetaTensor<Dim>& bias,
                                       const MetaTensor<Dim>& cu_seqlens_q,
                                       const MetaTensor<Dim>& cu_seqlens_k,
                                       const MetaTensor<Dim>& causal_diagonal,
                                       const MetaTensor<Dim>& seqlen_k,
                                       const Scalar& max_seqlen_q,
                                       const Scalar& max_seqlen_k,
                                       double dropout_p,
                                       MetaTensor<Dim>* output,
                                       MetaTensor<Dim>* logsumexp,
                                       MetaTensor<Dim>* seed_and_offset) {
  const BasicDDim<Dim>&q = query.dims(), &k = key.dims(), &v = value.dims();
  PADDLE_ENFORCE(
      q.size() == 4 && k.size() == 4 && v.size() == 4,
      errors::InvalidArgument("expected 4 dimensions [batch, length, heads, dim] of 'query', 'key' and 'value', "
                              "got the shapes %s, %s and %s",
                              q,
                              k,
                              v));
  PADDLE_ENFORCE(
      k[0] == q[0] && k[2] == q[2] && k[3] == q[3],
      errors::InvalidArgument("'query' and 'key' must have the same batch, heads and dim, got %s and %s", q, k));
  PADDLE_ENFORCE(
      v[0] == k[0] && v[1] == k[1] && v[2] == k[2],
      errors::InvalidArgument("'key' and 'value' must have the same batch, length and heads, got %s and %s", k, v));
  PADDLE_ENFORCE(q[3] > 0, errors::InvalidArgument("argument 'query': expected heads that are not empty, got %s", q));
  CheckSameDataType("query", query, "key", key);
  CheckSameDataType("query", query, "value", value);
  PADDLE_ENFORCE(dropout_p >= 0 && dropout_p <= 1,
                 errors::InvalidArgument("argument 'dropout_p': expected a value in [0, 1], got %f", dropout_p));
  const bool is_unpadded = static_cast<bool>(cu_seqlens_q);
  PADDLE_ENFORCE(is_unpadded == static_cast<bool>(cu_seqlens_k),
                 errors::InvalidArgument("expected both of 'cu_seqlens_q' and 'cu_seqlens_k', or none"));
  Dim batch = q[0], queries = q[1];
  if (is_unpadded) {
    PADDLE_ENFORCE(q[0] == 1,
                   errors::InvalidArgument("argument 'query': expected a batch of 1 with 'cu_seqlens_q', got %s", q));
    batch = CheckSequenceEnds("cu_seqlens_q", cu_seqlens_q);
    const Dim of_keys = CheckSequenceEnds("cu_seqlens_k", cu_seqlens_k);
    PADDLE_ENFORCE(of_keys == batch,
                   errors::InvalidArgument("'cu_seqlens_q' and 'cu_seqlens_k' must have one shape, got %s and %s",
                                           cu_seqlens_q.dims(),
                                           cu_seqlens_k.dims()));
    PADDLE_ENFORCE(
        max_seqlen_q.to<int64_t>() >= 0 && max_seqlen_k.to<int64_t>() >= 0,
        errors::InvalidArgument("arguments 'max_seqlen_q' and 'max_seqlen_k': expected at least 0, got %d and %d",
                                max_seqlen_q.to<int64_t>(),
                                max_seqlen_k.to<int64_t>()));
    PADDLE_ENFORCE(!bias, errors::InvalidArgument("argument 'bias': expected None with 'cu_seqlens_q'"));
    queries = Dim(max_seqlen_q.to<int64_t>());
  }
  if (bias) {
    CheckSameDataType("query", query, "bias", bias);
    const BasicDDim<Dim> scores{q[0], q[2], q[1], k[1]};
    PADDLE_ENFORCE(bias.dims().size() <= 4 && BroadcastDims(bias.dims(), scores, "bias", "the scores") == scores,
                   errors::InvalidArgument(
                       "argument 'bias': expected a shape that broadcasts to %s, got %s", scores, bias.dims()));
  }
  const auto check = [&](const char* name, const MetaTensor<Dim>& of_batch) {
    if (!of_batch) return;
    CheckIndexType(name, of_batch);
    PADDLE_ENFORCE(
        of_batch.numel() == batch,
        errors::InvalidArgument("argument '%s': expected a number for each of the %s sequences, got the shape %s",
                                name,
                                batch,
                                of_batch.dims()));
  };
  check("causal_diagonal", causal_diagonal);
  check("seqlen_k", seqlen_k);
  SetContiguous({q[0], q[1], q[2], v[3]}, query.dtype(), output);
  SetContiguous({batch, q[2], queries}, AccumulateType(query.dtype()), logsumexp);
  SetContiguous({Dim(2)}, DataType::INT64, seed_and_offset);
}

template <class Dim>
void MemoryEfficientAttentionGradInferMeta(const MetaTensor<Dim>& query,
                                           const MetaTensor<Dim>& key,
                                           const MetaTensor<Dim>& value,
                                           const MetaTensor<Dim>& bias,
                                           const MetaTensor<Dim>& cu_seqlens_q,
                                           const MetaTensor<Dim>& cu_seqlens_k,
                                           const MetaTensor<Dim>& causal_diagonal,
                                           const MetaTensor<Dim>& seqlen_k,
                                           const MetaTensor<Dim>& logsumexp,
                                           const MetaTensor<Dim>& seed_and_offset,
                                           const MetaTensor<Dim>& output_grad,
                                           const Scalar& max_seqlen_q,
                                           const Scalar& max_seqlen_k,
                                           double dropout_p,
                                           MetaTensor<Dim>* query_grad,
                                           MetaTensor<Dim>* key_grad,
                                           MetaTensor<Dim>* value_grad,
                                           MetaTensor<Dim>* bias_grad) {
  Expected<Dim> output, lse, seed;
  MemoryEfficientAttentionInferMeta<Dim>(query,
                                         key,
                                         value,
                                         bias,
                                         cu_seqlens_q,
                                         cu_seqlens_k,
                                         causal_diagonal,
                                         seqlen_k,
                                         max_seqlen_q,
                                         max_seqlen_k,
                                         dropout_p,
                                         &output,
                                         &lse,
                                         &seed);
  CheckGiven<Dim>("output_grad", output_grad, output);
  CheckGiven<Dim>("logsumexp", logsumexp, lse);
  CheckGiven<Dim>("seed_and_offset", seed_and_offset, seed);
  SetContiguous(query.dims(), query.dtype(), query_grad);
  SetContiguous(key.dims(), key.dtype(), key_grad);
  SetContiguous(value.dims(), value.dtype(), value_grad);
  if (bias) SetContiguous(bias.dims(), bias.dtype(), bias_grad);
}

}  // namespace phi
