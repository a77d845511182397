"""`list`: a line for each operator."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from codegen.model.dtypes import GROUPS

from .. import registry
from .._op_info import OpInfo
from .._op_table import OPS
from . import _table

HEADER = ("name", "category", "cpu", "gpu", "gradient", "composite", "torch")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pattern", nargs="?", default="", help="part of the name")
    parser.add_argument("--backward", action="store_true", help="backward operators as well")
    parser.add_argument("--legacy", action="store_true", help="the operators of Paddle's programs, and what runs them")


def run(options: argparse.Namespace) -> int:
    if options.legacy:
        return _list_legacy(options.pattern)
    found = [op for op in OPS.values() if options.pattern in op.name and (options.backward or not op.is_backward)]
    if not found:
        raise ValueError(f"no operator's name contains '{options.pattern}'")
    for line in _table.lines(HEADER, [_row(op) for op in sorted(found)]):
        print(line)
    return 0


def _list_legacy(pattern: str) -> int:
    from ..legacy import supported_ops

    rows = [(type, ", ".join(runs), ", ".join(lacks) or "-") for type, runs, lacks in supported_ops() if pattern in type]
    if not rows:
        raise ValueError(f"no operator of programs that runs has a name with '{pattern}'")
    for line in _table.lines(("operator", "runs", "lacks"), rows):
        print(line)
    return 0


def _row(op: OpInfo) -> tuple[str, ...]:
    kernels = registry.kernels(op.name)
    cpu, gpu = (_dtypes(k.dtype for k in kernels if k.on(device)) for device in ("cpu", "cuda"))
    composite = "yes" if op.composite is not None else "no"
    return op.name, op.category, cpu, gpu, op.order, composite, op.torch or "-"


def _dtypes(names: Iterable[str]) -> str:
    """Groups of dtypes by the names that the YAML has for them; `-` for none."""
    left, found = dict.fromkeys(names), []
    for group, members in GROUPS.items():
        if left.keys() >= set(members):
            found.append(group)
            left = {name: None for name in left if name not in members}
    return " ".join([*found, *left]) or "-"
