import itertools

import torch

from ..sample import Error, Sample, T

SAMPLES = [Sample(T(3, 3)), Sample(T(2, 2, 2)), Sample(T(0, 2, 2)), Sample(T(1, 1))]
ERRORS = [
    Error(ValueError, r"'x'.*at least 2 dimensions, got the shape \[3\]", T(3)),
    Error(ValueError, r"'x'.*expected square matrices, got the shape \[2, 3\]", T(2, 3)),
]


def reference(x):
    """Leibniz: the sum over all permutations."""
    total = x.new_zeros(x.shape[:-2])
    for perm in itertools.permutations(range(x.shape[-1])):
        sign = (-1) ** sum(a > b for i, b in enumerate(perm) for a in perm[:i])
        total = total + sign * torch.stack([x[..., i, p] for i, p in enumerate(perm)], -1).prod(-1)
    return total
