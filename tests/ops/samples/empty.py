import torch

from ..sample import DEVICE, Error, Sample

SAMPLES = [
    Sample([3, 4]),
    Sample([3, 4], place=DEVICE),
    Sample([0, 3], torch.float64),
    Sample([], torch.int64),
    Sample([5], torch.bool),
    Sample([2, 2], torch.float8_e5m2),
]
ERRORS = [Error(ValueError, r"shape.*at least 0, got -1", [2, -1])]


def reference(shape, dtype=torch.float32, place=None):  # there are no values to compare
    return None
