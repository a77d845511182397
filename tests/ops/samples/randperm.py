import torch

from ..sample import DEVICE, Error, Sample

SAMPLES = [
    Sample(5, torch.int64),
    Sample(3000, torch.int32, DEVICE),
    Sample(7, torch.float32),
    Sample(1, torch.float64),
    Sample(0, torch.int64),
]
ERRORS = [Error(ValueError, r"'n'.*at least 0, got -1", -1, torch.int64)]


def reference(n, dtype, place=None):  # values: tests/ops/test_draws.py
    return None
