"""`phi_torch/_op_table.py`: what Python must know of each op to register composites and to answer questions."""

from __future__ import annotations

from typing import Any

from ...model.op import PHI, Op, OpSet
from ...view.bind import call_names
from ...view.derivative import order
from ...view.dispatcher import functional, has_kernel, is_composite_only, mutated, overloads
from ..render import render
from .functions import python_params


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    rows = [
        {"loc": f"{op.loc.file}:{op.loc.line}", "fields": [f"{k}={v!r}" for k, v in entry(op, opset).items()]} for op in opset.ops
    ]
    return {"python/_op_table.py": render("python_op_table.py.j2", rows=rows, source_hash=source_hash)}


def entry(op: Op, opset: OpSet) -> dict[str, Any]:
    """The arguments of OpInfo; those at their default are left out."""
    values: dict[str, Any] = {
        "name": op.name,
        "loc": f"{op.loc.file}:{op.loc.line}",
        "schema": _schema(op),
        "params": python_params(op.args),
    }
    dense = op.kernel.dense if op.kernel is not None else None
    branches = op.kernel.branches if op.kernel is not None else ()
    optional = {
        "outputs": (tuple(o.name for o in op.outputs), ("out",)),
        "intermediate": (tuple(o.name for o in op.outputs if o.intermediate), ()),
        "overloads": (tuple(o.full_name for o in overloads(op)), ()),
        "composite": (op.composite, None),
        "composite_only": (is_composite_only(op), False),
        "kernels": (tuple(b.name for b in sorted(branches, key=lambda b: b != dense)), ()),
        "inplace": (tuple(mutated(op).items()), ()),
        "forward": (op.forward.name if op.forward is not None else None, None),
        "backward": (op.backward, None),
        "category": (op.category, "general"),
        "autocast": (op.autocast, "none"),
        "vmap": (op.vmap, "loop"),
        "jvp": (op.jvp, None),
        "order": (order(op, opset), "no"),
        "torch": (op.torch, None),
        "doc": (op.doc is not None, False),
        "kernel_args": (_kernel_args(op), ()),
        "kernel_outputs": (tuple(f"{o.type} {o.name}" for o in op.outputs) if has_kernel(op) else (), ()),
        "namespace": (op.namespace, PHI),
        "schemas": (_schemas(op), ()),
        "dense": (op.kernel is None or dense is not None, True),
        "data_dependent": (op.is_data_dependent, False),
    }
    return values | {key: value for key, (value, default) in optional.items() if value != default}


def _kernel_args(op: Op) -> tuple[str, ...]:
    if not has_kernel(op) or op.kernel is None:
        return ()
    types = {arg.name: arg.type for arg in op.args}
    return tuple(f"{types[name]} {name}" if name in types else "" for name in call_names(op, op.kernel.param))


def _schemas(op: Op) -> tuple[tuple[str, str], ...]:
    """Python defines the op when nothing is compiled."""
    if op.namespace == PHI or not is_composite_only(op):
        return ()
    return tuple((o.overload, o.schema) for o in overloads(op))


def _schema(op: Op) -> str:
    overload = functional(op)
    params = ", ".join(str(p) for p in overload.params if p.arg is not None)
    returns = [r.schema for r in overload.returns]
    return f"({params}) -> {returns[0] if len(returns) == 1 else '(' + ', '.join(returns) + ')'}"
