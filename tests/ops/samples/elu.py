import torch

from ..sample import Sample, T, unary

SAMPLES = [*unary(-6, 3), Sample(T(3, 23), 0.3), Sample(T(2, 3), alpha=-1.5)]


def reference(x, alpha=1.0):
    return torch.where(x > 0, x, alpha * x.clamp(max=0).expm1())
