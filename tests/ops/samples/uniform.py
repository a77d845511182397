import torch

from ..sample import DEVICE, Error, Sample

SAMPLES = [
    Sample([3, 4]),
    Sample([3, 400], place=DEVICE),
    Sample([2, 5], torch.float32, 1.0, 2.0, 7),
    Sample([0, 3], dtype=torch.float64),
    Sample([100], torch.bfloat16, 0, 5),
    Sample([7], dtype=torch.complex64),
]
ERRORS = [
    Error(ValueError, r"shape.*at least 0, got -1", [2, -1]),
    Error(ValueError, r"'min' and 'max'.*finite.*got 0 and inf", [2], torch.float32, 0.0, float("inf")),
]


def reference(shape, dtype=torch.float32, min=-1.0, max=1.0, seed=0, place=None):  # values: tests/ops/test_random.py
    return None
