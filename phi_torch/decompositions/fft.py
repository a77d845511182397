"""Composites of Fourier transforms and of signals that are cut into frames."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

aten = torch.ops.aten


def _scaling(normalization: str, forward: bool) -> int:
    """Of ATen: 0 none, 1 by the root of the number of elements, 2 by that."""
    if normalization == "ortho":
        return 1
    return 2 if (normalization == "forward") == forward else 0


def _axes(x: Tensor, axes: Sequence[int]) -> list[int]:
    return [axis % x.dim() for axis in axes]


def _empty(x: Tensor, axis: int, size: int, dtype: torch.dtype) -> Tensor:
    """Of no elements, which the libraries refuse."""
    out = x.new_zeros([size if i == axis % x.dim() else n for i, n in enumerate(x.shape)], dtype=dtype)
    return out + x.real.sum().to(dtype)


def fft_c2c(x: Tensor, axes: Sequence[int], normalization: str, forward: bool) -> Tensor:
    if x.numel() == 0:
        return x.clone()
    return aten._fft_c2c(x, _axes(x, axes), _scaling(normalization, forward), forward)


def fft_r2c(x: Tensor, axes: Sequence[int], normalization: str, forward: bool, onesided: bool) -> Tensor:
    size = x.shape[axes[-1]]
    if x.numel() == 0:
        return _empty(x, axes[-1], size // 2 + 1 if onesided else size, torch.promote_types(x.dtype, torch.complex64))
    out = aten._fft_r2c(x, _axes(x, axes), _scaling(normalization, forward), onesided)
    return out if forward else torch.conj(out).resolve_conj()


def _first(x: Tensor, axis: int, count: int) -> Tensor:
    """So many elements along an axis, with zeros for those that there are not."""
    missing = count - x.shape[axis]
    if missing <= 0:
        return x.narrow(axis, 0, count)
    return torch.cat([x, x.new_zeros([missing if i == axis % x.dim() else n for i, n in enumerate(x.shape)])], axis)


def fft_c2r(x: Tensor, axes: Sequence[int], normalization: str, forward: bool, last_dim_size: int = 0) -> Tensor:
    size = last_dim_size or 2 * (x.shape[axes[-1]] - 1)
    if x.numel() == 0 or size == 0:
        return _empty(x, axes[-1], size, x.real.dtype)
    x = _first(torch.conj(x).resolve_conj() if forward else x, axes[-1], size // 2 + 1)
    return aten._fft_c2r(x, _axes(x, axes), _scaling(normalization, forward), size)


def frame(x: Tensor, frame_length: int, hop_length: int, axis: int = -1) -> Tensor:
    frames = x.unfold(axis, frame_length, hop_length)
    return (frames.transpose(-1, -2) if axis == -1 else frames.movedim(-1, 1)).clone()


def overlap_add(x: Tensor, hop_length: int, axis: int = -1) -> Tensor:
    if axis == 0:
        return overlap_add(x.movedim((0, 1), (-1, -2)), hop_length).movedim(-1, 0)
    length, count = x.shape[-2:]
    places = torch.arange(length, device=x.device).unsqueeze(1) + hop_length * torch.arange(count, device=x.device)
    out = x.new_zeros([*x.shape[:-2], (count - 1) * hop_length + length])
    return out.index_add(-1, places.reshape(-1), x.reshape([*x.shape[:-2], length * count]))


def stft(x: Tensor, window: Tensor, n_fft: int, hop_length: int, normalized: bool, onesided: bool) -> Tensor:
    frames = x.unfold(-1, n_fft, hop_length) * window
    return fft_r2c(frames, [2], "ortho" if normalized else "backward", True, onesided).transpose(-1, -2)
