from typing import Any

import torch

from ..sample import Error, Sample, T

LABEL: dict[str, Any] = {"low": 0, "high": 1, "grad": False}
SAMPLES = [
    Sample(T(3, 4), T(3, 4, **LABEL), None),
    Sample(T(3, 4), T(3, 4, **LABEL), T(3, 4, low=0.5, grad=False)),
    Sample(T(), T(**LABEL), None),
    Sample(T(5, 77), T(5, 77, **LABEL), None, True),
    Sample(T(6), T(6, low=3, high=3, grad=False), None, True, 3),
    Sample(T(4), T(4, low=-100, high=-100, grad=False), None, True),
    Sample(T(3, low=-100, high=100), T(3, **LABEL), None),
    Sample(T(9, low=-1500, high=-800), T(9, **LABEL), None),
    Sample(T(0, 3), T(0, 3, grad=False), None),
]
ERRORS = [
    Error(ValueError, r"'label'.*\[3, 4\] of 'x', got \[4\]", T(3, 4), T(4), None),
    Error(ValueError, r"'pos_weight'.*\[3, 4\] of 'x', got \[1\]", T(3, 4), T(3, 4), T(1)),
    Error(TypeError, r"'label'.*got int64", T(3), torch.zeros(3, dtype=torch.int64), None),
]


def reference(x, label, pos_weight, normalize=False, ignore_index=-100):
    wide, y = x.double(), label.double()
    counts = y != ignore_index
    softplus = torch.logaddexp(-wide, torch.zeros_like(wide))
    losses = torch.where(counts, (1 - y) * wide + softplus * (1 if pos_weight is None else pos_weight.double()), 0)
    return losses / max(counts.sum().item(), 1e-5) if normalize else losses
