import math

import torch

from ..sample import Error, Sample, T

TOLERANCE = {torch.float32: (1e-4, 1e-5)}
SAMPLES = [Sample(T(3, 4, low=0.5, high=4), 1), Sample(T(5, low=1, high=4), 2), Sample(T(low=1, high=4), 0), Sample(T(0, 3), 1)]
ERRORS = [Error(ValueError, "'n'.*at least 0, got -1", T(2), -1)]


def reference(x, n):
    return (
        torch.digamma(x) if n == 0 else (-1) ** (n + 1) * math.factorial(n) * torch.special.zeta(torch.tensor(n + 1.0), x.detach())
    )
