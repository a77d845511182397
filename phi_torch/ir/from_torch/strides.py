"""as_strided of a graph of torch. A program's values have no place in memory: what is read is told by torch's strides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import sympy
from torch.utils._sympy.functions import Max
from torch.utils._sympy.value_ranges import bound_sympy

from ... import ir
from .rules import Calls, Operand
from .sizes import expression, ranges_of

TARGETS = ("aten.as_strided.default", "aten.as_strided_copy.default", "aten.as_strided_scatter.default")


class Memory:
    """How a tensor fills its memory: in which order of its dimensions it lies there without gaps; None if it does not."""

    def __init__(self, sizes: Sequence[Any], strides: Sequence[Any]) -> None:
        self.sizes, self.strides = [expression(size) for size in sizes], [_stride(stride) for stride in strides]
        self.numel = math.prod(self.sizes)
        self.order = self._order()

    def _order(self) -> list[int] | None:
        order: list[int] = []
        rest, below = list(range(len(self.sizes))), 1
        while rest:  # from the innermost dimension out, those that are symbols too
            found = next((dim for dim in reversed(rest) if self.sizes[dim] == 1 or self.strides[dim] == below), None)
            if found is None:
                return None
            order.insert(0, found)
            rest.remove(found)
            below = _expanded(below * self.sizes[found])
        return order

    def ordered(self) -> list[Any]:
        return [self.sizes[dim] for dim in self.order or ()]

    def equal(self, other: Memory) -> bool:
        pairs = zip(self.sizes, self.strides, other.strides)
        return self.sizes == other.sizes and all(size == 1 or ours == theirs for size, ours, theirs in pairs)


class Strided:
    """One call."""

    def __init__(self, calls: Calls, arguments: dict[str, Any]) -> None:
        x: Operand = arguments["self"]
        self.calls, self.x, self.source = calls, x, arguments.get("src")
        self.memory = Memory(x.meta.shape, x.meta.stride())
        self.given = arguments["size"]
        self.part = Memory(arguments["size"], arguments["stride"])
        begin, given = expression(x.meta.storage_offset()), arguments["storage_offset"]
        self.offset = 0 if given is None else given - begin

    def value(self) -> ir.Value:
        """The result.

        Raises:
            NotImplementedError: it depends on memory that the argument does not fill.
        """
        is_all = self.offset == 0 and (self.part.equal(self.memory) or self._is_all())
        if self.source is not None:
            return self._moved(self.source, self.part, self.memory) if is_all else self._scattered()
        return self._moved(self.x, self.memory, self.part) if is_all else self._read()

    def _is_all(self) -> bool:
        return None not in (self.memory.order, self.part.order) and bool(self.memory.numel == self.part.numel)

    def _moved(self, x: Any, before: Memory, after: Memory) -> ir.Value:
        """The same memory with other dimensions."""
        if before.equal(after):
            return _value(x)
        if before.ordered() != after.ordered():
            x = self.calls["reshape"](self._ordered(x, before), after.ordered())
        else:
            x = self._ordered(x, before)
        return self._in_place(x, after)

    def _ordered(self, x: Any, memory: Memory) -> Any:
        """As it lies in memory."""
        return x if memory.order == sorted(memory.order) else self.calls["transpose"](x, memory.order)  # type: ignore[arg-type, type-var]

    def _in_place(self, x: Any, memory: Memory) -> ir.Value:
        """The opposite."""
        order = memory.order or []
        return _value(x if order == sorted(order) else self.calls["transpose"](x, [order.index(dim) for dim in range(len(order))]))

    def _checked(self) -> list[int]:
        """Of a part of the argument's memory: its sizes, when all are known."""
        numbers = [self.offset, *self.part.sizes, *self.part.strides, self.memory.numel]
        if self.memory.order is None or not all(isinstance(one, int) for one in numbers):
            raise NotImplementedError("it depends on how its argument lies in memory")
        last = self.offset + sum((size - 1) * stride for size, stride in zip(self.part.sizes, self.part.strides))
        if 0 not in self.part.sizes and (self.offset < 0 or last >= self.memory.numel):
            raise NotImplementedError("it reads memory that its argument does not fill")
        return self.memory.ordered()

    def _line(self) -> tuple[list[Any], list[Any], list[Any]] | None:
        """Where it starts and ends and its step in the argument's memory, if it has one dimension and is inside for all sizes."""
        if self.memory.order is None or len(self.part.sizes) != 1 or not isinstance(self.offset, int):
            return None
        (size,), (stride,) = self.part.sizes, self.part.strides
        end = self.offset + (size - 1) * stride + 1
        parts = (size - 1, stride - 1, self.memory.numel - end)
        ranges: Any = ranges_of([*self.x.meta.shape, *self.given]) or {}
        is_inside = all(bound_sympy(sympy.sympify(one).expand(), ranges).lower >= 0 for one in parts)
        return ([self.offset], [end], [stride]) if is_inside else None

    def _flat(self) -> Any:
        return self.calls["reshape"](self._ordered(self.x, self.memory), [-1])

    def _read(self) -> ir.Value:
        if not isinstance(self.memory.numel, int) and (line := self._line()):
            return _value(self.calls["strided_slice"](self._flat(), [0], *line))
        self._checked()
        element = self.x.meta.element_size()
        x = self._ordered(self.x, self.memory)
        return _value(self.calls["as_strided"](x, self.part.sizes, self.part.strides, self.offset * element))

    def _scattered(self) -> ir.Value:
        """With PHI's operators: of torch's own, gradients do not reach what stays."""
        if line := self._line():
            flat = self.calls["set_value_with_tensor"](self._flat(), self.source, *line, [0], [], [])
        else:
            self._checked()
            places = self.calls["arange"](0, self.memory.numel, 1, "int64")
            index = self.calls["as_strided"](places, self.part.sizes, self.part.strides, self.offset * 8)
            index, source = (self.calls["reshape"](one, [-1]) for one in (index, self.source))
            flat = self.calls["index_put"](self._flat(), [index], source)
        return self._in_place(self.calls["reshape"](flat, self.memory.ordered()), self.memory)


def _stride(value: Any) -> Any:
    """Without what torch says of tensors without elements: a size from 0 on counts as max(1, size) in a stride."""
    found = expression(value)
    if isinstance(found, int):
        return found
    return _expanded(found.replace(Max, lambda *parts: Max(*(part for part in parts if part != 1))))


def _expanded(size: Any) -> Any:
    return size if isinstance(size, int) else size.expand()


def _value(x: Any) -> ir.Value:
    return x if isinstance(x, ir.Value) else x.value
