"""Tensors with levels of detail: sequences of different lengths, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from operator import index
from typing import Any

import torch
from torch import Tensor

from .._expect import expect

Lod = list[list[int]]  # for each level the offsets of its sequences, the coarsest one first


class LoDTensor(Tensor):
    """A tensor whose rows are those of sequences, `[[0, 2, 5]]` of one with two rows and one with three: what operators of
    torch give for it are plain tensors, and gradients go through it.

    Args:
        data: a tensor with a dimension at least, which it shares.
        lod: for each level its offsets: they begin with 0 and do not fall, the last one is the number of sequences of the next
            level, and in the last level the number of rows.

    Raises:
        ValueError: the offsets are not such.
    """

    __torch_function__ = torch._C._disabled_torch_function_impl  # type: ignore[assignment]
    _lod: Lod

    def __new__(cls, data: Tensor, lod: Sequence[Sequence[int]]) -> LoDTensor:
        expect("LoDTensor", "data", data, Tensor, "torch.as_tensor makes one")
        if not all(isinstance(level, Iterable) for level in (lod if isinstance(lod, Iterable) else [lod])):
            raise TypeError(f"LoDTensor: argument 'lod': expected the offsets of each level, as [[0, 2, 5]], got {lod!r:.60}")
        levels = [[_offset(offset) for offset in level] for level in lod]
        if not levels:
            raise ValueError("lod: expected a level at least, got none")
        if data.dim() == 0:
            raise ValueError("data: expected a dimension at least, got a tensor without one")
        check_lod(levels, data.shape[0])
        return with_lod(data, levels)  # type: ignore[return-value]

    @property
    def lod(self) -> Lod:
        """The offsets of each level."""
        return [list(level) for level in self._lod]

    def recursive_sequence_lengths(self) -> Lod:
        """The lengths of the sequences of each level, in parts of the next one."""
        return [lengths_of(level) for level in self._lod]

    def __repr__(self, *, tensor_contents: Any = None) -> str:  # type: ignore[override]
        return f"LoDTensor({self.as_subclass(Tensor)}, lod={self._lod})"


def _offset(value: Any) -> int:
    try:
        return index(value)
    except TypeError:
        raise ValueError(f"lod: expected integers, got {value!r}") from None


def check_lod(lod: Lod, rows: int) -> None:
    """Raises ValueError where offsets are not those of so many rows."""
    for number, level in enumerate(lod):
        if len(level) < 2 or level[0] != 0 or any(low > high for low, high in pairwise(level)):
            raise ValueError(f"lod: expected offsets from 0 on that do not fall in level {number}, got {level}")
        last = number == len(lod) - 1
        count, what = (rows, "rows of the data") if last else (len(lod[number + 1]) - 1, f"sequences of level {number + 1}")
        if level[-1] != count:
            raise ValueError(f"lod: expected level {number} to end with {count}, the {what}, got {level}")


def with_lod(data: Tensor, lod: Lod) -> Tensor:
    """The tensor with other levels, as Paddle's operators hand them on: they need not fit. A plain one for no levels."""
    if not lod:
        return data.as_subclass(Tensor) if isinstance(data, LoDTensor) else data
    found = data.as_subclass(LoDTensor)
    found._lod = lod
    return found


def lod_of(value: Any) -> Lod:
    """The levels of a variable's value; none of a plain tensor."""
    return value._lod if isinstance(value, LoDTensor) else []


def lengths_of(level: Sequence[int]) -> list[int]:
    return [high - low for low, high in pairwise(level)]


def offsets_of(lengths: Sequence[int]) -> list[int]:
    offsets = [0]
    for length in lengths:
        offsets.append(offsets[-1] + length)
    return offsets
