import itertools

import torch

from ..sample import Error, Sample, T
from .flash_attn import TOLERANCE
from .flash_attn_unpadded import ends

__all__ = ["ERRORS", "LAYOUTS", "SAMPLES", "TOLERANCE", "reference"]

PLAIN = (None, None, None, None, 0, 0)
QKV = (T(2, 3, 2, 4), T(2, 5, 2, 4), T(2, 5, 2, 4))
ONE = (T(1, 5, 2, 4), T(1, 6, 2, 4), T(1, 6, 2, 4))
SAMPLES = [
    Sample(*QKV, None, *PLAIN, False, 0.0, -1.0, False),
    Sample(*QKV[:2], T(2, 5, 2, 3), T(1, 2, 3, 5), *PLAIN, False, 0.0, 0.25, False),
    Sample(*QKV[:2], T(2, 5, 2, 6), None, *PLAIN, True, 0.0, -1.0, True),
    Sample(*QKV, T(3, 5), None, None, ends(1, 2), ends(3, 5), 0, 0, True, 0.5, 0.5, True),
    Sample(*ONE, None, ends(0, 3, 5), ends(0, 2, 6), None, None, 3, 4, False, 0.0, -1.0, False),
    Sample(*ONE, None, ends(0, 3, 5), ends(0, 2, 6), None, None, 4, 4, True, 0.0, 0.5, False),
    Sample(T(0, 3, 2, 4), T(0, 5, 2, 4), T(0, 5, 2, 4), None, *PLAIN, False, 0.0, -1.0, False),
]
LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")  # other lengths are another call
REST = (False, 0.0, -1.0, False)
ERRORS = [
    Error(ValueError, r"4 dimensions.*\[3, 2, 4\]", T(3, 2, 4), *QKV[1:], None, *PLAIN, *REST),
    Error(ValueError, r"'query' and 'key'.*same batch", T(2, 3, 2, 5), *QKV[1:], None, *PLAIN, *REST),
    Error(ValueError, r"'bias'.*\[2, 2, 3, 5\]", *QKV, T(3, 4), *PLAIN, *REST),
    Error(ValueError, r"both of 'cu_seqlens_q'", *ONE, None, ends(0, 5), None, None, None, 5, 6, *REST),
    Error(ValueError, r"'seqlen_k'.*2 sequences.*\[3\]", *QKV, None, None, None, None, ends(1, 2, 3), 0, 0, *REST),
]


def reference(
    query,
    key,
    value,
    bias,
    cu_seqlens_q,
    cu_seqlens_k,
    causal_diagonal,
    seqlen_k,
    max_seqlen_q,
    max_seqlen_k,
    causal,
    dropout_p,
    scale,
    is_test,
):
    """Each sequence by itself."""
    if cu_seqlens_q is None:
        parts = [tuple(t[i] for t in (query, key, value)) for i in range(query.shape[0])]
    else:
        cuts = [list(itertools.pairwise(of)) for of in (cu_seqlens_q.tolist(), cu_seqlens_k.tolist())]
        parts = [(query[0, a:b], key[0, c:d], value[0, c:d]) for (a, b), (c, d) in zip(*cuts)]
    out = []
    for i, (q, k, v) in enumerate(parts):
        scores = torch.einsum("qhd,khd->hqk", q, k) * (scale if scale >= 0 else q.shape[-1] ** -0.5)
        if bias is not None:
            scores = scores + bias.expand(query.shape[0], *scores.shape)[i]
        hidden = torch.zeros(scores.shape[1:], dtype=torch.bool)
        if causal:
            hidden |= ~torch.ones_like(hidden).tril(0 if causal_diagonal is None else int(causal_diagonal[i]))
        if seqlen_k is not None:
            hidden[:, int(seqlen_k[i]) :] = True
        out.append(torch.einsum("hqk,khd->qhd", scores.masked_fill(hidden, -torch.inf).softmax(-1), v))
    if not out:
        return value.new_zeros(*query.shape[:3], value.shape[3]) + query.sum() + key.sum() + value.sum()
    return torch.stack(out) if cu_seqlens_q is None else torch.cat(out)[None]
