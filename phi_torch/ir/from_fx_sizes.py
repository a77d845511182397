"""Sizes of a graph of torch, which are expressions of symbols, as symbols and values of a program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy
import torch
from torch import SymInt

from .. import ir


def expression(value: Any) -> Any:
    """An int, or a sympy expression for a size that is not known."""
    if not isinstance(value, torch.SymInt | torch.SymFloat | torch.SymBool):
        return value
    found = value.node.expr
    if found.is_number:
        return int(found) if isinstance(value, SymInt) else bool(found) if isinstance(value, torch.SymBool) else float(found)
    return found


_COMPARISONS = {
    sympy.StrictGreaterThan: "greater_than",
    sympy.GreaterThan: "greater_equal",
    sympy.StrictLessThan: "less_than",
    sympy.LessThan: "less_equal",
    sympy.Equality: "equal",
    sympy.Unequality: "not_equal",
}


class SizeTable:
    """The symbols of a program that is made of a graph, and what computes them."""

    def __init__(self, builder: ir.Builder) -> None:
        self.builder = builder
        self.names: dict[Any, str] = {}  # sympy's symbol -> the program's
        self._places: dict[Any, tuple[ir.Value, int | None]] = {}  # a size of a value, or a value
        self._scalars: dict[Any, ir.Value] = {}

    def inside(self, builder: ir.Builder) -> SizeTable:
        """The table of a region, which sees what is around it."""
        found = SizeTable(builder)
        found.names = self.names
        found._places, found._scalars = dict(self._places), dict(self._scalars)
        return found

    def dims(self, sizes: Sequence[Any], ranges: Any = None, source: str = "") -> list[int | str]:
        """Of a type; with `ranges` what is not known yet becomes a symbol."""
        return [self._dim(expression(size), ranges, f"{source}.{i}") for i, size in enumerate(sizes)]

    def _dim(self, size: Any, ranges: Any, source: str) -> int | str:
        if isinstance(size, int):
            return size
        if isinstance(size, sympy.Symbol) and size not in self.names and ranges is not None:
            found = ranges.get(size)
            low = 0 if found is None else max(0, int(found.lower))
            known = found is not None and isinstance(found.upper, sympy.Integer) and int(found.upper) < 2**62
            self.names[size] = self.builder.program.symbols.add(source, low, int(found.upper) if known else None)
        return self._text(size) or "?"

    def _text(self, size: Any) -> str | None:
        """An expression as the program writes it; None for one that it cannot write."""
        if isinstance(size, int | sympy.Integer):
            return str(int(size))
        if isinstance(size, sympy.Symbol):
            return self.names.get(size)
        parts = [self._text(part) for part in size.args]
        if any(part is None for part in parts):
            return None
        if isinstance(size, sympy.Add):
            return "+".join(parts).replace("+-", "-")  # type: ignore[arg-type]
        if isinstance(size, sympy.Mul) and not any(isinstance(part, sympy.Add) for part in size.args):
            return "*".join(parts)  # type: ignore[arg-type]
        if type(size).__name__ == "FloorDiv":
            return f"floordiv({parts[0]},{parts[1]})"
        return None

    def define(self, symbol: Any, value: ir.Value, dim: int | None) -> None:
        """A symbol is a size of a value, or the number that a value has; the first place counts."""
        if isinstance(symbol, sympy.Symbol):
            self._places.setdefault(symbol, (value, dim))

    def __contains__(self, symbol: Any) -> bool:
        """Whether it is known where a size is found."""
        return symbol in self._places

    def scalar(self, size: Any) -> ir.Value:
        """A size, or a comparison of sizes, as a tensor of rank 0.

        Raises:
            NotImplementedError: nothing in the program tells it.
        """
        key = (size, isinstance(size, bool))  # True is no 1 here
        if key not in self._scalars:
            self._scalars[key] = self._made(size)
        return self._scalars[key]

    def _create(self, name: str, *operands: ir.Value | None, **attributes: Any) -> ir.Value:
        return self.builder.create(f"pd_op.{name}", operands, attributes).results[0]

    def _made(self, size: Any) -> ir.Value:
        if isinstance(size, int | sympy.Integer):
            return self._create("full", shape=[], value=float(int(size)), dtype="bool" if isinstance(size, bool) else "int64")
        if type(size) in _COMPARISONS:
            return self._create(_COMPARISONS[type(size)], *(self.scalar(part) for part in size.args))
        if isinstance(size, sympy.Symbol) and size in self._places:
            value, dim = self._places[size]
            if dim is None:
                return value
            sizes = self._create("shape64", value)
            return self._create("slice", sizes, None, None, axes=[0], starts=[dim], ends=[dim + 1], decrease_axis=[0])
        if isinstance(size, sympy.Add | sympy.Mul):
            name = "add" if isinstance(size, sympy.Add) else "multiply"
            found = self.scalar(size.args[0])
            for part in size.args[1:]:
                found = self._create(name, found, self.scalar(part))
            return found
        if type(size).__name__ in ("FloorDiv", "Mod", "PythonMod"):
            target = "aten.floor_divide.default" if type(size).__name__ == "FloorDiv" else "aten.remainder.Tensor"
            operands = [self.scalar(part) for part in size.args]
            type_ = self.builder.program.context.dense_tensor("int64", [])
            return self.builder.create("torch.call", operands, {"target": target}, [type_]).results[0]
        raise NotImplementedError(f"nothing in the program tells the size {size}")

    def vector(self, sizes: Sequence[Any]) -> ir.Value:
        combined = self.builder.create("builtin.combine", [self.scalar(size) for size in sizes])
        return self._create("stack", combined.results[0], axis=0)
