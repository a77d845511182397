"""torch/infermeta.cc: the InferMeta function of each kernel, by name."""

from __future__ import annotations

from ..dispatcher import has_kernel, is_view
from ..model import PHI, OpSet
from .render import render


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    if opset.namespace != PHI:
        return {}
    functions: dict[str, str] = {}
    for op in opset.ops:
        if (has_kernel(op) or is_view(op)) and op.infer_meta is not None and op.kernel is not None:
            for branch in op.kernel.branches:
                functions.setdefault(branch.name, op.infer_meta.func)
    entries = [{"kernel": kernel, "func": func} for kernel, func in functions.items()]
    return {"infermeta/registry.cc": render("infermeta.cc.j2", entries=entries)}
