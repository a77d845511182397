"""torch/python/fast_*.cc: the functions of `phi_torch.ops` again, in C++, for arguments of the usual types."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..dispatcher import Kind, Overload, mutated, overloads
from ..literals import Symbol, cpp_default, default_value, has_default, python_default
from ..model import Arg, Op, OpSet
from ..write import shard
from .render import render

SHARDS = 3
# the classes of csrc/torch/python/fast_arguments.h
_CLASSES = {
    "Tensor": "TensorArg",
    "Tensor[]": "TensorListArg",
    "IntArray": "IntArrayArg",
    "bool": "BoolArg",
    "str": "StringArg",
    "DataLayout": "StringArg",
    "DataType": "DataTypeArg",
    "Place": "PlaceArg",
    "Scalar[]": "ListArg<at::Scalar>",
    "bool[]": "ListArg<bool>",
    "str[]": "ListArg<std::string>",
}
_INTS = ("int", "int32_t", "int64_t", "long", "size_t")
_CLASSES |= {name: "IntArg" for name in _INTS} | {f"{name}[]": "ListArg<int64_t>" for name in _INTS}
for _name in ("float", "double"):
    _CLASSES |= {_name: "FloatArg", f"{_name}[]": "ListArg<double>"}
for _name in ("", "(bool)", "(int)", "(int64_t)", "(float)", "(double)"):
    _CLASSES[f"Scalar{_name}"] = "ScalarArg"


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
    results: str
    call: str


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    files = {}
    for i, ops in enumerate(shard(opset.forward_ops, opset.shards(SHARDS), key=lambda op: opset.root(op).name)):
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
    return Function(
        entry=op.entry,
        name=overload.name,
        signature=_text(f"({', '.join(_parameter(a, d) for a, d in zip(op.args, optional))})"),
        parameters=", ".join(_text(a.name) for a in op.args),
        arguments=tuple(_argument(a, d) for a, d in zip(op.args, optional)),
        results=", ".join(_results(overload)),
        call=f"{overload.cpp}::call({', '.join(f'{a.name}_arg' for a in op.args)})",
    )


def _optional(args: tuple[Arg, ...]) -> list[bool]:
    """Whether each argument may be left out: it has a default, and so have all after it."""
    return [all(has_default(later) for later in args[i:]) for i in range(len(args))]


def _parameter(arg: Arg, optional: bool) -> str:
    """As inspect.signature reads it: only literals are defaults there."""
    if not optional:
        return arg.name
    value = default_value(arg)
    if value is None or (isinstance(value, Symbol) and value.kind != "DataLayout"):
        return f"{arg.name}=None"
    if isinstance(value, float) and math.isinf(value):
        return f"{arg.name}={'-' if value < 0 else ''}1e999"
    return f"{arg.name}={python_default(arg)}"


def _argument(arg: Arg, optional: bool) -> Argument:
    cls = _CLASSES[arg.type]
    if arg.is_tensor and arg.optional:
        cls = f"Optional{cls}"
    elif arg.type == "DataType" and arg.default is None:
        cls = "RequiredDataTypeArg"
    initial = _initial(arg) if optional else ""
    return Argument(f"{cls} {arg.name}_arg{initial}", "Read" if optional else "Require", arg.name)


def _initial(arg: Arg) -> str:
    """None means the op's own default, which the dispatcher's function knows."""
    if arg.is_tensor or arg.type in ("DataType", "Place"):
        return ""
    if arg.type == "DataLayout":
        return f"({_text(str(python_default(arg))[1:-1])})"
    text = cpp_default(arg, none="") or ""
    return text if text.startswith("{") else f"({text})" if text else ""


def _results(overload: Overload) -> list[str]:
    """The outputs that are not intermediate: results of the op, or the arguments that it overwrites."""
    op = overload.op
    source = {out: name for name, out in mutated(op).items()} if overload.kind is Kind.INPLACE else {}
    fresh = [r.output.name for r in overload.returns if r.output.name not in source]
    names = [a.name for a in op.args]
    kept = [o.name for o in op.outputs if not o.intermediate]
    return [f"In<{names.index(source[n])}>" if n in source else f"Out<{fresh.index(n)}>" for n in kept]


def _text(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
