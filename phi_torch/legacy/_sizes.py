"""Small integers that programs compute from shapes, kept beside their tensors.

A program reads a shape, slices it, adds to it, and reshapes by the result. While a graph is traced, tensors have no values;
these numbers have, symbolic ones too, so that such a program compiles and exports.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from .. import ops as phi
from .description import OpDesc

SIZES = "@SIZES@"  # the variable that holds, by the name of a variable, the integers that it consists of
Sizes = Sequence[Any]
Values = dict[str, Any]
Given = dict[str, list[Any]]  # what is known of the variables of each input slot
Names = dict[str, list[str]]
INTEGERS = (torch.int32, torch.int64)
ARITHMETIC = {
    "elementwise_add": operator.add,
    "elementwise_sub": operator.sub,
    "elementwise_mul": operator.mul,
    "elementwise_floordiv": operator.floordiv,
}
SAME = ("assign", "cast", "reshape2", "squeeze2", "unsqueeze2")


def followed(op: OpDesc, run: Callable[[Values], None], key: Callable[[str], str]) -> Callable[[Values], None]:
    """`run`, and what it does to the sizes that are known of its outputs."""
    if op.type == "range":
        return _range(op, run, key)
    inputs = {slot: [key(name) for name in names] for slot, names in op.inputs.items()}
    outputs = [key(name) for names in op.outputs.values() for name in names]
    result = [key(name) for slot in ("Out", "Y") for name in op.outputs.get(slot, [])]
    follow = _follow(op) if len(result) == 1 else None

    def both(values: Values) -> None:
        known = values[SIZES]
        given = {slot: [known.get(name) for name in names] for slot, names in inputs.items()}
        found = follow(values, given, inputs) if follow is not None else None
        run(values)
        for name in outputs:
            known.pop(name, None)
        if found is not None and values[result[0]].dtype in INTEGERS:
            known[result[0]] = found

    return both


def _follow(op: OpDesc) -> Callable[[Values, Given, Names], Sizes | None] | None:
    attrs = {name: attribute.value for name, attribute in op.attrs.items()}
    if op.type == "shape":
        return lambda values, given, names: list(values[names["Input"][0]].shape)
    if op.type in SAME:
        return lambda values, given, names: given["X"][0]
    if op.type in ("concat", "stack"):
        return lambda values, given, names: _joined(given["X"])
    if op.type in ARITHMETIC:
        function = ARITHMETIC[op.type]
        return lambda values, given, names: _pairwise(function, given["X"][0], given["Y"][0])
    if op.type == "fill_constant" and len(attrs.get("shape", [0, 0])) <= 1:
        return lambda values, given, names: _constant(attrs, given)
    if op.type == "scale" and not op.inputs.get("ScaleTensor"):
        scale, bias = float(attrs.get("scale", 1.0)), float(attrs.get("bias", 0.0))
        whole = scale.is_integer() and bias.is_integer()
        return partial(_scaled, int(scale), int(bias), attrs.get("bias_after_scale", True)) if whole else None
    if op.type == "slice" and attrs.get("axes") == [0]:
        return lambda values, given, names: _sliced(attrs, given)
    return None


def _joined(parts: list[Sizes | None]) -> Sizes | None:
    return None if None in parts else [size for part in parts if part is not None for size in part]


def _pairwise(function: Callable[[Any, Any], Any], x: Sizes | None, y: Sizes | None) -> Sizes | None:
    if x is None or y is None or (len(x) != len(y) and 1 not in (len(x), len(y))):
        return None
    count = max(len(x), len(y))
    try:
        return [function(a, b) for a, b in zip([*x] * (count // len(x)), [*y] * (count // len(y)))]
    except ZeroDivisionError:
        return None


def _constant(attrs: dict[str, Any], given: Given) -> Sizes | None:
    if any(given.values()):
        return None
    text = attrs.get("str_value") or attrs.get("value", 0.0)
    return [int(float(text))] * (attrs["shape"][0] if attrs["shape"] else 1) if attrs["shape"] in ([], [1]) else None


def _scaled(scale: int, bias: int, after: bool, values: Values, given: Given, names: Names) -> Sizes | None:
    x = given["X"][0]
    return None if x is None else [size * scale + bias if after else (size + bias) * scale for size in x]


def _sliced(attrs: dict[str, Any], given: Given) -> Sizes | None:
    x = given["Input"][0]
    dynamic = any(names for slot, names in given.items() if slot != "Input")
    return None if x is None or dynamic else list(x)[attrs["starts"][0] : attrs["ends"][0]]


def _range(op: OpDesc, run: Callable[[Values], None], key: Callable[[str], str]) -> Callable[[Values], None]:
    start, end, step = (key(op.inputs[slot][0]) for slot in ("Start", "End", "Step"))
    out = key(op.outputs["Out"][0])

    def known(values: Values) -> None:
        sizes = [values[SIZES].get(name) for name in (start, end, step)]
        if None in sizes:
            run(values)
        else:
            like: Tensor = values[start]
            begin, stop, by = (size[0] for size in sizes)
            values[out] = phi.arange(begin, stop, by, like.dtype, like.device)

    return known
