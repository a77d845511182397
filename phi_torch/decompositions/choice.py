"""Composites in which numbers choose between tensors, parts and beams."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from .errors import indices_of
from .found_sizes import has_values


def _check_range(x: Tensor, count: int, argument: str) -> None:
    if x.is_meta or not has_values(x) or not x.numel():
        return
    is_inside = ((x >= 0) & (x < count)).all()
    if x.is_cuda:
        torch._assert_async(is_inside, f"argument '{argument}': expected numbers in [0, {count})")
    elif not is_inside:
        wrong = int(x.min()) if int(x.min()) < 0 else int(x.max())
        raise IndexError(f"argument '{argument}': expected numbers in [0, {count}), got {wrong}")


def multiplex(inputs: Sequence[Tensor], index: Tensor) -> Tensor:
    _check_range(index, len(inputs), "index")
    rows = torch.arange(index.shape[0], device=index.device)
    return torch.stack(list(inputs))[index.reshape(-1).long(), rows]


def multiplex_grad(inputs: Sequence[Tensor], index: Tensor, out_grad: Tensor) -> list[Tensor]:
    _check_range(index, len(inputs), "index")
    of_row = index.reshape(-1, *[1] * (out_grad.dim() - 1))
    grads = [torch.where(of_row == number, out_grad, 0) for number in range(len(inputs))]
    behind = [x.shape[0] - index.shape[0] for x in inputs]
    return [torch.constant_pad_nd(grad, [0, 0] * (grad.dim() - 1) + [0, more]) for grad, more in zip(grads, behind)]


def shard_index(input: Tensor, index_num: int, nshards: int, shard_id: int, ignore_value: int = -1) -> Tensor:
    _check_range(input, index_num, "input")
    size = (index_num + nshards - 1) // nshards
    return torch.where(input // size == shard_id, input % size, ignore_value)


def gather_tree(ids: Tensor, parents: Tensor) -> Tensor:
    """From the last step back."""
    steps, beams = ids.shape[0], ids.shape[2]
    _check_range(parents[1:], beams, "parents")
    beam = torch.arange(beams, device=ids.device).expand(ids.shape[1:])
    found: list[Tensor] = []
    for step in reversed(range(steps)):
        with indices_of("parents", f"the {beams} beams"):
            found.insert(0, ids[step].gather(1, beam))
            beam = parents[step].long().gather(1, beam)
    return torch.stack(found) if found else ids.clone()
