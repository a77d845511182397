import torch

from ..sample import DEVICE, Error, Sample

SAMPLES = [
    Sample([3, 4]),
    Sample([3, 400], place=DEVICE),
    Sample([2, 5], 1.0, 2.0, 7),
    Sample([0, 3], dtype=torch.float64),
    Sample([100], dtype=torch.bfloat16),
    Sample([7], dtype=torch.complex64),
]
ERRORS = [
    Error(ValueError, r"shape.*at least 0, got -1", [2, -1]),
    Error(ValueError, r"std.*at least 0, got -1", [2], 0.0, -1.0),
]


def reference(shape, mean=0.0, std=1.0, seed=0, dtype=torch.float32, place=None):  # values: tests/ops/test_random.py
    return None
