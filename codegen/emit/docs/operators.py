"""`docs/ops.md`: a table of all forward ops, and a section for each. Links lead to files of the repository."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...check.rules import MODULE_FUNCTION
from ...model.category import COMPOSITE, GENERATED_BACKENDS, implementation, is_generated
from ...model.dtypes import cpp_types, dtypes_of
from ...model.op import PHI, Op, OpSet
from ...read.sources import Sources
from ...view.derivative import order
from ...view.dispatcher import is_view, overloads
from ..python.functions import python_functions
from ..render import render

_CSRC = Path(__file__).resolve().parents[3] / "csrc"
_TIMES = {"any": "any order", "once": "once", "twice": "twice"}


@dataclass(frozen=True)
class Kernel:
    """A registration, by hand or generated: `file` is where the computation stands."""

    backend: str
    dtypes: tuple[str, ...]  # of C++
    file: str


Kernels = Mapping[str, Sequence[Kernel]]


def emit(opset: OpSet, source_hash: str, csrc: Path = _CSRC) -> dict[str, str]:
    if opset.namespace != PHI:
        return {}
    kernels = _kernels(opset, csrc)
    ops = [_section(op, opset, kernels) for op in sorted(opset.forward_ops, key=lambda o: o.name)]
    return {"docs/ops.md": render("docs.md.j2", ops=ops)}


def _kernels(opset: OpSet, csrc: Path) -> Kernels:
    """All kernels by name."""
    registered = Sources([csrc]).kernels
    found = {name: [Kernel(r.backend, r.dtypes, r.file) for r in of_name] for name, of_name in registered.items()}
    for op in opset.ops:
        if op.kernel is None or not op.dtypes:
            continue
        file = f"csrc/{implementation(op, opset)[0]}"
        files = {**dict.fromkeys(GENERATED_BACKENDS, file), COMPOSITE: op.source}
        backends = ((backend, op.dtypes_on(backend)) for backend in (files if op.backend_dtypes else GENERATED_BACKENDS))
        generated = [Kernel(backend, tuple(cpp_types(dtypes)), files[backend]) for backend, dtypes in backends if dtypes]
        for branch in op.kernel.branches:
            if is_generated(op, branch):
                found.setdefault(branch.name, []).extend(generated)
    return found


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
        "kernel": ", ".join(_link(file) for file in _files(op, kernels)),
        "gradient": ", ".join(_link(file) for file in _files(backward, kernels)) if backward is not None else "",
    }


def _dtypes(op: Op, kernels: Kernels) -> list[tuple[str, str]]:
    """Backend -> dtypes, as they are registered."""
    found: dict[str, list[str]] = {}
    branch = (op.kernel.dense or op.kernel.branches[0]) if op.kernel is not None else None
    for kernel in kernels.get(branch.name, ()) if branch is not None else ():
        found.setdefault(kernel.backend, []).extend(kernel.dtypes)
    return [(backend, ", ".join(dtypes_of(types))) for backend, types in sorted(found.items())]


def _files(op: Op, kernels: Kernels) -> list[str]:
    """The files of the checkout that compute an op."""
    branches = op.kernel.branches if op.kernel is not None else ()
    return list(dict.fromkeys(kernel.file for branch in branches for kernel in kernels.get(branch.name, ())))


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
