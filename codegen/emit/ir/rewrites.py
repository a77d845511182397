"""ir/rewrites.cc: the rewrites of yaml/rewrites.yaml, as a constant table."""

from __future__ import annotations

from dataclasses import dataclass

from ...model.op import OpSet
from ...model.rewrite import Rewrite, Term
from ...types.literals import quote
from ..render import render


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    if not opset.rewrites:
        return {}
    return {"ir/rewrites.cc": render("ir_rewrites.cc.j2", rewrites=[_Row(rewrite) for rewrite in opset.rewrites])}


@dataclass(frozen=True)
class _Table:
    """An array of terms: the field of the row, its name, its rows."""

    field: str
    id: str
    rows: list[str]


class _Row:
    """What the template writes for a rewrite."""

    def __init__(self, rewrite: Rewrite) -> None:
        self.name, self.level = rewrite.name, rewrite.level
        self.tables = [
            _Table(field, f"{rewrite.name}_{field}", [_term(part) for part in term.walk()])
            for field, term in rewrite.tables.items()
        ]


def _term(term: Term) -> str:
    fields = [f".kind = TermKind::{term.kind}"]
    fields += [f".text = {quote(term.text)}"] if term.text else []
    if term.kind == "Real":
        fields.append(f".real = {float(term.value)!r}")
    elif term.kind in ("Int", "Bool"):
        fields.append(f".integer = {int(term.value) if term.value > -(2**63) else 'INT64_MIN'}")
    fields += [f".children = {len(term.children)}"] if term.children else []
    return "{" + ", ".join(fields) + "}"
