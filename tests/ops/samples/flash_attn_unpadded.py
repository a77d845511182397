import itertools

import torch

from ..sample import Error, Sample, T
from . import flash_attn


def ends(*numbers, dtype=torch.int32):
    return torch.tensor(numbers, dtype=dtype)


SAMPLES = [
    Sample(T(7, 3, 8), T(7, 3, 8), T(7, 3, 8), ends(0, 2, 7), ends(0, 2, 7), None, None, 5, 5, 0.25),
    Sample(T(7, 2, 4), T(8, 2, 4), T(8, 2, 4), ends(0, 2, 7), ends(0, 3, 8), None, None, 5, 5, 0.5, causal=True),
    Sample(T(5, 4, 4), T(6, 2, 4), T(6, 2, 4), ends(0, 3, 3, 5), ends(0, 1, 3, 6), None, None, 4, 3, 0.5, causal=True),
    Sample(T(5, 2, 4), T(6, 2, 4), T(6, 2, 4), ends(0, 5), ends(0, 6), None, T(1, 2, 5, 6, grad=False), 5, 6, 1.0),
    Sample(T(4, 2, 4), T(4, 2, 4), T(4, 2, 4), *[ends(0, 1, 4, dtype=torch.int64)] * 2, None, None, 3, 3, 0.5, 0.5, is_test=True),
    Sample(T(0, 2, 4), T(0, 2, 4), T(0, 2, 4), ends(0, 0), ends(0, 0), None, None, 0, 0, 0.5),
]
LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")  # other lengths are another call
QKV = (T(5, 2, 4), T(6, 2, 4), T(6, 2, 4))
ERRORS = [
    Error(ValueError, r"3 dimensions.*\[1, 5, 2, 4\]", T(1, 5, 2, 4), *QKV[1:], ends(0, 5), ends(0, 6), None, None, 5, 6, 1.0),
    Error(ValueError, r"'cu_seqlens_q' and 'cu_seqlens_k'.*one shape", *QKV, ends(0, 5), ends(0, 3, 6), None, None, 5, 6, 1.0),
    Error(ValueError, r"'cu_seqlens_q'.*from 0 to 5, got \[0, 4\]", *QKV, ends(0, 4), ends(0, 6), None, None, 5, 6, 1.0),
    Error(ValueError, r"'cu_seqlens_k'.*at most 4, got one of 6", *QKV, ends(0, 5), ends(0, 6), None, None, 5, 4, 1.0),
]
TOLERANCE = flash_attn.TOLERANCE


def reference(
    q,
    k,
    v,
    cu_seqlens_q,
    cu_seqlens_k,
    fixed_seed_offset,
    attn_mask,
    max_seqlen_q,
    max_seqlen_k,
    scale,
    dropout=0.0,
    causal=False,
    return_softmax=False,
    is_test=False,
    rng_name="",
):
    """Each sequence by itself."""
    parts = []
    for batch, (begin, end) in enumerate(itertools.pairwise(cu_seqlens_q)):
        of_keys = slice(cu_seqlens_k[batch], cu_seqlens_k[batch + 1])
        query, key, value = (t[None] for t in (q[begin:end], k[of_keys], v[of_keys]))
        mask = None if attn_mask is None else attn_mask[batch : batch + 1]
        factor = scale * q.shape[-1] ** 0.5
        parts.append(flash_attn.reference(query * factor, key, value, None, mask, dropout, causal, False, is_test)[0][0])
    return torch.cat(parts), None
