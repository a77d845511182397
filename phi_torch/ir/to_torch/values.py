"""Values of a program in a graph of torch.fx. Small tensors of integers that follow from sizes and constants stay numbers."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch import fx

from ... import ir
from ..guessed_types import GuessedRanks, is_guessed
from ..paddle.names import torch_dtype
from .run import integers, number, small_tensor


class Numbers(NamedTuple):
    """A tensor of rank 0 or 1 whose elements are Python's numbers, or nodes that give one."""

    items: tuple[Any, ...]
    rank: int
    dtype: str

    @property
    def is_constant(self) -> bool:
        return not any(isinstance(item, fx.Node) for item in self.items)


Known = fx.Node | Numbers | list[Any] | None  # a list stands for a value of a vector type


class Values:
    """What the values of one block are in its graph. Those of the blocks around it become inputs of the graph."""

    def __init__(self, outer: Values | None = None, mutates: bool = False) -> None:
        self.graph = fx.Graph()
        self.outer = outer
        self.mutates: bool = mutates if outer is None else outer.mutates
        self.captured: list[fx.Node] = []  # nodes of the graph around this one
        self.written: list[ir.Value] = []  # of the blocks around this one, that its operations write
        self._own: set[ir.Value] = set()
        self._known: dict[ir.Value, Known] = {}
        self._tensors: dict[Numbers, fx.Node] = {}
        self._inputs: dict[fx.Node, fx.Node] = {}
        self.guessed_ranks: GuessedRanks = GuessedRanks() if outer is None else outer.guessed_ranks
        self._shared: dict[ir.Value, list[ir.Value]] = {} if outer is None else outer._shared

    def __setitem__(self, value: ir.Value, known: Known) -> None:
        self._known[value] = known
        self._own.add(value)

    def is_own(self, value: ir.Value) -> bool:
        return value in self._own

    def write(self, value: ir.Value, known: Known) -> None:
        """From here on the value is another one, in the blocks around this one too where it is theirs."""
        self._known[value] = known
        if value not in self._own:
            self.written.append(value)

    def share(self, value: ir.Value, result: ir.Value) -> list[ir.Value]:
        """What is the same memory as `value` where this block sees it; from here on `result` is, too."""
        same = self._shared.setdefault(value, [value])
        seen = [one for one in same if self._sees(one)]
        same.append(result)
        self._shared[result] = same
        return seen

    def _sees(self, value: ir.Value) -> bool:
        return value in self._own or (self.outer is not None and self.outer._sees(value))

    def known(self, value: ir.Value | None) -> Known:
        if value is None:
            return None
        if value not in self._known:
            if self.outer is None:
                raise ValueError(f"{value} is used before it is defined")
            self._known[value] = self._capture(self.outer.known(value))
        return self._known[value]

    def _capture(self, known: Known) -> Known:
        if isinstance(known, fx.Node):
            if known not in self._inputs:
                self.captured.append(known)
                with self.graph.inserting_before():
                    self._inputs[known] = self.input()
            return self._inputs[known]
        if isinstance(known, Numbers):
            return known._replace(items=tuple(self._capture(i) if isinstance(i, fx.Node) else i for i in known.items))
        return [self._capture(one) for one in known] if isinstance(known, list) else None

    def input(self) -> fx.Node:
        count = sum(node.op == "placeholder" for node in self.graph.nodes)
        return self.graph.placeholder(f"x_{count}")

    def take(self, arguments: Sequence[fx.Node], captured: Sequence[fx.Node]) -> None:
        """The inputs of the graph are its arguments, and then those nodes around it, used or not."""
        for node in reversed([*arguments, *(self._capture(one) for one in captured)]):
            next(iter(self.graph.nodes)).prepend(node)  # type: ignore[arg-type]

    def call(self, function: Callable[..., Any], *args: Any) -> fx.Node:
        return self.graph.call_function(function, args)

    def tensor(self, value: ir.Value | None) -> Any:
        return self.as_tensor(self.known(value))

    def as_tensor(self, known: Known) -> Any:
        """A node of a tensor, a list of those, or None."""
        if isinstance(known, Numbers):
            if known not in self._tensors:
                dtype = torch_dtype(known.dtype)
                self._tensors[known] = self.call(small_tensor, list(known.items), known.rank, dtype)
            return self._tensors[known]
        return [self.as_tensor(one) for one in known] if isinstance(known, list) else known

    def elements(self, value: ir.Value) -> list[Any]:
        """Of a value of a vector type."""
        known = self.known(value)
        if isinstance(known, fx.Node):
            assert value.type is not None
            known = [self.call(operator.getitem, known, i) for i in range(len(value.type.elements))]
            self._known[value] = known
        assert isinstance(known, list)
        return known

    def numbers(self, value: ir.Value) -> list[Any]:
        """The elements of a tensor of integers, or those of several, which an attribute asks for: a list, or a node of one."""
        if value.type is not None and value.type.kind == "vector":
            elements = self.elements(value)
            sole = value.type.elements[0] if len(elements) == 1 else None
            if sole is None or sole.dims in ([], [1]):
                return [self._number(one) for one in elements]
            known = elements[0]  # which holds all of them
        else:
            known = self.known(value)
        if isinstance(known, Numbers):
            return list(known.items)
        return self.call(integers, known)  # type: ignore[return-value]

    def number(self, value: ir.Value) -> Any:
        return self._number(self.known(value))

    def _number(self, known: Known) -> Any:
        if isinstance(known, Numbers) and len(known.items) == 1:
            return known.items[0]
        return self.call(number, self.as_tensor(known))

    def size(self, value: ir.Value, dim: int) -> Any:
        known = value.type.shape[dim] if value.type is not None else -1
        return known if known >= 0 and not is_guessed(value) else self.graph.call_method("size", (self.tensor(value), dim))


def tensor_of(attribute: ir.Attribute) -> torch.Tensor:
    """The constant of a `builtin.constant`."""
    dtype, shape, data = attribute.value
    found = torch_dtype(dtype)
    if found is None:
        raise NotImplementedError(f"a constant of {dtype}")
    return torch.frombuffer(bytearray(data), dtype=found).reshape(shape) if data else torch.zeros(shape, dtype=found)
