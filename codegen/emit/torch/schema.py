"""torch/schema.cc (the definitions of all ops), and the C++ API: torch/ops/<op>.h, torch/ops_*.cc, torch/ops.h with all."""

from __future__ import annotations

from ...model.op import OpSet
from ...view.dispatcher import CALLED, Overload, overloads
from ..render import render
from ..write import shard

OPS_PER_FILE = 180


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    ns, headers = opset.namespace, [op.header for op in opset.ops]
    called = {op.name: [_context(o) for o in overloads(op) if o.kind in CALLED] for op in opset.ops}
    files = {
        "torch/schema.cc": render("schema.cc.j2", ns=ns, overloads=[_definition(o) for op in opset.ops for o in overloads(op)]),
        "torch/ops.h": render("ops.h.j2", headers=headers),
    }
    for op in opset.ops:
        files[f"torch/ops/{op.name}.h"] = render("op.h.j2", ns=ns, entry=op.entry, overloads=called[op.name])
    for i, ops in enumerate(shard(opset.ops, opset.shards(OPS_PER_FILE), key=lambda op: opset.root(op).name)):
        overloads_of = [o for op in ops for o in called[op.name]]
        files[f"torch/ops_{i}.cc"] = render("ops.cc.j2", ns=ns, headers=[op.header for op in ops], overloads=overloads_of)
    return files


def _definition(overload: Overload) -> dict[str, str]:
    schema = overload.schema.replace("\\", "\\\\").replace('"', '\\"')
    return {"schema": schema, "tags": ", ".join(f'"{tag}"' for tag in overload.tags)}


def _context(overload: Overload) -> dict[str, str]:
    names = ", ".join(p.name for p in overload.params)
    return {
        "symbol": overload.symbol,
        "fn": overload.cpp_type,
        "name": overload.name,
        "overload": overload.overload,
        "ret": overload.cpp_return,
        "params": overload.cpp_params,
        "dispatch_args": ", ".join(["handle()", *([names] if names else [])]),
        "redispatch_params": ", ".join(["c10::DispatchKeySet keys", *([overload.cpp_params] if overload.params else [])]),
        "redispatch_args": ", ".join(["handle()", "keys", *([names] if names else [])]),
    }
