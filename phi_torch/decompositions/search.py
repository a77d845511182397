"""Composites of ops that search, or count what they find."""

from __future__ import annotations

import torch
from torch import Tensor

from .differentiated import is_differentiated


def histogram(
    input: Tensor, weight: Tensor | None, bins: int = 100, min: float = 0.0, max: float = 0.0, density: bool = False
) -> Tensor:
    if not input.is_floating_point():
        min, max = float(int(min)), float(int(max))
    x = input.detach().reshape(-1).double()
    low, high = x.new_full((), min), x.new_full((), max)
    if min == max and x.numel() > 0:
        low, high = x.amin(), x.amax()
    is_point = low == high
    low, high = torch.where(is_point, low - 1, low), torch.where(is_point, high + 1, high)
    inside = (x >= low) & (x <= high)
    at = ((x - low) * bins / (high - low)).nan_to_num(0, 0, 0).clamp(0, bins - 1).to(torch.int64)
    weights = torch.ones_like(x) if weight is None else weight.reshape(-1).double()
    counts = torch.zeros(bins, dtype=x.dtype, device=x.device).index_add(0, at, torch.where(inside, weights, 0))
    if density and x.numel() > 0:
        counts = counts / counts.sum() / ((high - low) / bins)
    return counts.to(torch.int64 if weight is None and not density else torch.float32)


def renorm(x: Tensor, p: float, axis: int, max_norm: float) -> Tensor:
    if x.numel() == 0:
        return x.clone()
    others = [i for i in range(x.dim()) if i != axis % x.dim()]
    norm = torch.linalg.vector_norm(x, p, others, keepdim=True) if others else x.abs()  # no dimensions stand for all
    is_above = norm > max_norm
    return x * torch.where(is_above, max_norm / torch.where(is_above, norm, 1), 1)


def bincount(x: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    if weights is not None and weights.dtype != torch.float32:
        weights = weights.double()
    try:
        if weights is not None and is_differentiated(weights):  # which ATen does not differentiate
            return weights.new_zeros(torch.bincount(x, None, int(minlength)).shape).index_add(0, x, weights)
        return torch.bincount(x, weights, int(minlength))
    except RuntimeError as error:
        if "non-negative" in str(error):
            raise ValueError("argument 'x': expected elements of at least 0, got a negative one") from None
        raise
