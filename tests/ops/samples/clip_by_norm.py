import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), 1.0),
    Sample(T(2, 3, 70), 2.5),
    Sample(T(3, 4, low=-0.1, high=0.1), 1.0),
    Sample(T(), 0.5),
    Sample(T(0, 3), 1.0),
    Sample(T(3, low=0, high=0), 1.0),
]
ERRORS = [Error(ValueError, r"'max_norm'.*above 0, got 0", T(3), 0.0)]


def reference(x, max_norm):
    norm = torch.sqrt(torch.sum(x * x))
    return x * (max_norm / norm) if norm > max_norm else x.clone()
