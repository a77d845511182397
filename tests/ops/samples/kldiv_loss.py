from typing import Any

import torch

from ..sample import Error, Sample, T

POSITIVE: dict[str, Any] = {"low": 0.05, "high": 2, "grad": False}
SAMPLES = [
    Sample(T(3, 4), T(3, 4, **POSITIVE)),
    Sample(T(3, 4), T(3, 4, **POSITIVE), "none"),
    Sample(T(3, 4), T(3, 4, **POSITIVE), "sum"),
    Sample(T(3, 4), T(3, 4, **POSITIVE), "batchmean"),
    Sample(T(3, 4), T(3, 4, grad=False), "batchmean", True),
    Sample(T(), T(**POSITIVE), "none"),
    Sample(T(40), T(40, low=-1, high=1, grad=False), "none"),
    Sample(T(7, 90), T(7, 90, grad=False), "mean", True),
    Sample(T(0, 3), T(0, 3, grad=False), "sum"),
]
ERRORS = [
    Error(ValueError, r"'label'.*\[3, 4\] of 'x', got \[4\]", T(3, 4), T(4)),
    Error(ValueError, r"'reduction'.*'batchmean' or 'sum', got 'max'", T(3), T(3), "max"),
    Error(ValueError, r"'x'.*'batchmean'", T(), T(), "batchmean"),
    Error(TypeError, r"'label'.*got int64", T(3), torch.zeros(3, dtype=torch.int64)),
]


def reference(x, label, reduction="mean", log_target=False):
    wide, y = x.double(), label.double()
    losses = y.exp() * (y - wide) if log_target else torch.where(y > 0, y * (y.clamp(min=1e-30).log() - wide), 0)
    rows = max(1, x.shape[:1].numel())
    return {"none": losses, "sum": losses.sum(), "mean": losses.mean(), "batchmean": losses.sum() / rows}[reduction]
