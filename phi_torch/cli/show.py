"""`show`: all that is known of one operator."""

from __future__ import annotations

import argparse
import inspect

import phi_torch

from .. import registry
from . import _table

KEYS = ("overloads", "category", "backward", "order", "composite", "vmap", "autocast", "jvp", "torch")
LABELS = {"order": "differentiable", "torch": "in torch"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("op", metavar="OP")


def run(options: argparse.Namespace) -> int:
    op = registry.info(options.op)
    print(f"{op.name}{op.schema}\n  defined in {op.loc}")
    for key in KEYS:
        if value := getattr(op, key):
            print(f"  {LABELS.get(key, key)}: {', '.join(value) if isinstance(value, tuple) else value}")
    rows = [(k.name, k.backend, k.layout, k.dtype, f"{k.file}:{k.line}") for k in registry.kernels(options.op)]
    for line in _table.lines(("kernel", "backend", "layout", "dtype", "registered at"), rows) if rows else ():
        print(f"  {line}")
    function = getattr(phi_torch, options.op, None)
    if function is not None:
        print(f"\n{inspect.getdoc(function)}")
    return 0
