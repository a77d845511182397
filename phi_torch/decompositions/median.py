"""Composites of medians: the elements in the middle of sorted ones, and where they are."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from .errors import indices_of
from .widened import widened


def _order(x: Tensor, axis: Sequence[int]) -> list[int]:
    """The dimensions of `x`, those that are reduced behind the others, and how many others there are."""
    reduced = sorted(a % max(x.dim(), 1) for a in axis) if axis else list(range(x.dim()))
    return [i for i in range(x.dim()) if i not in reduced] + [i for i in reduced if i < x.dim()]


def _kept(x: Tensor, axis: Sequence[int]) -> int:
    return x.dim() - len(axis) if axis and x.dim() else 0


def _lines(x: Tensor, axis: Sequence[int]) -> Tensor:
    """What is reduced to one element each, in the last dimension."""
    return x.permute(_order(x, axis)).flatten(_kept(x, axis)) if x.dim() else x.reshape(1)


def _middle(x: Tensor, axis: Sequence[int], keepdim: bool, mode: str, skips_nan: bool) -> tuple[Tensor, Tensor]:
    lines = _lines(x, axis)
    values, order = torch.sort(lines, dim=-1, stable=True)  # NaN comes last
    count = (~lines.isnan()).sum(-1, keepdim=True)
    left, right = ((count - 1) // 2).clamp(min=0), count // 2
    if skips_nan:
        right = torch.where(count == 0, 0, right)
    else:
        has_nan = count < lines.shape[-1]
        left, right = torch.where(has_nan, count, left), torch.where(has_nan, count, right)
    low, high = values.gather(-1, left), values.gather(-1, right)
    out = low
    if mode == "avg" and x.is_floating_point():
        out = torch.where(left == right, low, ((widened(low) + widened(high)) / 2).to(x.dtype))
    elif mode == "avg":
        out = torch.div(low + high, 2, rounding_mode="trunc")
    places = order.gather(-1, torch.cat([left, right], -1) if mode == "avg" else left)
    if skips_nan:
        out, places = torch.where(count == 0, torch.nan, out) if x.is_floating_point() else out, torch.where(count == 0, -1, places)
    reduced = {a % max(x.dim(), 1) for a in axis} or set(range(x.dim()))
    sizes = [1 if i in reduced else n for i, n in enumerate(x.shape)] if keepdim else list(lines.shape[:-1])
    return out.reshape(sizes), places.reshape([*sizes, 2] if mode == "avg" else sizes)


def median(x: Tensor, axis: Sequence[int] = (), keepdim: bool = True, mode: str = "avg") -> tuple[Tensor, Tensor]:
    return _middle(x, axis, keepdim, mode, skips_nan=False)


def nanmedian(x: Tensor, axis: Sequence[int] = (), keepdim: bool = True, mode: str = "avg") -> tuple[Tensor, Tensor]:
    return _middle(x, axis, keepdim, mode, skips_nan=True)


def _at_places(x: Tensor, medians: Tensor, grad: Tensor, axis: Sequence[int], mode: str) -> Tensor:
    """`grad` where the medians come from, half of it at each of two places; nothing at the place -1."""
    lines = _lines(x, axis)
    places = medians.reshape(*lines.shape[:-1], 2 if mode == "avg" else 1)
    share = torch.where(places < 0, 0, (grad / places.shape[-1]).expand(places.shape))
    with indices_of("medians", f"the {lines.shape[-1]} elements that are reduced, or -1"):
        return torch.zeros(lines.shape, dtype=grad.dtype, device=grad.device).scatter_add(-1, places.clamp(min=0), share)


def _as_before(lines: Tensor, x: Tensor, axis: Sequence[int]) -> Tensor:
    """`_lines`, backwards."""
    order = _order(x, axis)
    return lines.reshape([x.shape[i] for i in order]).permute([order.index(i) for i in range(x.dim())]).contiguous()


def median_grad(x: Tensor, out: Tensor, medians: Tensor, out_grad: Tensor, axis: Sequence[int], keepdim: bool, mode: str) -> Tensor:
    """Of a mean equal parts to the elements that are it; to both places where none is: it is between them, or NaN."""
    lines = _lines(x, axis)
    value, grad = (t.reshape(*lines.shape[:-1], 1) for t in (out, out_grad))
    found = _at_places(x, medians, grad, axis, mode)
    if mode == "avg":
        equal = lines == value
        count = equal.sum(-1, keepdim=True)
        found = torch.where(count > 0, torch.where(equal, grad / count.clamp(min=1), 0), found)
    return _as_before(found, x, axis)


def nanmedian_grad(
    x: Tensor, out: Tensor | None, medians: Tensor, out_grad: Tensor, axis: Sequence[int], keepdim: bool, mode: str
) -> Tensor:
    if out is not None:
        return median_grad(x, out, medians, out_grad, axis, keepdim, mode)
    return _as_before(_at_places(x, medians, out_grad.reshape(*_lines(x, axis).shape[:-1], 1), axis, mode), x, axis)
