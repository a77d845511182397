"""Sizes of a graph of torch, which are expressions of symbols, as symbols and values of a program."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import sympy
import torch
from torch import SymInt

from ... import ir


def expression(value: Any) -> Any:
    """An int, or a sympy expression for a size that is not known."""
    if not isinstance(value, torch.SymInt | torch.SymFloat | torch.SymBool):
        return value
    found = value.node.expr
    if found.is_number:
        return int(found) if isinstance(value, SymInt) else bool(found) if isinstance(value, torch.SymBool) else float(found)
    return found


def ranges_of(sizes: Sequence[Any]) -> Any:
    """The ranges of the symbols of the graph that sizes are from; None if they are numbers."""
    node = next((size.node for size in sizes if isinstance(size, torch.SymInt)), None)
    return None if node is None else node.shape_env.var_to_range


def _is_natural(exponent: Any) -> bool:
    return isinstance(exponent, sympy.Integer) and int(exponent) > 0


_COMPARISONS = {
    sympy.StrictGreaterThan: "greater_than",
    sympy.GreaterThan: "greater_equal",
    sympy.StrictLessThan: "less_than",
    sympy.LessThan: "less_equal",
    sympy.Equality: "equal",
    sympy.Unequality: "not_equal",
}


# functions of torch's expressions: ATen's, and the dtype that it computes in
_FUNCTIONS = {
    "FloorDiv": ("floor_divide.default", "int64"),
    "CleanDiv": ("floor_divide.default", "int64"),
    "Mod": ("remainder.Tensor", "int64"),
    "PythonMod": ("remainder.Tensor", "int64"),
    "PowByNatural": ("pow.Tensor_Tensor", "int64"),
    "IntTrueDiv": ("div.Tensor", "float64"),
    "FloatTrueDiv": ("div.Tensor", "float64"),
    "FloatPow": ("pow.Tensor_Tensor", "float64"),
    "Abs": ("abs.default", "int64"),
    "ToFloat": (None, "float64"),
    "CeilToInt": ("ceil.default", "float64"),
    "FloorToInt": ("floor.default", "float64"),
    "TruncToInt": ("trunc.default", "float64"),
    "RoundToInt": ("round.default", "float64"),
} | {f"OpaqueUnaryFn_{name}": (f"{name}.default", "float64") for name in ("sqrt", "exp", "log", "log2", "sin", "cos", "tanh")}
_PAIRWISE = {"Add": "add", "Mul": "multiply", "Max": "maximum", "Min": "minimum"}
_LOGIC = {sympy.And: "logical_and", sympy.Or: "logical_or"}
_TEXTS = {"FloorDiv": "floordiv", "Mod": "mod", "PythonMod": "mod", "Max": "max", "Min": "min"}


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
        if isinstance(size, sympy.Pow) and isinstance(size.base, sympy.Symbol) and _is_natural(size.exp):
            return "*".join([str(parts[0])] * int(size.exp))
        if type(size).__name__ in _TEXTS:
            name = _TEXTS[type(size).__name__]
            return functools.reduce(lambda a, b: f"{name}({a},{b})", parts)
        return None

    def define(self, symbol: Any, value: ir.Value, dim: int | None) -> None:
        """A symbol is a size of a value, or the number that a value has, as may be a comparison; the first place counts."""
        if isinstance(symbol, sympy.Symbol):
            self._places.setdefault(symbol, (value, dim))
        elif isinstance(symbol, sympy.logic.boolalg.Boolean):
            self._scalars.setdefault((symbol, False), value)

    def __contains__(self, symbol: Any) -> bool:
        """Whether it is known where a size is found."""
        return symbol in self._places

    def is_size(self, symbol: Any) -> bool:
        """Whether it is a dimension of a value."""
        return symbol in self._places and self._places[symbol][1] is not None

    def scalar(self, size: Any) -> ir.Value:
        """A size, or a condition on sizes, as a tensor of rank 0.

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
            return self._create(_COMPARISONS[type(size)], *self._promoted([self.scalar(part) for part in size.args]))
        if type(size) in _LOGIC:
            return functools.reduce(functools.partial(self._create, _LOGIC[type(size)]), [self.scalar(one) for one in size.args])
        if isinstance(size, sympy.Not):
            return self._create("logical_not", self.scalar(size.args[0]))
        if isinstance(size, sympy.Symbol) and size in self._places:
            value, dim = self._places[size]
            if dim is None:
                return value
            sizes = self._create("shape64", value)
            return self._create("slice", sizes, None, None, axes=[0], starts=[dim], ends=[dim + 1], decrease_axis=[0])
        if isinstance(size, float | sympy.Float):
            return self._create("full", shape=[], value=float(size), dtype="float64")
        if isinstance(size, sympy.Pow) and _is_natural(size.exp):
            return functools.reduce(functools.partial(self._create, "multiply"), [self.scalar(size.base)] * int(size.exp))
        if isinstance(size, sympy.Pow) and _is_natural(-size.exp):
            return self._function("div.Tensor", "float64", [self.scalar(1), self.scalar(size.base**-size.exp)], False)
        if isinstance(size, sympy.Piecewise):
            return self._choice(size.args)
        name = type(size).__name__
        if name in _PAIRWISE:
            parts = self._promoted([self.scalar(part) for part in size.args])
            return functools.reduce(functools.partial(self._create, _PAIRWISE[name]), parts)
        if name in _FUNCTIONS:
            return self._function(*_FUNCTIONS[name], [self.scalar(part) for part in size.args], bool(size.is_integer))
        raise NotImplementedError(f"nothing in the program tells the size {size}")

    def _choice(self, cases: Sequence[Any]) -> ir.Value:
        """Of expressions with conditions the first that holds; the last condition is true."""
        (value, condition), *others = cases
        if not others:
            return self.scalar(value)
        return self._create("where", self.scalar(condition), *self._promoted([self.scalar(value), self._choice(others)]))

    def _function(self, target: str | None, dtype: str, operands: list[ir.Value], is_integer: bool) -> ir.Value:
        operands = [self._cast(x, dtype) for x in operands]
        if target is None:
            return operands[0]
        type_ = self.builder.program.context.dense_tensor(dtype, [])
        found = self.builder.create("torch.call", operands, {"target": f"aten.{target}"}, [type_]).results[0]
        return self._cast(found, "int64") if is_integer else found

    def _promoted(self, numbers: list[ir.Value]) -> list[ir.Value]:
        is_float = any(x.type is not None and x.type.dtype == "float64" for x in numbers)
        return [self._cast(x, "float64") for x in numbers] if is_float else numbers

    def _cast(self, number: ir.Value, dtype: str) -> ir.Value:
        return number if number.type is not None and number.type.dtype == dtype else self._create("cast", number, dtype=dtype)

    def vector(self, sizes: Sequence[Any]) -> ir.Value:
        combined = self.builder.create("builtin.combine", [self.scalar(size) for size in sizes])
        return self._create("stack", combined.results[0], axis=0)
