"""Reads yaml/program_ops.yaml: the operators of programs that no entry of yaml/ops/ describes as programs hold them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from ..model.diagnose import Diagnostics, did_you_mean
from ..model.program_op import ATTRIBUTE_TYPES, INPUT_KINDS, OUTPUT_KINDS, Attribute, ProgramOp, Signature, Slot, SlotUse
from .entry import Entry
from .nodes import Span, read_entries, read_source

KEYS = (
    *("op", "backward_op", "forward", "args", "output", "optional", "intermediate", "extra", "support_tensor", "checks"),
    *("kernel", "mapping", "signatures"),
)
NAME = r"[A-Za-z_][\w@-]*"
_ARG = re.compile(rf"(?P<type>[A-Za-z_]\w*(?:\[\])?)\s+(?P<name>{NAME})\s*(?:=\s*(?P<default>.+))?", re.DOTALL)
_OUTPUT = re.compile(rf"Tensor(?P<list>\[\])?\s*\((?P<name>{NAME})\)")
_SIGNATURE = re.compile(r"(?P<kernel>\w+)\s*\((?P<args>[^()]*)\)\s*->\s*\((?P<outputs>[^()]*)\)")
_USE = re.compile(rf"(?:(?P<kind>\w+(?:\[\])?)\s+)?(?P<name>{NAME})")
_NUMBER = r"-?(?:inf|\d+(?:\.\d*)?(?:e-?\d+)?)"
_CHECK = re.compile(rf"\{{[^{{}}]+\}}|[\[(]{_NUMBER}, {_NUMBER}[\])]")
_Part = TypeVar("_Part", Slot, Attribute)


def read_program_ops(path: Path, name: str, diag: Diagnostics) -> tuple[ProgramOp, ...]:
    """The operators of the file, which is printed as `name`; an entry with an error is left out."""
    source = read_source(path, name, diag)
    found = (ProgramEntry(node, diag).read() for node in ([] if source is None else read_entries(source, diag)))
    return tuple(op for op in found if op is not None)


class ProgramEntry(Entry):
    """One entry while it is read."""

    has_functions = False

    def read(self) -> ProgramOp | None:
        before = len(self.diag.errors)
        self.keys = self.mapping(self.node, KEYS, "entry")
        if not self._read_name():
            return None
        inputs, attrs = self._args()
        marks = {key: self.names(key, self.keys.get(key)) for key in ("optional", "intermediate", "extra", "support_tensor")}
        outputs = self._outputs()
        known = [*(slot.name for slot in (*inputs, *outputs)), *(attr.name for attr in attrs)]
        for key, names in marks.items():
            for name in names:
                self._known(key, name, known)
        mapping, kernel = self.word("mapping"), self.word("kernel")
        if mapping not in (None, "function"):
            self.error("PHI019", self.keys["mapping"].span, f"unknown mapping '{mapping}' of '{self.name}'", "write `function`")
        op = ProgramOp(
            name=self.name,
            kernel=None if kernel == "none" else kernel or self.name,
            forward=self.word("forward"),
            inputs=tuple(_marked(slot, marks) for slot in inputs),
            outputs=tuple(_marked(slot, marks) for slot in outputs),
            attrs=tuple(_marked(attr, marks) for attr in self._checked(attrs)),
            signatures=tuple(self._signatures()),
            by_function=mapping == "function",
            loc=self.loc,
        )
        if len(self.diag.errors) == before:
            return op
        self.diag.broken.add(self.name)
        return None

    def _known(self, key: str, name: str, names: Sequence[str]) -> None:
        if name not in names:
            help = did_you_mean(name, names) or f"names: {', '.join(names)}"
            self.diag.error_at("PHI017", self.loc, f"{key}.{name}", f"{key} names '{name}', which '{self.name}' lacks", help)

    def _args(self) -> tuple[list[Slot], list[Attribute]]:
        inputs: list[Slot] = []
        attrs: list[Attribute] = []
        span = self.text("args")
        if span is None:
            return inputs, attrs
        if not (span.text.startswith("(") and span.text.endswith(")")):
            self.error("PHI008", span, f"args of '{self.name}' must stand in parentheses", "write (Tensor X, int axis = -1)")
            return inputs, attrs
        for piece in span.sub(1, span.end - span.start - 1).split(","):
            match = _ARG.fullmatch(piece.text)
            if match is None:
                help = "write Type name, or Type name = default"
                self.error("PHI008", piece, f"malformed argument '{piece.folded}' of '{self.name}'", help)
            elif match["type"] in ("Tensor", "Tensor[]"):
                inputs.append(Slot(match["name"], is_list=match["type"] == "Tensor[]"))
            elif match["type"] in ATTRIBUTE_TYPES:
                attrs.append(Attribute(match["name"], match["type"], match["default"]))
            else:
                help = did_you_mean(match["type"], ATTRIBUTE_TYPES) or f"types: Tensor, Tensor[], {', '.join(ATTRIBUTE_TYPES)}"
                self.error("PHI007", piece, f"unknown type '{match['type']}' in args of '{self.name}'", help)
        return inputs, attrs

    def _outputs(self) -> list[Slot]:
        slots = []
        span = self.text("output")
        for piece in () if span is None else span.split(","):
            match = _OUTPUT.fullmatch(piece.text)
            if match is None:
                help = "write Tensor(Out), or Tensor[](Out)"
                self.error("PHI011", piece, f"malformed output '{piece.folded}' of '{self.name}'", help)
            else:
                slots.append(Slot(match["name"], is_list=match["list"] is not None))
        return slots

    def _checked(self, attrs: Sequence[Attribute]) -> Iterator[Attribute]:
        """The attributes with the values that they may have."""
        node = self.keys.get("checks")
        names = [attr.name for attr in attrs]
        checks = {} if node is None else self.mapping(node, names, "checks")
        for attr in attrs:
            span = self.scalar(checks[attr.name], attr.name) if attr.name in checks else None
            if span is not None and not _CHECK.fullmatch(span.folded):
                help = 'write "[0, 1]", "(0, inf)", or "{a, b}"'
                self.error("PHI019", span, f"malformed check '{span.folded[:60]}' of '{attr.name}'", help)
            yield attr if span is None else replace(attr, check=span.folded)

    def _signatures(self) -> Iterator[Signature]:
        node = self.keys.get("signatures")
        if node is None:
            return
        for item in node.items() if node.kind == "sequence" else [node]:
            span = self.scalar(item, "signatures")
            signature = None if span is None else self._signature(span)
            if signature is not None:
                yield signature

    def _signature(self, span: Span) -> Signature | None:
        match = _SIGNATURE.fullmatch(span.text)
        parts = span.group(match, "args").split(";") if match else []
        if match is None or len(parts) > 2:
            help = "write kernel (X, Y; axis, KTensor | k) -> (Out)"
            self.error("PHI054", span, f"malformed signature '{span.folded[:60]}' of '{self.name}'", help)
            return None
        inputs = self._uses(parts[0], INPUT_KINDS) if parts else ()
        attrs = tuple(tuple(name.folded for name in p.split("|")) for p in parts[1].split(",")) if len(parts) > 1 else ()
        outputs = self._uses(span.group(match, "outputs"), OUTPUT_KINDS)
        return Signature(match["kernel"], inputs, attrs, outputs, span.loc)

    def _uses(self, span: Span, kinds: Sequence[str]) -> tuple[SlotUse, ...]:
        uses = []
        for piece in span.split(","):
            match = _USE.fullmatch(piece.text)
            if match is None:
                message = f"malformed slot '{piece.folded}' in a signature of '{self.name}'"
                self.error("PHI054", piece, message, "write X, or dense X")
            elif match["kind"] is not None and match["kind"] not in kinds:
                help = did_you_mean(match["kind"], kinds) or f"kinds: {', '.join(kinds)}"
                self.error("PHI015", piece, f"unknown kind '{match['kind']}' in a signature of '{self.name}'", help)
            else:
                uses.append(SlotUse(match["name"], match["kind"]))
        return tuple(uses)


def _marked(part: _Part, marks: dict[str, tuple[str, ...]]) -> _Part:
    """With what the lists of names say of it."""
    fields = {key: True for key, names in marks.items() if part.name in names and key in part.__dataclass_fields__}
    return replace(part, **fields) if fields else part  # type: ignore[arg-type]
