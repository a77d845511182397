import math

import torch

from ..sample import DEVICE, Error, Sample

SAMPLES = [
    Sample(0, 5),
    Sample(0, 300, place=DEVICE),
    Sample(5, 0, -2),
    Sample(3, 3),
    Sample(0, 5, -1),
    Sample(1.5, 0.5, 1.0, torch.float32),
    Sample(0.5, 3.7, 1),  # integer parts, as the dtype is int64
    Sample(0, 1, 0.1, torch.float32),
    Sample(0, 1.1, 0.1, torch.float64),
    Sample(-1, 1, 0.25, torch.bfloat16),
    Sample(0, 100000, 3, torch.int32),
    Sample(2**53, 2**53 + 3, 1, torch.int64),
    Sample(0, 1, 0.3, torch.float16),
]
ERRORS = [
    Error(ValueError, r"step.*other than 0 as int64, got 0", 0, 5, 0),
    Error(ValueError, r"step.*other than 0 as int64, got 0.5", 0, 5, 0.5),
    Error(ValueError, r"finite start, end and step", 0, float("inf"), 1, torch.float32),
]


def reference(start, end, step=1, dtype=torch.int64, place=None):
    if not dtype.is_floating_point:
        return torch.tensor(range(int(start), int(end), int(step)), dtype=dtype)
    length = max(math.ceil((end - start) / step), 0)
    return torch.tensor([start + i * step for i in range(length)], dtype=torch.float64).to(dtype)
