"""torch/composite_ops.cc: ops that are calls of others in C++ - views over ATen, `invoke`, and backward ops without a kernel,
whose composites are called when what they are given has been checked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ...model.op import PHI, Op, OpSet, op_header
from ...view.bind import attribute, meta_value
from ...view.dispatcher import Kind, Overload, default_in_call, functional, is_composite_only, is_view, overloads
from ...view.given import checks
from ..render import render
from .meta import sym_input


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    views = [o for op in opset.ops if is_view(op) for o in overloads(op) if o.kind in (Kind.FUNCTIONAL, Kind.INPLACE)]
    invoked = [_invoked(op, opset) for op in opset.ops if op.invoke is not None]
    composites = [_composite(op, opset) for op in opset.ops if is_composite_only(op)]
    calls = [*invoked, *filter(None, composites)]
    return {
        "torch/composite_ops.cc": render(
            "composite_ops.cc.j2",
            ns=opset.namespace,
            headers=sorted({f["header"] for f in calls}),
            infer_meta_headers=opset.infer_meta_headers,
            views=[{"schema_name": v.full_name, "name": v.symbol} for v in views],
            calls=calls,
        )
    }


def _invoked(op: Op, opset: OpSet) -> dict[str, Any]:
    assert op.invoke is not None
    namespace = opset.namespace if op.invoke.func in opset else PHI
    names = {p.arg.name: p.name for p in functional(op).params if p.arg is not None}
    args = [*(names.get(text, _expression(text)) for text in op.invoke.args), *map(default_in_call, op.invoke.left_out)]
    call = f"return ::{namespace}::ops::{op.invoke.func}::call({', '.join(args)});"
    return _function(op, op_header(namespace, op.invoke.func), list(_checked(functional(op), opset)), call)


def _composite(op: Op, opset: OpSet) -> dict[str, Any] | None:
    """None if nothing is checked: Python registers the composite by itself then."""
    overload = functional(op)
    if not (checked := list(_checked(overload, opset))):
        return None
    types, names = ", ".join(p.cpp for p in overload.params), ", ".join(p.name for p in overload.params)
    call = f'return FindComposite<{overload.cpp_return}({types})>("{overload.qualified}").call({names});'
    return _function(op, "torch/composite/composite.h", checked, call)


def _function(op: Op, header: str, checked: list[str], call: str) -> dict[str, Any]:
    overload = functional(op)
    return {
        "entry": op.entry,
        "header": header,
        "ret": overload.cpp_return,
        "name": overload.symbol,
        "params": ", ".join(f"[[maybe_unused]] {p.cpp} {p.name}" for p in overload.params),
        "body": ["PHI_OP_TRY", *checked, f'PHI_OP_CATCH("{overload.qualified}")', call] if checked else [call],
        "schema_name": overload.full_name,
    }


def _checked(overload: Overload, opset: OpSet) -> Iterator[str]:
    """What a backward op is given, as in the functions behind the key Meta."""
    op = overload.op
    attributes = {p.arg.name: attribute(p, True) for p in overload.params if p.arg and not p.arg.is_tensor}
    values = {a.name: meta_value(a) for a in op.inputs} | {name: a.value for name, a in attributes.items()}
    statements = list(checks(op, opset, values, "SymInt"))
    if statements:
        yield from (a.setup for a in attributes.values() if a.setup)
        yield from (sym_input(arg, False) for arg in op.inputs)
        yield from statements


def _expression(text: str) -> str:
    """PHI's C++ on its own Tensor as C++ on at::Tensor."""
    text = re.sub(r"\.dtype\(\)", ".scalar_type()", text)
    return re.sub(r"(\d\.\d*)f\b", r"\1", text)
