import torch

from ..sample import Sample, T, unary

SAMPLES = [*unary(), Sample(T(3, 23), -0.5), Sample(T(2, 3), negative_slope=2.0)]


def reference(x, negative_slope=0.02):
    return torch.nn.functional.leaky_relu(x, negative_slope)
