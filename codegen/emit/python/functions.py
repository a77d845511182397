"""`phi_torch/ops.py` and its stub: one typed function for each forward op and each in-place form."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from ...model.op import Arg, Op, OpSet, Output
from ...types.numbers import Integer
from ...view.defaults import python_default
from ...view.dispatcher import Kind, Overload, is_view, mutated, overloads
from ..render import render


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
        required = required or not arg.has_default
        default = None if required else python_default(arg)
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
        found.append(_functional(op, by_kind[Kind.FUNCTIONAL], by_kind.get(Kind.TENSOR), by_kind.get(Kind.OUT)))
    if Kind.INPLACE in by_kind:
        found.append(_inplace(op, by_kind[Kind.INPLACE], by_kind.get(Kind.INPLACE_TENSOR)))
    return found


def takes_out(op: Op) -> bool:
    """Whether the Python function has the keyword `out`."""
    return any(o.kind is Kind.OUT for o in overloads(op)) and all(a.name != "out" for a in op.args)


def _functional(op: Op, plain: Overload, tensor: Overload | None, out: Overload | None) -> Function:
    out = out if takes_out(op) else None
    kept = [i for i, o in enumerate(op.outputs) if not o.intermediate]
    whole = len(kept) == len(op.outputs)
    with_out = _with_out(op, out) if out is not None else []
    body = [*_prologue(op), *with_out, *_own_place(op), *_call(plain, tensor, "return " if whole else "result = ")]
    if not whole:
        body.append("return " + ", ".join(f"result[{i}]" for i in kept))
    return _function(op, [op.outputs[i] for i in kept], tuple(body), plain, tensor, out)


def _with_out(op: Op, overload: Overload) -> list[str]:
    """What the function does when it is given `out`."""
    targets = [p.name for p in overload.params if p.output is not None]
    arguments = [f"_as_number({a.name})" if a.form.tensor_able else a.name for a in op.args]
    if len(targets) == 1:
        return ["if out is not None:", f"    return {_handle(overload)}({', '.join([*arguments, f'{targets[0]}=out'])})"]
    names = ", ".join(f'"{o.name}"' for o in op.outputs)
    keywords = [f"{name}=outs[{i}]" for i, name in enumerate(targets)]
    return [
        "if out is not None:",
        f'    outs = _outputs("{op.name}", ({names}), out)',
        f"    return {_handle(overload)}({', '.join([*arguments, *keywords])})",
    ]


def _inplace(op: Op, plain: Overload, tensor: Overload | None) -> Function:
    """The mutated inputs stand where the YAML names the outputs; the operator itself returns only what is new."""
    source = {out: name for name, out in mutated(op).items()}
    fresh = [r.output.name for r in plain.returns if r.output.name not in source]
    results = {name: f"result[{i}]" if len(fresh) > 1 else "result" for i, name in enumerate(fresh)}
    kept = [o for o in op.outputs if not o.intermediate]
    needed = any(o.name in results for o in kept)
    body = [*_prologue(op), *([f"_changes_shape({op.args[0].name})"] if is_view(op) else [])]
    body += _call(plain, tensor, "result = " if needed else "")
    body.append("return " + ", ".join(source.get(o.name) or results[o.name] for o in kept))
    return _function(op, kept, tuple(body), plain, tensor)


def _call(plain: Overload, tensor: Overload | None, to: str) -> list[str]:
    """Calls the form for tensors if an attribute is one; `to` is what stands before the call."""
    op = plain.op
    call = f"{to}{_handle(plain)}({_arguments(op)})"
    if tensor is None:
        return [call]
    test = " or ".join(f"isinstance({a.name}, Tensor)" for a in op.args if a.form.tensor_able)
    lines = [f"if {test}:", f"    {to}{_handle(tensor)}({_arguments(op, as_tensors=True)})"]
    return [*lines, call] if to == "return " else [*lines, "else:", f"    {call}"]


def _function(
    op: Op, outputs: list[Output], body: tuple[str, ...], plain: Overload, tensor: Overload | None, out: Overload | None = None
) -> Function:
    params = _params(op.args, tensor is not None)
    if out is not None:
        params += ["*", f"out: {_returns(op, outputs, inplace=False)} | None = None"]
    return Function(
        name=plain.name,
        loc=f"{op.loc.file}:{op.loc.line}",
        signature=_wrap(params),
        returns=_returns(op, outputs, inplace=plain.is_inplace),
        doc=_doc(op, outputs, plain.is_inplace, out is not None),
        body=body,
        overloads=tuple(o for o in (plain, tensor, out) if o is not None),
    )


def _prologue(op: Op) -> list[str]:
    lines = []
    if op.deprecated is not None:
        lines.append(f"_deprecated({op.name!r}, {op.deprecated!r})")
    if op.inputs and all(a.is_list and not a.optional for a in op.inputs):  # torch finds no kernel for a call without tensors
        name = op.inputs[0].name
        lines += [f"if not {name}:", f'    _no_tensors("{op.namespace}::{op.name}", "{name}")']
    lists = {a.name: a.form for a in op.args if not a.optional and a.form.is_list and isinstance(a.form.element, Integer)}
    return lines + [f"{name} = {'_int_array' if form.tensor_able else '_ints'}({name})" for name, form in lists.items()]


def _own_place(op: Op) -> list[str]:
    """What is made of nothing lies on the device that is set, as what torch's own functions make."""
    makes_strings = op.kernel is not None and op.kernel.dense is None
    if op.inputs or makes_strings:
        return []
    return [f"{a.name} = _default_device({a.name})" for a in op.args if a.type == "Place" and python_default(a) == "None"]


def _arguments(op: Op, as_tensors: bool = False) -> str:
    return ", ".join(f"_as_tensor({a.name})" if as_tensors and a.form.tensor_able else a.name for a in op.args)


def _handle(overload: Overload) -> str:
    return f"_op_{overload.symbol}"


def _annotation(arg: Arg, tensors: bool) -> str:
    form = arg.form
    if tensors and form.or_tensor:
        return form.or_tensor
    return f"{form.annotation} | None" if arg.optional and not form.takes_none else form.annotation


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


def _doc(op: Op, outputs: list[Output], inplace: bool, out: bool) -> str:
    lines = [(op.doc or f"PHI's operator `{op.name}`.").strip()]
    if inplace:
        names = ", ".join(f"`{name}`" for name in mutated(op))
        lines.append(f"\nIn place: writes into {names} and returns {'it' if len(mutated(op)) == 1 else 'them'}.")
    if op.deprecated is not None:
        lines.append(f"\nDeprecated: {op.deprecated}")
    if op.args:
        lines.append("\nArgs:")
    for arg in op.args:
        default = python_default(arg)
        notes = [arg.type, *(["optional"] if arg.optional else []), *([f"default {default}"] if arg.has_default else [])]
        lines.append(f"    {arg.name}: {', '.join(notes)}")
    if out:
        lines.append(f"    out: {'the tensor' if len(outputs) == 1 else 'a tuple of the tensors'} to write to, optional")
    lines.append("\nReturns:")
    lines += [f"    {o.name}: {o.type}{', optional' if o.optional else ''}" for o in outputs]
    text = "\n".join(lines).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return textwrap.indent(text, "    ").strip() + ("\n    " if "\n" in text else "")
