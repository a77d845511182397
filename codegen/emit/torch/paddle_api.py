"""paddle/ops.h and torch/paddle_ops.cc: the operators as functions of paddle::Tensor, with the signatures of Paddle's C++ API."""

from __future__ import annotations

from dataclasses import dataclass

from ...model.op import PHI, Op, OpSet
from ...view.defaults import cpp_default
from ...view.dispatcher import functional
from ..render import render


@dataclass(frozen=True)
class Function:
    entry: str
    name: str
    ret: str
    params: str
    declared: str  # the parameters with their defaults
    call: str  # phi::ops::<name>::call(...)
    result: str  # what is returned of `results`, the call's


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    if opset.namespace != PHI:
        return {}
    functions = [_function(op) for op in opset.forward_ops if not op.is_inplace_only]
    return {
        "paddle/ops.h": render("paddle_ops.h.j2", functions=functions),
        "torch/paddle_ops.cc": render("paddle_ops.cc.j2", functions=functions),
    }


def _function(op: Op) -> Function:
    overload = functional(op)
    arguments = [p.arg.form.unwrap.format(p.arg.name) for p in overload.params if p.arg is not None]
    kept = [i for i, o in enumerate(op.outputs) if not o.intermediate]
    types = ["std::vector<Tensor>" if op.outputs[i].type == "Tensor[]" else "Tensor" for i in kept]
    results = [f"Wrap(std::get<{i}>(results))" if len(op.outputs) > 1 else "Wrap(results)" for i in kept]
    return Function(
        entry=op.entry,
        name=op.name,
        ret=types[0] if len(types) == 1 else f"std::tuple<{', '.join(types)}>",
        params=", ".join(f"{a.form.paddle} {a.name}" for a in op.args),
        declared=", ".join(_declared(op)),
        call=f"phi::ops::{overload.symbol}::call({', '.join(arguments)})",
        result=results[0] if len(results) == 1 else f"{{{', '.join(results)}}}",
    )


def _declared(op: Op) -> list[str]:
    """Only the last parameters may have defaults in C++."""
    required = max((i for i, a in enumerate(op.args) if not a.has_default), default=-1)
    defaults = [f" = {cpp_default(a)}" if i > required else "" for i, a in enumerate(op.args)]
    return [f"{a.form.paddle} {a.name}{default}" for a, default in zip(op.args, defaults)]
