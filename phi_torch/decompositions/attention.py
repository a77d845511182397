"""Composites of attention, by matrix products."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from .widened import widened


def _heads_first(x: Tensor, heads: int) -> Tensor:
    """[batch, heads, length, dim] in float32 (or float64), each head of k and v as often as there are queries' heads."""
    wide = widened(x)
    return wide.transpose(1, 2).repeat_interleave(_share(heads, x.shape[2]), 1)


def _share(heads: int, of: int) -> int:
    return heads // of if heads else 0


def _softmax(q: Tensor, k: Tensor, attn_mask: Tensor | None, causal: bool) -> tuple[Tensor, Tensor]:
    """The softmax, and the logarithms of its sums; both are 0 for a query that sees nothing."""
    scores = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(q.shape[3])
    if attn_mask is not None:
        scores = scores + attn_mask
    if causal:
        queries, keys = scores.shape[2:]
        visible = torch.ones(queries, keys, dtype=torch.bool, device=q.device).tril(keys - queries)
        scores = torch.where(visible, scores, -torch.inf)
    sees_nothing = (scores == -torch.inf).all(-1, keepdim=True)
    scores = torch.where(sees_nothing, 0, scores)
    softmax = torch.where(sees_nothing, 0, torch.softmax(scores, -1))
    return softmax, torch.where(sees_nothing, 0, torch.logsumexp(scores, -1, keepdim=True)).squeeze(-1)


def _refuse_dropout(dropout: float, is_test: bool) -> None:
    if dropout > 0 and not is_test:
        raise NotImplementedError("flash_attn: with dropout there is no second derivative, vmap or forward mode; pass dropout=0")


def flash_attn(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    fixed_seed_offset: Tensor | None = None,
    attn_mask: Tensor | None = None,
    dropout: float = 0.0,
    causal: bool = False,
    return_softmax: bool = False,
    is_test: bool = False,
    rng_name: str = "",
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    _refuse_dropout(dropout, is_test)
    heads = q.shape[2]
    softmax, lse = _softmax(_heads_first(q, heads), _heads_first(k, heads), attn_mask, causal)
    out = torch.matmul(softmax, _heads_first(v, heads)).transpose(1, 2).contiguous().to(q.dtype)
    probabilities = softmax.detach().to(q.dtype) if return_softmax else q.new_empty(0)
    return out, probabilities, lse.detach(), torch.zeros(2, dtype=torch.int64, device=q.device)


def flash_attn_grad(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    out: Tensor,
    softmax_lse: Tensor,
    seed_offset: Tensor,
    attn_mask: Tensor | None,
    out_grad: Tensor,
    dropout: float,
    causal: bool,
    is_test: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """The softmax is made again from q and k, so that it is differentiable."""
    _refuse_dropout(dropout, is_test)
    heads = q.shape[2]
    queries, keys, values, grad = (_heads_first(x, heads) for x in (q, k, v, out_grad))
    softmax, _ = _softmax(queries, keys, attn_mask, causal)
    softmax_grad = torch.matmul(grad, values.transpose(2, 3))
    mean = (softmax_grad * softmax).sum(-1, keepdim=True)
    scores_grad = softmax * (softmax_grad - mean) / math.sqrt(q.shape[3])
    return (
        _lengths_first(torch.matmul(scores_grad, keys), q),
        _lengths_first(torch.matmul(scores_grad.transpose(2, 3), queries), k),
        _lengths_first(torch.matmul(softmax.transpose(2, 3), grad), v),
    )


def _lengths_first(grad: Tensor, like: Tensor) -> Tensor:
    """As `like`, of which several heads of `grad` may share one."""
    heads = like.shape[2]
    grouped = grad.reshape(grad.shape[0], heads, _share(grad.shape[1], heads), *grad.shape[2:]).sum(2)
    return grouped.transpose(1, 2).contiguous().to(like.dtype)
