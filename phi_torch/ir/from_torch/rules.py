"""The rows of yaml/aten_compat.yaml at work: a call of ATen becomes operations of pd_op."""

from __future__ import annotations

import ast
import functools
import math
from array import array
from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import torch

from ... import ir
from ..._aten_table import ROWS
from ..._op_table import OPS
from ..torch_names import op_info_of
from .sizes import expression

Numbers = int | float | bool


class NoFit(Exception):
    """A row is not for this call."""


class Operand(NamedTuple):
    """A tensor of a call: its value in the program, and what torch says of it."""

    value: Any
    meta: torch.Tensor


class Sizes(NamedTuple):
    """How expressions of sizes become values of a program."""

    scalar: Callable[[Any], ir.Value]  # of rank 0
    vector: Callable[[Sequence[Any]], ir.Value]  # of rank 1


class Row:
    """One row, compiled when it is first needed."""

    def __init__(self, overload: str, arguments: tuple[str, ...], when: tuple[str, ...], to: tuple[str, ...], place: str) -> None:
        self.overload, self.arguments, self.place = overload, arguments, place
        self._when, self._to = when, to

    @functools.cached_property
    def when(self) -> list[Any]:
        return [compile(text, self.place, "eval") for text in self._when]

    @functools.cached_property
    def to(self) -> list[Any]:
        return [None if text == "None" else self._compiled(text) for text in self._to]

    def _compiled(self, text: str) -> Any:
        tree = ast.parse(text, self.place, "eval")
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in self.arguments:
                node.func.id = f"pd_op.{node.func.id}"  # which no argument hides
        return compile(tree, self.place, "eval")

    def fits(self, arguments: Mapping[str, Any], defaults: Mapping[str, Any], result: torch.Tensor) -> bool:
        """Whether all that it does not name is at its default, and its conditions hold."""
        if any(name not in self.arguments and value != defaults.get(name) for name, value in arguments.items()):
            return False
        scope: dict[str, Any] = {**arguments, "result": Operand(None, result)}
        try:
            return all(bool(eval(code, {"__builtins__": {}}, ChainMap(scope, FUNCTIONS))) for code in self.when)
        except (TypeError, NoFit):  # of a size that is not known
            return False

    def results(
        self, arguments: Mapping[str, Any], metas: Sequence[torch.Tensor | None], used: Sequence[bool], calls: Calls
    ) -> list[Any]:
        """The values of the results, None for those that nobody uses.

        Raises:
            NoFit: an argument is none that the operator can have, or a result would not be what torch says.
        """
        scope: dict[str, Any] = {**arguments, "result": Operand(None, next(meta for meta in metas if meta is not None))}
        if calls.differentiated:
            scope["for_backward"] = _no_fit
        found: list[Any] = []
        for code, meta, is_used in zip(self.to, metas, used):
            if not is_used or meta is None:
                found.append(None)
                continue
            if code is None:
                raise NoFit
            try:
                made = eval(code, {"__builtins__": {}}, ChainMap(scope, FUNCTIONS, calls))
            except TypeError as error:  # of a size that is not known
                raise NoFit(str(error)) from None
            value = made.value if isinstance(made, Made) else made
            if not isinstance(value, ir.Value) or not _agrees(value.type, meta):
                raise NoFit
            found.append(value)
        return found


class Made:
    """The results of an operation: the first one, and those by name."""

    def __init__(self, op: ir.Operation) -> None:
        self.op = op

    @property
    def value(self) -> ir.Value:
        return self.op.results[0]

    def __getattr__(self, name: str) -> ir.Value:
        return self.op.results[[one.name for one in self.op.info.outputs].index(name)]


class Calls(dict[str, Any]):
    """Operators as functions that make operations; the same call is made once."""

    def __init__(
        self, builder: ir.Builder, sizes: Sizes, location: str, types: Sequence[ir.Type | None], differentiated: bool
    ) -> None:
        super().__init__()
        self.builder, self.sizes, self.location = builder, sizes, location
        self.types = types  # of what a call gives, for lists, whose length operators do not tell
        self.differentiated = differentiated
        self.made: list[ir.Operation] = []
        self._known: dict[Any, Made] = {}

    def __missing__(self, name: str) -> Callable[..., Made]:
        op = name.removeprefix("pd_op.")
        if op not in OPS:
            raise KeyError(name)
        return functools.partial(self.call, op)

    def call(self, name: str, *args: Any, **kwargs: Any) -> Made:
        key = (name, _key(args), _key(tuple(kwargs.items())))
        if key not in self._known:
            given = {**dict(zip(OPS[name].names, args)), **kwargs}
            self._known[key] = Made(self.make(name, given))
        return self._known[key]

    def make(self, name: str, given: Mapping[str, Any]) -> ir.Operation:
        """An operation of pd_op of arguments by name.

        Raises:
            NoFit: there is no such operator in this build, or it does not take these arguments.
        """
        full = name if "." in name else f"pd_op.{name}"
        info = ir.op_info(full)
        if info is None or op_info_of(full) is None:
            raise NoFit
        kinds = {one.name: one.kind for one in info.attributes}
        operands: list[Any] = []
        attributes: dict[str, Any] = {}
        for one in info.inputs:
            value = given.get(one.name)
            if not one.is_mutable_attribute:
                operands.append(self._tensors(value, one.is_list))
            elif _is_symbolic(value):
                operands.append(self._sizes(name, value))
            else:
                operands.append(None)
        taken = {one.name for one, value in zip(info.inputs, operands) if value is not None}
        for key, kind in kinds.items():
            if key in given and key not in taken and given[key] is not None:
                attributes[key] = _attribute(kind, given[key])
        if not self.differentiated and any(map(_is_double, operands)):
            # eager calls of torch have doubles here; a program that is differentiated keeps to operators that have gradients
            if any(_rounds(kinds[key], value) for key, value in attributes.items()):
                raise NoFit
        if name == "reshape" and _is_symbolic(given["shape"]) and sum(map(_is_symbolic, given["shape"])) == 1:
            if 0 not in given["shape"]:
                operands[1], attributes["shape"] = None, [-1 if _is_symbolic(size) else size for size in given["shape"]]
        try:
            has_lists = len(info.outputs) == len(self.types) and any(one.is_list for one in info.outputs)
            types = self.types if has_lists else None
            made = self.builder.create(full, operands, attributes, types, location=self.location)
        except (ValueError, TypeError) as error:
            raise NoFit(str(error)) from None
        self.made.append(made)
        return made

    def _tensors(self, value: Any, is_list: bool) -> Any:
        if value is None:
            return None
        if is_list:
            elements = [self._tensors(one, False) for one in value]
            combined = self.builder.create("builtin.combine", elements)
            self.made.append(combined)
            return combined.results[0]
        found = value.value if isinstance(value, Operand | Made) else value
        if not isinstance(found, ir.Value):
            raise NoFit
        return found

    def _sizes(self, name: str, value: Any) -> ir.Value:
        return self.sizes.vector(value) if isinstance(value, list | tuple) else self.sizes.scalar(value)

    def undo(self) -> None:
        for op in reversed(self.made):
            op.erase()
        self.made.clear()
        self._known.clear()


@functools.cache
def rows() -> Mapping[str, list[Row]]:
    """By overload."""
    found: dict[str, list[Row]] = {}
    for row in ROWS:
        found.setdefault(row[0], []).append(Row(*row))
    return found


def _key(value: Any) -> Any:
    """Something hashable that is equal for equal arguments; numbers of different types are different."""
    if isinstance(value, Operand | Made):
        return value.value
    return tuple(map(_key, value)) if isinstance(value, list | tuple) else (type(value), value)


def _agrees(type: ir.Type | None, meta: torch.Tensor | Sequence[torch.Tensor]) -> bool:
    if type is None:
        return False
    if isinstance(meta, list | tuple):
        elements = type.elements if type.kind == "vector" else []
        return len(elements) == len(meta) and all(map(_agrees, elements, meta))
    assert isinstance(meta, torch.Tensor)
    if type.kind != "dense_tensor" or type.dtype != dtype_name(meta.dtype) or len(type.shape) != meta.dim():
        return False
    return all(ours == -1 or not isinstance(theirs, int) or ours == theirs for ours, theirs in zip(type.shape, meta.shape))


def dtype_name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _is_symbolic(value: Any) -> bool:
    """Of an expression of sizes, or a list in which there is one."""
    if isinstance(value, list | tuple):
        return any(map(_is_symbolic, value))
    return value is not None and not isinstance(value, Numbers | complex | str | torch.dtype | Operand | Made)


def _attribute(kind: str, value: Any) -> Any:
    if isinstance(value, torch.dtype):
        return dtype_name(value)
    if _is_symbolic(value) or isinstance(value, Operand | Made):
        raise NoFit
    if kind in ("f32", "f64") and isinstance(value, int) and int(float(value)) != value:
        raise NoFit  # it would be held as a double
    if kind.startswith("array") and not isinstance(value, list | tuple):
        return [value]
    return list(value) if isinstance(value, list | tuple) else value


def _is_double(value: Any) -> bool:
    type = value.type if isinstance(value, ir.Value) else None
    return type is not None and type.kind == "dense_tensor" and type.dtype in ("float64", "complex128")


def _rounds(kind: str, value: Any) -> bool:
    """Whether an attribute's number is another one in the float32 that a program holds."""
    numbers = value if isinstance(value, list) else [value]
    return kind in ("f32", "array<f32>") and any(one == one and one != array("f", [one])[0] for one in numbers)


def _floating(x: Any) -> bool:
    return isinstance(x, Operand) and x.meta.is_floating_point()


def _arithmetic(x: Any) -> bool:
    return _floating(x) or (isinstance(x, Operand) and x.meta.dtype in (torch.int32, torch.int64))


def _same_dtype(x: Any, y: Any = None) -> bool:
    tensors = [x, y] if isinstance(x, Operand) else list(x)
    return all(isinstance(one, Operand) and one.meta.dtype == tensors[0].meta.dtype for one in tensors)


def _dtype(x: Any) -> str:
    if not isinstance(x, Operand):
        raise NoFit
    return dtype_name(x.meta.dtype)


def _size(x: Operand, dim: int) -> int:
    size = x.meta.shape[dim]
    if not isinstance(size, int):
        raise NoFit
    return size


def _sizes(x: Operand) -> list[Any]:
    return [expression(size) for size in x.meta.shape]


def _unbiased(x: Operand) -> Any:
    count = math.prod(expression(size) for dim, size in enumerate(x.meta.shape) if dim != 1)
    return math.inf if count == 1 else count / (count - 1)


def _wrapped(dims: Sequence[int], rank: int) -> list[int]:
    if rank == 0:
        raise NoFit
    return [dim % rank for dim in dims]


def _swapped(rank: int, dim0: int, dim1: int) -> list[int]:
    dims = list(range(rank))
    dims[dim0], dims[dim1] = dims[dim1], dims[dim0]
    return dims


def _padding(pad: Sequence[int], rank: int) -> list[int]:
    pairs = [[before, after] for before, after in zip(pad[::2], pad[1::2])]
    return sum(reversed(pairs), [0, 0] * (rank - len(pairs)))


def _without_gradient(made: Made) -> Made:
    made.op.attributes["stop_gradient"] = [True] * len(made.op.results)
    return made


def _no_fit(_: Made) -> Made:
    raise NoFit


def _outside(sizes: Sequence[int], dim: int, start: int, end: int) -> list[int]:
    begin, stop, _ = slice(start, end).indices(sizes[dim])
    found = [0] * (2 * len(sizes))
    at = 2 * (dim % len(sizes))
    found[at], found[at + 1] = begin, sizes[dim] - max(begin, stop)
    return found


FUNCTIONS: dict[str, Any] = {
    "is_tensor": lambda x: isinstance(x, Operand),
    "is_number": lambda x: isinstance(x, Numbers),
    "is_integer": lambda x: isinstance(x, int) and not isinstance(x, bool),
    "known": lambda x: all(isinstance(one, Numbers) for one in x),
    "floating": _floating,
    "arithmetic": _arithmetic,
    "same_dtype": _same_dtype,
    "same_shape": lambda x, y: _sizes(x) == _sizes(y),
    "same_rank": lambda x: len({one.meta.dim() for one in x}) == 1,
    "dtype": _dtype,
    "dtype_of": _dtype,
    "wide": lambda x: "float32" if x.meta.dtype in (torch.float16, torch.bfloat16) else _dtype(x),
    "unbiased": _unbiased,
    "rank": lambda x: x.meta.dim(),
    "size": _size,
    "sizes": lambda x, result: _sizes(result) if _is_symbolic(x) else x,
    "on_cpu": lambda x: x.meta.device.type == "cpu",
    "len": len,
    "first": lambda x: x[0],
    "wrapped": _wrapped,
    "swapped": _swapped,
    "twice": lambda x: list(x) * 2 if len(x) == 1 else list(x),
    "padding": _padding,
    "outside": _outside,
    "without_gradient": _without_gradient,
    "for_backward": lambda made: made,
    "end_of": lambda index: index + 1 if index != -1 else 2**63 - 1,
}
