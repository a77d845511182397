"""`new`: writes the entry, the kernel and the test of an operator, to be filled in."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from .._build.extension import RESERVED
from .._build.sources import load_codegen
from .._paths import CHECKOUT

INPUTS = {"unary": ("x",), "binary": ("x", "y"), "reduction": ("x",)}
FUNCTOR_TYPES = ("bool", "int", "int32_t", "int64_t", "float", "double", "Scalar")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("name", metavar="NAME", help="of the operator: lower-case letters, digits and '_'")
    add("--category", choices=load_codegen("new_entry").CATEGORIES, default="unary", help="default: %(default)s")
    add("--input", action="append", default=[], metavar="NAME", help="a tensor, of a general operator; default: x")
    add("--attr", action="append", default=[], metavar="NAME:TYPE=DEFAULT", help="an attribute, such as beta:float=1.0")
    add("--backward", action="store_true", help="a backward operator with a kernel of its own")
    add("--composite", metavar="EXPR", help="the operator in terms of others, such as 'x * sigmoid(x)'")
    add("--no-kernel", action="store_true", help="the composite is the implementation")
    add("--gpu", action="store_true", help="a file for the GPU, of a general operator; the other kernels serve both devices")
    help = "folder of a library of its own; default: the working directory, unless that is in a checkout of phi_torch"
    add("--dir", type=Path, metavar="DIR", help=help)


def run(options: argparse.Namespace) -> int:
    new = load_codegen("new")
    request = _request(options)
    folder = options.dir if options.dir is not None or _in_checkout() else Path()
    if folder is not None and request.name in RESERVED:
        raise ValueError(f"'{request.name}' cannot be the name of a library: C++ or torch uses it")
    opset, diagnostics = new.read(request, load_codegen("load").own_ops(), in_tree=folder is None)
    if diagnostics:
        status: int = load_codegen("command").failed(diagnostics)
        return status
    files = new.in_tree(request, opset, CHECKOUT) if folder is None else new.out_of_tree(request, opset, folder)
    new.write(files)
    for file in files:
        print(f"{'added to' if file.append else 'wrote'} {os.path.relpath(file.path)}")
    print(_next_steps(request, folder))
    return 0


def _in_checkout() -> bool:
    return CHECKOUT is not None and Path.cwd().is_relative_to(CHECKOUT)


def _request(options: argparse.Namespace) -> Any:
    inputs = tuple(options.input) or ("x",)
    if options.category in INPUTS:
        if options.input:
            raise ValueError(
                f"the inputs of category {options.category} are {', '.join(INPUTS[options.category])}, without --input"
            )
        inputs = INPUTS[options.category]
    if options.gpu and options.category != "general":
        raise ValueError(f"--gpu: the kernel of category {options.category} serves both devices")
    if options.no_kernel and (options.composite is None or options.backward):
        raise ValueError("--no-kernel needs --composite, and no --backward: the composite is differentiated")
    if options.backward and len(inputs) > 3:
        raise ValueError("--backward: at most 3 inputs; write the entry of the backward operator by hand")
    attrs = tuple(load_codegen("new").attribute(text) for text in options.attr)
    for attr in attrs if options.category in ("unary", "binary") else ():
        type = attr.split()[0]
        if type.partition("(")[0] not in FUNCTOR_TYPES:
            raise ValueError(f"attribute '{attr}': an elementwise functor takes numbers; use --category general")
    return load_codegen("new_entry").Request(
        name=options.name,
        category=options.category,
        inputs=inputs,
        attrs=attrs,
        backward=options.backward,
        composite=options.composite,
        kernel=not options.no_kernel,
        gpu=options.gpu,
    )


def _next_steps(request: Any, folder: Path | None) -> str:
    name = request.name
    todo = (
        "the kernel (it does not compile yet), the reference (its test fails), `doc`" if request.kernel else "the reference, `doc`"
    )
    steps = [f"\nFill in what says TODO: {todo}."]
    if request.kernel and request.category == "general":
        steps.append("UnchangedInferMeta gives `out` the shape and dtype of the first input; name another under `infer_meta`.")
    if request.backward:
        steps.append(f"Give `{request.grad}` a `composite`, too, and it can be differentiated again.")
    commands = ["python -m phi_torch check", "make build", f"python -m pytest tests/ops -k {name}"]
    if folder is not None:
        source = f" {name}.{'cc' if request.category == 'general' else 'h'}" if request.kernel else ""
        commands = [f"cd {folder}"] * (folder != Path()) + [f"python -m phi_torch check {name}.yaml{source}", "python -m pytest"]
    return "\n".join([*steps, "Then:", *(f"  {command}" for command in commands)])
