"""What the graph of a module calls beside operators: control flow, arrays of tensors, small tensors of sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, fx

from ..paddle.names import type_text

_NUMBERS = (int, float, complex, torch.SymInt, torch.SymFloat, torch.SymBool)
Region = Callable[..., tuple[Any, ...]]


def check_input(value: Any, name: str, type: str, sizes: Sequence[int], dtype: torch.dtype) -> None:
    """Raises TypeError or ValueError unless an input is of the type that the program says; a size below 0 is any. One of floating
    point may be of another width, as those of a module that was moved to it."""
    if isinstance(value, (fx.Proxy, *_NUMBERS) if not sizes else fx.Proxy):
        return
    if not isinstance(value, Tensor):
        raise TypeError(f"input '{name}': expected a torch.Tensor, of {type}, got {value.__class__.__name__}")
    fits = value.dtype == dtype or (value.is_floating_point() and dtype.is_floating_point)
    fits = fits and value.dim() == len(sizes)
    if fits and not torch.compiler.is_compiling():  # there a size may be a symbol, which would be fixed to a number
        fits = all(want in (-1, size) for want, size in zip(sizes, value.shape))
    if not fits:
        raise ValueError(f"input '{name}': expected {type}, got {type_text(value)}")


def run_if(condition: Tensor, then: Region, otherwise: Region, operands: Sequence[Any]) -> tuple[Any, ...]:
    """One of two regions: by Python, so that gradients are recorded; as `torch.cond` in what is compiled or exported."""
    if torch.compiler.is_compiling():
        return torch.cond(condition.reshape(()), lambda *x: _fresh(then(*x)), lambda *x: _fresh(otherwise(*x)), tuple(operands))
    return (then if bool(condition) else otherwise)(*operands)


def run_while(condition: Tensor, body: Region, carried: Sequence[Any], operands: Sequence[Any]) -> tuple[Any, ...]:
    """`body(*carried, *operands)` gives whether another round comes, and what it carries."""
    values: tuple[Any, ...] = (condition, *carried)
    if torch.compiler.is_compiling() and all(isinstance(value, Tensor) for value in values):
        first = _fresh(values)
        return tuple(torch.while_loop(_goes_on, lambda *x: _fresh(body(*x[1:], *operands)), first))[1:]
    while bool(values[0]):
        values = body(*values[1:], *operands)
    return values[1:]


def run_rounds(
    counter: int, counts: Sequence[int], body: Region, carried: Sequence[Any], operands: Sequence[Any]
) -> tuple[Any, ...]:
    """The same where the rounds are known: `body` takes a number of the range where its counter is carried."""
    values = tuple(carried)
    for number in range(*counts):
        values = body(*values[:counter], number, *values[counter + 1 :], *operands)[1:]
    return values


def _goes_on(condition: Tensor, *_: Tensor) -> Tensor:
    return condition.reshape(()).logical_not().logical_not()


def _fresh(values: Sequence[Any]) -> tuple[Any, ...]:
    """Results that share no memory with operands, nor with each other, as traced control flow asks for."""
    return tuple(value.clone() if isinstance(value, Tensor) else value for value in values)


def store(into: Tensor, value: Tensor) -> None:
    """Writes a weight."""
    into.detach().copy_(value.detach())


def integers(values: Tensor) -> list[int]:
    return values.reshape(-1).tolist()


def number(value: Tensor) -> Any:
    return value.item()


def small_tensor(items: Sequence[Any], rank: int, dtype: torch.dtype) -> Tensor:
    """A tensor of rank 0 or 1; the items may be sizes."""
    if not items:
        return torch.zeros(0, dtype=dtype)
    made = [torch.scalar_tensor(item, dtype=dtype) for item in items]
    return torch.stack(made) if rank else made[0]


def shape(value: Tensor) -> Tensor:
    return small_tensor(value.shape, 1, torch.int64)


def create_array() -> list[Tensor | None]:
    return []


def write_array(array: list[Tensor | None], value: Tensor, index: int) -> list[Tensor | None]:
    """Another list, with the value at the index."""
    if index < 0:
        raise IndexError(f"argument 'i': expected an index from 0 on, got {index}")
    longer = [*array, *[None] * (index + 1 - len(array))]
    return [*longer[:index], value.clone(), *longer[index + 1 :]]


def read_array(array: list[Tensor | None], index: int) -> Tensor:
    value = array[index] if 0 <= index < len(array) else None
    if value is None:
        raise IndexError(f"the array has {len(array)} tensors, got the index {index}")
    return value


def pop_array(array: list[Tensor | None], index: int) -> tuple[list[Tensor | None], Tensor]:
    """Another list, without what is at the index, and that."""
    at = index + len(array) if index < 0 else index
    return [*array[:at], *array[at + 1 :]], read_array(array, at)


def slice_array(array: list[Tensor | None], start: int, end: int) -> list[Tensor | None]:
    if not array[start:end]:
        raise IndexError(f"expected a part of the array, which has {len(array)} tensors, got those from {start} to {end}")
    return array[start:end]


def slice_array_dense(array: list[Tensor | None], start: int) -> Tensor:
    return read_array(array, start + len(array) if start < 0 else start)


def assign_array(array: list[Tensor | None]) -> list[Tensor | None]:
    return [None if one is None else one.clone() for one in array]


def array_length(array: list[Tensor]) -> Tensor:
    return torch.tensor([len(array)])


def array_to_tensor(array: list[Tensor], axis: int, use_stack: bool) -> tuple[Tensor, Tensor]:
    """The tensors joined or stacked, and the size of each along the axis."""
    if not array:
        raise ValueError("the array has no tensors to join")
    sizes = [1 if use_stack else one.size(axis) for one in array]
    return (torch.stack if use_stack else torch.cat)(array, axis), torch.tensor(sizes, dtype=torch.int32)


def show(value: Tensor, message: str | None) -> Tensor:
    print(message or "", value)
    return value.clone()


def select(mask: Tensor, values: Sequence[Tensor]) -> Tensor:
    """The value of that number: by Python, or where that is compiled or exported element by element."""
    if not torch.compiler.is_compiling() or not all(isinstance(one, Tensor) for one in values):
        return values[int(mask)]
    number, found = mask.reshape(()), values[0]
    for index, value in enumerate(values[1:], 1):
        found = torch.where(number == index, value, found)
    return found


def check(condition: Tensor, data: Sequence[Tensor], where: str) -> None:
    """`assert` of a program."""
    held, message = condition.all(), f"pd_op.assert{where and f' ({where})'}: the condition is false"
    if torch.compiler.is_compiling():
        torch._assert_async(held, message)
    elif not bool(held):
        raise RuntimeError(f"{message}; data: {[one.tolist() for one in data]}")
