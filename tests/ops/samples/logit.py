import torch

from ..sample import Sample, T, unary

SAMPLES = [
    *unary(0.1, 0.9),
    Sample(T(3, 23, low=-0.5, high=1.5), 0.2),
    Sample(T(3, 4, low=0.1, high=0.8), eps=0.0),
    Sample(torch.tensor([0.0, 0.3, 1.0]), 0.2),  # where 1 / (x * (1 - x)) is infinite
]


def reference(x, eps=1e-6):
    return torch.logit(x, eps)
