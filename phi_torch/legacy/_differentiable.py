"""Operators that are functions made of torch's operators, and the gradient operators that follow from these."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from ._definition import definition
from ._operators import Operands, OperatorFunction, no_block, operator
from .description import EMPTY, OpDesc
from .lod import lod_of, with_lod


def differentiable(type: str) -> Callable[[OperatorFunction], OperatorFunction]:
    """As `operator`, for a function that has the gradients of the operators that it is made of, and that runs on what the
    gradient operator `type_grad` reads: that is registered too.
    """

    def add(function: OperatorFunction) -> OperatorFunction:
        operator(f"{type}_grad")(partial(gradient, type, function))
        return operator(type)(function)

    return add


def gradient(type: str, function: OperatorFunction, op: Operands) -> None:
    """Gradients with the levels of what they are gradients of; zeros where no result follows from it."""
    places = [(slot, at, name) for slot, names in op.op.outputs.items() for at, name in enumerate(names) if name != EMPTY]
    leaves = {f"{slot} {at}".replace("@GRAD", ""): _value(op, slot.removesuffix("@GRAD"), at) for slot, at, _ in places}
    given = {f"{slot} {at}": one for slot in op.op.inputs for at, one in enumerate(op.inputs(slot))}
    slots = {slot: [f"{slot} {at}" for at, _ in enumerate(op.inputs(slot))] for slot in op.op.inputs}
    outs = {slot.removesuffix("@GRAD"): names for slot, names in slots.items() if slot.endswith("@GRAD") and names}
    known = definition(type)
    reads = slots if known is None else known.inputs
    inputs = {slot: names for slot, names in slots.items() if slot.removesuffix("@GRAD") not in outs and slot in reads}
    forward = OpDesc(type, inputs, outs, op.op.attrs)
    values = given | {name: with_lod(_leaf(one), lod_of(one)).requires_grad_() for name, one in leaves.items()}
    of = [values[name] for name in leaves]
    with torch.enable_grad():
        function(Operands(forward, values, str, no_block))
        pairs = [(values[name], given[name]) for names in outs.values() for name in names if values[name].requires_grad]
        results, grads = [with_lod(one, []) for one, _ in pairs], [with_lod(one, []) for _, one in pairs]
        grads = [one.to(result.dtype) if _is_whole(one) else one for result, one in zip(results, grads)]
    found = torch.autograd.grad(results, of, grads, materialize_grads=True) if pairs else map(torch.zeros_like, of)
    for (_, _, name), leaf, grad in zip(places, leaves.values(), found):
        op.values[op.place(name)] = with_lod(grad.resolve_conj().to(leaf.dtype), lod_of(leaf))


def _is_whole(x: Tensor) -> bool:
    return not (x.is_floating_point() or x.is_complex())


def _leaf(x: Tensor) -> Tensor:
    """What the gradient of `x` is asked of: PaddlePaddle has some of integers, torch has none."""
    return x.detach().double() if _is_whole(x) else x.detach()


def _value(op: Operands, slot: str, at: int) -> Tensor:
    found = op.inputs(slot)
    if at >= len(found) or not isinstance(found[at], Tensor):
        raise ValueError(f"slot {slot}: expected a variable with a value for each gradient, got {len(found)} variables")
    return found[at]
