"""Quantized inference of Paddle 2 as operators on numbers: `legacy._kernels_quantize` says what each computes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import ir
from ..legacy.description import OpDesc
from .from_legacy_blocks import Region, Unknown
from .from_legacy_rules import attr, rule

if TYPE_CHECKING:
    from .from_legacy_program import _Translation

_SMALLEST, _SHIFT = 1e-30, 1e-6  # a scale up to the first is divided by after the second is added


class _Maker:
    """Makes the operations for one operator."""

    def __init__(self, op: OpDesc, region: Region) -> None:
        self.op, self.region = op, region
        self.x, scale = (region.find(op.inputs[slot][0]) for slot in ("X", "Scale"))
        self.largest = float(2 ** (attr(op, "bit_length", 8) - 1) - 1)
        axis, rank = attr(op, "quant_axis", -1), len(self.x.type.shape) if self.x.type is not None else 0
        self.sizes = self.make("reshape", scale, None, shape=[-1 if i == axis else 1 for i in range(rank)] if axis >= 0 else [])

    def make(self, name: str, *operands: ir.Value | None, **attributes: Any) -> ir.Value:
        return self.region.builder.create(f"pd_op.{name}", operands, attributes).results[0]

    def scaled(self, x: ir.Value, by: float, bias: float = 0.0) -> ir.Value:
        return self.make("scale", x, None, scale=by, bias=bias)

    def check(self) -> None:
        is_test = attr(self.op, "is_test", True)
        if not is_test:
            raise Unknown("attribute is_test: expected true, as what training observes has no operator in the IR")


@rule("quantize_linear")
def _quantize(self: _Translation, op: OpDesc, region: Region) -> None:
    to = _Maker(op, region)
    to.check()
    if attr(op, "only_observer", False):
        region.set(op.outputs["Y"][0], to.make("assign", to.x))
        return
    smallest = to.make("full_like", to.sizes, None, value=_SMALLEST)
    shifted = to.make("reciprocal", to.scaled(to.sizes, 1.0, _SHIFT))
    inverse = to.make("where", to.make("less_equal", to.sizes, smallest), shifted, to.make("reciprocal", to.sizes))
    if attr(op, "round_type", 0) == 0:
        steps = to.make("round", to.make("multiply", to.scaled(to.x, to.largest), inverse))
        out = to.make("clip", steps, None, None, min=-to.largest - 1, max=to.largest)
    else:
        inside = to.make("maximum", to.make("minimum", to.x, to.sizes), to.scaled(to.sizes, -1.0))
        steps = to.make("multiply", to.scaled(inside, to.largest), inverse)
        out = to.make("trunc", to.make("add", steps, to.scaled(to.make("sign", steps), 0.5)))
    region.set(op.outputs["Y"][0], out)


@rule("dequantize_linear")
def _dequantize(self: _Translation, op: OpDesc, region: Region) -> None:
    to = _Maker(op, region)
    to.check()
    if attr(op, "only_observer", False):
        out = to.make("assign", to.x)
    else:
        assert to.sizes.type is not None
        product = to.make("multiply", to.make("cast", to.x, dtype=to.sizes.type.dtype), to.sizes)
        out = to.make("divide", product, to.make("full", shape=[], value=to.largest, dtype=to.sizes.type.dtype))
    region.set(op.outputs["Y"][0], out)
