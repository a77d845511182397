"""Attributes as an operator declares them: files of older versions hold numbers of other types, or lack what came later."""

from __future__ import annotations

from typing import Any

from .document import Attr
from .leaves import READERS, Wrong
from .names import LAYOUTS

INTEGERS, FLOATS = ("i32", "i64", "index"), ("f32", "f64")
SCALAR_DTYPES = {  # kind of an attribute -> dtype of a scalar
    **{"bool": "bool", "i32": "int32", "i64": "int64", "index": "int64", "f32": "float32", "f64": "float64"},
    **{"c64": "complex64", "c128": "complex128"},
}
SCALAR_KINDS = {dtype: kind for kind, dtype in SCALAR_DTYPES.items() if kind != "index"}


def convert(attr: Attr, kind: str) -> Attr:
    """`attr` as one of the kind that an operator declares, such as "i64", "intarray" or "array<f32>".

    Raises:
        Wrong: it is of another kind, or its value is none of the kind.
    """
    if attr.kind == kind or kind == "any":
        return attr
    if kind == "scalar" and attr.kind in SCALAR_DTYPES:
        return Attr("scalar", (SCALAR_DTYPES[attr.kind], attr.value))
    if attr.kind == "scalar":
        dtype, value = attr.value
        return convert(Attr(SCALAR_KINDS.get(dtype, dtype), value), kind)
    if kind == "array" and attr.kind.startswith("array<"):
        return attr
    if kind == "intarray" and attr.kind.startswith("array"):
        return Attr("intarray", convert(attr, "array<i64>").value)
    if kind.startswith("array<"):
        element = kind[6:-1]
        return Attr(kind, tuple([convert(one, element).value for one in items(attr, kind)]))
    return Attr(kind, value_of(attr, kind))


def items(attr: Attr, kind: str) -> list[Attr]:
    """The elements of a list."""
    if attr.kind == "array":
        return list(attr.value)
    element = "i64" if attr.kind == "intarray" else attr.kind[6:-1] if attr.kind.startswith("array<") else ""
    if not element:
        raise Wrong(f"expected {kind}, got {attr.kind}")
    return [Attr(element, value) for value in attr.value]


def value_of(attr: Attr, kind: str) -> Any:
    value = attr.value
    if kind == "layout" and attr.kind == "str" and value in LAYOUTS:
        return value
    if kind in INTEGERS and (attr.kind in INTEGERS or (attr.kind in FLOATS and float(value).is_integer())):
        return READERS[kind](int(value))
    if kind in FLOATS and attr.kind in (*INTEGERS, *FLOATS):
        # what is not finite is so in both
        return READERS[kind](value) if abs(value) < float("inf") else value
    raise Wrong(f"expected {kind}, got {attr.kind}")
