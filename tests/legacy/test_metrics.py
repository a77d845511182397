"""Operators that count how well rankings and classifiers do: numbers of PaddlePaddle 2.6.2."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from phi_torch import legacy

SCORES = torch.tensor([[0.9, 0.1], [0.5, 0.3], [0.5, 0.2], [0.1, 0.7], [0.4, 0.6]])
LABELS, QUERIES = torch.tensor([[1.0], [0.0], [1.0], [0.0], [2.0]]), torch.tensor([[1], [1], [1], [2], [2]])
RANKED = {"Score": SCORES, "Label": LABELS, "QueryID": QUERIES}
PAIRS = ("PositivePair", "NegativePair", "NeutralPair")
WEIGHTS = torch.tensor([[1.0], [2.0], [3.0], [0.5], [0.25]])
SO_FAR = {f"Accumulate{name}": torch.tensor([number]) for name, number in zip(PAIRS, (5.0, 6.0, 7.0))}


@pytest.mark.parametrize(
    ("more", "column", "expected"),
    [
        ({}, 0, [2.0, 1.0, 1.0]),
        ({}, -1, [0.0, 3.0, 0.0]),
        ({"Weight": WEIGHTS}, 0, [1.875, 2.5, 2.5]),
        ({"Weight": WEIGHTS, **SO_FAR}, 0, [6.875, 8.5, 9.5]),
    ],
    ids=["0", "last", "weights", "accumulated"],
)
def test_pairs_of_a_ranking(more: dict[str, Tensor], column: int, expected: list[float]):
    found = legacy.run_op("positive_negative_pair", RANKED | more, {"column": column}, dict.fromkeys(PAIRS, 1))
    assert [found[name].tolist() for name in PAIRS] == [[one] for one in expected]


CLASSIFIED = {"MaxProbs": torch.rand(4, 1), "Indices": torch.tensor([[0], [1], [2], [1]]).int()}
CLASSIFIED["Labels"] = torch.tensor([[0], [2], [2], [1]]).int()
METRICS = ("BatchMetrics", "AccumMetrics", "AccumStatesInfo")


def test_precision_and_recall():
    more = {"Weights": torch.tensor([[1.0], [2.0], [0.5], [1.0]]), "StatesInfo": torch.arange(12.0).reshape(3, 4)}
    found = legacy.run_op("precision_recall", CLASSIFIED | more, {"class_number": 3}, dict.fromkeys(METRICS, 1))
    batch, total = (
        torch.tensor(one).double()
        for one in (
            [
                0.7777778506278992,
                0.7333333492279053,
                0.7549019455909729,
                0.5555555820465088,
                0.5555555820465088,
                0.5555555820465088,
            ],
            [
                0.4674603044986725,
                0.35400518774986267,
                0.4028979241847992,
                0.460317462682724,
                0.3866666555404663,
                0.4202898144721985,
            ],
        )
    )
    torch.testing.assert_close(found["BatchMetrics"], batch, rtol=1e-6, atol=0.0)
    torch.testing.assert_close(found["AccumMetrics"], total, rtol=1e-6, atol=0.0)
    assert found["AccumStatesInfo"].tolist() == [[1.0, 1.0, 5.5, 3.0], [5.0, 7.0, 7.5, 7.0], [8.5, 9.0, 12.0, 13.0]]


def test_what_is_in_no_class_counts_as_right():
    given = {name: one[:1] for name, one in CLASSIFIED.items()}
    found = legacy.run_op("precision_recall", given, {"class_number": 3}, dict.fromkeys(METRICS, 1))
    assert found["BatchMetrics"].tolist() == [1.0] * 6


@pytest.mark.parametrize(
    ("type", "inputs", "attrs", "message"),
    [
        ("positive_negative_pair", RANKED, {"column": 2}, r"column: expected a column of \[5, 2\], got 2"),
        (
            "positive_negative_pair",
            RANKED | {"Score": SCORES[:4]},
            {"column": 0},
            r"Score: expected a matrix of 5 rows, got \[4, 2\]",
        ),
        ("positive_negative_pair", RANKED | {"QueryID": QUERIES[:, 0]}, {"column": 0}, r"QueryID: expected shape \[5, 1\]"),
        ("precision_recall", CLASSIFIED, {"class_number": 2}, r"Indices: expected classes from 0 to 1, got \[0, 1, 2, 1\]"),
        ("precision_recall", CLASSIFIED | {"Labels": QUERIES}, {"class_number": 3}, "Labels: expected one for each of the 4 rows"),
    ],
)
def test_slots_that_do_not_fit(type: str, inputs: dict[str, Tensor], attrs: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        legacy.run_op(type, inputs, attrs)
