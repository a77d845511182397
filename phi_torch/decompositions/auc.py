"""The composite of auc: counts of scores, of which the area under the curve follows."""

from __future__ import annotations

import torch
from torch import Tensor

from .found_sizes import has_values


def _area(positive: Tensor, negative: Tensor) -> Tensor:
    """Under the curve of the true positives over the false ones, as the threshold falls."""
    heights, widths = positive.flip(0).cumsum(0).double(), negative.flip(0).double()
    before = heights - positive.flip(0)
    area, whole = (widths * (heights + before) / 2).sum(), heights[-1] * widths.sum()
    return torch.where(whole > 0, area / torch.where(whole > 0, whole, 1), area)


def auc(
    x: Tensor,
    label: Tensor,
    stat_pos: Tensor,
    stat_neg: Tensor,
    ins_tag_weight: Tensor | None,
    curve: str = "ROC",
    num_thresholds: int = 8191,
    slide_steps: int = 1,
) -> tuple[Tensor, Tensor, Tensor]:
    score = x[:, -1]
    if score.is_cpu and has_values(score) and not ((score >= 0) & (score <= 1)).all():
        raise ValueError(f"argument 'x': expected scores in [0, 1], got {score.min().item()} to {score.max().item()}")
    place, label = (score * num_thresholds).long(), label.reshape(-1)
    counts = label.new_ones(()) if ins_tag_weight is None else (ins_tag_weight.reshape(-1)[0] != 0).long()
    none = stat_pos.new_zeros(num_thresholds + 1)
    found = [none.scatter_add(0, place, counts * which) for which in (label > 0, label == 0)]
    step = stat_pos.reshape(-1)[-1:]  # how many there were, of both
    states = [_added(stat.reshape(-1), new, step, slide_steps) for stat, new in zip((stat_pos, stat_neg), found)]
    positive, negative = (state[slide_steps * (num_thresholds + 1) :][: num_thresholds + 1] for state in states)
    shape = [1, -1] if slide_steps == 0 else [-1]
    return _area(positive, negative), states[0].reshape(shape), states[1].reshape(shape)


def _added(state: Tensor, found: Tensor, step: Tensor, slide_steps: int) -> Tensor:
    """`state` after a step: the counts of each of the last steps, their sum, and how many steps there were."""
    if slide_steps == 0:
        return state[: found.shape[0]] + found
    steps, whole, number = state.split([slide_steps * found.shape[0], found.shape[0], 1])
    rows = steps.reshape(slide_steps, found.shape[0])
    is_now = (torch.arange(slide_steps, device=state.device) == step % slide_steps).unsqueeze(1)
    gone = torch.where(is_now, rows, 0).sum(0)
    return torch.cat([torch.where(is_now, found, rows).reshape(-1), whole - gone + found, number + 1])
