"""Operators of programs are mapped to the kernels that PaddlePaddle maps them to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from legacy import mapping_table as table
from phi_torch import _C

UNREGISTERED = "unregistered"


def answers(op: str, way: table.Way) -> Iterator[table.Signature]:
    """What the operator is mapped to, whatever stands where the way says nothing."""
    slots = {name for found in _C.signatures(op) for name in (*found[1], *found[2])}
    silent = [name for name in sorted(slots) if name not in way.inputs]
    for full in (False, True):
        inputs = {**{name: ["dense_tensor"] for name in silent if full}, **way.inputs}
        for infer_shape in (False, True) if way.infer_shape is None else (way.infer_shape,):
            yield _C.map_arguments(op, inputs, way.outputs, way.attrs, infer_shape)


def test_base_kernel_names():
    rows = table.rows("BASE")
    assert len(rows) == 168
    assert [(op, kernel) for op, kernel in rows if _C.base_kernel_name(op) != kernel] == []


def test_default_signatures():
    rows = table.rows("DEFAULT")
    assert len(rows) == 742
    found = {op: (_C.default_signature(op), table.default_signature(text)) for op, text in rows}
    assert {op: both for op, both in found.items() if both[0] != both[1]} == {}


def test_every_result_of_a_mapping():
    rows = table.rows("SIG")
    assert len(rows) == 1976
    wrong = []
    for op, text, conditions in rows:
        expected = table.result(text)
        ways = [way for way in table.ways(op, conditions) if way.possible]
        assert ways, (op, text)
        for way in ways:
            for answer in answers(op, way):
                if answer != expected and (answer[0], expected[0]) != (UNREGISTERED, UNREGISTERED):
                    wrong.append((op, conditions, expected, answer))
    assert wrong == []


def test_results_are_listed_without_asking():
    rows = table.rows("FN")
    assert len(rows) == 1180
    expected: dict[str, set[table.Signature]] = {op: set() for op, *_ in rows}
    for op, text, _ in table.rows("SIG"):
        expected[op].add(table.result(text))
    assert {op: int(count) for op, count, _ in rows} == {op: len(results) for op, results in expected.items()}
    registered = {op: {r for r in results if r[0] != UNREGISTERED} for op, results in expected.items()}
    assert {op: results for op, results in registered.items() if results != set(_C.signatures(op))} == {}


def test_numbers_of_other_sizes():
    kinds = {"X": ["dense_tensor"], "Y": ["dense_tensor"]}

    def mapped(op: str, name: str, attribute: tuple[str, object]) -> str:
        return _C.map_arguments(op, kinds, {"Out": ["dense_tensor"]}, {name: attribute}, False)[0]

    assert [mapped("elementwise_add", "axis", ("LONG", axis)) for axis in (-1, 0)] == ["add", "add_raw"]
    assert [mapped("reduce_sum", "reduce_all", ("INT", number)) for number in (0, 1)] == ["sum", "sum_raw"]
    with pytest.raises(ValueError, match="'elementwise_add' has an attribute of another type"):
        mapped("elementwise_add", "axis", ("STRING", "-1"))
