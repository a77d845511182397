import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(2, 3, grad=False), 1),
    Sample(T(2, 3, 4, grad=False), -0.5, torch.float64),
    Sample(T(grad=False), 1),
    Sample(T(0, 3, grad=False), 1),
    Sample(T(5, 7, grad=False), 2.7, torch.int64),
    Sample(T(5, 7, grad=False), 1 + 2j, torch.complex128),
]
ERRORS = [Error(ValueError, r"value.*uint8 can hold, got -1", T(2, dtype=torch.uint8), -1)]


def reference(x, value, dtype=None):
    return torch.full_like(x, value, dtype=dtype)
