"""Variance and standard deviation, which PaddlePaddle for GPUs writes as one operator, and other builds as these."""

from __future__ import annotations

from collections.abc import Sequence

from ... import ir

SPREADS = ("pd_op.var", "pd_op.std")
HALF = ("float16", "bfloat16")


def spread(
    name: str, x: ir.Value, axis: Sequence[int], keepdim: bool, correction: float, builder: ir.Builder, location: str
) -> list[ir.Value]:
    """What `name` makes of x; half types are computed in float32."""

    def made(op: str, *operands: ir.Value, **attributes: object) -> ir.Value:
        (result,) = builder.create(f"pd_op.{op}", list(operands), attributes, location=location).results
        return result

    assert x.type is not None
    dtype = str(x.type.dtype)
    x = made("cast", x, dtype="float32") if dtype in HALF else x
    wide = "float32" if dtype in HALF else dtype
    axes = made("full_int_array", value=list(axis), dtype="int64")
    centered = made("subtract", x, made("mean", x, axes, keepdim=True))
    mean = made("mean", made("multiply", centered, centered), axes, keepdim=keepdim)
    count = made("divide", *(made("cast", made("numel", one), dtype=wide) for one in (x, mean)))
    less, zero = (made("full", shape=[], value=number, dtype=wide) for number in (-correction, 0.0))
    others = made("maximum", made("add", count, less), zero)
    found = made("multiply", mean, made("divide", count, others))
    found = made("sqrt", found) if name == "pd_op.std" else found
    return [made("cast", found, dtype=dtype) if dtype in HALF else found]
