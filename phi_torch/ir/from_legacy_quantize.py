"""Quantized inference of Paddle 2, whose kernels are the operators with other arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..legacy._kernels_quantize import largest_step
from ..legacy.description import OpDesc
from .from_legacy_blocks import Region, Unknown
from .from_legacy_rules import attr, rule

if TYPE_CHECKING:
    from .from_legacy_program import _Translation


@rule("quantize_linear", "dequantize_linear")
def _linear(self: _Translation, op: OpDesc, region: Region) -> None:
    if not attr(op, "is_test", True):
        raise Unknown("attribute is_test: expected true, as what training observes is not a result")
    names = ("quant_axis", "bit_length", "qmax", "round_type", "only_observer")
    attributes = {name: op.attrs[name].value for name in names if name in op.attrs}
    attributes["qmax"] = largest_step(attributes.get("bit_length", 8), attributes.get("qmax", 127))
    operands = [region.find(op.inputs[slot][0]) for slot in ("X", "Scale", "ZeroPoint")]
    made = region.builder.create(f"pd_op.{op.type}", [*operands, None, None], attributes)
    region.set(op.outputs["Y"][0], made.results[0])
