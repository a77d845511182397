"""Quantized inference of Paddle 2, whose kernels are the operators with other arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ...legacy.description import OpDesc
from ...legacy.kernels.quantize import largest_step
from .blocks import Region, Unknown
from .calls import constant
from .rules import attr, rule

if TYPE_CHECKING:
    from .program import _Translation


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


@rule("quantize", "dequantize")
def _short(self: _Translation, op: OpDesc, region: Region) -> None:
    """Around an operator on bfloat16, of which passes declare no types."""
    x, is_short = region.find(op.inputs["Input"][0]), bool(attr(op, "bfloat16", False))
    if op.type == "dequantize":
        is_short = x.type is not None and x.type.dtype == "bfloat16"
    if not is_short or attr(op, "output_format", "NHWC") not in ("NHWC", "NCHW"):
        raise Unknown(f"the IR has no operator '{op.type}'")
    made = region.builder.create("pd_op.cast", [x], {"dtype": "bfloat16" if op.type == "quantize" else "float32"})
    region.set(op.outputs["Output"][0], made.results[0])


@rule("fake_channel_wise_quantize_abs_max")
def _channel_wise(self: _Translation, op: OpDesc, region: Region) -> None:
    """In a test the scales are those that OutScale has from training."""
    if not attr(op, "is_test", False):
        self.plain(op, region)
        return
    scale, bits = region.find(op.outputs["OutScale"][0]), attr(op, "bit_length", 8)
    zero = constant(region.builder, [0.0], [1], torch.float32)
    attributes = {"quant_axis": attr(op, "quant_axis", 0), "bit_length": bits, "qmax": largest_step(bits, 127)}
    attributes |= {"qmin": -attributes["qmax"], "round_type": attr(op, "round_type", 1)}
    made = region.builder.create("pd_op.quantize_linear", [region.find(op.inputs["X"][0]), scale, zero, None, None], attributes)
    region.set(op.outputs["Out"][0], made.results[0])


@rule("fake_quantize_moving_average_abs_max", "fake_quantize_dequantize_moving_average_abs_max")
def _moving_average(self: _Translation, op: OpDesc, region: Region) -> None:
    """In a test what training keeps stays: PaddlePaddle's kernel gives none then."""
    kept = {}
    if attr(op, "is_test", False):
        slots = [(f"Out{what}", f"In{what}") for what in ("Scale", "State", "Accum") if op.inputs.get(f"In{what}")]
        kept = {name: region.find(op.inputs[into][0]) for out, into in slots for name in op.outputs.get(out, [])}
    self.plain(op, region)
    for name, value in kept.items():
        region.set(name, value)


@rule("fake_quantize_range_abs_max")
def _range(self: _Translation, op: OpDesc, region: Region) -> None:
    """In a test the scale is that of training; in training the scales of the last batches are in a variable, from run to run."""
    if not attr(op, "is_test", False):
        raise Unknown(f"the IR has no operator '{op.type}'")
    x, scale = (region.find(op.inputs[slot][0]) for slot in ("X", "InScale"))
    attributes = {"bit_length": attr(op, "bit_length", 8), "is_test": True, "round_type": attr(op, "round_type", 1)}
    made = region.builder.create("pd_op.fake_quantize_moving_average_abs_max", [x, scale, None, None], attributes)
    region.set(op.outputs["Out"][0], made.results[0])
    for name in op.outputs.get("OutScale", []):
        region.set(name, scale)


@rule(
    "fake_quantize_dequantize_abs_max_grad",
    "fake_channel_wise_quantize_dequantize_abs_max_grad",
    "fake_quantize_dequantize_moving_average_abs_max_grad",
)
def _straight_through(self: _Translation, op: OpDesc, region: Region) -> None:
    """As if nothing were rounded."""
    made = region.builder.create("pd_op.assign", [region.find(op.inputs["Out@GRAD"][0])])
    region.set(op.outputs["X@GRAD"][0], made.results[0])
