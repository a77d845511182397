"""Reads yaml/aten_compat.yaml."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from ..model.aten_compat import AtenRow
from ..model.diagnose import Diagnostics
from .entry import Entry
from .nodes import Span, read_entries, read_source

KEYS = ("aten", "when", "to")
_OVERLOAD = re.compile(r"(?P<overload>\w+\.\w+)\s*\((?P<arguments>[\w\s,]*)\)")


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
        row = AtenRow(self.name, arguments, self._expressions("when"), self._expressions("to"), self.loc)
        return row if len(self.diag.errors) == before else None

    def _expressions(self, key: str) -> tuple[str, ...]:
        span = self.text(key) if key in self.keys else None
        return () if span is None else tuple(self._expression(key, piece) for piece in span.split(","))

    def _expression(self, key: str, span: Span) -> str:
        self.remember(f"{key}.{span.folded}", span)
        try:
            ast.parse(span.folded, mode="eval")
        except SyntaxError as error:
            help = "expressions are Python's, with commas between them"
            self.error("PHI070", span, f"malformed expression in '{key}' of '{self.name}': {error.msg}", help)
        return span.folded
