"""`new`: writes the entry, the kernel and the test of an operator, to be filled in."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from codegen import command
from codegen.load import families, own_ops
from codegen.scaffold import new
from codegen.scaffold.entry import CATEGORIES, Request

from .._build.extension import RESERVED
from .._paths import CHECKOUT

FAMILY = {"unary": "activation", "binary": "math", "reduction": "reduce", "general": "math"}  # where nobody says another
INPUTS = {"unary": ("x",), "binary": ("x", "y"), "reduction": ("x",)}
FUNCTOR_TYPES = ("bool", "int", "int32_t", "int64_t", "float", "double", "Scalar")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("name", metavar="NAME", help="of the operator: lower-case letters, digits and '_'")
    add("--category", choices=CATEGORIES, default="unary", help="default: %(default)s")
    help = "the files that it goes to: yaml/ops/FAMILY.yaml, csrc/kernels/FAMILY/NAME.h; default: by category"
    add("--family", choices=families(), help=help)
    help = "a tensor of a general operator: x, ids:int64, xs:Tensor[], bias:Tensor?; default: x"
    add("--input", action="append", default=[], metavar="NAME:TYPE", help=help)
    help = "what a general operator returns: out, indices:int64; default: out"
    add("--output", action="append", default=[], metavar="NAME:TYPE", help=help)
    add("--attr", action="append", default=[], metavar="NAME:TYPE=DEFAULT", help="an attribute, such as beta:float=1.0")
    add("--backward", action="store_true", help="a backward operator with a kernel of its own")
    add("--composite", metavar="EXPR", help="the operator in terms of others, such as 'x * sigmoid(x)'")
    add("--no-kernel", action="store_true", help="the composite is the implementation")
    add("--gpu", action="store_true", help="register a general operator for GPUs, too: its kernel serves both devices")
    help = "folder of a library of its own; default: the working directory, unless that is in a checkout of phi_torch"
    add("--dir", type=Path, metavar="DIR", help=help)


def run(options: argparse.Namespace) -> int:
    request = _request(options)
    folder = options.dir if options.dir is not None or _in_checkout() else Path()
    if folder is not None and request.name in RESERVED:
        raise ValueError(f"'{request.name}' cannot be the name of a library: C++ or torch uses it")
    opset, diagnostics = new.read(request, own_ops(), in_tree=folder is None)
    if diagnostics:
        return command.failed(diagnostics)
    tree = CHECKOUT if folder is None else None
    files = new.out_of_tree(request, opset, folder or Path()) if tree is None else new.in_tree(request, opset, tree)
    new.write(files)
    for file in files:
        print(f"{'added to' if file.exists else 'wrote'} {os.path.relpath(file.path)}")
    print(_next_steps(request, folder))
    return 0


def _in_checkout() -> bool:
    return CHECKOUT is not None and Path.cwd().is_relative_to(CHECKOUT)


def _request(options: argparse.Namespace) -> Request:
    given = [*options.input, *options.output]
    if options.category in INPUTS and given:
        inputs = ", ".join(INPUTS[options.category])
        raise ValueError(f"the inputs of category {options.category} are {inputs}, its output is out; use --category general")
    tensors = tuple(map(new.tensor, options.input or INPUTS.get(options.category, ("x",))))
    outputs = tuple(map(new.tensor, options.output or ("out",)))
    for text, output in zip(options.output, outputs):
        if output.optional or output.is_list:
            raise ValueError(f"output '{text}': a new operator returns tensors; write lists and optional outputs by hand")
    if all(t.optional for t in tensors):
        raise ValueError("all inputs are optional: the outputs take shape and dtype of one that must be there")
    if options.backward and not (any(t.differentiable for t in tensors) and any(t.differentiable for t in outputs)):
        raise ValueError("--backward: an input and an output must be of floating point to have a gradient")
    if options.gpu and options.category != "general":
        raise ValueError(f"--gpu: a kernel of category {options.category} is for both devices")
    if options.no_kernel and (options.composite is None or options.backward):
        raise ValueError("--no-kernel needs --composite, and no --backward: the composite is differentiated")
    attrs = tuple(new.attribute(text) for text in options.attr)
    for attr in attrs if options.category in ("unary", "binary") else ():
        type = attr.split()[0]
        if type.partition("(")[0] not in FUNCTOR_TYPES:
            raise ValueError(f"attribute '{attr}': an elementwise functor takes numbers; use --category general")
    return Request(
        name=options.name,
        category=options.category,
        tensors=tensors,
        outputs=outputs,
        attrs=attrs,
        backward=options.backward,
        composite=options.composite,
        kernel=not options.no_kernel,
        gpu=options.gpu,
        family=options.family or FAMILY[options.category],
    )


def _next_steps(request: Request, folder: Path | None) -> str:
    name, general = request.name, request.category == "general"
    kernel = "the kernel" + ("" if request.category in ("general", "reduction") else " (it does not compile yet)")
    todo = [*([kernel] if request.kernel else []), "the reference (its test fails)", "`doc`"]
    steps = [f"\nFill in what says TODO: {', '.join(todo)}."]
    if request.kernel and general:
        outputs = " and ".join(f"`{out.name}`" for out in request.outputs)
        steps.append(f"InferMeta gives {outputs} the shape of `{request.like.name}` so far; say there what it is.")
    if request.backward:
        steps.append(f"Give `{request.grad}` a `composite`, too, and it can be differentiated again.")
    commands = ["python -m phi_torch check", "make build", f"python -m pytest tests/ops -k {name}"]
    if folder is not None:
        sources = f" {name}.h" if request.kernel else ""
        commands = [f"cd {folder}"] * (folder != Path()) + [f"python -m phi_torch check {name}.yaml{sources}", "python -m pytest"]
    return "\n".join([*steps, "Then:", *(f"  {command}" for command in commands)])
