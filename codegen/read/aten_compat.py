"""Reads yaml/aten_compat.yaml."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from pathlib import Path

from ..model.aten_compat import AtenRow
from ..model.diagnose import Diagnostics
from .entry import Entry
from .nodes import Span, read_entries, read_source

KEYS = ("aten", "when", "let", "to")
_OVERLOAD = re.compile(r"(?P<overload>\w+\.\w+)\s*\((?P<arguments>[\w\s,]*)\)")
_DEFINITION = re.compile(r"\s*(?P<name>[A-Za-z_]\w*)\s*=(?!=)\s*")


def read_aten_compat(path: Path, name: str, diag: Diagnostics) -> tuple[AtenRow, ...]:
    """The rows of the file, which is printed as `name`; one with an error is left out."""
    source = read_source(path, name, diag)
    found = (AtenEntry(node, diag).read() for node in ([] if source is None else read_entries(source, diag)))
    return tuple(row for row in found if row is not None)


class AtenEntry(Entry):
    """One row while it is read."""

    def read(self) -> AtenRow | None:
        before = len(self.diag.errors)
        self.keys = self.mapping(self.node, KEYS, "entry")
        for key in ("aten", "to"):
            if key not in self.keys:
                self.diag.error("PHI005", self.loc, f"the entry has no `{key}`", f"write `{key} : ...`")
                return None
        span = self.text("aten")
        match = None if span is None else _OVERLOAD.fullmatch(span.text)
        if match is None:
            if span is not None:
                help = "write the overload with the names of its arguments: add.Tensor(self, other, alpha)"
                self.error("PHI070", span, f"malformed overload '{span.folded}'", help)
            return None
        self.name = match["overload"]
        arguments = tuple(name.strip() for name in match["arguments"].split(",") if name.strip())
        self.let: dict[str, ast.expr] = {}
        when = tuple(self._expression("when", piece) for piece in self._pieces("when"))
        let = tuple(self._definition(piece, arguments) for piece in self._pieces("let"))
        to = tuple(self._expression("to", piece) for piece in self._pieces("to"))
        row = AtenRow(self.name, arguments, when, let, to, self.loc)
        return row if len(self.diag.errors) == before else None

    def _pieces(self, key: str) -> Sequence[Span]:
        span = self.text(key) if key in self.keys else None
        return () if span is None else span.split(",")

    def _definition(self, span: Span, arguments: Sequence[str]) -> str:
        match = _DEFINITION.match(span.text)
        name = "" if match is None else match["name"]
        if match is None or name in (*arguments, *self.let):
            message = f"'{name}' has a meaning already" if match else f"malformed definition '{span.folded}'"
            self.error("PHI070", span, f"{message} in 'let' of '{self.name}'", "write `a new name = an expression`")
            return "None"
        text = self._expression("let", span.sub(match.end(), len(span.text)))
        self.let[name] = ast.parse(text, mode="eval").body
        return text

    def _expression(self, key: str, span: Span) -> str:
        """The text, in which expressions stand in the place of the names that `let` gives them."""
        text = span.folded
        try:
            tree = ast.parse(text, mode="eval")
        except SyntaxError as error:
            help = "expressions are Python's, with commas between them"
            self.error("PHI070", span, f"malformed expression in '{key}' of '{self.name}': {error.msg}", help)
            return "None"
        if self.let:
            text = ast.unparse(_Substitution(self.let).visit(tree))
        self.remember(f"{key}.{text}", span)
        return text


class _Substitution(ast.NodeTransformer):
    def __init__(self, let: dict[str, ast.expr]) -> None:
        self.let = let

    def visit_Call(self, node: ast.Call) -> ast.expr:
        node.args = [self.visit(argument) for argument in node.args]
        for keyword in node.keywords:
            keyword.value = self.visit(keyword.value)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.let.get(node.id, node)
