import torch

from ..sample import Error, Sample, T

SAMPLES = [Sample(T(*shape, low=0, high=1, grad=False)) for shape in ((3, 4), (2, 3, 70), (), (0, 3))]
ERRORS = [
    Error(ValueError, r"'x'.*probabilities in \[0, 1\], got 2", torch.tensor([0.5, 2.0])),
    Error(ValueError, r"'x'.*probabilities in \[0, 1\], got nan", torch.tensor([float("nan")])),
]


def reference(x):  # values: tests/ops/test_draws.py
    return None
