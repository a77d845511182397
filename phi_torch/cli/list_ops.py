"""`list`: a line for each operator."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from .. import registry
from .._build.sources import load_codegen
from .._op_info import OpInfo
from .._op_table import OPS
from . import _table

HEADER = ("name", "category", "cpu", "gpu", "gradient", "composite", "torch")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pattern", nargs="?", default="", help="part of the name")
    parser.add_argument("--backward", action="store_true", help="backward operators as well")


def run(options: argparse.Namespace) -> int:
    found = [op for op in OPS.values() if options.pattern in op.name and (options.backward or not op.is_backward)]
    if not found:
        raise ValueError(f"no operator's name contains '{options.pattern}'")
    for line in _table.lines(HEADER, [_row(op) for op in sorted(found)]):
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
    for group, members in load_codegen("dtypes").GROUPS.items():
        if left.keys() >= set(members):
            found.append(group)
            left = {name: None for name in left if name not in members}
    return " ".join([*found, *left]) or "-"
