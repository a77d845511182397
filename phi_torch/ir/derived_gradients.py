"""Gradient operators of PaddlePaddle 3 that are no operators here, as what Paddle 2's of the same kernel are made of."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from .. import _C, ir
from . import gradient_call, operator_call  # noqa: F401  # saved programs name their operators

DIALECT, GRADIENT = "pd_op.", "_grad"
# kernel of a gradient -> what programs of Paddle 2 call it, where they know it by another name
_RENAMED = {"det_grad": "determinant_grad", "conv2d_grad_grad": "conv2d_double_grad"}
# attributes, where the two versions call them otherwise
ATTRIBUTES = {"dim": "axis", "pivots": "pivot"}
# what the operands are, where they are not the slots in their order: None for one that is not read
_OPERANDS: dict[str, tuple[str | None, ...]] = {
    "affine_grid_grad": (None, "Output@GRAD"),
    "einsum_grad": ("InnerCache", None, "Out@GRAD"),
    "pool2d_double_grad": (None, "grad_x_grad"),
}


class Gradient(NamedTuple):
    """An operator of Paddle 2, and what operands, attributes and results stand for in it; or the kernel alone."""

    kernel: str
    type: str  # "" for the kernel alone
    inputs: tuple[str | None, ...]  # slots
    attrs: tuple[str, ...]
    outputs: tuple[str, ...]
    tensors: Mapping[str, str] = {}  # attribute -> the slot of a tensor in its place

    def run(self, inputs: Mapping[str, Any], attrs: Mapping[str, Any], counts: Mapping[str, int]) -> Mapping[str, Any]:
        """The results by slot, of which so many are wanted."""
        from .. import legacy
        from ..legacy.kernels.table import KERNELS

        if self.type:
            return legacy.run_op(self.type, inputs, attrs, counts)
        function, schema, _ = KERNELS[self.kernel]
        given = {**inputs, **attrs}
        found = function(*(given.get(one.name) for one in schema.arguments))
        return dict(zip(self.outputs, found if isinstance(found, tuple) else (found,)))


@cache
def _by_kernel() -> dict[str, Gradient]:
    """The gradient operators of Paddle 2 that run by what they ask for, of which all attributes are numbers."""
    from .. import legacy
    from ..legacy import _callee
    from ..legacy._definition import definition
    from ..legacy._operators import OPERATORS
    from ..legacy.kernels.double import DOUBLE
    from ..legacy.kernels.table import KERNELS
    from ..legacy.kernels.triple import TRIPLE

    found: dict[str, tuple[int, Gradient]] = {}
    for type in _C.program_op_types():
        if GRADIENT not in type or (defined := definition(type)) is None:
            continue
        for kernel, inputs, attrs, outputs in legacy.signatures(type):
            if type not in OPERATORS and _callee.find(kernel) is None:
                continue
            known = sum(name in defined.attrs for name in attrs)
            if kernel not in found or known > found[kernel][0]:
                found[kernel] = known, Gradient(kernel, type, _OPERANDS.get(kernel, inputs), attrs, outputs)
    gradients = {kernel: one._replace(tensors=_in_tensors(one)) for kernel, (_, one) in found.items()}
    for name in (name for name in KERNELS if name.endswith((DOUBLE, TRIPLE))):  # of which Paddle 2 has some under other names
        arguments = KERNELS[name].schema.arguments
        tensors = tuple([one.name for one in arguments if "Tensor" in str(one.type)])
        numbers = tuple([one.name for one in arguments if one.name not in tensors])
        results = tuple([str(at) for at, _ in enumerate(KERNELS[name].schema.returns)])
        gradients[name] = Gradient(name, "", _OPERANDS.get(name, tensors), numbers, results)
    return gradients


def _in_tensors(gradient: Gradient) -> dict[str, str]:
    """The slots, of one tensor each, that may stand for attributes."""
    from .. import legacy

    rows = [attrs for kernel, _, attrs, _ in legacy.signatures(gradient.type) if kernel == gradient.kernel]
    pairs = {(name, slot) for attrs in rows for name, slot in zip(gradient.attrs, attrs) if name != slot}
    return {name: slot for name, slot in pairs if not slot.endswith("List")}


def gradient_of(name: str) -> Gradient | None:
    """What `pd_op.digamma_grad` is in Paddle 2; None for an operator that is declared, or is there neither."""
    kernel = name.removeprefix(DIALECT)
    if kernel == name or GRADIENT not in kernel:
        return None
    declared = ir.op_info(name)
    return None if declared is not None and declared.is_registered else _by_kernel().get(_RENAMED.get(kernel, kernel))


def expand(program: ir.Program) -> dict[str, int]:
    """Puts what such operators are made of in their place, where that can be; how many there were."""
    wanted = {name: gradient for name in program.counts() if (gradient := gradient_of(name)) is not None}
    if not wanted:
        return {}
    from .inline_gradient import inline_gradient  # which needs torch.fx

    count = 0
    for op in [op for op in program.walk() if op.name in wanted]:
        has_symbols = any(one.type is not None and not _is_static(one.type) for one in op.results)
        if inline_gradient(op, wanted[op.name]):
            count += 1
            if has_symbols:  # what follows has the sizes that are known now
                program.refine_types()
    return {"gradients derived": count} if count else {}


def _is_static(type: ir.Type) -> bool:
    if type.kind == "vector":
        return all(one is None or _is_static(one) for one in type.elements)
    return all(isinstance(one, int) for one in type.dims)
