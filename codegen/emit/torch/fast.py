"""torch/python/fast_*.cc: the functions of `phi_torch.ops` again, in C++, for arguments of the usual types."""

from __future__ import annotations

from dataclasses import dataclass

from ...model.op import Arg, Op, OpSet
from ...view.dispatcher import Kind, Overload, mutated, overloads
from ..python.functions import takes_out
from ..render import render
from ..write import shard

OPS_PER_FILE = 90


@dataclass(frozen=True)
class Argument:
    declaration: str  # "IntArg axis_arg(-1)"
    verb: str  # "Require" or "Read"
    name: str


@dataclass(frozen=True)
class Function:
    entry: str
    name: str
    signature: str
    parameters: str
    arguments: tuple[Argument, ...]
    results: str  # of the Python function
    op_results: str  # of the dispatcher operator
    call: str


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    files = {}
    for i, ops in enumerate(shard(opset.forward_ops, opset.shards(OPS_PER_FILE), key=lambda op: opset.root(op).name)):
        functions = [f for op in ops for f in _functions(op)]
        files[f"torch/python/fast_{i}.cc"] = render("fast.cc.j2", headers=[op.header for op in ops], functions=functions)
    return files


def _functions(op: Op) -> list[Function]:
    if op.deprecated is not None:
        return []  # its Python function warns
    return [_function(o) for o in overloads(op) if o.kind in (Kind.FUNCTIONAL, Kind.INPLACE)]


def _function(overload: Overload) -> Function:
    op = overload.op
    optional = _optional(op.args)
    signature = [_parameter(a, d) for a, d in zip(op.args, optional)]
    if overload.kind is Kind.FUNCTIONAL and takes_out(op):
        signature += ["*", "out=None"]  # the Python function's matter
    return Function(
        entry=op.entry,
        name=overload.name,
        signature=_text(f"({', '.join(signature)})"),
        parameters=", ".join(_text(a.name) for a in op.args),
        arguments=tuple(_argument(a, d) for a, d in zip(op.args, optional)),
        results=", ".join(_results(overload, [o.name for o in op.outputs if not o.intermediate])),
        op_results=", ".join(_results(overload, [r.output.name for r in overload.returns])),
        call=f"{overload.cpp}::call({', '.join(f'{a.name}_arg' for a in op.args)})",
    )


def _optional(args: tuple[Arg, ...]) -> list[bool]:
    """Whether each argument may be left out: it has a default, and so have all after it."""
    return [all(later.has_default for later in args[i:]) for i in range(len(args))]


def _parameter(arg: Arg, optional: bool) -> str:
    if not optional:
        return arg.name
    return f"{arg.name}={'None' if arg.value is None else arg.form.in_signature(arg.value)}"


def _argument(arg: Arg, optional: bool) -> Argument:
    initial = arg.form.initial(arg.value) if optional and arg.value is not None else ""
    return Argument(f"{arg.form.argument} {arg.name}_arg{initial}", "Read" if optional else "Require", arg.name)


def _results(overload: Overload, kept: list[str]) -> list[str]:
    """These outputs: results of the op, or the arguments that it overwrites."""
    op = overload.op
    source = {out: name for name, out in mutated(op).items()} if overload.kind is Kind.INPLACE else {}
    fresh = [r.output.name for r in overload.returns if r.output.name not in source]
    names = [a.name for a in op.args]
    return [f"In<{names.index(source[n])}>" if n in source else f"Out<{fresh.index(n)}>" for n in kept]


def _text(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
