"""The gradients of operators, as programs hold them."""

from __future__ import annotations

from collections.abc import Collection

from .. import _C
from ._differentiable import GRADIENTS, Gradient
from .description import EMPTY, OpDesc, ProgramError


def grad_op(op: OpDesc, no_grad: Collection[str] = ()) -> OpDesc:
    """The operator that computes the gradients of what `op` reads: `relu` with x and y gives `relu_grad`, which reads y and
    `y@GRAD`, and writes `x@GRAD`.

    Args:
        op: the forward operator; its attributes are those of the gradient operator.
        no_grad: the gradients that nobody needs, by name (`x@GRAD`): they are left out, or `@EMPTY@` in a list.

    Raises:
        ProgramError: there is no such operator, or nothing is its gradient.
    """
    if op.type in GRADIENTS:
        return _declared(op, GRADIENTS[op.type], no_grad)
    try:
        type, inputs, outputs = _C.grad_op(op.type, op.inputs, op.outputs, set(no_grad))
    except (RuntimeError, NotImplementedError) as error:
        raise ProgramError(str(error)) from None
    return OpDesc(type, inputs, outputs, dict(op.attrs))


def _declared(op: OpDesc, gradient: Gradient, no_grad: Collection[str]) -> OpDesc:
    slots = {**op.inputs, **op.outputs}
    grads = {f"{slot}@GRAD": [f"{name}@GRAD" for name in names] for slot, names in slots.items()}
    inputs = {slot: names for slot, of in gradient.inputs.items() if (names := (slots | grads).get(of))}
    outputs = {slot: [EMPTY if one in no_grad else one for one in grads.get(of, [])] for slot, of in gradient.outputs.items()}
    wanted = {slot: names for slot, names in outputs.items() if {*names} - {EMPTY}}
    return OpDesc(gradient.type, inputs, wanted, dict(op.attrs))
