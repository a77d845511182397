"""The rules across entries: forward against backward, and the YAML against the C++ sources."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from pathlib import Path

from ..model.diagnose import Diagnostics, did_you_mean
from ..model.op import PHI, Arg, Op, OpSet
from ..read.sources import Sources, python_functions
from ..types.literals import LiteralError
from ..view.given import unchecked
from .against_sources import check_sources
from .composite_types import Parameter, misused
from .rules import COMPOSITE_MODULES, MODULE_FUNCTION, NamesOf, check_op, is_expression
from .torch_names import names_of, overloads_of


def check(
    opset: OpSet,
    diag: Diagnostics,
    *,
    sources: Sources | None = None,
    decompositions: Path | None = None,
    names_of: NamesOf = names_of,
    base: OpSet | None = None,
) -> None:
    """Adds to `diag` whatever is wrong.

    `sources`: what must register the kernels; without them kernels are not looked for. `decompositions`: the folder of
    the modules that a composite `module:function` names. `names_of`: what a composite may take from torch, aten, ...
    `base`: ops that the set may refer to, for an out-of-tree extension.
    """
    known = OpSet((*(base.ops if base is not None else ()), *opset.ops))
    names = {op.name for op in known.ops} | diag.broken
    in_module = {PHI: names, opset.namespace: names}
    _check_unique(opset, diag)
    for op in opset.ops:
        check_op(op, diag, lambda module: in_module.get(module) or names_of(module))
        _check_composite_types(op, in_module, known, diag)
        _check_backward_exists(op, known, diag)
        _check_forward(op, known, diag)
        _check_invoke(op, known, diag)
        if base is None:  # entries of Paddle's are taken out of tree as they are
            _check_given(op, known, diag)
    if sources is not None:
        elsewhere = {branch.name for op in base.ops if op.kernel for branch in op.kernel.branches} if base is not None else set()
        check_sources(opset, known, sources, elsewhere, diag)
    if decompositions is not None:
        _check_decompositions(opset, decompositions, diag)


def _check_composite_types(op: Op, modules: Mapping[str, Set[str]], known: OpSet, diag: Diagnostics) -> None:
    def overloads(module: str, name: str) -> Sequence[Sequence[Parameter]] | None:
        if module not in modules:
            return overloads_of(module, name)
        called = known[name] if name in known else None
        return None if called is None else [[Parameter(a.name, f"{a.type}{'?' * a.optional}") for a in called.args]]

    if op.composite is not None and is_expression(op.composite):
        for problem, help in misused(op, COMPOSITE_MODULES | {op.namespace}, overloads):
            diag.error_at("PHI051", op.loc, "composite", f"composite of '{op.name}' {problem}", help)


def _check_unique(opset: OpSet, diag: Diagnostics) -> None:
    seen: dict[str, Op] = {}
    for op in sorted(opset.ops, key=lambda o: o.loc):
        first = seen.setdefault(op.name, op)
        if first is not op:
            message = f"op '{op.name}' is already defined at {first.loc}"
            diag.error_at("PHI020", op.loc, "op", message, "remove one of them")


def _check_backward_exists(op: Op, known: OpSet, diag: Diagnostics) -> None:
    if op.backward is None or op.backward in diag.broken:
        return
    if op.backward not in known:
        help = did_you_mean(op.backward, [o.name for o in known.backward_ops])
        help = help or f"add `- backward_op : {op.backward}`, or remove the key"
        diag.error_at("PHI021", op.loc, "backward", f"backward op '{op.backward}' of '{op.name}' does not exist", help)
        return
    target = known[op.backward].forward
    if target is None:
        message = f"'{op.backward}', the backward of '{op.name}', is not a backward_op"
        diag.error_at("PHI023", op.loc, "backward", message, "write its entry with `backward_op` and `forward`")
    elif target.name != op.name:
        message = f"'{op.backward}', the backward of '{op.name}', differentiates '{target.name}'"
        diag.error_at("PHI023", op.loc, "backward", message, f"its entry is at {known[op.backward].loc}")


def _check_forward(op: Op, known: OpSet, diag: Diagnostics) -> None:
    if op.forward is None:
        return
    name = op.forward.name
    if name not in known:
        if name not in diag.broken:
            help = did_you_mean(name, [o.name for o in known.ops if o is not op]) or "write its entry, too"
            diag.error_at("PHI022", op.loc, "forward", f"forward op '{name}' of '{op.name}' does not exist", help)
    else:
        forward = known[name]
        if forward.backward != op.name and (forward.backward is None or forward.backward in known):
            message = f"'{op.name}' differentiates '{name}', whose backward is {forward.backward or 'not given'}"
            diag.error_at("PHI023", op.loc, "forward", message, f"write `backward : {op.name}` at {forward.loc}")
        _check_signature(op, forward, diag)
    _check_backward_args(op, diag)
    _check_backward_outputs(op, diag)


def _check_invoke(op: Op, known: OpSet, diag: Diagnostics) -> None:
    """The op is there, and the arguments that are not given have defaults."""
    if op.invoke is None or op.invoke.func in diag.broken:
        return
    if op.invoke.func not in known:
        message = f"invoke of '{op.name}' calls '{op.invoke.func}', which is not there"
        help = did_you_mean(op.invoke.func, [o.name for o in known.ops if o is not op]) or "write its entry, too"
        diag.error_at("PHI039", op.loc, "invoke", message, help)
        return
    called, given = known[op.invoke.func], len(op.invoke.args)
    for argument, text in zip(called.args, op.invoke.args if op.forward is not None else ()):
        _check_invoked_literal(op, argument, text, diag)
    lacking = [a.name for a in called.args[given:] if not a.has_default]
    if lacking or given > len(called.args):
        problem = f"gives '{called.name}' no '{lacking[0]}'" if lacking else f"gives '{called.name}' {given} arguments"
        message = f"invoke of '{op.name}' {problem}"
        diag.error_at("PHI039", op.loc, "invoke", message, f"'{called.name}' is {signature(called)}, at {called.loc}")


def _check_invoked_literal(op: Op, argument: Arg, text: str, diag: Diagnostics) -> None:
    """What a gradient's `invoke` gives an attribute is an argument, the data type of one, or a value."""
    assert op.forward is not None
    names = {a.name for a in (argument, *op.args, *op.forward.args)}
    if argument.is_tensor or text in names or re.fullmatch(r"\w+\.dtype\(\)", text):
        return
    try:
        argument.form.literal(text)
    except LiteralError as error:
        message = f"invoke of '{op.name}' gives '{argument.name}' of type {argument.type} '{text[:60]}': {error}"
        diag.error_at("PHI039", op.loc, "invoke", message, f"expected a value, or one of {', '.join(sorted(names))}")


def _check_signature(op: Op, actual: Op, diag: Diagnostics) -> None:
    """Tensors agree by place and attributes by name; only a gradient's tensors may be renamed (`grad_out`)."""
    assert op.forward is not None
    written = op.forward

    def error(message: str, help: str | None = None) -> None:
        help = help or f"'{actual.name}' is {signature(actual)}, at {actual.loc}"
        diag.error_at("PHI024", op.loc, "forward", f"forward of '{op.name}' {message}", help)

    mine, theirs = [a for a in written.args if a.is_tensor], list(actual.inputs)
    if len(mine) != len(theirs):
        error(f"has {len(mine)} tensor inputs, '{actual.name}' has {len(theirs)}")
    for a, b in zip(mine, theirs, strict=False):
        if a.type != b.type or (a.name != b.name and not actual.is_backward):
            error(f"has '{a.type} {a.name}' where '{actual.name}' has '{b.type} {b.name}'")
    attrs = {a.name: a.type for a in actual.attrs}
    for a in written.args:
        if not a.is_tensor and attrs.pop(a.name, None) != a.type:
            error(f"has '{a.type} {a.name}', which '{actual.name}' has not")
    for name, type in attrs.items():
        error(f"lacks '{type} {name}'")
    if len(written.outputs) != len(actual.outputs):
        error(f"has {len(written.outputs)} outputs, '{actual.name}' has {len(actual.outputs)}")
    for x, y in zip(written.outputs, actual.outputs, strict=False):
        if x.type != y.type or (x.name != y.name and not actual.is_backward):
            error(f"has output '{x.type}({x.name})' where '{actual.name}' has '{y.type}({y.name})'")


def signature(op: Op) -> str:
    """`(Tensor x) -> Tensor(out)`."""
    args = ", ".join(f"{a.type} {a.name}" for a in op.args)
    return f"({args}) -> {', '.join(f'{o.type}({o.name})' for o in op.outputs)}"


def _check_backward_args(op: Op, diag: Diagnostics) -> None:
    """A backward op's input is a forward input, a forward output, or `<forward output>_grad`."""
    assert op.forward is not None
    sources = {a.name: a.type for a in op.forward.args if a.is_tensor}
    sources |= {o.name: o.type for o in op.forward.outputs}
    sources |= {f"{o.name}_grad": o.type for o in op.forward.outputs}
    attrs = {a.name: a for a in op.forward.args if not a.is_tensor}
    for arg in op.inputs:
        what = f"input '{arg.name}' of '{op.name}'"
        if arg.name not in sources:
            help = did_you_mean(arg.name, sources) or f"expected one of {', '.join(sources)}"
            message = f"{what} is neither input, output nor output gradient of '{op.forward.name}'"
            diag.error("PHI025", arg.loc, message, help, _width(arg))
        elif arg.type != sources[arg.name]:
            message = f"{what} is {arg.type}, but {sources[arg.name]} in '{op.forward.name}'"
            diag.error("PHI025", arg.loc, message, f"write {sources[arg.name]} {arg.name}", _width(arg))
    for arg in op.attrs:
        what = f"attribute '{arg.name}' of '{op.name}'"
        if arg.name not in attrs:
            if arg.default is None and not arg.optional:
                help = did_you_mean(arg.name, attrs) or "give it a default"
                diag.error("PHI026", arg.loc, f"{what} is no attribute of '{op.forward.name}'", help, _width(arg))
        elif arg.type != attrs[arg.name].type:
            type = attrs[arg.name].type
            message = f"{what} is {arg.type}, but {type} in '{op.forward.name}'"
            diag.error("PHI026", arg.loc, message, f"write {type} {arg.name}", _width(arg))


def _check_backward_outputs(op: Op, diag: Diagnostics) -> None:
    assert op.forward is not None
    inputs = {f"{a.name}_grad": a.type for a in op.forward.args if a.is_tensor}
    for output in op.outputs:
        if output.name not in inputs:
            help = did_you_mean(output.name, inputs) or f"expected one of {', '.join(inputs) or 'none'}"
            message = f"output '{output.name}' of '{op.name}' is no gradient of an input of '{op.forward.name}'"
            diag.error("PHI027", output.loc, message, help, len(f"{output.type}({output.name})"))
        elif output.type != inputs[output.name]:
            message = f"output '{output.name}' of '{op.name}' is {output.type}, its input is {inputs[output.name]}"
            diag.error("PHI027", output.loc, message, f"write {inputs[output.name]}({output.name})", len(output.type))


def _check_given(op: Op, known: OpSet, diag: Diagnostics) -> None:
    """Public calls give a backward op whatever they like: each tensor is compared with what the forward op says of it."""
    if op.forward is None or op.forward.name not in known:
        return
    if any(error.code != "PHI053" for error in diag.errors) or known.root(op).is_backward:
        return  # what is wrong already comes first: the entries must fit each other
    for name in unchecked(op, known):
        lacking = [a.name for a in op.forward.args if a.is_tensor and not a.optional and a.name not in {b.name for b in op.args}]
        message = f"nothing checks the shape of '{name}' of '{op.name}' before the kernel runs"
        help = "let its infer_meta take it, with the tensor that it must fit"
        if lacking:
            help = f"write `stands_for : (a tensor of '{op.name}' -> {lacking[0]})` if one is like {lacking[0]}, or {help}"
        diag.error("PHI053", op.arg(name).loc, message, help, _width(op.arg(name)))


def _width(arg: Arg) -> int:
    return len(f"{arg.type} {arg.name}")


def _check_decompositions(opset: OpSet, folder: Path, diag: Diagnostics) -> None:
    """A composite `module:function` takes the op's arguments, by their names."""
    modules: dict[str, dict[str, list[str]] | None] = {}
    for op in opset.ops:
        match = MODULE_FUNCTION.fullmatch(op.composite or "")
        if match is None:
            continue
        module, _, function = match[0].partition(":")
        if module not in modules:
            modules[module] = python_functions(folder / f"{module.replace('.', '/')}.py")
        functions, expected = modules[module], [a.name for a in op.args]
        problem, help = None, f"write a function {function}({', '.join(expected)}) in {folder.name}/{module}.py"
        if functions is None:
            problem = f"module '{module}', which {folder.name}/ has not"
        elif function not in functions:
            problem, help = f"'{function}', which '{module}' does not define", did_you_mean(function, functions) or help
        elif functions[function] != expected:
            problem = f"{function}({', '.join(functions[function])})"
            help = f"its parameters must be the arguments of '{op.name}': ({', '.join(expected)})"
        if problem is not None:
            diag.error_at("PHI035", op.loc, "composite", f"composite of '{op.name}' names {problem}", help)
