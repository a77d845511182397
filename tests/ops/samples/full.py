import torch

from ..sample import DEVICE, Error, Sample

SAMPLES = [
    Sample([2, 3], 1.5),
    Sample([3, 4], -1, place=DEVICE),
    Sample([], -2),
    Sample([0, 4], 1),
    Sample([100000], 2.7, torch.int32),
    Sample([5], 2**62 + 1, torch.int64),
    Sample([3, 2], True, torch.bool),
    Sample([3], 0.1, torch.bfloat16),
    Sample([3], 1 + 2j, torch.complex64),
    Sample([3], 1.5, torch.float8_e4m3fn),
]
ERRORS = [
    Error(ValueError, r"shape.*at least 0, got -1", [2, -1], 1.0),
    Error(ValueError, r"value.*int8 can hold, got 300", [2], 300, torch.int8),
    Error(ValueError, r"value.*int32 can hold, got inf", [2], float("inf"), torch.int32),
]
TOLERANCE = {torch.float32: (0.0, 0.0)}  # float8 is compared bit by bit


def reference(shape, value, dtype=torch.float32, place=None):
    return torch.full(shape, value, dtype=dtype)
