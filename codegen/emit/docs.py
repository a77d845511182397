"""`docs/ops.md`: a table of all forward ops, and a section for each. Links lead to files of the repository."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..category import implementation
from ..derivative import order
from ..dispatcher import is_view, overloads
from ..dtypes import dtypes_of
from ..model import PHI, Op, OpSet
from ..rules import MODULE_FUNCTION
from ..sources import Registration, Sources, scan_text
from .kernels import emit as emit_kernels
from .python import python_functions
from .render import render

_CSRC = Path(__file__).resolve().parents[2] / "csrc"
_TIMES = {"any": "any order", "once": "once", "twice": "twice"}
Kernels = Mapping[str, Sequence[Registration]]


def emit(opset: OpSet, source_hash: str, csrc: Path = _CSRC) -> dict[str, str]:
    if opset.namespace != PHI:
        return {}
    kernels = Sources([csrc]).kernels
    for name, text in emit_kernels(opset, source_hash).items():
        for registration in scan_text(text, name):
            kernels.setdefault(registration.name, []).append(registration)
    ops = [_section(op, opset, kernels) for op in sorted(opset.forward_ops, key=lambda o: o.name)]
    return {"docs/ops.md": render("docs.md.j2", ops=ops)}


def _section(op: Op, opset: OpSet, kernels: Kernels) -> dict[str, Any]:
    doc = (op.doc or f"PHI's operator `{op.name}`.").strip()
    often = order(op, opset)
    return {
        "name": op.name,
        "doc": re.sub(r"(?m)^([*+]) ", r"\\\1 ", doc),  # a line may begin with an operator
        "summary": _cell(_first_sentence(doc)),
        "order": _TIMES.get(often, "-" if often == "no" else "as its composite"),
        "torch": f"`{op.torch}`" if op.torch else "",
        "signatures": [f"phi_torch.{f.name}({f.signature}) -> {f.returns}" for f in python_functions(op)],
        "schemas": [o.schema for o in overloads(op)],
        "rows": [(key, value) for key, value in _rows(op, opset, kernels).items() if value],
    }


def _rows(op: Op, opset: OpSet, kernels: Kernels) -> dict[str, str]:
    backward = opset[op.backward] if op.backward is not None and op.backward in opset else None
    return {
        **{f"dtypes, {backend}": dtypes for backend, dtypes in _dtypes(op, kernels)},
        "differentiable": _differentiability(op, opset),
        "composite": _composite(op),
        "in torch": f"`torch.{op.torch}`" if op.torch else "",
        "vmap": "through ATen views" if is_view(op) else op.vmap,
        "autocast": op.autocast,
        "since": op.since or "",
        "deprecated": _cell(op.deprecated or ""),
        "entry": _link(op.source),
        "kernel": ", ".join(_link(file) for file in _files(op, opset, kernels)),
        "gradient": ", ".join(_link(file) for file in _files(backward, opset, kernels)) if backward is not None else "",
    }


def _dtypes(op: Op, kernels: Kernels) -> list[tuple[str, str]]:
    """Backend -> dtypes, as the sources register them."""
    found: dict[str, list[str]] = {}
    for registration in kernels.get(op.kernel.dense.name, ()) if op.kernel is not None else ():
        found.setdefault(registration.backend, []).extend(registration.dtypes)
    return [(backend, ", ".join(dtypes_of(types))) for backend, types in sorted(found.items())]


def _files(op: Op, opset: OpSet, kernels: Kernels) -> list[str]:
    """The files of the checkout that compute an op: those that register its kernels, or what a generated one is made of."""
    found: dict[str, None] = {}
    for branch in op.kernel.branches if op.kernel is not None else ():
        for registration in kernels.get(branch.name, ()):
            written = registration.file.startswith("csrc/")
            found[registration.file if written else f"csrc/{implementation(op, opset)[0]}"] = None
    return list(found)


def _composite(op: Op) -> str:
    if op.composite is None:
        return ""
    code = "`" + _cell(op.composite) + "`"
    if not MODULE_FUNCTION.fullmatch(op.composite):
        return code
    module = op.composite.partition(":")[0].replace(".", "/")
    return f"[{code}](../phi_torch/decompositions/{module}.py)"


def _differentiability(op: Op, opset: OpSet) -> str:
    often = order(op, opset)
    if op.backward is not None and often in _TIMES:
        composite = " and its composite" if op.backward in opset and opset[op.backward].composite is not None else ""
        return f"{_TIMES[often]}, by `{op.backward}`{composite}"
    return {"any": "any order, through the operators that it is made of", "composite": "as its composite is"}.get(often, often)


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[^.].)[.;:]\s", " ".join(text.split()) + " ", maxsplit=1)[0].rstrip(". ")


def _link(file: str) -> str:
    return f"[`{file.removeprefix('csrc/kernels/')}`](../{file})"


def _cell(text: str) -> str:
    """Text in a table."""
    return text.replace("|", "\\|")
