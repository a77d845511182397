"""What passes put in the place of several operators on sequences gives what these give."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from phi_torch import legacy
from phi_torch.legacy import LoDTensor

LOD = [[0, 2, 2, 5]]


def sequence(rows: Tensor) -> LoDTensor:
    return LoDTensor(rows, LOD)


def same(found: Any, expected: Any) -> None:
    torch.testing.assert_close(found.as_subclass(Tensor), expected.as_subclass(Tensor))
    assert found.lod == LOD


@pytest.mark.parametrize("engine", ["use_mkldnn", "use_onednn", None])
@pytest.mark.parametrize("reverse", [False, True])
def test_gru(reverse: bool, engine: str | None):
    """Without oneDNN `origin_mode` says nothing."""
    x, wx, wh, bias, h0 = (torch.randn(shape) for shape in ((5, 3), (3, 6), (2, 6), (1, 6), (3, 2)))
    attrs, state = {"is_reverse": reverse, "origin_mode": True}, {"Bias": bias, "H0": h0}
    by = {engine: True} if engine else {}
    found = legacy.run_op("fusion_gru", {"X": sequence(x), "WeightX": wx, "WeightH": wh, **state}, attrs | by)["Hidden"]
    attrs["origin_mode"] = engine is not None
    same(found, legacy.run_op("gru", {"Input": sequence(x @ wx), "Weight": wh, **state}, attrs, ["Hidden"])["Hidden"])


@pytest.mark.parametrize("peepholes", [False, True])
def test_lstm(peepholes: bool):
    x, wx, wh, bias = (torch.randn(shape) for shape in ((5, 3), (3, 8), (2, 8), (1, 14 if peepholes else 8)))
    table, ids = torch.randn(6, 8), torch.randint(6, (5, 1))
    attrs, weights = {"use_peepholes": peepholes}, {"WeightH": wh, "Bias": bias}
    found = legacy.run_op("fusion_lstm", {"X": sequence(x), "WeightX": wx, **weights}, attrs)
    expected = legacy.run_op("lstm", {"Input": sequence(x @ wx), "Weight": wh, "Bias": bias}, attrs, ["Hidden", "Cell"])
    for slot in expected:
        same(found[slot], expected[slot])
    found = legacy.run_op("fused_embedding_fc_lstm", {"Ids": sequence(ids), "Embeddings": table, **weights}, attrs)
    rows = table[ids.flatten()] - bias[:, :8]  # the bias is in the table
    expected = legacy.run_op("lstm", {"Input": sequence(rows), "Weight": wh, "Bias": bias}, attrs, ["Hidden", "Cell"])
    for slot in expected:
        same(found[slot], expected[slot])


def test_convolution():
    x, weight, bias, attrs = torch.randn(5, 2), torch.randn(6, 4), torch.randn(1, 4), {"contextLength": 3, "contextStart": -1}
    found = legacy.run_op("fusion_seqconv_eltadd_relu", {"X": sequence(x), "Filter": weight, "Bias": bias}, attrs)["Out"]
    out = legacy.run_op("sequence_conv", {"X": sequence(x), "Filter": weight}, attrs)["Out"]
    same(found, torch.relu(out.as_subclass(Tensor) + bias))


def test_sums():
    x = [sequence(torch.randn(5, width)) for width in (1, 3)]
    found = legacy.run_op("fusion_seqpool_concat", {"X": x}, {"pooltype": "AVERAGE"})["Out"]
    rows = torch.cat([one.as_subclass(Tensor) for one in x], 1)
    expected = torch.stack([rows[:2].mean(0), torch.zeros(4), rows[2:].mean(0)])
    torch.testing.assert_close(found.as_subclass(Tensor), expected)
    assert found.lod == [[0, 1, 2, 3]]


@pytest.mark.parametrize(("padding", "counts"), [(-1, [1, 1, 1, 1, 1]), (3, [1, 0, 1, 0, 1])])
def test_a_lookup_and_its_sums(padding: int, counts: list[int]):
    table, ids = torch.randn(5, 3, requires_grad=True), torch.tensor([[1], [3], [4], [3], [0]])
    attrs = {"combiner": "sum", "padding_idx": padding}
    inputs = {"W": table, "Ids": sequence(ids)}
    found = legacy.run_op("fused_embedding_seq_pool", inputs, attrs)["Out"]
    rows = table[ids.flatten()] * torch.tensor(counts)[:, None]
    expected = torch.stack([rows[:2].sum(0), torch.zeros(3), rows[2:].sum(0)])
    torch.testing.assert_close(found, expected)
    grad = torch.randn(3, 3)
    (of_table,) = torch.autograd.grad(expected, table, grad)
    torch.testing.assert_close(torch.autograd.grad(found, table, grad)[0], of_table)
    for is_sparse in (False, True):
        made = legacy.run_op(
            "fused_embedding_seq_pool_grad", {**inputs, "Out@GRAD": grad}, {**attrs, "is_sparse": is_sparse}, ["W@GRAD"]
        )
        torch.testing.assert_close(made["W@GRAD"].to_dense(), of_table)


def test_a_product_with_rows_and_what_their_sequences_have():
    x, others = torch.randn(5, 2), [torch.randn(3, width) for width in (1, 3)]
    weight, bias = torch.randn(6, 4), torch.randn(1, 4)
    inputs: dict[str, Any] = {"X": [sequence(x), *others], "FCWeight": weight, "FCBias": bias}
    found = legacy.run_op("fusion_seqexpand_concat_fc", inputs, {"fc_activation": "relu"})["Out"]
    rows = torch.cat([x, *(one[[0, 0, 2, 2, 2]] for one in others)], 1)
    torch.testing.assert_close(found.as_subclass(Tensor), torch.relu(rows @ weight + bias))
    assert found.lod == sequence(x).lod
    with pytest.raises(
        ValueError, match="slot X: expected a LoDTensor of one level, and a row for each of its sequences, got .* 2"
    ):
        legacy.run_op("fusion_seqexpand_concat_fc", {**inputs, "X": [sequence(x), others[0][:2]]}, {})
    with pytest.raises(ValueError, match="fc_activation: expected identity, relu, sigmoid, tanh, got 'gelu'"):
        legacy.run_op("fusion_seqexpand_concat_fc", inputs, {"fc_activation": "gelu"})


def test_a_lookup_of_several_rows_side_by_side():
    table, ids = torch.randn(5, 3, requires_grad=True), torch.tensor([[1, 4], [3, 0], [4, 2], [3, 3], [0, 1]])
    inputs = {"W": table, "Ids": sequence(ids.reshape(5, 1, 2, 1))}
    found = legacy.run_op("fused_embedding_seq_pool", inputs, {})["Out"]
    parts = [legacy.run_op("fused_embedding_seq_pool", {"W": table, "Ids": sequence(one)}, {})["Out"] for one in ids.split(1, 1)]
    torch.testing.assert_close(found, torch.cat(parts, 1))
    grad = torch.randn(3, 6)
    made = legacy.run_op("fused_embedding_seq_pool_grad", {**inputs, "Out@GRAD": grad}, {"is_sparse": False}, ["W@GRAD"])
    torch.testing.assert_close(made["W@GRAD"], torch.autograd.grad(found, table, grad)[0])


ROWS = sequence(torch.ones(5, 2))


@pytest.mark.parametrize(
    ("op", "inputs", "attrs", "message"),
    [
        ("fusion_seqpool_concat", {"X": [ROWS]}, {"pooltype": "MAX"}, "pooltype: expected SUM, AVERAGE or SQRT"),
        ("fusion_seqpool_concat", {"X": [ROWS]}, {"axis": 0}, "axis: expected 1, got 0"),
        (
            "fusion_gru",
            {"X": ROWS, "WeightX": torch.ones(3, 6), "WeightH": torch.ones(2, 6)},
            {},
            "slot WeightX: expected as many rows as X has columns",
        ),
    ],
)
def test_what_does_not_fit(op: str, inputs: dict, attrs: dict, message: str):
    with pytest.raises(ValueError, match=message):
        legacy.run_op(op, inputs, attrs)
