"""The operators `positive_negative_pair` and `precision_recall`, which count how well a ranking or a classifier does."""

from __future__ import annotations

import torch
from torch import Tensor

from .._operators import Operands, operator
from ..kernels.table import expect, expect_shape

PAIRS = ("Positive", "Negative", "Neutral")


@operator("positive_negative_pair")
def positive_negative_pair(op: Operands) -> None:
    """Of a query's documents with different labels: how many pairs the scores order as the labels do, how many not, and of the
    latter those that have one score. A pair counts as much as the weights of its documents, in the mean.
    """
    scores, count = op.input("Score"), len(op.input("Label"))
    expect("slot Score", scores.dim() == 2 and len(scores) == count, f"a matrix of {count} rows", [*scores.shape])
    expect_shape([count, 1], **{slot: op.input(slot) for slot in ("QueryID", "Weight") if op.has(slot)})
    (query, label), column = (op.input(slot).reshape(-1) for slot in ("QueryID", "Label")), op.attr("column")
    expect("attribute column", -scores.shape[1] <= column < scores.shape[1], f"a column of {[*scores.shape]}", column)
    score = scores[:, column]
    weight = op.input("Weight").reshape(-1) if op.has("Weight") else torch.ones_like(score)
    one, other = torch.triu_indices(count, count, 1, device=score.device)
    counts = (query[one] == query[other]) & (label[one] != label[other])
    weights = torch.where(counts, (weight[one] + weight[other]) / 2, 0)
    is_right = (score[one] - score[other]) * (label[one] - label[other]) > 0
    for name, which in zip(PAIRS, (is_right, ~is_right, score[one] == score[other])):
        if op.op.outputs.get(f"{name}Pair"):
            found = (weights * which).sum().reshape(1)
            op.set(f"{name}Pair", found + op.input(f"Accumulate{name}Pair") if op.has(f"Accumulate{name}Pair") else found)


@operator("precision_recall")
def precision_recall(op: Operands) -> None:
    """Of each class how many are rightly in it, wrongly in it, rightly and wrongly not in it; of these the precision, the recall
    and their harmonic mean, as the mean over the classes and of all together.
    """
    classes, largest = op.attr("class_number"), op.input("MaxProbs")
    found, labels = (op.input(slot).reshape(-1).long() for slot in ("Indices", "Labels"))
    for slot, one in (("Indices", found), ("Labels", labels)):
        expect(f"slot {slot}", len(one) == len(largest), f"one for each of the {len(largest)} rows of MaxProbs", len(one))
        expect(f"slot {slot}", bool(((one >= 0) & (one < classes)).all()), f"classes from 0 to {classes - 1}", one.tolist())
    weights = op.input("Weights").reshape(-1, 1) if op.has("Weights") else torch.ones_like(largest[:, :1])
    is_found, is_label = (torch.nn.functional.one_hot(one, classes).bool() for one in (found, labels))
    states = [is_found & is_label, is_found & ~is_label, ~is_found & ~is_label, ~is_found & is_label]
    batch = torch.stack([(one * weights).sum(0) for one in states], 1)
    total = batch + op.input("StatesInfo") if op.has("StatesInfo") else batch
    op.set("BatchMetrics", _metrics(batch))
    op.set("AccumMetrics", _metrics(total))
    op.set("AccumStatesInfo", total)


def _metrics(states: Tensor) -> Tensor:
    right, wrong, _, missed = states.unbind(1)
    each = [_share(right, other).mean() for other in (wrong, missed)]
    together = [_share(right.sum(), other.sum()) for other in (wrong, missed)]
    return torch.stack([*each, _harmonic(*each), *together, _harmonic(*together)]).double()


def _share(right: Tensor, others: Tensor) -> Tensor:
    """1 of nothing."""
    return torch.where((right > 0) | (others > 0), right / (right + others), 1)


def _harmonic(precision: Tensor, recall: Tensor) -> Tensor:
    return torch.where((precision > 0) | (recall > 0), 2 * precision * recall / (precision + recall), 0)
