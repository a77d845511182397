"""Composites of scans along a dimension, and of what is chosen from one."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.autograd import forward_ad

from .reduce_random import _spread
from .widened import widened


def _in_scan_order(x: Tensor, axis: int, reverse: bool) -> Tensor:
    """The lines of the scan along the last dimension, from the first element on."""
    x = x.reshape(1) if x.dim() == 0 else x.movedim(axis, -1)
    return x.flip(-1) if reverse else x


def _as_before(lines: Tensor, like: Tensor, axis: int, reverse: bool) -> Tensor:
    lines = lines.flip(-1) if reverse else lines
    return lines.reshape(()) if like.dim() == 0 else lines.movedim(-1, axis)


def _shifted(lines: Tensor, first: float) -> Tensor:
    """One place later, after `first`."""
    if lines.shape[-1] == 0:
        return lines
    return torch.cat([torch.full_like(lines.narrow(-1, 0, 1), first), lines.narrow(-1, 0, lines.shape[-1] - 1)], -1)


def cumprod(x: Tensor, dim: int, exclusive: bool = False, reverse: bool = False) -> Tensor:
    lines = _in_scan_order(x, dim, reverse)
    lines = _shifted(lines, 1) if exclusive else lines
    return _as_before(torch.cumprod(lines, -1, dtype=x.dtype), x, dim, reverse).contiguous()


def _earlier(n: int, exclusive: bool, like: Tensor) -> Tensor:
    """[element, result]: whether the result has the element."""
    return torch.ones([n, n], dtype=torch.bool, device=like.device).triu(1 if exclusive else 0)


def cumprod_grad(x: Tensor, out: Tensor, out_grad: Tensor, dim: int, exclusive: bool, reverse: bool) -> Tensor:
    """Of each pair of an element and a result the product of the other elements."""
    lines, grad = (_in_scan_order(t, dim, reverse) for t in (x, out_grad))
    n = lines.shape[-1]
    own = torch.eye(n, dtype=torch.bool, device=x.device)
    others = torch.where(own, 1, lines.unsqueeze(-2).expand(*lines.shape, n))
    others = _shifted(others, 1) if exclusive else others
    products = torch.where(_earlier(n, exclusive, x), torch.cumprod(others, -1), 0)
    total = (grad.unsqueeze(-2) * torch.conj(products)).sum(-1)
    return _as_before(total, x, dim, reverse).to(x.dtype).contiguous()


def cummax(x: Tensor, axis: int = -1, dtype: torch.dtype | None = None) -> tuple[Tensor, Tensor]:
    values, indices = torch.cummax(x, axis)
    return values, indices.to(dtype or torch.int64)


def cummin(x: Tensor, axis: int = -1, dtype: torch.dtype | None = None) -> tuple[Tensor, Tensor]:
    values, indices = torch.cummin(x, axis)
    return values, indices.to(dtype or torch.int64)


def cummax_grad(x: Tensor, indices: Tensor, out_grad: Tensor, axis: int, dtype: torch.dtype | None) -> Tensor:
    if x.dim() == 0:
        return out_grad.clone()
    return torch.zeros_like(out_grad).scatter_add(axis, indices.long(), out_grad).contiguous()


def logcumsumexp(x: Tensor, axis: int = -1, flatten: bool = False, exclusive: bool = False, reverse: bool = False) -> Tensor:
    x = x if x.is_floating_point() else x.float()
    x = x.reshape(-1) if flatten else x
    total = _log_sums(_in_scan_order(x, axis, reverse))
    total = _shifted(total, -torch.inf) if exclusive else total
    return _as_before(total, x, axis, reverse).contiguous()


def _log_sums(lines: Tensor) -> Tensor:
    if forward_ad._current_level < 0:
        return torch.logcumsumexp(lines, -1)
    # the tangents of torch's operator are of exponentials that underflow, and there are none of no elements
    earlier = _earlier(lines.shape[-1], False, lines)
    return torch.logsumexp(torch.where(earlier, lines.unsqueeze(-1), -torch.inf), -2)


def logcumsumexp_grad(x: Tensor, out: Tensor, out_grad: Tensor, axis: int, flatten: bool, exclusive: bool, reverse: bool) -> Tensor:
    lines, total, grad = (_in_scan_order(t, axis, reverse) for t in (x.reshape(-1) if flatten else x, out, out_grad))
    n = lines.shape[-1]
    later = _earlier(n, exclusive, x)
    difference = torch.where(later, lines.unsqueeze(-1) - total.unsqueeze(-2), -torch.inf)
    found = (grad.unsqueeze(-2) * torch.exp(difference)).sum(-1)
    return _as_before(found, x.reshape(-1) if flatten else x, axis, reverse).reshape(x.shape).contiguous()


def kthvalue(x: Tensor, k: int = 1, axis: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    if x.dim() == 0:
        return x.clone(), torch.zeros_like(x, dtype=torch.int64)
    found = (t.narrow(axis, k - 1, 1) for t in torch.sort(x, dim=axis, stable=True))
    values, indices = (t.clone() if keepdim else t.squeeze(axis).clone() for t in found)
    return values, indices


def kthvalue_grad(x: Tensor, indices: Tensor, out_grad: Tensor, k: int, axis: int, keepdim: bool) -> Tensor:
    if x.dim() == 0:
        return out_grad.clone()
    places, grad = (t if keepdim else t.unsqueeze(axis) for t in (indices, out_grad))
    return torch.zeros(x.shape, dtype=x.dtype, device=x.device).scatter(axis, places, grad)


def mode(x: Tensor, axis: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    if x.dim() == 0:
        return x.clone(), torch.zeros_like(x, dtype=torch.int64)
    lines = x.movedim(axis, -1)
    counts = (lines.unsqueeze(-1) == lines.unsqueeze(-2)).sum(-1).clamp(min=1)
    ordered, order = torch.sort(lines, dim=-1, stable=True)
    most, first = torch.gather(counts, -1, order).max(-1, keepdim=True)
    found = (torch.gather(t, -1, first + most - 1).movedim(-1, axis) for t in (ordered, order))
    values, indices = (t if keepdim else t.squeeze(axis) for t in found)
    return values.contiguous(), indices.contiguous()


def mode_grad(x: Tensor, indices: Tensor, out_grad: Tensor, axis: int, keepdim: bool) -> Tensor:
    return kthvalue_grad(x, indices, out_grad, 1, axis, keepdim)


def frobenius_norm(x: Tensor, axis: Sequence[int], keep_dim: bool, reduce_all: bool) -> Tensor:
    wide = widened(x)
    total = torch.sum(wide * torch.conj(wide), [] if reduce_all else list(axis), keep_dim)
    return torch.sqrt(total).to(x.dtype)


def frobenius_norm_grad(x: Tensor, out: Tensor, out_grad: Tensor, axis: Sequence[int], keep_dim: bool, reduce_all: bool) -> Tensor:
    norm, grad = (widened(_spread(x, t, axis, keep_dim, reduce_all)) for t in (out, out_grad))
    return torch.where(norm == 0, 0, torch.real(grad) * x / norm).to(x.dtype)


def full_with_tensor(value: Tensor, shape: Sequence[int], dtype: torch.dtype | None = None) -> Tensor:
    return value.reshape(()).to(dtype or value.dtype).expand(list(shape)).contiguous()
