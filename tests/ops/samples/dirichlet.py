import torch

from ..sample import Error, Sample, T

SAMPLES = [Sample(T(3, 1, low=0.5, high=2)), Sample(T(0, 3))]
ERRORS = [Error(ValueError, "'alpha'.*at least one dimension", T())]


def reference(alpha):
    """Of one category."""
    return torch.ones_like(alpha)
