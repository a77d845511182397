import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(2, 5, 3, 8), T(2, 5, 3, 8), T(2, 5, 3, 8)),
    Sample(T(2, 5, 3, 8), T(2, 5, 3, 8), T(2, 5, 3, 8), causal=True),
    Sample(T(1, 3, 2, 4), T(1, 5, 2, 4), T(1, 5, 2, 4), causal=True),
    Sample(T(1, 5, 2, 4), T(1, 3, 2, 4), T(1, 3, 2, 4), causal=True),
    Sample(T(1, 3, 2, 4), T(1, 5, 2, 4), T(1, 5, 2, 4), None, T(1, 2, 3, 5, grad=False)),
    Sample(T(2, 3, 2, 4), T(2, 3, 2, 4), T(2, 3, 2, 4), None, T(2, 1, 1, 3, grad=False), causal=True),
    Sample(T(1, 3, 4, 4), T(1, 5, 2, 4), T(1, 5, 2, 4), causal=True),
    Sample(T(1, 3, 2, 4), T(1, 5, 2, 4), T(1, 5, 2, 4), None, T(3, 5, grad=False), 0.0, False, True),
    Sample(T(1, 3, 2, 4), T(1, 5, 2, 4), T(1, 5, 2, 4), None, None, 0.5, is_test=True),
    Sample(T(2, 40, 3, 16), T(2, 70, 3, 16), T(2, 70, 3, 16)),
    Sample(T(1, 1, 1, 1), T(1, 1, 1, 1), T(1, 1, 1, 1)),
    Sample(T(0, 5, 3, 8), T(0, 5, 3, 8), T(0, 5, 3, 8)),
    Sample(T(1, 5, 3, 8), T(1, 0, 3, 8), T(1, 0, 3, 8)),
    Sample(T(1, 0, 3, 8), T(1, 5, 3, 8), T(1, 5, 3, 8), causal=True),
]
QKV = (T(1, 3, 4, 8), T(1, 5, 2, 8), T(1, 5, 2, 8))
ERRORS = [
    Error(ValueError, r"4 dimensions.*\[3, 4, 8\]", T(3, 4, 8), T(1, 5, 2, 8), T(1, 5, 2, 8)),
    Error(ValueError, r"'k' and 'v'.*one shape", T(1, 3, 4, 8), T(1, 5, 2, 8), T(1, 6, 2, 8)),
    Error(ValueError, r"same batch and dim", T(1, 3, 4, 8), T(1, 5, 2, 6), T(1, 5, 2, 6)),
    Error(ValueError, r"multiple of those of 'k'", T(1, 3, 4, 8), T(1, 5, 3, 8), T(1, 5, 3, 8)),
    Error(ValueError, r"'dropout'.*\[0, 1\], got 1.5", *QKV, None, None, 1.5),
    Error(ValueError, r"'attn_mask'", *QKV, None, T(3, 3)),
    Error(ValueError, r"'fixed_seed_offset'.*2 elements of int64", *QKV, torch.tensor([1])),
    Error(TypeError, r"'attn_mask'.*got int64", *QKV, None, torch.zeros(3, 5, dtype=torch.int64)),
]
TOLERANCE = {torch.bfloat16: (2e-2, 2e-2)}


def reference(
    q,
    k,
    v,
    fixed_seed_offset=None,
    attn_mask=None,
    dropout=0.0,
    causal=False,
    return_softmax=False,
    is_test=False,
    rng_name="",
):
    """torch's attention in float64, with one mask of all that is added."""
    queries, keys = q.shape[1], k.shape[1]
    mask = torch.zeros(queries, keys, dtype=torch.float64) if attn_mask is None else attn_mask.double()
    if causal:
        mask = mask.masked_fill(torch.arange(keys)[None] > torch.arange(queries)[:, None] + keys - queries, -torch.inf)
    q, k, v = (x.transpose(1, 2) for x in (q, k, v))
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], 1) for x in (k, v))
    if keys == 0:
        return torch.zeros_like(q).transpose(1, 2), None
    seen = mask.amax(-1, keepdim=True) > -torch.inf
    out = torch.nn.functional.scaled_dot_product_attention(q, k, v, torch.where(seen, mask, 0))
    out = torch.where(seen, out, 0).transpose(1, 2)
    return out, torch.softmax(q @ k.transpose(2, 3) / q.shape[3] ** 0.5 + mask, -1) if return_softmax else None
