"""The gradients of operators, as programs hold them."""

from __future__ import annotations

from collections.abc import Collection

from .. import _C
from .description import OpDesc, ProgramError


def grad_op(op: OpDesc, no_grad: Collection[str] = ()) -> OpDesc:
    """The operator that computes the gradients of what `op` reads: `relu` with x and y gives `relu_grad`, which reads y and
    `y@GRAD`, and writes `x@GRAD`.

    Args:
        op: the forward operator; its attributes are those of the gradient operator.
        no_grad: the gradients that nobody needs, by name (`x@GRAD`): they are left out, or `@EMPTY@` in a list.

    Raises:
        ProgramError: there is no such operator, or nothing is its gradient.
    """
    try:
        type, inputs, outputs = _C.grad_op(op.type, op.inputs, op.outputs, set(no_grad))
    except (RuntimeError, NotImplementedError) as error:
        raise ProgramError(str(error)) from None
    return OpDesc(type, inputs, outputs, dict(op.attrs))
