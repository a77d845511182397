"""`docs/rewrites.md`: each rewrite of yaml/rewrites.yaml, before and after, and when; and what expressions may have."""

from __future__ import annotations

from ...model.op import OpSet
from ...model.rewrite import FUNCTIONS, Rewrite
from ..render import render


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    if not opset.rewrites:
        return {}
    functions = [(f"{name}({_arguments(name)})", meaning.replace("|", "\\|")) for name, (_, _, meaning) in FUNCTIONS.items()]
    sections = [_Section(rewrite) for rewrite in sorted(opset.rewrites, key=lambda rewrite: rewrite.name)]
    return {"docs/rewrites.md": render("docs_rewrites.md.j2", rewrites=sections, functions=functions)}


def _arguments(name: str) -> str:
    count, takes, _ = FUNCTIONS[name]
    if count == -1:
        return "x, ..."
    if count == -2:
        return "x, y, ..."
    return {1: "x", 2: "x, i" if takes == "values" else "a, b"}[count]


class _Section:
    def __init__(self, rewrite: Rewrite) -> None:
        text = dict(rewrite.text)
        self.name, self.doc, self.level = rewrite.name, rewrite.doc, rewrite.level
        self.before, self.after = (_lines(text[key]) for key in ("match", "to"))
        self.let, self.where = (_lines(text.get(key, "")) for key in ("let", "where"))


def _lines(text: str) -> list[str]:
    """Without the indentation of the file, and without the dashes of lists."""
    return [line.strip().removeprefix("- ") for line in text.splitlines() if line.strip()]
