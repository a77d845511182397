"""`inspect`: what a program is made of, and what of it cannot run."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from ..ir.files import is_program
from ..legacy import ProgramDesc, ProgramError, VarDesc, files
from ..legacy._prepare import Prepared, Step
from ..legacy.description import EMPTY
from ..legacy.executor import missing_text
from ..legacy.shapes import shapes_and_why_not
from . import _extensions, _inspect_program, _program_argument, _table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _program_argument.add_argument(parser)
    help = "shapes for an input of this one, as image=2,3,32,32; may be given for each input"
    parser.add_argument("--shape", action="append", default=[], type=_shape, metavar="INPUT=SIZES", help=help)
    _extensions.add_argument(parser)


def run(options: argparse.Namespace) -> int:
    _extensions.load(options)
    model = Path(options.model)
    if is_program(model):
        if options.shape:
            raise ProgramError(f"{model}: --shape is for programs of Paddle 2; sizes that are not known have names here")
        for line in _inspect_program.lines(model):
            _say(line)
        return 0
    program, path = files.read_program(options.model), files.find_program(Path(options.model))
    prepared = Prepared(program, str(path), _never)
    why_not: dict[str, str] = {}
    if options.shape:
        found, why_not = shapes_and_why_not(program, dict(options.shape))
        for desc in program.blocks:
            keys = {name: prepared.key(desc.idx, name) for name in desc.vars}
            desc.vars |= {name: replace(found[key], name=name) for name, key in keys.items() if key in found}
    _say(f"{path}: {_version(program)}, {_count(program)}")
    for title, names in (("input", program.feeds()), ("output", program.fetches())):
        for name in names:
            _say(f"{title}  {described(program.blocks[0].vars[name])}")
    for block, steps in enumerate(prepared.blocks):
        if len(prepared.blocks) > 1:
            _say(f"\nblock {block}, parent {program.blocks[block].parent_idx}")
        rows = [_row(program, block, step) for step in steps]
        _say("\n" + "\n".join(_table.lines(("operator", "kernel", "inputs", "outputs"), rows)))
    if prepared.missing:
        _say(f"\n{missing_text(prepared)}")
    if prepared.unknown.count:
        _say(f"\n{prepared.unknown}")
    if why_not:
        _say("\n".join(["\nnothing is known of the shapes after", *(f"  {place}: {why}" for place, why in why_not.items())]))
    return 0


def _say(text: str) -> None:
    """Prints names of a file, whatever they are made of."""
    print(text.encode("utf-8", "backslashreplace").decode("utf-8"))


def _shape(text: str) -> tuple[str, tuple[int, ...]]:
    name, _, sizes = text.rpartition("=")
    try:
        return name, tuple(int(size) for size in sizes.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected sizes as in x=4,3, got {text!r}") from None


def described(var: VarDesc) -> str:
    """`x float32 [-1, 4]`"""
    if var.dims is None:
        return f"{var.name} {var.kind}"
    kind = "" if var.kind == "dense_tensor" else f" {var.kind}"
    return f"{var.name} {str(var.dtype).removeprefix('torch.')} {list(var.dims)}{kind}"


def _row(program: ProgramDesc, block: int, step: Step) -> tuple[str, ...]:
    kernel = step.signature.kernel if step.signature is not None else "-"
    kernel = f"{kernel} (missing)" if step.is_missing else kernel
    return step.op.type, kernel, _slots(program, block, step.op.inputs), _slots(program, block, step.op.outputs)


def _slots(program: ProgramDesc, block: int, slots: dict[str, list[str]]) -> str:
    shown = []
    for slot, names in slots.items():
        found = [program.find_var(block, name) for name in names if name != EMPTY]
        if found:
            shown.append(f"{slot}: " + ", ".join(described(one[0]) for one in found if one is not None))
    return "; ".join(shown)


def _version(program: ProgramDesc) -> str:
    major, rest = divmod(program.version, 1_000_000)
    return f"Paddle {major}.{rest // 1000}.{rest % 1000}" if program.version else "an old Paddle"


def _count(program: ProgramDesc) -> str:
    operators, blocks = sum(len(block.ops) for block in program.blocks), len(program.blocks)
    return f"{operators} operators in {blocks} block{'s' * (blocks > 1)}, {len(program.saved_names())} parameters"


def _never(block: int, values: object) -> None:
    raise AssertionError("nothing runs")
