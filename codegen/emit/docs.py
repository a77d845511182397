"""`docs/ops.md`: one section for each forward op."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..derivative import order
from ..dispatcher import is_view, overloads
from ..dtypes import dtypes_of
from ..model import PHI, Op, OpSet
from ..sources import Registration, Sources, scan_text
from .kernels import emit as emit_kernels
from .python import python_params
from .render import render

_CSRC = Path(__file__).resolve().parents[2] / "csrc"

_TIMES = {"any": "any order", "once": "once", "twice": "twice"}


def emit(opset: OpSet, source_hash: str, csrc: Path = _CSRC) -> dict[str, str]:
    if opset.namespace != PHI:
        return {}
    kernels = Sources([csrc]).kernels
    for name, text in emit_kernels(opset, source_hash).items():
        for registration in scan_text(text, name):
            kernels.setdefault(registration.name, []).append(registration)
    ops = [_section(op, opset, kernels) for op in sorted(opset.forward_ops, key=lambda o: o.name)]
    return {"docs/ops.md": render("docs.md.j2", ops=ops)}


def _section(op: Op, opset: OpSet, kernels: dict[str, list[Registration]]) -> dict[str, Any]:
    rows = [("arguments", f"`{python_params(op.args)}`" if op.args else "none")]
    rows += [(f"dtypes, {backend}", dtypes) for backend, dtypes in _dtypes(op, kernels)]
    rows.append(("differentiable", _differentiability(op, opset)))
    if op.composite is not None:
        rows.append(("composite", _code(op.composite)))
    if op.torch is not None:
        rows.append(("torch", f"`torch.{op.torch}`"))
    rows.append(("vmap", "through ATen views" if is_view(op) else op.vmap))
    rows.append(("autocast", op.autocast))
    rows += [(key, text) for key, text in (("since", op.since), ("deprecated", op.deprecated)) if text]
    rows.append(("defined in", f"`{op.loc.file}:{op.loc.line}`"))
    doc = op.doc or f"PHI's operator `{op.name}`."
    return {"name": op.name, "doc": doc.strip(), "schemas": [o.schema for o in overloads(op)], "rows": rows}


def _dtypes(op: Op, kernels: dict[str, list[Registration]]) -> list[tuple[str, str]]:
    """Backend -> dtypes, as the sources register them."""
    found: dict[str, list[str]] = {}
    for registration in kernels.get(op.kernel.dense.name, []) if op.kernel is not None else []:
        found.setdefault(registration.backend, []).extend(registration.dtypes)
    return [(backend, ", ".join(dtypes_of(types))) for backend, types in sorted(found.items())]


def _differentiability(op: Op, opset: OpSet) -> str:
    often = order(op, opset)
    if op.backward is not None and often in ("any", "once", "twice"):
        composite = " and its composite" if op.backward in opset and opset[op.backward].composite is not None else ""
        return f"{_TIMES[often]}, by `{op.backward}`{composite}"
    return {"any": "any order, through the operators that it is made of", "composite": "as its composite is"}.get(often, often)


def _code(text: str) -> str:
    return "`" + text.replace("|", "\\|") + "`"
