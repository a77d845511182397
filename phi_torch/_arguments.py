"""What the generated functions of `ops.py` do to their arguments before the call."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import torch
from torch import Tensor

Number = int | float | bool | complex
Device = torch.device | str | int | None
IntArray = int | Sequence[int | Tensor] | Tensor


def int_array(value: IntArray) -> Sequence[int] | Tensor:
    """A single number becomes a list of one; a list that holds tensors becomes one tensor."""
    if isinstance(value, (list, tuple)):
        for item in value:
            if isinstance(item, Tensor):
                return torch.stack([as_tensor(i).reshape(()).to(torch.int64) for i in value])
        return value
    if isinstance(value, (int, torch.SymInt)):
        return [value]
    return value  # type: ignore[return-value]


def as_tensor(value: Number | Sequence[int] | Tensor) -> Tensor:
    """A number or a list of integers as the tensor that the `.tensor` overloads take."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, (float, torch.SymFloat)):
        return torch.tensor(value, dtype=torch.float64)
    if isinstance(value, (list, tuple)):
        return torch.tensor(value, dtype=torch.int64)
    return torch.tensor(value)


def deprecated(name: str, text: str) -> None:
    """Warns the caller of the generated function; silent while a graph is traced."""
    if not torch.compiler.is_compiling():
        warnings.warn(f"phi_torch.{name} is deprecated: {text}", DeprecationWarning, stacklevel=3)
