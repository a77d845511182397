"""The pass that lets products and convolutions of float32 run in half the width."""

from __future__ import annotations

from typing import Any

import torch

from .._op_table import OPS
from ..registry import supported
from ._core import Builder, Operation, Program, Type, Value, run_pass
from .passes import Pass

WIDE = "float32"
HALF = ("bfloat16", "float16")
_CLEANING = ("constant_fold", "cse", "dce")  # casts of weights are weights then, and what was widened in vain goes


class MixedPrecision(Pass):
    """Runs operators in `dtype` as autocast does: those whose YAML says `autocast : lower`, and elementwise operators and views of
    what these give. All others take float32, and so do the results of the program. A program that writes in place stays as it is.

    Raises:
        ValueError: `dtype` is no type of half the width.
    """

    name = "mixed_precision"
    level = 4

    def __init__(self, dtype: str = HALF[0]) -> None:
        if dtype not in HALF:
            raise ValueError(f"argument 'dtype': expected {' or '.join(HALF)}, got {dtype!r}")
        self.dtype = dtype

    def run(self, program: Program) -> dict[str, int]:
        if any(_writes(op) for op in program.walk()):
            return {}
        lowering = _Lowering(program, self.dtype)
        count = sum(lowering.lower(op) for op in list(program.walk()))
        if not count:
            return {}
        for cleaning in _CLEANING:
            run_pass(program, cleaning)
        return {f"operations in {self.dtype}": count}


def _writes(op: Operation) -> bool:
    is_known = op.info.is_registered or op.name.startswith("builtin.")
    return not is_known or op.has_trait("Inplace") or op.name == "builtin.set_parameter"


def _is_wide(value: Value) -> bool:
    return value.type is not None and value.type.kind == "dense_tensor" and value.type.dtype == WIDE


def _runs_in(op: Operation, dtype: str) -> bool:
    """Whether there is a kernel of this data type, as there is none of every elementwise operator."""
    name = op.name.removeprefix("pd_op.")
    return name not in OPS or supported(name, dtype=getattr(torch, dtype))


def _is_weight(value: Value) -> bool:
    return value.defining_op is not None and value.defining_op.name == "builtin.parameter"


class _Lowering:
    def __init__(self, program: Program, dtype: str) -> None:
        self.builder = Builder(program)
        self.dtype = dtype
        self.narrow: dict[Value, Value] = {}  # values of float32, and what they are in `dtype`
        self.widened: set[Value] = set()  # those that were computed in it

    def lower(self, op: Operation) -> bool:
        wide = [value for value in op.operands if value is not None and _is_wide(value)]
        if not wide or op.regions or not self.wants(op, wide):
            return False
        operands = [self.narrowed(value) if value is not None and _is_wide(value) else value for value in op.operands]
        attributes = {name: op.attribute(name) for name in op.attributes}
        try:
            made = self.created(op, operands, attributes)
        except ValueError:  # only a run tells its shape
            return False
        for old, new in zip(op.results, made.results):
            if old.type is not None and new.type is not None and new.type.dtype != old.type.dtype:
                self.narrow_result(old, new, made)
            elif old.type is not None:
                old.replace_all_uses_with(new)
        op.erase()
        return True

    def created(self, op: Operation, operands: list[Value | None], attributes: dict[str, Any]) -> Operation:
        """The operation with other operands, in the sizes that it had: what only a run tells has symbols that others name."""
        builder = self.builder.before(op)
        made = builder.create(op.name, operands, attributes, location=op.location, undeclared=True)
        types = [self.sized(new.type, old.type) for old, new in zip(op.results, made.results)]
        if types == [one.type for one in made.results]:
            return made
        made.erase()
        return builder.create(op.name, operands, attributes, types, location=op.location, undeclared=True)

    def sized(self, type: Type | None, like: Type | None) -> Type | None:
        if type is None or like is None or type.kind != "dense_tensor" or like.kind != "dense_tensor":
            return type
        return self.builder.program.context.dense_tensor(type.dtype, like.dims)

    def wants(self, op: Operation, wide: list[Value]) -> bool:
        rule = op.info.autocast
        if rule is None or any(one.type and one.type.kind == "vector" for one in op.results):
            return False
        if rule == "lower":
            return True
        follows = op.has_trait("Elementwise") or op.has_trait("ViewLike")
        if not follows or rule == "fp32" or not _runs_in(op, self.dtype):
            return False
        return any(value in self.widened for value in wide) and all(value in self.widened or _is_weight(value) for value in wide)

    def narrow_result(self, old: Value, new: Value, made: Operation) -> None:
        back = self.builder.after(made).create("pd_op.cast", [new], {"dtype": WIDE}).results[0]
        self.narrow[back] = new
        self.widened.add(back)
        back.name = old.name
        old.replace_all_uses_with(back)

    def narrowed(self, value: Value) -> Value:
        """It is there wherever the value is."""
        if value not in self.narrow:
            op = value.defining_op
            at = self.builder.at_start(value.owner_block) if op is None else self.builder.after(op)
            self.narrow[value] = at.create("pd_op.cast", [value], {"dtype": self.dtype}).results[0]
        return self.narrow[value]
