import torch

from ..sample import Sample, T, unary

SAMPLES = [*unary(-6, 3), Sample(T(3, 23), 2.0, 0.5)]


def reference(x, scale=1.0507009873554805, alpha=1.6732632423543772):
    return scale * torch.nn.functional.elu(x, alpha)
