import torch

from ..sample import Error, Sample, T


def weights(*shape):
    return T(*shape, low=0.1, high=1, grad=False)


SAMPLES = [
    Sample(weights(7)),
    Sample(weights(3, 7), 4),
    Sample(weights(3, 7), 40, True),
    Sample(weights(2, 3000), 3000),
    Sample(weights(2, 3000), 2, True),
    Sample(weights(0, 7), 2),
]
ERRORS = [
    Error(ValueError, r"'x'.*one or two dimensions.*\[\]", weights()),
    Error(ValueError, r"'x'.*at least one category.*\[3, 0\]", weights(3, 0)),
    Error(ValueError, r"'num_samples'.*at least 1, got 0", weights(3), 0),
    Error(ValueError, r"'num_samples'.*at most 3.*got 4", weights(3), 4),
    Error(ValueError, r"'x'.*at least 0, got -1", torch.tensor([0.5, -1.0]), 1, True),
    Error(ValueError, r"'x'.*at least 0, got nan", torch.tensor([0.5, float("nan")]), 1),
    Error(ValueError, r"'x'.*finite sum above 0, got 0", torch.tensor([0.0, 0.0]), 1, True),
    Error(ValueError, r"'x'.*as many weights above 0 as 'num_samples'", torch.tensor([0.0, 1.0]), 2),
]


def reference(x, num_samples=1, replacement=False):  # values: tests/ops/test_draws.py
    return None
