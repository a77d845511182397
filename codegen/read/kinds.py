"""`- tensor_kind : name`: a kind of tensors that an extension brings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ..model.diagnose import Diagnostics
from ..types.kinds import KEYS, KINDS, TensorKind
from .entry import Entry
from .grammar import OP_NAME
from .nodes import Node

KIND_KEYS = ("tensor_kind", "class", "key")


def is_kind(node: Node) -> bool:
    return node.kind == "mapping" and any(key.kind == "scalar" and key.value == "tensor_kind" for key, _ in node.pairs())


def read_kinds(nodes: Iterable[Node], diag: Diagnostics) -> Mapping[str, TensorKind]:
    """The kinds that there are, by name: those of the table, and those that the entries bring."""
    found = dict(KINDS)
    for node in nodes:
        kind = _KindEntry(node, diag).read(found) if is_kind(node) else None
        if kind is not None:
            found[kind.name] = kind
    return found


class _KindEntry(Entry):
    def read(self, known: Mapping[str, TensorKind]) -> TensorKind | None:
        before = len(self.diag.errors)
        self.keys = self.mapping(self.node, KIND_KEYS, "entry")
        words = {key: self.word(key) or "" for key in KIND_KEYS if key in self.keys}
        self.name = words.get("tensor_kind", "?")
        for key in KIND_KEYS:
            if key not in self.keys:
                self.diag.error("PHI005", self.loc, f"tensor kind '{self.name}' has no `{key}`", f"write `{key} : ...`")
        if len(self.diag.errors) > before:
            return None
        name, cls, key = (words[key] for key in KIND_KEYS)
        if not re.fullmatch(OP_NAME, name) or name in known:
            message = f"tensor kind '{name}' is there already" if name in known else f"'{name}' is no name for a tensor kind"
            self.error("PHI009", self.keys["tensor_kind"].span, message, "use other lower-case letters, digits and '_'")
        if not re.fullmatch(r"(?:\w+::)*[A-Za-z_]\w*", cls):
            message = f"'{cls}' is no name for the class of tensor kind '{name}'"
            self.error("PHI009", self.keys["class"].span, message, "name a class that TorchForm is specialised for")
        if key not in KEYS:
            message = f"unknown key '{key}' of tensor kind '{name}'"
            self.error("PHI019", self.keys["key"].span, message, f"expected one of {', '.join(KEYS)}")
        return TensorKind(name, cls, key) if len(self.diag.errors) == before else None
