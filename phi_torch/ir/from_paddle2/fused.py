"""Operators to which passes for oneDNN fused others, as what they are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._paddle.fused import made
from ...legacy.description import EMPTY, OpDesc
from ...legacy.kernels.onednn import SLOTS, attributes_of, has_relu, kind_of, not_known
from ..paddle.lowered import Call
from .blocks import Region

if TYPE_CHECKING:
    from .program import _Translation


def fused(self: _Translation, op: OpDesc, region: Region) -> bool:
    """Makes these operators; whether it is one of them.

    Raises:
        ValueError: it has an activation that is not known, or computes with integers.
    """
    if has_relu(op):
        attrs = {name: one for name, one in op.attrs.items() if name != "fuse_with_relu"}
        self.in_operators(OpDesc(op.type, op.inputs, op.outputs, attrs), region)
        (out,) = op.outputs["Y"]
        region.set(out, region.builder.create("pd_op.relu", [region.find(out)]).results[0])
        return True
    kind = kind_of(op)
    if kind is None:
        return False
    given = [[name for name in op.inputs.get(slot, []) if name != EMPTY] for slot in SLOTS[kind]]
    operands: list[object] = [region.find(names[0]) if names else None for names in given]
    found = made(kind, Call(kind, operands, attributes_of(op), [], region.builder, ""))  # type: ignore[arg-type]
    if found is None:
        raise ValueError(not_known(op))
    (out,) = op.outputs["Output" if "conv" in kind else "Out"]
    region.set(out, found)
    return True
