"""infermeta/registry_*.cc: the InferMeta function of each kernel, by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...model.op import PHI, Arg, Op, OpSet, Output
from ...types.table import TYPES
from ...view.bind import call_names, knows_tensors, literal_type
from ...view.dispatcher import has_kernel, is_view
from ...view.given import checks
from ..render import render
from ..write import shard

OPS_PER_FILE = 180


@dataclass(frozen=True)
class Entry:
    """The row of one kernel."""

    kernel: str
    func: str
    arguments: str  # C++: the kernel's arguments that the function takes; "" for all
    checked: Checked | None = None  # what stands before it, for a backward op


@dataclass(frozen=True)
class Checked:
    """A function that compares what a backward op is given, as the op's own function does, and then calls InferMeta."""

    name: str
    params: str
    body: tuple[str, ...]


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    own = "" if opset.namespace == PHI else f"{opset.namespace}::"  # an extension's operator may use a kernel of ours
    entries: dict[str, Entry] = {}
    for op in opset.ops:
        if (has_kernel(op) or is_view(op)) and knows_tensors(op):
            assert op.kernel is not None
            for branch in op.kernel.branches:
                if branch.name.startswith(own):
                    entries.setdefault(branch.name, _entry(branch.name, op, opset))
    shards = shard(entries.values(), opset.shards(OPS_PER_FILE), key=lambda entry: entry.func)
    return {
        f"infermeta/registry_{i}.cc": render(
            "infermeta.cc.j2",
            ns=opset.namespace,
            headers=opset.infer_meta_headers,
            entries=rows,
            checked=dict.fromkeys(row.checked for row in rows if row.checked is not None),
        )
        for i, rows in enumerate(shards)
        if rows or not own
    }


def _entry(kernel: str, op: Op, opset: OpSet) -> Entry:
    assert op.kernel is not None and op.infer_meta is not None
    params = call_names(op, op.infer_meta.param)
    args = [a for a in op.args if not a.is_tensor or a.name in call_names(op, op.kernel.param)]
    given = set(call_names(op, op.kernel.param))  # what the kernel does not take, nobody knows here
    statements = tuple(checks(op, opset, {a.name: a.name for a in args if a.name in given}, "int64_t"))
    if not statements:
        return Entry(kernel, f"{op.infer_meta.func}<int64_t>", _with_inplace(_arguments(op, params), op))
    outputs = [o.name for o in op.outputs]
    call = f"{op.infer_meta.func}<int64_t>({', '.join([*params, *outputs])});"
    taken = ", ".join([*(_parameter(a) for a in args), *(_result(o) for o in op.outputs)])
    checked = Checked(f"Infer_{op.name}", taken, (*statements, call))
    return Entry(kernel, checked.name, _with_inplace(_arguments(op, tuple(a.name for a in args)), op), checked)


def _with_inplace(arguments: str, op: Op) -> str:
    """`arguments`, and (output, tensor of the kernel) for each output that may have the memory of a tensor."""
    assert op.kernel is not None
    inputs, outputs = {a.name for a in op.inputs}, [o.name for o in op.outputs]
    tensors = [n for n in call_names(op, op.kernel.param) if n in inputs]
    pairs = [f"{{{outputs.index(out)}, {tensors.index(into)}}}" for into, out in op.inplace if into in tensors]
    return f"{arguments or ', true, {}, {}'}, {{{', '.join(pairs)}}}" if pairs else arguments


def _parameter(arg: Arg) -> str:
    if arg.is_tensor:
        kind = "std::vector<const MetaTensor<int64_t>*>" if arg.is_list else "MetaTensor<int64_t>"
        return f"[[maybe_unused]] const {kind}& {arg.name}"
    return f"[[maybe_unused]] {TYPES[arg.type].typed} {arg.name}"


def _result(output: Output) -> str:
    kind = "std::vector<MetaTensor<int64_t>*>" if output.type == "Tensor[]" else "MetaTensor<int64_t>*"
    return f"{kind} {output.name}"


def _arguments(op: Op, params: Sequence[str]) -> str:
    """The positions, among the kernel's tensors and among its attributes, of `params`: what the function takes."""
    assert op.kernel is not None
    inputs = {a.name for a in op.inputs}
    kernel = call_names(op, op.kernel.param)
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
