"""`check`: what `python -m codegen check` does, and on demand the built libraries."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from codegen import command
from codegen.load import load
from codegen.model.op import Op, OpSet


def add_arguments(parser: argparse.ArgumentParser) -> None:
    command.add_check_arguments(parser)
    parser.add_argument("--built", action="store_true", help="phi_torch's YAML against its built libraries as well; loads torch")


def run(options: argparse.Namespace) -> int:
    status = command.check(options)
    if status or not options.built:
        return status
    opset, _ = load()
    problems = [problem for op in opset.ops for problem in _problems(op, opset)]
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(problems)} differences from the built libraries")
    return 2 if problems else 0


def _problems(op: Op, opset: OpSet) -> Iterator[str]:
    """Where the running build differs from an entry."""
    from codegen.emit.python.op_table import entry

    from .. import _C
    from .._op_info import OpInfo
    from .._op_table import OPS

    if op.name not in OPS:
        yield f"{op.loc}: '{op.name}' is not built; run `make build`"
        return
    built, written = OPS[op.name], OpInfo(**entry(op, opset))
    for key in OpInfo._fields:
        if key != "loc" and getattr(written, key) != getattr(built, key):
            was, now = repr(getattr(built, key)), repr(getattr(written, key))
            yield f"{op.loc}: {key} of '{op.name}' is {now}, built with {was}; run `make build`"
    for name in built.kernels:
        if not _C.kernels(name):
            yield f"{op.loc}: no kernel '{name}' of '{op.name}' is registered"
