"""Kernels of quantized inference, and of what follows a network: programs alone name them."""

from __future__ import annotations

import torch
from torch import Tensor

from ._kernels import kernel

_SCALE = (
    "(Tensor x, Tensor scale, Tensor zero_point, int quant_axis, int bit_length, int qmin, int qmax, int round_type,"
    " bool only_observer) -> Tensor"
)


def _along(scale: Tensor, x: Tensor, axis: int) -> Tensor:
    """One scale, or one for each index of an axis."""
    return scale.reshape([-1 if i == axis else 1 for i in range(x.dim())]) if axis >= 0 else scale.reshape(())


@kernel(f"quantize_linear_deprecated_infer{_SCALE}")
def quantize_linear(
    x: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    quant_axis: int,
    bit_length: int,
    qmin: int,
    qmax: int,
    round_type: int,
    only_observer: bool,
) -> Tensor:
    """x / scale in steps of 2^(bit_length - 1) - 1: ties go to even numbers with `round_type` 0, else away from 0."""
    if only_observer:
        return x.clone()
    largest = 2 ** (bit_length - 1) - 1
    sizes = _along(scale, x, quant_axis)
    inverse = torch.where(sizes <= 1e-30, 1 / (sizes + 1e-6), 1 / sizes)
    if round_type == 0:
        return torch.round(x * largest * inverse).clamp(-largest - 1, largest)
    steps = x.clamp(-sizes, sizes) * largest * inverse
    return torch.trunc(steps + torch.copysign(torch.full_like(steps, 0.5), steps))


@kernel(f"dequantize_linear_deprecated{_SCALE}")
def dequantize_linear(
    x: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    quant_axis: int,
    bit_length: int,
    qmin: int,
    qmax: int,
    round_type: int,
    only_observer: bool,
) -> Tensor:
    if only_observer:
        return x.clone()
    return x.to(scale.dtype) * _along(scale, x, quant_axis) / (2 ** (bit_length - 1) - 1)


@kernel("viterbi_decode(Tensor potentials, Tensor transition_params, Tensor lengths, bool include_bos_eos_tag) -> (Tensor, Tensor)")
def viterbi_decode(
    potentials: Tensor, transition_params: Tensor, lengths: Tensor, include_bos_eos_tag: bool
) -> tuple[Tensor, Tensor]:
    """The best score of each sequence, and its tags, 0 after its end: as many as the longest sequence has.

    The last tag stands before a sequence and the last but one behind it, with `include_bos_eos_tag`.
    """
    longest = int(lengths.max()) if lengths.numel() else 0
    left, before = lengths.reshape(-1, 1), []
    score = potentials[:, 0]
    if include_bos_eos_tag:
        score = score + transition_params[-1] + (left == 1) * transition_params[-2]
    for step in range(1, longest):
        left = left - 1
        best, tag = (score.unsqueeze(2) + transition_params).max(1)
        before.append(torch.where(left > 0, tag, torch.arange(tag.shape[1], device=tag.device)))
        end = (left == 1) * transition_params[-2] if include_bos_eos_tag else 0
        score = torch.where(left > 0, best + potentials[:, step] + end, score)
    scores, last = score.max(1)
    path = [last]
    for tags in reversed(before):
        path.insert(0, tags.gather(1, path[0].unsqueeze(1)).squeeze(1))
    inside = torch.arange(len(path), device=last.device) < lengths.reshape(-1, 1)
    return scores, torch.stack(path, 1) * inside
