"""Reads yaml/rewrites.yaml: the rewrites of programs."""

from __future__ import annotations

import re
from pathlib import Path

from ..model.diagnose import Diagnostics
from ..model.op import Loc
from ..model.rewrite import Rewrite, Term
from .entry import Entry
from .nodes import Node, Span, read_entries, read_source
from .pattern import parse_pattern

KEYS = ("rewrite", "level", "match", "where", "let", "to", "optional", "sample", "refuse", "doc")
LEVELS = ("1", "2")


def read_rewrites(path: Path, name: str, diag: Diagnostics) -> tuple[Rewrite, ...]:
    """The rewrites of the file, which is printed as `name`; an entry with an error is left out."""
    source = read_source(path, name, diag)
    found = (RewriteEntry(node, diag).read() for node in ([] if source is None else read_entries(source, diag)))
    return tuple(rewrite for rewrite in found if rewrite is not None)


class RewriteEntry(Entry):
    """One entry while it is read."""

    def read(self) -> Rewrite | None:
        before = len(self.diag.errors)
        self.keys = self.mapping(self.node, KEYS, "entry")
        node = self.keys.get("rewrite")
        if node is None or node.kind != "scalar" or not re.fullmatch(r"[a-z][a-z0-9_]*", node.value):
            loc = self.loc if node is None else node.span.loc
            self.diag.error("PHI009", loc, "the entry has no name", "start it with `- rewrite : name`, in lower case")
            return None
        self.name = node.value
        self.remember("rewrite", node.span)
        match, to = self._term("match"), self._term("to")
        where = [self._parse(span) for span in self._spans("where")]
        let = self._let()
        optional = [self._parse(span) for span in self._spans("optional")]
        level = self.word("level") or "2"
        if level not in LEVELS:
            span = self.keys["level"].span
            self.error("PHI019", span, f"unknown level '{level}' of '{self.name}'", f"levels: {', '.join(LEVELS)}")
        sample = self._values(self.keys.get("sample"), "sample")
        refuse = [self._values(item, "refuse") for item in self._items("refuse")]
        doc = self.text("doc")
        if len(self.diag.errors) > before or match is None or to is None:
            return None
        return Rewrite(
            name=self.name,
            level=int(level),
            match=match,
            where=tuple(term for term in where if term is not None),
            let=let,
            to=to,
            optional=tuple(term for term in optional if term is not None),
            doc=doc.folded if doc is not None else "",
            sample=sample,
            refuse=tuple(refuse),
            text=tuple((key, self.keys[key].span.text) for key in ("match", "where", "let", "to") if key in self.keys),
            loc=self.loc,
        )

    def _parse(self, span: Span) -> Term | None:
        def report(message: str, loc: Loc, length: int, help: str) -> None:
            self.diag.error("PHI060", loc, f"{message}, in '{self.name}'", help, length)

        return parse_pattern(span, "pd_op", report)

    def _term(self, key: str) -> Term | None:
        span = self.text(key)
        if span is None or not span.text:
            self.diag.error_at("PHI005", self.loc, "rewrite", f"'{self.name}' has no `{key}`", f"write `{key} : op(x)`")
            return None
        return self._parse(span)

    def _items(self, key: str) -> list[Node]:
        node = self.keys.get(key)
        if node is not None and node.kind != "sequence":
            self.error("PHI006", node.span, f"'{key}' of '{self.name}' must be a list", "write a line `- ...` for each")
            return []
        return [] if node is None else node.items()

    def _spans(self, key: str) -> list[Span]:
        """The expressions of a list, or of one line with commas."""
        node = self.keys.get(key)
        if node is None:
            return []
        if node.kind == "scalar":
            return node.span.split(",")
        return [item.span for item in self._items(key)]

    def _let(self) -> tuple[Term, ...]:
        node = self.keys.get("let")
        pairs = [] if node is None else list(node.pairs()) if node.kind == "mapping" else None
        if pairs is None:
            assert node is not None
            self.error(
                "PHI006", node.span, f"'let' of '{self.name}' must be a mapping", "write a line `name : expression` for each"
            )
            return ()
        terms = [(key, self._parse(value.span)) for key, value in pairs]
        return tuple(
            Term("Keyword", key.value, 0, (term,), key.span.loc, key.span.length) for key, term in terms if term is not None
        )

    def _values(self, node: Node | None, key: str) -> tuple[tuple[str, str], ...]:
        if node is None:
            return ()
        if node.kind != "mapping":
            self.error("PHI006", node.span, f"'{key}' of '{self.name}' must have a value for each variable", "write x : f32[2,3]")
            return ()
        return tuple((name.value, value.span.folded) for name, value in node.pairs())
