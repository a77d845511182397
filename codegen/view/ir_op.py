"""An op as the IR has it: its operands, which are its tensors and then its mutable attributes; its forms; its traits."""

from __future__ import annotations

from dataclasses import dataclass

from ..model.category import is_elementwise
from ..model.op import PHI, Op, OpSet
from ..model.trait import cpp_trait
from .dispatcher import mutated


@dataclass(frozen=True)
class IrOp:
    """One form of an op: itself, or its in-place one. `shared` are pairs (operand, result) that share their memory."""

    name: str
    op: Op
    shared: tuple[tuple[int, int], ...]
    traits: tuple[str, ...]  # values of phi::ir::Trait


def dialect(opset: OpSet) -> str:
    return "pd_op" if opset.namespace == PHI else opset.namespace


def mutable_attributes(op: Op, opset: OpSet) -> tuple[str, ...]:
    """In the order of the arguments; a gradient has those of the op that it is a gradient of."""
    own = {*op.mutable_attributes, *opset.root(op).mutable_attributes}
    return tuple(a.name for a in op.attrs if a.name in own)


def form_names(op: Op) -> tuple[str, ...]:
    """The names of its forms, which an op whose entry has errors has, too."""
    both = not op.is_inplace_only and bool(op.inplace or mutated(op))
    return (op.name, f"{op.name}_") if both else (op.name,)


def forms(op: Op) -> tuple[IrOp, ...]:
    """The op, and what it is in place."""
    inputs, outputs = [a.name for a in op.inputs], [o.name for o in op.outputs]
    pairs = (op.inplace or mutated(op).items(), op.view)
    written, viewed = (tuple((inputs.index(a), outputs.index(b)) for a, b in side) for side in pairs)
    traits = _traits(op)
    view = ("ViewLike",) if viewed else ()
    if op.is_inplace_only:
        return (IrOp(op.name, op, written, (*view, *traits, "Inplace")),)
    plain = IrOp(op.name, op, viewed, (*view, *traits) if "SideEffect" in traits else (*view, *traits, "ReadOnly"))
    in_place = IrOp(f"{op.name}_", op, written, (*view, *traits, "Inplace"))
    return (plain, in_place) if written else (plain,)


def _traits(op: Op) -> tuple[str, ...]:
    found = [trait for name in op.traits if (trait := cpp_trait(name)) is not None and trait != "ReadOnly"]
    found += ["Random"] if op.category == "random" else []
    found += ["Elementwise"] if is_elementwise(op) else []
    found += ["DataDependentShape"] if op.shape_from else []
    return tuple(dict.fromkeys(found))
