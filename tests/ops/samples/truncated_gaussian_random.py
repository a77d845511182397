import torch

from ..sample import DEVICE, Error, Sample

SAMPLES = [
    Sample([3, 4], 0.0, 1.0, 0, -2.0, 2.0),
    Sample([3, 400], 1.0, 2.0, 0, 0.0, 9.0, torch.float64, DEVICE),
    Sample([70], 0.0, 1.0, 7, 3.0, 4.0, torch.bfloat16),
    Sample([], 0.0, 1.0, 0, -2.0, 2.0),
    Sample([0, 3], 0.0, 1.0, 0, -2.0, 2.0),
]
ERRORS = [
    Error(ValueError, r"shape.*at least 0, got -1", [2, -1], 0.0, 1.0, 0, -2.0, 2.0),
    Error(ValueError, r"'std'.*above 0, got 0", [2], 0.0, 0.0, 0, -2.0, 2.0),
    Error(ValueError, r"'b'.*above 'a', 2.*, got 2", [2], 0.0, 1.0, 0, 2.0, 2.0),
]


def reference(shape, mean, std, seed, a, b, dtype=torch.float32, place=None):  # values: tests/ops/test_draws.py
    return None
