"""Composites of rotary position embedding: pairs of elements that turn by an angle which the position decides on."""

from __future__ import annotations

import torch
from torch import Tensor

from .widened import widened


def _table(
    x: Tensor, sin: Tensor | None, cos: Tensor | None, position_ids: Tensor | None, time_major: bool, base: float
) -> tuple[Tensor, Tensor]:
    """Sines and cosines, which broadcast to the shape of `x`."""
    length, dim = x.shape[0 if time_major else 1], x.shape[3]
    positions = torch.arange(length, device=x.device).unsqueeze(0) if position_ids is None else position_ids
    if sin is not None and cos is not None:
        found = [widened(t.detach()).flatten(0, -2)[positions] for t in (sin, cos)]
    else:
        wide = widened(x)
        rates = base ** -((torch.arange(dim, device=x.device) // 2 * 2).to(wide.dtype) / dim)
        angles = positions.unsqueeze(-1).to(wide.dtype) * rates
        found = [angles.sin(), angles.cos()]
    sines, cosines = (t.transpose(0, 1).unsqueeze(2) if time_major else t.unsqueeze(2) for t in found)
    return sines, cosines


def _turned(x: Tensor, neighbours: bool) -> Tensor:
    """Each pair (a, b) as (-b, a)."""
    if neighbours:
        return torch.stack([-x[..., 1::2], x[..., 0::2]], -1).flatten(-2)
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], -1)


def fused_rotary_position_embedding(
    q: Tensor,
    k: Tensor | None,
    v: Tensor | None,
    sin: Tensor | None,
    cos: Tensor | None,
    position_ids: Tensor | None,
    use_neox_rotary_style: bool = True,
    time_major: bool = False,
    rotary_emb_base: float = 10000.0,
) -> tuple[Tensor, Tensor, Tensor]:
    sines, cosines = _table(q, sin, cos, position_ids, time_major, rotary_emb_base)

    def rotated(x: Tensor | None) -> Tensor:
        if x is None:
            return q.new_empty(0)
        wide = widened(x)
        return (wide * cosines + _turned(wide, use_neox_rotary_style) * sines).to(x.dtype)

    return rotated(q), rotated(k), rotated(v)


def fused_rotary_position_embedding_grad(
    sin: Tensor | None,
    cos: Tensor | None,
    position_ids: Tensor | None,
    out_q_grad: Tensor,
    out_k_grad: Tensor,
    out_v_grad: Tensor,
    use_neox_rotary_style: bool,
    time_major: bool,
    rotary_emb_base: float,
) -> tuple[Tensor, Tensor, Tensor]:
    sines, cosines = _table(out_q_grad, sin, cos, position_ids, time_major, rotary_emb_base)

    def turned_back(grad: Tensor) -> Tensor:
        if grad.dim() == 1:
            return grad.clone()
        wide = widened(grad)
        return (wide * cosines - _turned(wide * sines, use_neox_rotary_style)).to(grad.dtype)

    return turned_back(out_q_grad), turned_back(out_k_grad), turned_back(out_v_grad)
