"""`list`: a line for each operator, or how many there are."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable

from codegen.model.dtypes import GROUPS

from .. import _C, registry
from .._op_info import OpInfo
from .._op_table import OPS
from . import _table

HEADER = ("name", "category", "cpu", "gpu", "gradient", "composite", "torch")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pattern", nargs="?", default="", help="part of the name")
    parser.add_argument("--backward", action="store_true", help="backward operators as well")
    parser.add_argument("--legacy", action="store_true", help="the operators of Paddle's programs, and what runs them")
    parser.add_argument("--count", action="store_true", help="how many operators, names of kernels and kernels there are")


def run(options: argparse.Namespace) -> int:
    if options.legacy:
        return _list_legacy(options.pattern)
    if options.count:
        return _count(options.pattern)
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


def _count(pattern: str) -> int:
    """Kernels for any dtype count once."""
    ops = Counter(
        "backward" if op.is_backward else "with kernels" if op.kernels else "without kernels"
        for op in OPS.values()
        if pattern in op.name
    )
    kernels: dict[str, Counter[str]] = {}
    for name in _C.kernel_names():
        for backend, *_ in _C.kernels(name) if pattern in name else ():
            kernels.setdefault(backend, Counter())[name] += 1
    print(*_table.lines(("operators", "count"), [(kind, str(n)) for kind, n in sorted(ops.items())]), "", sep="\n")
    rows = [(backend, str(len(names)), str(names.total())) for backend, names in sorted(kernels.items())]
    print(*_table.lines(("backend", "names of kernels", "kernels"), rows), sep="\n")
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
