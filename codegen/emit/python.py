"""`phi_torch/ops.py` and its stub: one typed function for each forward op and each in-place form."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from ..dispatcher import Kind, Overload, mutated, overloads
from ..literals import has_default, python_default
from ..model import Arg, Op, OpSet, Output
from ..types import TENSOR_ABLE, TYPES
from .render import render

_ANNOTATIONS = {"DataType": "torch.dtype | None", "Place": "Device"}


@dataclass(frozen=True)
class Function:
    name: str
    loc: str
    signature: str
    returns: str
    doc: str  # indented, without quotes
    body: tuple[str, ...]
    overloads: tuple[Overload, ...]


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    functions = [f for op in opset.forward_ops for f in python_functions(op)]
    names = [f.name for f in functions]
    handles = [(_handle(o), f"{o.name}.{o.overload or 'default'}") for f in functions for o in f.overloads]
    return {
        "python/ops.py": render("python_ops.py.j2", ns=opset.namespace, names=names, handles=handles, functions=functions),
        "python/ops.pyi": render("stub_ops.pyi.j2", names=names, functions=functions),
    }


def python_params(args: tuple[Arg, ...]) -> str:
    """`x, axis=-1`. A default that a later argument without one rules out is left off."""
    return ", ".join(_params(args, None))


def _params(args: tuple[Arg, ...], tensors: bool | None) -> list[str]:
    """Annotated unless `tensors` is None, which says whether attributes may be tensors."""
    params: list[str] = []
    required = False
    for arg in reversed(args):
        required = required or not has_default(arg)
        default = None if required else "None" if arg.type == "Place" else python_default(arg)
        text = arg.name
        if tensors is not None:
            text += f": {_annotation(arg, tensors)}"
        if default is not None:
            text += f"={default}" if tensors is None else f" = {default}"
        params.append(text)
    return params[::-1]


def _wrap(params: list[str]) -> str:
    """On one line, or each on its own."""
    text = ", ".join(params)
    return text if len(text) <= 72 else "\n    " + ",\n    ".join(params) + ",\n"


def python_functions(op: Op) -> list[Function]:
    """The Python functions of an op: the one of its name, and the one that works in place."""
    by_kind = {o.kind: o for o in overloads(op)}
    found = []
    if Kind.FUNCTIONAL in by_kind:
        found.append(_functional(op, by_kind[Kind.FUNCTIONAL], by_kind.get(Kind.TENSOR)))
    if Kind.INPLACE in by_kind:
        found.append(_inplace(op, by_kind[Kind.INPLACE]))
    return found


def _functional(op: Op, plain: Overload, tensor: Overload | None) -> Function:
    body = _prologue(op)
    kept = [i for i, o in enumerate(op.outputs) if not o.intermediate]
    whole = len(kept) == len(op.outputs)
    call = f"{_handle(plain)}({_arguments(op)})"
    if tensor is not None:
        test = " or ".join(f"isinstance({a.name}, Tensor)" for a in op.args if a.type in TENSOR_ABLE)
        as_tensors = f"{_handle(tensor)}({_arguments(op, as_tensors=True)})"
        body += [f"if {test}:", f"    {'return' if whole else 'result ='} {as_tensors}"]
        body += [] if whole else ["else:"]
    if whole:
        body.append(f"return {call}")
    else:
        body.append(f"{'    ' if tensor is not None else ''}result = {call}")
        body.append("return " + ", ".join(f"result[{i}]" for i in kept))
    used = (plain,) if tensor is None else (plain, tensor)
    return _function(op, op.name, tensor is not None, [op.outputs[i] for i in kept], tuple(body), used)


def _inplace(op: Op, overload: Overload) -> Function:
    """The mutated inputs stand where the YAML names the outputs; the operator itself returns only what is new."""
    source = {out: name for name, out in mutated(op).items()}
    call = f"{_handle(overload)}({_arguments(op)})"
    fresh = [r.output.name for r in overload.returns if r.output.name not in source]
    results = {name: f"result[{i}]" if len(fresh) > 1 else "result" for i, name in enumerate(fresh)}
    kept = [o for o in op.outputs if not o.intermediate]
    needed = any(o.name in results for o in kept)
    body = [*_prologue(op), f"{'result = ' if needed else ''}{call}"]
    body.append("return " + ", ".join(source.get(o.name) or results[o.name] for o in kept))
    return _function(op, overload.name, False, kept, tuple(body), (overload,))


def _function(
    op: Op, name: str, tensors: bool, outputs: list[Output], body: tuple[str, ...], used: tuple[Overload, ...]
) -> Function:
    return Function(
        name=name,
        loc=f"{op.loc.file}:{op.loc.line}",
        signature=_wrap(_params(op.args, tensors)),
        returns=_returns(op, outputs, inplace=used[0].kind is Kind.INPLACE),
        doc=_doc(op, outputs, inplace=used[0].kind is Kind.INPLACE),
        body=body,
        overloads=used,
    )


def _prologue(op: Op) -> list[str]:
    lines = []
    if op.deprecated is not None:
        lines.append(f"_deprecated({op.name!r}, {op.deprecated!r})")
    arrays = [a.name for a in op.args if a.type == "IntArray"]
    return lines + [f"{name} = _int_array({name})" for name in arrays]


def _arguments(op: Op, as_tensors: bool = False) -> str:
    return ", ".join(f"_as_tensor({a.name})" if as_tensors and a.type in TENSOR_ABLE else a.name for a in op.args)


def _handle(overload: Overload) -> str:
    return f"_op_{overload.symbol}"


def _annotation(arg: Arg, tensors: bool) -> str:
    if arg.type == "IntArray":
        return "IntArray" if tensors else "int | Sequence[int]"
    text = _ANNOTATIONS.get(arg.type, TYPES[arg.type].python)
    if arg.type == "DataType" and not has_default(arg):
        return "torch.dtype"
    if tensors and arg.type in TENSOR_ABLE:
        return f"{text} | Tensor"
    return f"{text} | None" if arg.optional and "None" not in text and text != "Device" else text


def _returns(op: Op, outputs: list[Output], inplace: bool) -> str:
    source = {out: op.arg(name) for name, out in mutated(op).items()} if inplace else {}
    types = []
    for output in outputs:
        if output.name in source:
            types.append(_annotation(source[output.name], False))
        else:
            type = "list[Tensor]" if output.type == "Tensor[]" else "Tensor"
            types.append(f"{type} | None" if output.optional else type)
    if not types:
        return "None"
    return types[0] if len(types) == 1 else f"tuple[{', '.join(types)}]"


def _doc(op: Op, outputs: list[Output], inplace: bool) -> str:
    lines = [(op.doc or f"PHI's operator `{op.name}`.").strip()]
    if inplace:
        names = ", ".join(f"`{name}`" for name in mutated(op))
        lines.append(f"\nIn place: writes into {names} and returns {'it' if len(mutated(op)) == 1 else 'them'}.")
    if op.deprecated is not None:
        lines.append(f"\nDeprecated: {op.deprecated}")
    if op.args:
        lines.append("\nArgs:")
    for arg in op.args:
        default = "None" if arg.type == "Place" else python_default(arg)
        notes = [arg.type, *(["optional"] if arg.optional else []), *([f"default {default}"] if has_default(arg) else [])]
        lines.append(f"    {arg.name}: {', '.join(notes)}")
    lines.append("\nReturns:")
    lines += [f"    {o.name}: {o.type}{', optional' if o.optional else ''}" for o in outputs]
    text = "\n".join(lines).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return textwrap.indent(text, "    ").strip() + ("\n    " if "\n" in text else "")
