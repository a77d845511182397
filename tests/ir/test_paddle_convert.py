"""Attributes of older versions, as operators declare them today."""

from __future__ import annotations

import math
from typing import Any

import pytest

from phi_torch.ir.paddle.convert import convert
from phi_torch.ir.paddle.document import Attr
from phi_torch.ir.paddle.leaves import Wrong

CASES: list[tuple[Attr, str, Any]] = [
    (Attr("f32", 0.25), "f64", 0.25),
    (Attr("f64", 0.25), "f32", 0.25),
    (Attr("f32", -math.inf), "f64", -math.inf),
    (Attr("i32", 3), "i64", 3),
    (Attr("i64", 3), "i32", 3),
    (Attr("i32", 3), "f64", 3.0),
    (Attr("f64", 3.0), "i64", 3),
    (Attr("index", 3), "i64", 3),
    (Attr("array<i32>", (1, 2)), "array<i64>", (1, 2)),
    (Attr("array<f32>", (1.0, 2.0)), "array<f64>", (1.0, 2.0)),
    (Attr("array", (Attr("i32", 1), Attr("i64", 2))), "array<i64>", (1, 2)),
    (Attr("array", ()), "array<f64>", ()),
    (Attr("array<i32>", (1, 2)), "array", (1, 2)),
    (Attr("array<i32>", (1, 2)), "intarray", (1, 2)),
    (Attr("intarray", (1, 2)), "array<i64>", (1, 2)),
    (Attr("bool", True), "scalar", ("bool", True)),
    (Attr("f64", 1.5), "scalar", ("float64", 1.5)),
    (Attr("c64", 1j), "scalar", ("complex64", 1j)),
    (Attr("scalar", ("int64", 3)), "f32", 3.0),
    (Attr("str", "NHWC"), "layout", "NHWC"),
    (Attr("str", "x"), "str", "x"),
    (Attr("str", "x"), "any", "x"),
]


@pytest.mark.parametrize(("attr", "kind", "expected"), CASES, ids=str)
def test_conversions(attr: Attr, kind: str, expected: Any):
    found = convert(attr, kind)
    assert repr(found.value) == repr(expected)  # tells 3 from 3.0
    assert kind in ("any", "array") or found.kind == kind


@pytest.mark.parametrize(
    ("attr", "kind", "message"),
    [
        (Attr("f64", 1.5), "i64", "expected i64, got f64"),
        (Attr("i64", 1 << 40), "i32", "expected an integer from -2147483648"),
        (Attr("f64", 1e300), "f32", "beyond what float32 holds"),
        (Attr("bool", True), "i32", "expected i32, got bool"),
        (Attr("str", "x"), "f32", "expected f32, got str"),
        (Attr("i32", 1), "array<i32>", "expected array<i32>, got i32"),
        (Attr("array<str>", ("x",)), "intarray", "expected i64, got str"),
        (Attr("str", "NX"), "layout", "expected layout, got str"),
    ],
    ids=str,
)
def test_attributes_of_another_kind(attr: Attr, kind: str, message: str):
    with pytest.raises(Wrong, match=message):
        convert(attr, kind)
