import torch

from ..sample import Sample, T, unary

SAMPLES = [*unary(), Sample(T(3, 23), 0.2, -3.0)]


def reference(x, threshold=1.0, value=0.0):
    return torch.nn.functional.threshold(x, threshold, value)
