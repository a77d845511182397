import torch

from ..sample import Sample, T, unary

SAMPLES = [*unary(-3, 3), Sample(T(3, 23), -1.0, 1.0), Sample(T(2, 3, low=20, high=30)), Sample(T(3, 23), 1.0, 0.3)]


def reference(x, t_min=0.0, t_max=24.0):
    return torch.clamp(x, t_min, t_max)
