import torch

from ..sample import Error, Given, Sample, T


def mask(*shape):
    return T(*shape, grad=False)


CAUSAL = torch.zeros(1, 1, 4, 4).masked_fill(torch.ones(4, 4, dtype=torch.bool).triu(1), -torch.inf)
SAMPLES = [
    Sample(T(2, 3, 2, 5), mask(2, 1, 2, 5)),
    Sample(T(1, 2, 4, 4), Given(CAUSAL, grad=False)),
    Sample(T(2, 4, 3, 70), mask(2, 1, 3, 70)),
    Sample(T(0, 2, 3, 4), mask(0, 1, 3, 4)),
]
ERRORS = [
    Error(ValueError, r"'x'.*4 dimensions.*\[3, 4\]", T(3, 4), T(3, 4)),
    Error(ValueError, r"'mask'.*\[2, 1, 2, 5\], got \[2, 3, 2, 5\]", T(2, 3, 2, 5), T(2, 3, 2, 5)),
    Error(TypeError, "'mask'", T(2, 3, 2, 5), T(2, 1, 2, 5, dtype=torch.int64)),
]


def reference(x, mask):
    exponentials = (x + mask - (x + mask).amax(-1, True).detach()).exp() if x.numel() else x
    return exponentials / exponentials.sum(-1, True)
