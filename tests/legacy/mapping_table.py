"""What PaddlePaddle 3.3.1 answers for every operator: a table of its mapping functions' results.

data/argument_mapping.tsv.gz was made by calling each function with a context that takes both ways at each question:
  BASE     operator, the name of its kernels
  DEFAULT  operator, the signature that follows from its definition
  FN       operator, the number of different results, the number of paths to them
  SIG      operator, a result, the ways to it: answers joined by ` & `, ways by ` || `
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

TABLE = Path(__file__).parent / "data" / "argument_mapping.tsv.gz"
Signature = tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]
KINDS = {"dense": "dense_tensor", "sr": "selected_rows", "coo": "sparse_coo", "csr": "sparse_csr", "array": "tensor_array"}
OUTPUT_KINDS = {"denseout": "dense_tensor", "srout": "selected_rows"}
_DEFAULT = re.compile(r"Kernel Signature - name: (.*); inputs: (.*); attributes: (.*); outputs: (.*)")
_RESULT = re.compile(r"(\S+) \((.*?) ; (.*?) -> (.*?)\)")


@cache
def rows(kind: str) -> tuple[tuple[str, ...], ...]:
    lines = gzip.decompress(TABLE.read_bytes()).decode().splitlines()
    return tuple(tuple(line.split("\t")[1:]) for line in lines if line.startswith(f"{kind}\t"))


def _signature(match: re.Match[str] | None, separator: str) -> Signature:
    assert match is not None
    inputs, attrs, outputs = (tuple(n for n in match[i].split(separator) if n) for i in (2, 3, 4))
    return match[1], inputs, attrs, outputs


def default_signature(text: str) -> Signature:
    return _signature(_DEFAULT.fullmatch(text), ", ")


def result(text: str) -> Signature:
    return _signature(_RESULT.fullmatch(text), ",")


@dataclass
class Way:
    """The answers on a way to a result; what it does not say makes no difference."""

    inputs: dict[str, list[str]] = field(default_factory=dict)  # slot -> kinds of its variables
    outputs: dict[str, list[str]] = field(default_factory=dict)
    attrs: dict[str, tuple[str, Any]] = field(default_factory=dict)
    infer_shape: bool | None = None
    possible: bool = True  # no slot holds two kinds, or a kind while it is empty

    def put(self, slots: dict[str, list[str]], name: str, kinds: list[str]) -> None:
        """What stands in a slot; a more exact answer replaces that anything does."""
        given = slots.get(name)
        if given is not None and given != kinds and ["other"] not in (given, kinds):
            self.possible = False
        if given is None or given == ["other"]:
            slots[name] = kinds


def ways(op: str, text: str) -> Iterator[Way]:
    for conjunction in text.split(" || "):
        yield _way(op, [atom for atom in conjunction.split(" & ") if atom])


def _way(op: str, atoms: list[str]) -> Way:
    way = Way()
    # that a slot is of no kind says least
    for atom in sorted(atoms, key=lambda atom: atom.startswith("!")):
        no, text = atom.startswith("!"), atom.removeprefix("!")
        question, colon, name = text.partition(":")
        if text in ("runtime", "infershape"):
            infer = (text == "infershape") != no
            way.possible &= way.infer_shape in (None, infer)
            way.infer_shape = infer
        elif not colon or "=" in question:
            name, _, value = text.partition("=")
            way.attrs[name] = _value(value)
        else:
            _answer(way, question, _slot(op, name), no)
    return way


def _slot(op: str, name: str) -> str:
    """Paddle's functions for the gradients of sparse operators ask by the names of kernels' arguments."""
    return re.sub("_grad$", "@GRAD", name) if op.startswith("sparse_") else name


def _answer(way: Way, question: str, slot: str, no: bool) -> None:
    slots = way.outputs if question in ("out", *OUTPUT_KINDS) else way.inputs
    if question in ("in", "list", "out"):
        way.put(slots, slot, [] if no else ["other"])
    elif not no:
        kind = {**KINDS, **OUTPUT_KINDS}[question.removesuffix("[]")]
        way.put(slots, slot, [kind, kind] if question.endswith("[]") else [kind])
    elif slot not in slots:
        way.put(slots, slot, ["other"])


def _value(text: str) -> tuple[str, Any]:
    """(type, value) of `-1`, `true`, `"s"`, `int[]{1}`, `i64[]{}`."""
    if text.startswith('"'):
        return "STRING", text.strip('"')
    if text in ("true", "false"):
        return "BOOLEAN", text == "true"
    if "[]" in text:
        kind, _, items = text.partition("[]")
        return {"int": "INTS", "i64": "LONGS"}[kind], [int(item) for item in items.strip("{}").split(",") if item]
    return "INT", int(text)
