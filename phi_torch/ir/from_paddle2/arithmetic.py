"""Operators of Paddle 2 whose numbers stand in tensors, or that mean something else for integers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from ... import ir
from ...legacy.description import DTYPES, EMPTY, OpDesc
from .blocks import Region, Unknown
from .calls import align, constant
from .rules import attr, joined_sizes, rule

if TYPE_CHECKING:
    from .program import _Translation


def _given(op: OpDesc, slot: str, region: Region) -> ir.Value | None:
    return next((region.find(name) for name in op.inputs.get(slot, []) if name != EMPTY), None)


def _number_for(x: ir.Value, given: ir.Value, region: Region) -> ir.Value:
    """A number in a tensor of one element, as an operand beside x."""
    assert x.type is not None
    number = region.builder.create("pd_op.cast", [given], {"dtype": x.type.dtype}).results[0]
    return region.builder.create("pd_op.reshape", [number, None], {"shape": []}).results[0]


@rule("pow")
def _pow(self: _Translation, op: OpDesc, region: Region) -> None:
    x, factor = region.find(op.inputs["X"][0]), _given(op, "FactorTensor", region)
    if factor is None:
        self.plain(op, region)
        return
    found = region.builder.create("pd_op.elementwise_pow", [x, _number_for(x, factor, region)], {})
    region.set(op.outputs["Out"][0], found.results[0])


@rule("scale")
def _scale(self: _Translation, op: OpDesc, region: Region) -> None:
    bias = _given(op, "BiasTensor", region)
    if bias is None:
        self.plain(op, region)
        return
    x, create = region.find(op.inputs["X"][0]), region.builder.create
    operands = [_given(op, "ScaleTensor", region)]
    said: dict[str, Any] = {} if operands[0] is not None else {"scale": attr(op, "scale", 1.0)}
    number = _number_for(x, bias, region)
    if attr(op, "bias_after_scale", True):
        scaled = create("pd_op.scale", [x, *operands], said).results
        found = create("pd_op.add", [*scaled, number], {}).results[0]
    else:
        found = create("pd_op.scale", [*create("pd_op.add", [x, number], {}).results, *operands], said).results[0]
    region.set(op.outputs["Out"][0], found)


@rule("elementwise_div")
def _divide(self: _Translation, op: OpDesc, region: Region) -> None:
    """The quotient of integers is an integer, cut off towards 0: the one below it, and one more where that is below a fraction of
    another sign. That of bool is bool.
    """
    x, y = (region.find(op.inputs[slot][0]) for slot in ("X", "Y"))
    dtypes = {None if one.type is None else one.type.dtype for one in (x, y)}
    (dtype,) = dtypes if len(dtypes) == 1 else (None,)
    if dtype is None or not (dtype == "bool" or "int" in dtype):
        self.plain(op, region)
        return

    def made(name: str, *operands: ir.Value, **said: Any) -> ir.Value:
        return region.builder.create(f"pd_op.{name}", operands, said).results[0]

    x, y = align(region.builder, x, y, attr(op, "axis", -1))
    if dtype == "bool":
        whole = (made("cast", one, dtype="int32") for one in (x, y))
        region.set(op.outputs["Out"][0], made("cast", made("floor_divide", *whole), dtype=dtype))
        return
    zero = constant(region.builder, [0], [], getattr(torch, dtype))
    below = made("floor_divide", x, y)
    other_sign = made("not_equal", made("less_than", x, zero), made("less_than", y, zero))
    is_fraction = made("not_equal", made("multiply", below, y), x)
    more = made("cast", made("logical_and", other_sign, is_fraction), dtype=dtype)
    region.set(op.outputs["Out"][0], made("add", below, more))


@rule("fill_constant_batch_size_like")
def _fill_like(self: _Translation, op: OpDesc, region: Region) -> None:
    x, create = region.find(op.inputs["Input"][0]), region.builder.create
    sizes, at, into = attr(op, "shape", []), attr(op, "input_dim_idx", 0), attr(op, "output_dim_idx", 0)
    if x.type is None or not -len(x.type.shape) <= at < len(x.type.shape) or not -len(sizes) <= into < len(sizes):
        raise Unknown(f"attributes input_dim_idx and output_dim_idx: expected dimensions of {x.type} and {sizes}, got {at}, {into}")
    dtype, at = str(DTYPES[attr(op, "dtype", 5)]).removeprefix("torch."), at % len(x.type.shape)
    number = float(attr(op, "str_value", "") or attr(op, "value", 0.0))
    known: Any = x.type.shape[at]
    if isinstance(known, int) and known >= 0:
        sizes = [*sizes]
        sizes[into] = known
        made = create("pd_op.full", [], {"shape": sizes, "value": number, "dtype": dtype, "place": "cpu"})
        region.set(op.outputs["Out"][0], made.results[0])
        return
    shape = create("pd_op.shape64", [x]).results[0]
    said = {"axes": [0], "starts": [at], "ends": [at + 1], "infer_flags": [1]}
    size = create("pd_op.slice", [shape, None, None], said).results[0]
    parts = [constant(region.builder, [one], [1], torch.int64) for one in sizes]
    parts[into] = size
    filled = create("pd_op.full", [], {"shape": [1], "value": number, "dtype": dtype, "place": "cpu"}).results[0]
    made = create("pd_op.full_with_tensor", [filled, joined_sizes(region, parts)], {"dtype": dtype})
    region.set(op.outputs["Out"][0], made.results[0])
