"""infermeta/registry_*.cc: the InferMeta function of each kernel, by name."""

from __future__ import annotations

from dataclasses import dataclass

from ...model.op import PHI, Op, OpSet
from ...types.table import TYPES
from ...view.bind import call_names, literal_type
from ...view.dispatcher import has_kernel, is_view
from ..render import render
from ..write import shard

SHARDS = 4


@dataclass(frozen=True)
class Entry:
    """The row of one kernel."""

    kernel: str
    func: str
    arguments: str  # C++: the kernel's arguments that the function takes; "" for all


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    if opset.namespace != PHI:
        return {}
    entries: dict[str, Entry] = {}
    for op in opset.ops:
        if (has_kernel(op) or is_view(op)) and op.infer_meta is not None and op.kernel is not None:
            for branch in op.kernel.branches:
                entries.setdefault(branch.name, Entry(branch.name, op.infer_meta.func, _arguments(op)))
    shards = shard(entries.values(), SHARDS, key=lambda entry: entry.func)
    return {f"infermeta/registry_{i}.cc": render("infermeta.cc.j2", entries=rows) for i, rows in enumerate(shards)}


def _arguments(op: Op) -> str:
    """The positions, among the kernel's tensors and among its attributes, of what InferMeta takes."""
    assert op.kernel is not None and op.infer_meta is not None
    inputs = {a.name for a in op.inputs}
    kernel = call_names(op, op.kernel.param)
    params = call_names(op, op.infer_meta.param)
    if params == kernel:
        return ""
    tensors = [n for n in kernel if n in inputs]
    attributes = [n for n in kernel if n not in inputs]
    taken = ", ".join(str(tensors.index(n)) for n in params if n in inputs)
    read = ", ".join(_attribute(op, n, attributes) for n in params if n not in inputs)
    return f", false, {{{taken}}}, {{{read}}}"


def _attribute(op: Op, name: str, attributes: list[str]) -> str:
    if name in attributes:
        return f"{{{attributes.index(name)}}}"
    if name not in {a.name for a in op.args}:
        return f"{{-1, {literal_type(name).removeprefix('const ').rstrip('&')}({name})}}"
    kind = op.arg(name).type
    return "{-1}" if kind == "DataType" else f"{{-1, {TYPES[kind].typed.removeprefix('const ').rstrip('&')}()}}"
