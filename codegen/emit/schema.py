"""torch/schema.cc (the definitions of all ops) and torch/ops.h, torch/ops.cc (typed handles, the C++ API)."""

from __future__ import annotations

from ..dispatcher import Overload, overloads
from ..model import OpSet
from .render import render


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    found = [_context(o) for op in opset.ops for o in overloads(op)]
    context = {"ns": opset.namespace, "folder": opset.folder, "overloads": found}
    return {
        "torch/schema.cc": render("schema.cc.j2", **context),
        "torch/ops.h": render("ops.h.j2", **context),
        "torch/ops.cc": render("ops.cc.j2", **context),
    }


def _context(overload: Overload) -> dict[str, str]:
    names = ", ".join(p.name for p in overload.params)
    return {
        "place": f"{overload.op.source}:{overload.op.loc.line}",
        "schema": overload.schema.replace("\\", "\\\\").replace('"', '\\"'),
        "tags": ", ".join(f'"{tag}"' for tag in overload.tags),
        "symbol": overload.symbol,
        "fn": overload.cpp_type,
        "name": overload.name,
        "overload": overload.overload,
        "ret": overload.cpp_return,
        "params": overload.cpp_params,
        "args": names,
        "redispatch_params": ", ".join(["c10::DispatchKeySet keys", *([overload.cpp_params] if overload.params else [])]),
        "redispatch_args": ", ".join(["keys", *([names] if names else [])]),
    }
