"""Composites of the ops of which a size is found in the values of a tensor: in a trace it is a symbol."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch._C import _functorch as functorch
from torch._subclasses.fake_tensor import is_fake
from torch.fx.experimental.proxy_tensor import get_proxy_mode


def has_values(x: Tensor) -> bool:
    """Whether the numbers of a tensor can be read: not those of a trace, or of a batch of vmap."""
    while functorch.is_gradtrackingtensor(x):
        x = functorch.get_unwrapped(x)
    return not is_fake(x) and not functorch.is_batchedtensor(x) and get_proxy_mode() is None


def check_range(argument: str, numbers: Tensor, what: str, low: int, high: int) -> None:
    """ValueError that names an argument with a number out of [low, high], where its numbers can be read."""
    if numbers.is_cpu and has_values(numbers) and numbers.numel():
        least, greatest = int(numbers.min()), int(numbers.max())
        if least < low or greatest > high:
            wrong = least if least < low else greatest
            raise ValueError(f"argument '{argument}': expected {what} from {low} to {high}, got {wrong}")


def _needs_values(x: Tensor, argument: str) -> None:
    if x.is_meta:
        raise NotImplementedError(f"argument '{argument}': its values decide on the size, and a meta tensor has none")


def size_of(number: Tensor, argument: str) -> int:
    """A number that is not negative, of one element, as a size.

    Raises:
        NotImplementedError: `argument`, which the number is from, is a meta tensor.
    """
    _needs_values(number, argument)
    return torch.repeat_interleave(number.long().reshape(1)).shape[0]  # of as many zeros, which a trace has a symbol for


def most(x: Tensor) -> Tensor:
    """The greatest element, at least 0."""
    return torch.cat([x.reshape(-1), x.new_zeros(1)]).max()


def unique(
    x: Tensor,
    return_index: bool,
    return_inverse: bool,
    return_counts: bool,
    axis: Sequence[int],
    dtype: torch.dtype = torch.int64,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    if len(axis) > 1:
        raise ValueError(f"argument 'axis': expected at most one axis, got {list(axis)}")
    needs = (return_inverse or return_index, return_counts or return_index)
    if axis:
        rows = x.movedim(axis[0], 0)  # what torch says ahead of slices along other axes has other strides
        out, inverse, counts = torch.ops.aten.unique_dim.default(rows, 0, True, *needs)
        out = out.movedim(0, axis[0]).contiguous()
    else:
        out, inverse, counts = torch._unique2(x, True, *needs)
    inverse, first = inverse.reshape(-1), counts
    if return_index:
        number = torch.arange(inverse.shape[0], device=x.device)
        first = torch.zeros_like(counts).scatter_reduce(0, inverse, number, "amin", include_self=False)
    wanted = zip((first, inverse, counts), (return_index, return_inverse, return_counts))
    indices, inverse, counts = (found.to(dtype) if flag else counts.new_empty(0, dtype=dtype) for found, flag in wanted)
    return out, indices, inverse, counts


def _check_repeats(repeats: Tensor, count: int, size: int) -> None:
    """Torch takes a size as it is said: on the CPU it must be the sum, or -1 for any.

    Raises:
        TypeError, ValueError: the numbers are of another dtype, are negative, or have another sum.
    """
    if repeats.dtype not in (torch.int32, torch.int64):
        raise TypeError(f"argument 'repeats': expected int32 or int64, got {repeats.dtype}")
    if not has_values(repeats) or (not repeats.is_cpu and size != -1):
        return
    if (repeats < 0).any():
        raise ValueError(f"argument 'repeats': expected no negative number, got {int(repeats.min())}")
    if size != -1 and (got := int(repeats.expand(count).sum())) != size:
        raise ValueError(f"argument 'output_size': expected the sum of 'repeats', {got}, got {size}")


def repeated(repeats: Tensor, size: int) -> Tensor:
    """Which element each of the `size` copies is of. Torch's repeat_interleave writes past its result for negative numbers."""
    copies = torch.arange(size, device=repeats.device)
    return torch.searchsorted(repeats.long().cumsum(0), copies, right=True)


def repeat_interleave_with_tensor_index(x: Tensor, repeats: Tensor, axis: int, output_size: int = -1) -> Tensor:
    if output_size != -1:
        _check_repeats(repeats, x.shape[axis], output_size)
        if not has_values(repeats):
            return x.index_select(axis, repeated(repeats.expand(x.shape[axis]), output_size))
        return x.repeat_interleave(repeats, axis, output_size=output_size)
    _needs_values(repeats, "repeats")
    try:
        return x.repeat_interleave(repeats, axis)
    except RuntimeError:
        _check_repeats(repeats, x.shape[axis], output_size)
        raise


def repeat_interleave_with_tensor_index_grad(
    x: Tensor, repeats: Tensor, out_grad: Tensor, axis: int, output_size: int = -1
) -> Tensor:
    _check_repeats(repeats, x.shape[axis], out_grad.shape[axis])
    places = repeated(repeats.expand(x.shape[axis]), out_grad.shape[axis])
    return out_grad.new_zeros(x.shape).index_add(axis, places, out_grad)


def sequence_mask(x: Tensor, max_len: int, out_dtype: torch.dtype) -> Tensor:
    length = size_of(most(x), "x") if max_len < 0 else int(max_len)
    return (torch.arange(length, device=x.device) < x.unsqueeze(-1)).to(out_dtype)


def linspace(
    start: Tensor, stop: Tensor, number: Tensor, dtype: torch.dtype | None = None, place: torch.device | None = None
) -> Tensor:
    dtype = dtype or start.dtype
    return _spaced(start.to(dtype), stop.to(dtype), number, "number").to(dtype).to(place or start.device)


def logspace(
    start: Tensor,
    stop: Tensor,
    num: Tensor,
    base: Tensor,
    dtype: torch.dtype | None = None,
    place: torch.device | None = None,
) -> Tensor:
    dtype = dtype or start.dtype
    powers = base.to(dtype).reshape(()).double() ** _spaced(start.to(dtype), stop.to(dtype), num, "num")
    return powers.to(dtype).to(place or start.device)


def _spaced(start: Tensor, stop: Tensor, number: Tensor, argument: str) -> Tensor:
    count = size_of(number.clamp(min=0), argument)
    if has_values(number) and int(number) < 0:
        raise ValueError(f"argument '{argument}': expected at least 0, got {int(number)}")
    return spaced(start, stop, count)


def spaced(start: Tensor, stop: Tensor, count: int) -> Tensor:
    """From both ends, so that both are met."""
    first, last = (t.reshape(()).double() for t in (start, stop))
    step = (last - first) / torch.sym_max(count - 1, 1)
    places = torch.arange(count, dtype=torch.float64, device=start.device)
    return torch.where((places < count // 2) | (places == 0), first + step * places, last - step * (count - 1 - places))


def viterbi_decode(
    potentials: Tensor, transition_params: Tensor, lengths: Tensor, include_bos_eos_tag: bool = True
) -> tuple[Tensor, Tensor]:
    """All steps of the batch, of which those behind the end of a sequence change nothing."""
    steps, tags = potentials.shape[1:]
    longest = size_of(most(lengths), "lengths")
    if isinstance(longest, int) and longest > steps:
        raise ValueError(f"argument 'lengths': expected at most the {steps} steps of 'potentials', got {longest}")
    left, before = lengths.reshape(-1, 1), []
    score = potentials[:, 0]
    if include_bos_eos_tag:
        score = score + transition_params[-1] + (left == 1) * transition_params[-2]
    for step in range(1, steps):
        left = left - 1
        best, tag = (score.unsqueeze(2) + transition_params).max(1)
        before.append(torch.where(left > 0, tag, torch.arange(tags, device=tag.device)))
        end = (left == 1) * transition_params[-2] if include_bos_eos_tag else 0
        score = torch.where(left > 0, best + potentials[:, step] + end, score)
    scores, last = score.max(1)
    path = [last]
    for from_tag in reversed(before):
        path.insert(0, from_tag.gather(1, path[0].unsqueeze(1)).squeeze(1))
    places = torch.arange(longest, device=last.device)
    return scores, torch.stack(path, 1).index_select(1, places) * (places < lengths.unsqueeze(1))
