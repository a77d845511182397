"""infermeta/registry_*.cc: the InferMeta function of each kernel, by name."""

from __future__ import annotations

from ..dispatcher import has_kernel, is_view
from ..model import PHI, OpSet
from ..write import shard
from .render import render

SHARDS = 4


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    if opset.namespace != PHI:
        return {}
    functions: dict[str, str] = {}
    for op in opset.ops:
        if (has_kernel(op) or is_view(op)) and op.infer_meta is not None and op.kernel is not None:
            for branch in op.kernel.branches:
                functions.setdefault(branch.name, op.infer_meta.func)
    shards = shard(functions.items(), SHARDS, key=lambda entry: entry[1])
    return {f"infermeta/registry_{i}.cc": render("infermeta.cc.j2", entries=entries) for i, entries in enumerate(shards)}
