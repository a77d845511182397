"""Kernels of arrays of tensors, which are lists; a tensor that was not written is None."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from ... import ops as phi
from .table import expect, kernel

Array = Sequence[Tensor | None]


def _number(values: Tensor | Sequence[int], slot: str) -> int:
    numbers = values.tolist() if isinstance(values, Tensor) else [int(value) for value in values]
    expect(slot, len(numbers) == 1, "one number for an array", f"{len(numbers)}")
    return int(numbers[0])


def _index(array: Array, starts: Tensor | Sequence[int]) -> int:
    index = _number(starts, "starts")
    expect("starts", -len(array) <= index < len(array), f"the index of one of {len(array)} tensors", index)
    return index % len(array)


def _part(array: Array, starts: Tensor | Sequence[int], ends: Tensor | Sequence[int]) -> slice:
    start, end, _ = slice(_number(starts, "starts"), _number(ends, "ends")).indices(len(array))
    expect("ends", end > start, f"more than the start, {start}, in an array of {len(array)} tensors", end)
    return slice(start, end)


def _zeros(array: Array) -> list[Tensor | None]:
    return [None if one is None else torch.zeros_like(one) for one in array]


@kernel("slice_array(Tensor input, int[] starts, int[] ends) -> Tensor")
def slice_array(input: Array, starts: Tensor | Sequence[int], ends: Tensor | Sequence[int]) -> Array:
    return [*input[_part(input, starts, ends)]]


@kernel("slice_array_grad(Tensor input, Tensor out_grad, int[] starts, int[] ends) -> Tensor")
def slice_array_grad(input: Array, out_grad: Array, starts: Tensor | Sequence[int], ends: Tensor | Sequence[int]) -> Array:
    grads = _zeros(input)
    grads[_part(input, starts, ends)] = out_grad
    return grads


@kernel("slice_array_dense(Tensor input, int[] starts) -> Tensor")
def slice_array_dense(input: Array, starts: Tensor | Sequence[int]) -> Tensor:
    found = input[_index(input, starts)]
    if found is None:
        raise ValueError("starts: expected the index of a tensor that was written")
    return found


@kernel("slice_array_dense_grad(Tensor input, Tensor out_grad, int[] starts) -> Tensor")
def slice_array_dense_grad(input: Array, out_grad: Tensor, starts: Tensor | Sequence[int]) -> Array:
    grads = _zeros(input)
    grads[_index(input, starts)] = out_grad
    return grads


@kernel("assign_array(Tensor x) -> Tensor")
def assign_array(x: Array) -> Array:
    return [None if one is None else phi.assign(one) for one in x]


@kernel("add_n_array(Tensor[] x) -> Tensor")
def add_n_array(x: Sequence[Array]) -> Array:
    """Tensor by tensor, of arrays of any length; one that only some have is the sum of those."""
    columns = [[one[i] for one in x if i < len(one)] for i in range(max(map(len, x)))]
    written = [[one for one in column if one is not None] for column in columns]
    return [phi.add_n(column) if column else None for column in written]
