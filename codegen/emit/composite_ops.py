"""torch/composite_ops.cc: ops that are calls of others in C++ - views over ATen, and `invoke`."""

from __future__ import annotations

import re
from typing import Any

from ..dispatcher import Kind, Overload, is_view, overloads
from ..model import PHI, Op, OpSet, op_header
from .render import render


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    views = [o for op in opset.ops if is_view(op) for o in overloads(op) if o.kind in (Kind.FUNCTIONAL, Kind.INPLACE)]
    invoked = [_invoked(op, opset) for op in opset.ops if op.invoke is not None]
    return {
        "torch/composite_ops.cc": render(
            "composite_ops.cc.j2",
            ns=opset.namespace,
            headers=sorted({f["header"] for f in invoked}),
            views=[{"schema_name": v.full_name, "name": v.symbol} for v in views],
            invoked=invoked,
        )
    }


def _invoked(op: Op, opset: OpSet) -> dict[str, Any]:
    assert op.invoke is not None
    namespace = opset.namespace if op.invoke.func in opset else PHI
    overload: Overload = overloads(op)[0]
    args = ", ".join(_expression(text) for text in op.invoke.args)
    return {
        "entry": op.entry,
        "header": op_header(namespace, op.invoke.func),
        "ret": overload.cpp_return,
        "name": overload.symbol,
        "params": ", ".join(f"[[maybe_unused]] {p.cpp} {p.name}" for p in overload.params),
        "call": f"::{namespace}::ops::{op.invoke.func}::call({args})",
        "schema_name": overload.full_name,
    }


def _expression(text: str) -> str:
    """PHI's C++ on its own Tensor as C++ on at::Tensor."""
    text = re.sub(r"\.dtype\(\)", ".scalar_type()", text)
    return re.sub(r"(\d\.\d*)f\b", r"\1", text)
