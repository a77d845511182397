"""`python -m phi_torch fuzz`: random calls of operators, in processes that may end."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import sys

from .._op_info import OpInfo
from .._paths import CHECKOUT
from .checks import check

__all__ = ["check", "of_dense"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("ops", nargs="*", metavar="OP", help="operators; default: all, with their backward operators")
    add("--calls", type=_count, default=300, metavar="N", help="of each operator; default: %(default)s")
    add("--seed", type=int, default=0, metavar="S", help="another one makes other calls; default: %(default)s")
    add("--jobs", type=_count, default=2, metavar="J", help="processes; default: %(default)s")
    add("--extension", metavar="MODULE", help="a module that registers operators when it is imported: those, instead of ours")
    add("--samples", metavar="PACKAGE", help="modules of SAMPLES, by operator, to start from; default: those of our tests")


def run(options: argparse.Namespace) -> int:
    """random calls of operators: no crash, no hang, no internal message, eager as Meta says"""
    import torch

    from .. import _namespaces
    from . import report
    from .run import fuzz

    torch.set_num_threads(1)  # before any other thread is there: the process forks
    before = set(_namespaces.NAMESPACES)
    if options.extension:
        importlib.import_module(options.extension)
    if options.samples:
        importlib.import_module(options.samples)  # a package without a module for an operator is right, none at all is not
    spaces = set(_namespaces.NAMESPACES) - before if options.extension else {"phi"}
    ops = options.ops or [info.full_name for space in sorted(spaces) for info in of_dense(space)]
    ops = [_namespaces.find(op).full_name for op in ops]
    if others := [op for op in ops if not _namespaces.find(op).dense]:
        print(f"fuzz: random calls have dense tensors, of which {others[0]} takes none", file=sys.stderr)
        return 2
    findings, done = fuzz(ops, options.calls, options.seed, options.jobs, options.samples or _own_samples())
    print(report.summary(findings, [options.extension] if options.extension else []))
    count = len(report.classes(findings))
    print(f"{len(ops)} operators, {done} calls: {count} classes of failures", file=sys.stderr)
    return 1 if count else 0


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number from 1 on, got '{text}'")
    return int(text)


def of_dense(namespace: str) -> list[OpInfo]:
    """The operators of a namespace that take dense tensors, as random calls have them."""
    from .. import _namespaces

    return [info for info in _namespaces.NAMESPACES[namespace].ops.values() if info.dense]


def _own_samples() -> str | None:
    if CHECKOUT is None or not (CHECKOUT / "tests" / "ops" / "samples").is_dir():
        return None
    sys.path.append(str(CHECKOUT / "tests"))
    return "ops.samples"
