"""`while` and its gradient, which goes through the steps of the loop backward, and `recurrent`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from .._operators import Operands, operator, truth
from ..description import EMPTY, BlockDesc
from ..lod import lod_of, with_lod

Step = dict[str, Any]  # what the variables of one run of the block held, by place


@operator("while")
def while_(op: Operands) -> None:
    """Keeps each step where the program has a gradient of the loop: what it read, and the block's own variables."""
    if not _has_gradient(op):
        while truth(op.input("Condition"), "Condition"):
            op.run_block()
        return
    read, own, steps = list(_copied(op)), list(_own(op, op.block())), list[Step]()
    while truth(op.input("Condition"), "Condition"):
        tensors = {place: value for place in read if isinstance(value := op.values.get(place), Tensor)}
        step = {place: with_lod(value.clone(), lod_of(value)) for place, value in tensors.items()}
        op.run_block()
        step |= {place: value for place in own if (value := op.values.get(place)) is not None}
        op.forget(own)
        steps.append(step)
    op.set("StepScopes", steps)


@operator("while_grad")
def while_grad(op: Operands) -> None:
    """Runs the block of gradients for each step, the last one first, where variables hold what they held in it.

    A gradient that steps read and write goes from one to the next; the others are added up, and are zeros without a step.
    """
    outside, inside = op.op.inputs.get("Out@GRAD", []), op.attr("original_output_grad", [])
    wanted = [(x, grad) for x, grad in zip(op.op.inputs["X"], op.op.outputs["X@GRAD"]) if grad != EMPTY]
    own, total = list(_own(op, op.block())), dict[str, Any]()
    for step in reversed(op.input("StepScopes")):
        before = {place: op.values.get(place) for place in step}
        op.forget(own)
        op.values.update(step)
        for name, value in [(name, _given(op, name, grad)) for name, grad in zip(inside, outside)]:
            if value is not None:
                op.values[op.place_in(op.block().idx, name)] = value
        op.run_block()
        for x, grad in wanted:
            found = op.inner(f"{x}@GRAD")
            if found is not None and grad in outside:
                op.values[op.place(grad)] = found
            elif found is not None:
                total[grad] = _sum(total.get(grad), found)
        op.forget(before)
        op.values.update({place: value for place, value in before.items() if value is not None})
    for x, grad in wanted:
        if grad not in outside:
            like = op.values.get(op.place(x))
            value = total.get(grad, torch.zeros_like(like) if isinstance(like, Tensor) else None)
            if value is not None:
                op.values[op.place(grad)] = value
    for name, grad in zip(inside, outside):  # without a step nothing gave it zeros yet
        if op.values.get(op.place(grad)) is None and (value := _given(op, name, grad)) is not None:
            op.values[op.place(grad)] = value


@operator(
    "recurrent",
    inputs=["inputs[]", "initial_states[]", "parameters[]"],
    outputs=["outputs[]", "step_scopes"],
    attrs={
        "has_states": False,
        "ex_states": [""],
        "states": [""],
        "sub_block": 0,
        "reverse": False,
        "is_train": True,
        "skip_eager_deletion_vars": [""],
    },
)
def recurrent(op: Operands) -> None:
    """Runs the block for each part of the inputs along their first dimension; what it gives of each step is one tensor again.

    `ex_states` are variables of the block that hold what `states` held after the step before.
    """
    given, held = op.inputs("inputs"), op.inputs("initial_states")
    if not given or any(not isinstance(one, Tensor) or one.shape[:1] != given[0].shape[:1] for one in given):
        raise ValueError("slot inputs: expected tensors with as many parts along the first dimension")
    if len(given[0]) == 0:
        raise ValueError("slot inputs: expected a step at least, got none")
    outputs, before, after = op.op.outputs.get("outputs", []), op.attr("ex_states"), op.attr("states")
    states = (before, after) if op.attr("has_states", False) or held else ([], [])
    inner = {name: op.place_in(op.block().idx, name) for name in (*op.op.inputs["inputs"], *outputs, *states[0], *states[1])}
    own, outside = [*_own(op, op.block()), *inner.values()], {place: op.values.get(place) for place in inner.values()}
    steps: list[dict[str, Tensor]] = []
    for at in range(len(given[0]))[:: -1 if op.attr("reverse") else 1]:
        for name, one in [*zip(op.op.inputs["inputs"], (one[at] for one in given)), *zip(states[0], held)]:
            op.values[inner[name]] = one
        op.run_block()
        held = [op.values[inner[name]] for name in states[1]]
        steps.append({name: op.values[inner[name]] for name in outputs})
        op.forget(own)
    op.values.update({place: one for place, one in outside.items() if one is not None})
    steps = steps[:: -1 if op.attr("reverse") else 1]
    op.set("outputs", *(torch.stack([step[name] for step in steps]) for name in outputs))


def _given(op: Operands, inside: str, outside: str) -> Any:
    """The gradient of a variable of the loop that its last step begins with; zeros where nothing after the loop reads it."""
    found = op.values.get(op.place(outside))
    like = op.values.get(op.place(inside.removesuffix("@GRAD"))) if found is None else None
    return torch.zeros_like(like) if isinstance(like, Tensor) else found


def _has_gradient(op: Operands) -> bool:
    return any(block.forward_block_idx == op.block().idx for block in op.program.blocks)


def _copied(op: Operands) -> Iterator[str]:
    """The places of what a step reads: not of parameters, nor of what its operators change in place, as Paddle has it."""
    in_place = set[str]()
    for inner in op.block().ops:
        written = {name for names in inner.outputs.values() for name in names}
        in_place |= {name for names in inner.inputs.values() for name in names if name in written}
    for name in op.op.inputs.get("X", []):
        found = op.program.find_var(op.block().idx, name)
        if name not in in_place and not (found is not None and found[0].is_parameter):
            yield op.place(name)


def _own(op: Operands, block: BlockDesc) -> Iterator[str]:
    """The places of what a block declares, and the blocks in it."""
    yield from (op.place_in(block.idx, name) for name in block.vars)
    for inner in (inner for one in block.ops for inner in one.blocks):
        yield from _own(op, op.program.blocks[inner])


def _sum(x: Any, y: Any) -> Any:
    if isinstance(x, list) and isinstance(y, list):
        longer, shorter = sorted((x, y), key=len, reverse=True)
        return [_sum(one, other) for one, other in zip(longer, shorter + [None] * (len(longer) - len(shorter)))]
    return y if x is None else x if y is None else torch.add(x, y)
