import torch

from ..sample import DEVICE, Error, Sample

SAMPLES = [
    Sample(0, 5, [3, 4]),
    Sample(-7, 3, [2, 3, 70], torch.int32, DEVICE),
    Sample(-(2**31), 2**31 - 1, [300]),
    Sample(4, 5, []),
    Sample(0, 5, [0, 3]),
]
ERRORS = [
    Error(ValueError, r"'high'.*above 'low', 5, got 5", 5, 5, [3]),
    Error(ValueError, r"shape.*at least 0, got -1", 0, 5, [2, -1]),
]


def reference(low, high, shape, dtype=torch.int64, place=None):  # values: tests/ops/test_draws.py
    return None
