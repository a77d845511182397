"""Reads yaml/op_compat.yaml, which has the grammar of Paddle's file of this name."""

from __future__ import annotations

import re
from pathlib import Path

from ..model.diagnose import Diagnostics
from ..model.op_compat import OpCompat, TensorAttribute
from ..model.program_op import ATTRIBUTE_TYPES, Attribute
from .entry import Entry
from .nodes import Node, read_entries, read_source

KEYS = (
    *("op", "backward", "inputs", "outputs", "attrs", "scalar", "int_array", "extra"),
    *("drop_empty_grad", "manual_signature", "get_expected_kernel_type", "complex_promote"),  # Paddle's, without a meaning here
)
TENSOR_KEYS = ("data_type", "tensor_name", "tensors_name", "support_tensor")
_NAMES = re.compile(r"(?P<op>\w+)\s*(?:\(\s*(?P<program>\w+)\s*\))?")
_ATTRIBUTE = re.compile(r"(?P<type>\w+(?:\[\])?)\s+(?P<name>\w+)\s*(?:=\s*(?P<default>.+))?", re.DOTALL)


def read_op_compat(path: Path, name: str, diag: Diagnostics) -> tuple[OpCompat, ...]:
    """The entries of the file, which is printed as `name`; an entry with an error is left out."""
    source = read_source(path, name, diag)
    found = (CompatEntry(node, diag).read() for node in ([] if source is None else read_entries(source, diag)))
    return tuple(compat for compat in found if compat is not None)


class CompatEntry(Entry):
    """One entry while it is read."""

    def read(self) -> OpCompat | None:
        before = len(self.diag.errors)
        self.keys = self.mapping(self.node, KEYS, "entry")
        own = self._both("op")
        if len(own) != 1:
            self.diag.error("PHI005", self.loc, "the entry has no `op`", "start it with `- op : name (name in programs)`")
            return None
        extra = self.mapping(self.keys["extra"], ("inputs", "outputs", "attrs"), "extra") if "extra" in self.keys else {}
        compat = OpCompat(
            op=own[0][0],
            program_op=own[0][1],
            grads=tuple(self._both("backward")),
            inputs=self._renames("inputs"),
            outputs=self._renames("outputs"),
            attrs=self._renames("attrs"),
            scalar=self._tensor_attributes("scalar"),
            int_array=self._tensor_attributes("int_array"),
            extra_inputs=self.names("inputs", extra.get("inputs"), "extra."),
            extra_outputs=self.names("outputs", extra.get("outputs"), "extra."),
            extra_attrs=self._attributes(extra.get("attrs")),
            loc=self.loc,
        )
        return compat if len(self.diag.errors) == before else None

    def _both(self, key: str) -> list[tuple[str, str]]:
        """`add_grad (elementwise_add_grad), relu_grad`."""
        pairs = []
        span = self.text(key)
        for piece in () if span is None else span.split(","):
            match = _NAMES.fullmatch(piece.text)
            if match is None:
                self.error("PHI009", piece, f"malformed name '{piece.folded}'", "write op, or op (name in programs)")
                continue
            if key == "op":
                self.name = match["op"]
            self.remember(f"{key}.{match['op']}", piece)
            pairs.append((match["op"], match["program"] or match["op"]))
        return pairs

    def _renames(self, key: str) -> dict[str, str]:
        """`{x : X, y : Y}`; each place is remembered as `key.x`."""
        found: dict[str, str] = {}
        for name, value in self._pairs(self.keys.get(key), key):
            span = self.scalar(value, name)
            if span is not None:
                found[name] = span.folded
        return found

    def _pairs(self, node: Node | None, key: str) -> list[tuple[str, Node]]:
        if node is not None and node.kind != "mapping":
            help = "write {name : name in programs}"
            self.error("PHI006", node.span, f"'{key}' of '{self.name}' must be a mapping, not a {node.kind}", help)
            return []
        pairs = [] if node is None else [(key_node.span, value) for key_node, value in node.pairs()]
        for span, _ in pairs:
            self.remember(f"{key}.{span.folded}", span)
        return [(span.folded, value) for span, value in pairs]

    def _tensor_attributes(self, key: str) -> dict[str, TensorAttribute]:
        found = {}
        for name, value in self._pairs(self.keys.get(key), key):
            keys = self.mapping(value, TENSOR_KEYS, f"'{name}'")
            words = {k: span.folded for k, node in keys.items() if (span := self.scalar(node, k)) is not None}
            data_type = words.get("data_type", "int")
            if data_type + ("[]" if key == "int_array" else "") not in ATTRIBUTE_TYPES:
                help = f"write a type of attributes of programs: {', '.join(ATTRIBUTE_TYPES)}"
                self.error("PHI008", keys["data_type"].span, f"unknown data_type '{data_type}' of '{name}' in {key}", help)
            found[name] = TensorAttribute(
                data_type,
                words.get("tensor_name"),
                words.get("tensors_name"),
                words.get("support_tensor") == "true",
            )
        return found

    def _attributes(self, node: Node | None) -> tuple[Attribute, ...]:
        """`[bool use_mkldnn = false, 'str[] names = {}']`."""
        attrs = []
        if node is not None and node.kind != "sequence":
            self.error("PHI006", node.span, f"'attrs' of '{self.name}' must be a list", "write [Type name = default, ...]")
            return ()
        for item in [] if node is None else node.items():
            match = _ATTRIBUTE.fullmatch(item.value)
            if match is None or match["type"] not in ATTRIBUTE_TYPES:
                help = f"write Type name = default; types: {', '.join(ATTRIBUTE_TYPES)}"
                self.error("PHI008", item.span, f"malformed attribute '{item.span.folded}' of '{self.name}'", help)
            else:
                attrs.append(Attribute(match["name"], match["type"], match["default"], extra=True))
        return tuple(attrs)
