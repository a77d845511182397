"""What operators without a kernel do to shapes: nothing of them is known but that of their tensors, which hold no values.

A dimension that is not known has the size GUESS.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import torch
from torch import Tensor

from ._operators import Operands
from .description import DTYPES, EMPTY

GUESS = "@GUESS@"  # the variable that holds the size of unknown dimensions
Rule = Callable[[Operands], None]
RULES: dict[str, Rule] = {}


def rule(type: str) -> Callable[[Rule], Rule]:
    def add(function: Rule) -> Rule:
        RULES[type] = function
        return function

    return add


def either(x: Tensor | None, y: Tensor | None, guess: int) -> Tensor | None:
    """A tensor that may be one or the other; None if nothing is known of it."""
    if x is None or y is None or x.dim() != y.dim() or x.dtype != y.dtype:
        return None
    return x.new_empty([one if one == other else guess for one, other in zip(x.shape, y.shape)])


def _known(found: Tensor | None) -> Tensor:
    if found is None:
        raise ValueError("the tensors have different ranks or data types")
    return found


def _either_as_before(values: dict[str, Any], before: dict[str, Any]) -> bool:
    """Lets each variable that had another shape `before` be either; False if none had."""
    changed = False
    for name, old in before.items():
        new = values.get(name)
        if isinstance(old, Tensor) and isinstance(new, Tensor) and old.shape != new.shape:
            found = either(old, new, values[GUESS])
            if found is None:
                del values[name]
            else:
                values[name] = found
            changed = True
    return changed


@rule("while")
def while_(op: Operands) -> None:
    for _ in range(2):  # what a run changes is not known in the next one
        before = dict(op.values)
        op.run_block()
        if not _either_as_before(op.values, before):
            break


@rule("conditional_block")
@rule("conditional_block_infer")
def conditional_block(op: Operands) -> None:
    before = dict(op.values)
    op.run_block()
    _either_as_before(op.values, before)


@rule("pylayer")
def pylayer(op: Operands) -> None:
    op.run_block("blocks")


@rule("conditional_block_grad")
@rule("pylayer_grad")
@rule("while_grad")
def gradients(op: Operands) -> None:
    slot = "X" if op.op.type == "while_grad" else "Input"
    for name, grad in zip(op.op.inputs[slot], op.op.outputs[f"{slot}@GRAD"]):
        value = op.values.get(op.place(name))
        if grad != EMPTY and isinstance(value, Tensor):
            op.values[op.place(grad)] = torch.empty_like(value)


@rule("select_input")
def select_input(op: Operands) -> None:
    op.set("Out", _known(reduce(lambda x, y: either(x, y, op.values[GUESS]), op.inputs("X"))))


@rule("select_output")
def select_output(op: Operands) -> None:
    op.set("Out", *[op.input("X")] * len(op.op.outputs["Out"]))


@rule("print")
def print_(op: Operands) -> None:
    op.set("Out", op.input("In"))


@rule("feed")
@rule("fetch")
@rule("fetch_v2")
@rule("assert")
@rule("save")
@rule("save_combine")
def nothing(op: Operands) -> None:
    pass


# ---- arrays: a list with the one tensor that each of its tensors is like


@rule("write_to_array")
def write_to_array(op: Operands) -> None:
    x = op.input("X")
    op.set("Out", [_known(either(x, (op.current("Out") or [x])[0], op.values[GUESS]))])


@rule("read_from_array")
def read_from_array(op: Operands) -> None:
    op.set("Out", op.input("X")[0])


@rule("lod_array_length")
def lod_array_length(op: Operands) -> None:
    op.set("Out", torch.empty(1, dtype=torch.int64, device="meta"))


@rule("tensor_array_to_tensor")
def tensor_array_to_tensor(op: Operands) -> None:
    like, axis = op.input("X")[0], op.attr("axis", 0)
    shape = list(like.shape)
    if op.attr("use_stack", False):
        shape.insert(axis if axis >= 0 else axis + like.dim() + 1, op.values[GUESS])
    else:
        shape[axis] = op.values[GUESS]
    op.set("Out", like.new_empty(shape))
    op.set("OutIndex", torch.empty(op.values[GUESS], dtype=torch.int32, device="meta"))


# ---- operators whose slots or attributes are not those of the kernel of their name


@rule("fill")
def fill(op: Operands) -> None:
    op.set("Out", torch.empty(op.attr("shape"), dtype=DTYPES[op.attr("dtype")], device="meta"))


@rule("multiplex_grad")
def multiplex_grad(op: Operands) -> None:
    op.set("X@GRAD", *[op.input("Out@GRAD")] * len(op.op.outputs["X@GRAD"]))
