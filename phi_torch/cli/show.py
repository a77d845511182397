"""`show`: all that is known of one operator, or of one of Paddle's programs."""

from __future__ import annotations

import argparse
import inspect

import phi_torch

from .. import _C, registry
from .._paddle.faults import near
from . import _table

KEYS = ("overloads", "category", "backward", "order", "composite", "vmap", "autocast", "jvp", "torch")
LABELS = {"order": "differentiable", "torch": "in torch"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("op", metavar="OP")
    parser.add_argument("--legacy", action="store_true", help="an operator of Paddle's programs: its slots and attributes")


def run(options: argparse.Namespace) -> int:
    if options.legacy:
        return _show_legacy(options.op)
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


def _show_legacy(op: str) -> int:
    """What `run_op` takes; attributes that say how to run, and not what to compute, are left out."""
    from ..legacy import signatures
    from ..legacy._definition import definition

    found = definition(op)
    if found is None:
        raise ValueError(f"there is no operator '{op}' of Paddle's programs{near(op, _C.program_op_types())}")
    rows = []
    for what, slots in (("input", found.inputs), ("output", found.outputs)):
        for slot in slots.values():
            type = "list of tensors" if slot.is_list else "tensor"
            rows.append((what, slot.name, f"{type}, optional" if slot.optional else type, "", ""))
    for attr in found.attrs.values():
        if not attr.extra:
            default = "" if attr.default is None else repr(attr.default.value)
            rows.append(("attribute", attr.name, attr.type, default, attr.check or ""))
    for line in _table.lines((op, "name", "type", "default", "values"), rows):
        print(line)
    if mapped := signatures(op):
        print("\nkernels that it is mapped to, with their arguments")
    for signature in mapped:
        print(f"  {signature}")
    return 0
